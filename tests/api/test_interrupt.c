/* Signals: the flag, what ends the process when nobody looks at it, and what is left behind. Each
 * process that is to end is a child of the test. */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"
#include "test.h"

/* Long enough for a machine under any load; never waited for when all is well. */
enum { FOREVER_SECONDS = 60 };

static void wait_ms(long duration) {
    struct timespec left = {.tv_sec = duration / 1000, .tv_nsec = duration % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0) {
    }
}

TEST(a_signal_is_noted_once) {
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        interrupt_watch();
        assert_false(interrupt_requested());
        raise(signals[i]);
        raise(signals[i]); /* at once: the same request */
        assert_true(interrupt_requested());
        assert_int_equal(interrupt_signal(), signals[i]);
    }
    interrupt_watch(); /* starts anew */
    assert_false(interrupt_requested());
    assert_int_equal(interrupt_signal(), 0);
}

/* As nohup and the background of a script ignore it. */
TEST(a_signal_that_is_ignored_stays_so) {
    signal(SIGINT, SIG_IGN);
    interrupt_watch();
    assert_true(interrupt_is_ignored(SIGINT));
    assert_false(interrupt_is_ignored(SIGTERM));
    raise(SIGINT);
    assert_false(interrupt_requested());
    raise(SIGTERM);
    assert_true(interrupt_requested());
    signal(SIGINT, SIG_DFL);
    interrupt_watch();
    assert_false(interrupt_is_ignored(SIGINT));
}

/* The exit code of a child that runs the function; 128 + signal. What it says on standard error is
 * put in `words`. */
static int code_of_child(void (*run)(void), char *words, size_t size) {
    int ends[2], how = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        interrupt_watch();
        run();
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    ssize_t got;
    while ((got = read(ends[0], words + used, size - 1 - used)) > 0) {
        used += (size_t)got;
    }
    words[used] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &how, 0), child);
    return WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
}

static int say(const Status *status) {
    return dprintf(STDERR_FILENO, "%s\n", status->why);
}

/* Pieces of work that never look at the flag. */
static void work(void) {
    for (int i = 0; i < FOREVER_SECONDS; i++) {
        wait_ms(1000);
    }
}

static char home[] = "/tmp/interrupt-XXXXXX";
static char temporary[64], renamed[64], kept[64];

static void make_home(void) {
    assert_non_null(mkdtemp(home));
    snprintf(temporary, sizeof temporary, "%s/temporary", home);
    snprintf(renamed, sizeof renamed, "%s/renamed", home);
    snprintf(kept, sizeof kept, "%s/kept", home);
}

static void make_file(const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL || fclose(file) != 0) {
        _exit(1);
    }
}

static void signal_twice(void) {
    raise(SIGINT);
    wait_ms(250);
    raise(SIGINT);
}

TEST(a_second_signal_ends_the_process) {
    char words[200];
    assert_int_equal(code_of_child(signal_twice, words, sizeof words), INTERRUPT_EXIT_CODE);
    assert_string_equal(words, "bench: interrupted again; ended at once\n");
}

static void guarded_work(void) {
    interrupt_guard(say);
    for (int i = 0; i < 100; i++) { /* as many as there may be in a long run */
        char gone[96];
        snprintf(gone, sizeof gone, "%s/gone-%d", home, i);
        interrupt_note_temporary(gone);
    }
    interrupt_note_temporary(temporary);
    make_file(temporary);
    interrupt_note_temporary(renamed);
    make_file(renamed);
    if (rename(renamed, kept) != 0) {
        _exit(1);
    }
    raise(SIGTERM);
    work();
}

TEST(work_that_does_not_look_is_abandoned, make_home) {
    char words[200];
    assert_int_equal(code_of_child(guarded_work, words, sizeof words), INTERRUPT_EXIT_CODE);
    assert_string_equal(words, "interrupted\n");
    assert_int_equal(unlink(kept), 0);
    assert_int_equal(rmdir(home), 0); /* nothing else is in it */
}

static volatile int rows; /* that the work has finished */

static Status finish(void *context) {
    interrupt_hold(); /* is the guard's own */
    const int before = rows;
    wait_ms(50);
    interrupt_release();
    return status_make(STATUS_INTERRUPTED, "%s: %s", (const char *)context,
                       before == 0      ? "was not held"
                       : rows == before ? "stopped"
                                        : "goes on");
}

/* What it finishes while it is held counts; then it is stopped. */
static void held_work(void) {
    static char context[] = "work";
    interrupt_on_abandon(finish, context);
    interrupt_guard(say);
    interrupt_hold();
    raise(SIGINT);
    wait_ms(1000); /* longer than the guard waits for work that is not held */
    for (int i = 0; i < 1000 * FOREVER_SECONDS; i++) {
        interrupt_hold();
        rows = rows + 1;
        interrupt_release();
        if (i == 0) {
            interrupt_release();
        }
        wait_ms(1);
    }
}

TEST(work_that_is_held_is_not_abandoned) {
    char words[200];
    assert_int_equal(code_of_child(held_work, words, sizeof words), INTERRUPT_EXIT_CODE);
    assert_string_equal(words, "work: stopped\n");
}

static void work_with_a_child(void) {
    const pid_t grandchild = fork();
    if (grandchild == 0) {
        work();
        _exit(0);
    }
    dprintf(STDERR_FILENO, "%d ", (int)grandchild);
    interrupt_note_child(grandchild, SIGKILL);
    interrupt_guard(say);
    raise(SIGINT);
    work();
}

TEST(a_child_is_ended_too) {
    char words[200];
    int child = 0;
    /* Reads to the end of the pipe, which the grandchild has too. */
    assert_int_equal(code_of_child(work_with_a_child, words, sizeof words), INTERRUPT_EXIT_CODE);
    assert_int_equal(sscanf(words, "%d interrupted", &child), 1);
    assert_int_not_equal(kill(child, 0), 0);
}
