/* A process that is stopped while it measures, by a module that really stops it
 * (tests/conformance/stopping.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

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

static void the_stopped_timing_is_taken_again(void **state) {
    (void)state;
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
static void an_ignored_signal_is_seen(void **state) {
    (void)state;
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
static void stops_of_launches_are_of_the_run(void **state) {
    (void)state;
    Outcome outcome = bench(STOPPING "--launches 2 --spread 0");
    check_code(&outcome, 0);
    assert_int_equal(count_in(outcome.err, SAID "2 timings were taken again"), 1);
    assert_int_equal(count_in(outcome.out, "the process was stopped"), 1);
    outcome_release(&outcome);
    check_row("run/results.json", "\"repeated\":\t2,");
    check_row("run/launch-2/results.json", "\"repeated\":\t1,");
}

#define STOP_TEST(name) cmocka_unit_test_setup_teardown(name, folder_enter, folder_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        STOP_TEST(the_stopped_timing_is_taken_again),
        STOP_TEST(an_ignored_signal_is_seen),
        STOP_TEST(stops_of_launches_are_of_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
