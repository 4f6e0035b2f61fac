/* Children: what they say, how they end, and that none outlives whoever started it. This program
 * plays most of them: it is started again with the name of a part. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child_process.h"
#include "interrupt.h"
#include "said.h"
#include "test.h"

enum { FOREVER_SECONDS = 60 };

/* --- The child -------------------------------------------------------------------------------- */

static void end_softly(int number) {
    (void)number;
    _exit(7);
}

/* How many processors this thread may run on. */
static int processors_here(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

static int play_pinned(void);

static int play(const char *part) {
    if (strcmp(part, "processors") == 0) {
        fprintf(stderr, "%d %d ", processors_here(), processors_allowed());
        return 0;
    }
    if (strcmp(part, "pinned") == 0) {
        return play_pinned();
    }
    if (strcmp(part, "speak") == 0) {
        fputs("out\n", stdout);
        fflush(stdout);
        fputs("error\n", stderr);
        return getchar() == EOF ? 3 : 4;
    }
    if (strcmp(part, "ignored") == 0) {
        fprintf(stderr, "%d %d\n", interrupt_is_ignored(SIGINT), interrupt_is_ignored(SIGTERM));
        return 0;
    }
    if (strcmp(part, "crash") == 0) {
        raise(SIGKILL);
    }
    if (strcmp(part, "leave") == 0) { /* with the pipe open in a process of its own */
        const pid_t left = fork();
        if (left == 0) {
            sleep(FOREVER_SECONDS);
            return 0;
        }
        fprintf(stderr, "left %d\n", (int)left);
        return 0;
    }
    if (strcmp(part, "group") == 0) { /* starts a process of its own, as a build does */
        const pid_t own = fork();
        if (own == 0) {
            sleep(FOREVER_SECONDS);
            return 0;
        }
        fprintf(stderr, "started %d\n", (int)own);
        kill(getppid(), SIGTERM);
        sleep(FOREVER_SECONDS);
    }
    if (strcmp(part, "signal-parent") == 0 || strcmp(part, "save") == 0) {
        signal(SIGTERM, strcmp(part, "save") == 0 ? end_softly : SIG_IGN);
        kill(getppid(), SIGTERM);
    }
    fputs("waits\n", stderr);
    sleep(FOREVER_SECONDS);
    return 0;
}

/* --- Running it ------------------------------------------------------------------------------- */

static Status run(const char *part, ChildProcess process, Said *said, ChildEnd *end) {
    const char *const arguments[] = {"child", part, NULL};
    *said = (Said){.used = 0};
    process.program = process.program != NULL ? process.program : "/proc/self/exe";
    process.arguments = arguments;
    process.take = said_take;
    process.context = said;
    return child_process_run(&process, end);
}

/* Pinned by the OpenMP runtime, as its child is too: both tell what they are pinned to, and what
 * they may use. */
static int play_pinned(void) {
    Said said;
    ChildEnd end;
    const Status status = run("processors", (ChildProcess){.output = -1}, &said, &end);
    fputs(said.text, stderr);
    return status_is_ok(&status) && end.code == 0 ? play("processors") : 1;
}

TEST(what_it_says_and_returns_is_told) {
    Said said;
    ChildEnd end;
    interrupt_watch();
    assert_ok(run("speak", (ChildProcess){.output = -1}, &said, &end));
    assert_string_equal(said.text, "out\nerror\n");
    assert_int_equal(end.code, 3);
    assert_int_equal(end.signal, 0);
    const int nowhere = open("/dev/null", O_WRONLY);
    assert_ok(run("speak", (ChildProcess){.output = nowhere}, &said, &end));
    assert_string_equal(said.text, "error\n");
    close(nowhere);
    assert_ok(run("crash", (ChildProcess){.output = -1}, &said, &end));
    assert_int_equal(end.signal, SIGKILL);
    assert_int_equal(end.code, 128 + SIGKILL);
}

/* A launch of a run that nohup started ignores what the run ignores. */
TEST(what_is_ignored_here_is_ignored_there) {
    Said said;
    ChildEnd end;
    signal(SIGINT, SIG_IGN);
    interrupt_watch();
    const Status status = run("ignored", (ChildProcess){.output = -1}, &said, &end);
    signal(SIGINT, SIG_DFL);
    assert_ok(status);
    assert_string_equal(said.text, "1 0\n");
    interrupt_watch();
}

TEST(a_program_that_is_not_there_is_an_end) {
    Said said;
    ChildEnd end;
    interrupt_watch();
    const ChildProcess process = {.program = "no-such-program", .output = -1};
    assert_ok(run("speak", process, &said, &end));
    assert_int_equal(end.error, ENOENT);
    assert_string_equal(said.text, "");
}

TEST(what_it_leaves_behind_is_not_waited_for) {
    Said said;
    ChildEnd end;
    interrupt_watch();
    const time_t before = time(NULL);
    assert_ok(run("leave", (ChildProcess){.output = -1}, &said, &end));
    int left = 0;
    assert_int_equal(sscanf(said.text, "left %d", &left), 1);
    assert_int_equal(kill(left, SIGKILL), 0);
    assert_int_equal(end.code, 0);
    assert_true(time(NULL) - before < FOREVER_SECONDS);
}

TEST(a_limit_ends_it) {
    Said said;
    ChildEnd end;
    interrupt_watch();
    const ChildProcess process = {.output = -1, .limit = 0.1};
    assert_ok(run("wait", process, &said, &end));
    assert_true(end.late);
    assert_int_equal(end.signal, SIGKILL);
}

/* It ignores SIGTERM, as a gnuplot that hangs may. */
TEST(an_interrupt_ends_it) {
    Said said;
    ChildEnd end;
    interrupt_watch();
    const ChildProcess process = {.output = -1};
    assert_int_equal(run("signal-parent", process, &said, &end).code, STATUS_INTERRUPTED);
    assert_int_equal(end.signal, SIGKILL);
    /* None is started after it. */
    assert_int_equal(run("speak", process, &said, &end).code, STATUS_INTERRUPTED);
    assert_string_equal(said.text, "");
    interrupt_watch();
}

TEST(one_that_saves_gets_the_signal_itself) {
    Said said;
    ChildEnd end;
    interrupt_watch();
    const ChildProcess process = {.output = -1, .saves = true};
    assert_int_equal(run("save", process, &said, &end).code, STATUS_INTERRUPTED);
    assert_int_equal(end.signal, 0);
    assert_int_equal(end.code, 7);
    interrupt_watch();
}

TEST(one_that_was_not_started_for_an_interrupt_has_no_success) {
    Said said;
    ChildEnd end;
    interrupt_watch();
    raise(SIGTERM);
    const ChildProcess process = {.output = -1, .saves = true};
    assert_int_equal(run("save", process, &said, &end).code, STATUS_INTERRUPTED);
    assert_int_equal(end.code, INTERRUPT_EXIT_CODE);
    interrupt_watch();
}

/* A dead process may be waiting for whoever looks after orphans. */
static bool is_alive(pid_t process) {
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    const char *got = fgets(text, sizeof text, file);
    fclose(file);
    const char *state = got != NULL ? strrchr(text, ')') : NULL;
    return state != NULL && state[2] != 'Z' && state[2] != 'X';
}

static bool dies(pid_t process) {
    for (int i = 0; i < FOREVER_SECONDS * 50 && is_alive(process); i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return !is_alive(process);
}

TEST(an_interrupt_ends_what_a_group_has_started) {
    Said said;
    ChildEnd end;
    int started = 0;
    interrupt_watch();
    const ChildProcess process = {.output = -1, .group = true};
    assert_int_equal(run("group", process, &said, &end).code, STATUS_INTERRUPTED);
    assert_int_equal(end.signal, SIGKILL);
    assert_int_equal(sscanf(said.text, "started %d", &started), 1);
    assert_true(dies(started));
    interrupt_watch();
}

static void say_where(void *context, const char *bytes, size_t count) {
    const ssize_t written = write(*(const int *)context, bytes, count);
    (void)written;
}

/* A parent that is killed in a way it cannot hear takes its child along, saving or not. */
TEST(a_parent_that_is_killed_takes_it_along) {
    for (int saves = 0; saves < 2; saves++) {
        int ends[2], pid = 0;
        char text[32] = "";
        assert_int_equal(pipe(ends), 0);
        const pid_t parent = fork();
        if (parent == 0) {
            ChildEnd end;
            const char *const shell[] = {"sh", "-c", "echo $$ >&2; exec sleep 60", NULL};
            const ChildProcess process = {.program = "sh",
                                          .arguments = shell,
                                          .output = -1,
                                          .saves = saves != 0,
                                          .take = say_where,
                                          .context = &ends[1]};
            child_process_run(&process, &end);
            _exit(0);
        }
        assert_true(read(ends[0], text, sizeof text - 1) > 0);
        assert_int_equal(sscanf(text, "%d", &pid), 1);
        assert_true(is_alive(pid));
        assert_int_equal(kill(parent, SIGKILL), 0);
        assert_int_equal(waitpid(parent, NULL, 0), parent);
        assert_true(dies(pid));
        close(ends[0]);
        close(ends[1]);
    }
}

/* --- Processors ------------------------------------------------------------------------------- */

/* As bench pins itself. */
TEST(a_child_may_use_what_was_stored) {
    Said said;
    ChildEnd end;
    cpu_set_t all, one;
    interrupt_watch();
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_true(processors_store());
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++) {
        if (CPU_ISSET(i, &all)) {
            CPU_SET(i, &one);
        }
    }
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const Status status = run("processors", (ChildProcess){.output = -1}, &said, &end);
    const int allowed = processors_allowed();
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_int_equal(unsetenv("BENCH_THREADS_PINNED"), 0);
    assert_ok(status);
    assert_int_equal(atoi(said.text), CPU_COUNT(&all));
    assert_int_equal(allowed, CPU_COUNT(&all));
}

/* As a person has it pinned: OMP_PROC_BIND binds the first thread before the program begins. */
TEST(a_child_of_a_bound_program_may_use_all_places) {
    Said said;
    ChildEnd end;
    int own = 0, allowed = 0, child_own = 0, child_allowed = 0;
    interrupt_watch();
    assert_int_equal(setenv("OMP_PROC_BIND", "true", 1), 0);
    assert_int_equal(setenv("OMP_PLACES", "threads", 1), 0);
    const Status status = run("pinned", (ChildProcess){.output = -1}, &said, &end);
    assert_int_equal(unsetenv("OMP_PROC_BIND"), 0);
    assert_int_equal(unsetenv("OMP_PLACES"), 0);
    assert_ok(status);
    assert_int_equal(end.code, 0);
    assert_int_equal(sscanf(said.text, "%d %d %d %d", &child_own, &child_allowed, &own, &allowed),
                     4);
    assert_int_equal(own, 1);
    assert_int_equal(allowed, processors_here());
    assert_int_equal(child_allowed, processors_here());
}

ARGUMENTS(argc, argv) {
    return argc > 1 ? play(argv[1]) : RUN_TESTS;
}
