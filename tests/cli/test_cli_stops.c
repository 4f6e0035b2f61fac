/* A process that is stopped while it measures, by a module that really stops it
 * (tests/conformance/stopping.c), or whose processor others take. */
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "needs.h"
#include "program.h"
#include "test.h"

enum { SPINNERS = 4 };

static pid_t spinners[SPINNERS];
static cpu_set_t home;

static void enter(void) {
    folder_enter();
    assert_int_equal(sched_getaffinity(0, sizeof home, &home), 0);
}

static void leave(void) {
    for (size_t i = 0; i < SPINNERS; i++) {
        if (spinners[i] > 0) {
            kill(spinners[i], SIGKILL);
            waitpid(spinners[i], NULL, 0);
        }
        spinners[i] = 0;
    }
    sched_setaffinity(0, sizeof home, &home);
    folder_leave();
}

/* --- A control group of its own --------------------------------------------------------------- */

enum { GROUP_PATH_SIZE = 512 };

static char group[GROUP_PATH_SIZE], group_before[GROUP_PATH_SIZE]; /* empty: none */

static bool write_line(const char *folder, const char *name, const char *line) {
    char path[GROUP_PATH_SIZE + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    const bool written = file != NULL && fputs(line, file) >= 0;
    return file != NULL && fclose(file) == 0 && written;
}

static bool move_into(const char *folder) {
    char line[32];
    snprintf(line, sizeof line, "%d\n", (int)getpid());
    return write_line(folder, "cgroup.procs", line);
}

static void leave_group(void) {
    if (group[0] != '\0') {
        move_into(group_before);
        rmdir(group);
        group[0] = '\0';
    }
}

/* This process's group of the controller `cpu`: of version 1 in the hierarchy that has it, of
 * version 2 in the one there is. */
static bool find_group(char *folder, bool *first_version) {
    static const char *const roots[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"};
    FILE *file = fopen("/proc/self/cgroup", "r");
    char line[GROUP_PATH_SIZE / 2], unified[GROUP_PATH_SIZE / 2] = "";
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        const char *names = strchr(line, ':'),
                   *path = names != NULL ? strchr(names + 1, ':') : NULL;
        if (path == NULL) {
            continue;
        }
        if (strncmp(line, "0::", 3) == 0) {
            snprintf(unified, sizeof unified, "%s", path + 1);
        }
        for (size_t i = 0; i < 2 && !found; i++) {
            found = strncmp(names + 1, "cpu", 3) == 0 && (names[4] == ':' || names[4] == ',') &&
                    strncmp(names + 1, "cpuset", 6) != 0 && access(roots[i], F_OK) == 0;
            if (found) {
                snprintf(folder, GROUP_PATH_SIZE, "%s%s", roots[i], path + 1);
            }
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    *first_version = found;
    if (!found && unified[0] != '\0' && access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0) {
        snprintf(folder, GROUP_PATH_SIZE, "/sys/fs/cgroup%s", unified);
        found = true;
    }
    return found;
}

/* Moves this process, and with it those that it starts, into a new group below its own that may
 * have a tenth of a processor, in periods that are shorter than a run. NULL, or why that cannot be
 * here. */
static const char *enter_throttled_group(void) {
    bool first_version;
    if (!find_group(group_before, &first_version)) {
        return "no control group with the controller cpu is mounted";
    }
    snprintf(group, sizeof group, "%.400s/bench-test-%d", group_before, (int)getpid());
    if (mkdir(group, 0755) != 0) {
        group[0] = '\0';
        return "this user may make no control group";
    }
    const bool limited = first_version ? write_line(group, "cpu.cfs_period_us", "20000\n") &&
                                             write_line(group, "cpu.cfs_quota_us", "2000\n")
                                       : write_line(group, "cpu.max", "2000 20000\n");
    if (!limited || !move_into(group)) {
        rmdir(group);
        group[0] = '\0';
        return "the control group takes no CPU quota or no process here";
    }
    return NULL;
}

static void leave_all(void) {
    leave_group();
    leave();
}

EACH_TEST(enter, leave_all);

#define STOPPING                                                                                   \
    "--plugin " STOPPING_MODULE " --algo stopping --sizes 64x64 --reps 5 --cold --no-plot "        \
    "--no-roof --out run "
#define SAID "warning: the process was stopped while it measured (SIGSTOP, Ctrl-Z or suspend): "

static void check_row(const char *path, const char *key) {
    check_contains(read_text(path), key);
}

static void check_one_stop(Outcome outcome) {
    check_code(&outcome, 0);
    assert_int_equal(count_of(outcome.err, SAID "1 timing was taken again"), 1);
    assert_int_equal(count_of(outcome.out, "warning"), 1); /* the line about noise counts it */
    check_row("run/results.json", "\"repeated\":\t1,");
    check_row("run/results.json", "\"repeated\":\t0,");
    check_row("run/results.csv", "# warning: the process was stopped");
}

TEST(the_stopped_timing_is_taken_again) {
    check_one_stop(bench(STOPPING));
    setenv("BENCH_PATH", STOPPING_MODULE, 1);
    bench_ok("merge run --out merged");
    static const char *const views[] = {"show run --noise", "show merged --noise",
                                        "report run --format md --out run.md"};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        Outcome outcome = bench_ok("%s", views[i]);
        const char *page = read_if_there("run.md");
        check_contains(page != NULL ? page : outcome.out, "he process was stopped while it");
    }
    unsetenv("BENCH_PATH");
}

/* As a program that ignores or blocks the signal may start this one. */
TEST(an_ignored_signal_is_seen) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCONT);
    signal(SIGCONT, SIG_IGN);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    check_one_stop(bench(STOPPING));
    signal(SIGCONT, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
}

/* A launch is a process of its own, which may be stopped alone; the run of all of them says it. */
TEST(stops_of_launches_are_of_the_run) {
    Outcome outcome = bench_ok(STOPPING "--launches 2 --spread 0");
    assert_int_equal(count_of(outcome.err, SAID "2 timings were taken again"), 1);
    assert_int_equal(count_of(outcome.out, "warning"), 1); /* the line about noise counts it */
    check_row("run/results.json", "\"repeated\":\t2,");
    check_row("run/launch-2/results.json", "\"repeated\":\t1,");
}

/* A run of a cell takes longer than a process may have a processor at a stretch. */
#define LONG "--algo lacunarity --sizes 160x160 --box 64 --reps 5 --launches 1 --no-plot --no-roof "

/* On one processor with four others a program has a fifth of its time, or less. */
TEST(others_on_its_processor_are_named) {
    cpu_set_t one;
    int processor = 0;
    while (!CPU_ISSET(processor, &home)) {
        processor++;
    }
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    for (size_t i = 0; i < SPINNERS; i++) {
        spinners[i] = fork();
        for (volatile unsigned turn = 0; spinners[i] == 0; turn++) {
        }
    }
    /* Where the counters of stolen time are not found, no guest of the host is blamed. */
    assert_int_equal(setenv("BENCH_SYSTEM_ROOT", "nowhere", 1), 0);
    Outcome outcome = bench(LONG "--variants seq --warmup 1 --max-time 1 --out run");
    assert_int_equal(unsetenv("BENCH_SYSTEM_ROOT"), 0);
    check_code(&outcome, 0);
    assert_int_equal(count_of(outcome.err, "warning: 1 of 1 cell was disturbed and may be too "
                                           "slow by a fifth or more: other programs (1)"),
                     1);
    check_row("run/results.csv", "# warning: 1 of 1 cell was disturbed");
    check_row("run/results.json", "\"starved\":\ttrue");
}

/* A quota that the kernel keeps: it stops the process for nine tenths of each period. The run says
 * so, and its times decide nothing. */
TEST(a_cpu_quota_stops_the_run) {
    const char *why_not = enter_throttled_group();
    if (why_not != NULL) {
        skip_needing(NEEDS_QUOTA, why_not);
    }
    Outcome outcome = bench(LONG "--variants seq,simd --out run");
    leave_group();
    check_code(&outcome, 0);
    check_contains(outcome.err, "the CPU quota of the control group stopped this run in ");
    check_contains(outcome.err, " disturbed and may be too slow by a fifth or more: ");
    check_contains(outcome.err, "throttling (");
    check_contains(outcome.out, "undecided");
    check_row("run/results.json", "\"cpu_quota_throttled_periods\":");
    check_row("run/results.csv", "# cpu_quota: 0.1");
    check_row("run/results.json", "\"throttled\":\ttrue");
    check_row("run/results.csv", "CPU quota");
}
