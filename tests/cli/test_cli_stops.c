/* A process that is stopped while it measures, by a module that really stops it
 * (tests/conformance/stopping.c), or whose processor others take. */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

EACH_TEST(enter, leave);

#define STOPPING                                                                                   \
    "--plugin " STOPPING_MODULE " --algo stopping --sizes 64x64 --reps 5 --cold --no-plot "        \
    "--no-roof --out run "
#define SAID "warning: the process was stopped while it measured (SIGSTOP, Ctrl-Z or suspend): "

static size_t count_in(const char *text, const char *words) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++) {
        count++;
    }
    return count;
}

static void check_row(const char *path, const char *key) {
    char *text = read_text(path);
    assert_non_null(text);
    check_contains(text, key);
    free(text);
}

static void check_one_stop(Outcome outcome) {
    check_code(&outcome, 0);
    assert_int_equal(count_in(outcome.err, SAID "1 timing was taken again"), 1);
    assert_int_equal(count_in(outcome.out, "the process was stopped"), 1);
    outcome_release(&outcome);
    check_row("run/results.json", "\"repeated\":\t1,");
    check_row("run/results.json", "\"repeated\":\t0,");
    check_row("run/results.csv", "# warning: the process was stopped");
}

TEST(the_stopped_timing_is_taken_again) {
    check_one_stop(bench(STOPPING));
    setenv("BENCH_PATH", STOPPING_MODULE, 1);
    static const char *const views[] = {"show run", "merge run --out merged",
                                        "report run --format md --out run.md"};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        Outcome outcome = bench("%s", views[i]);
        check_code(&outcome, 0);
        char *page = read_text("run.md");
        check_contains(page != NULL ? page : outcome.out, "he process was stopped while it");
        free(page);
        outcome_release(&outcome);
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
    Outcome outcome = bench(STOPPING "--launches 2 --spread 0");
    check_code(&outcome, 0);
    assert_int_equal(count_in(outcome.err, SAID "2 timings were taken again"), 1);
    assert_int_equal(count_in(outcome.out, "the process was stopped"), 1);
    outcome_release(&outcome);
    check_row("run/results.json", "\"repeated\":\t2,");
    check_row("run/launch-2/results.json", "\"repeated\":\t1,");
}

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
    Outcome outcome = bench("--algo lbp --variants seq --sizes 4K --reps 5 --warmup 1 --max-time 1 "
                            "--launches 1 --no-plot --no-roof --out run");
    check_code(&outcome, 0);
    assert_int_equal(count_in(outcome.err, "warning: 1 of 1 cells were disturbed and may be too "
                                           "slow by a fifth or more: other programs (1)"),
                     1);
    outcome_release(&outcome);
    check_row("run/results.csv", "# warning: 1 of 1 cells were disturbed");
    check_row("run/results.json", "\"starved\":\ttrue");
}
