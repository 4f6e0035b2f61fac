/* A process that is stopped while it measures: the run says so once, before the numbers, and its
 * rows know how many timings were taken again. */
#include "bench/runner_fixture.h"
#include "exit_code.h"
#include "stops.h"
#include "test.h"

#include <signal.h>

EACH_TEST(reset);

static int runs, stop_from, stop_most;

static Status run_stopped(void *state) {
    if (++runs >= stop_from && runs < stop_from + stop_most) {
        raise(SIGCONT);
    }
    return fake_run(state);
}

static RunOptions request_of(const Variant *variants, size_t count) {
    RunOptions options = fake_options_of(variants, count);
    options.interleave = true;
    options.quiet = false;
    runs = 0;
    stops_watch();
    return options;
}

TEST(a_run_says_that_it_was_stopped) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_CPU("stopped", run_stopped)};
    static const char said[] = "warning: the process was stopped while it measured (SIGSTOP, "
                               "Ctrl-Z or suspend): 2 timings were taken again";
    RunOptions options = request_of(variants, 2);
    options.cold = true; /* a sample is one run */
    stop_from = 4;
    stop_most = 2;
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_true(outcome.results.rows[0].repeated == 0);
    assert_true(outcome.results.rows[1].repeated == 2);
    assert_int_equal(outcome.results.rows[1].kernel.count, 7);
    assert_int_equal(count_of(outcome.noted, said), 1);
    assert_int_equal(count_of(outcome.printed, "warning"), 1); /* in the line about noise */
}

TEST(a_run_without_stops_says_nothing) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run)};
    const RunOptions options = request_of(variants, 1);
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_true(outcome.results.rows[0].repeated == 0);
    assert_null(strstr(outcome.noted, "stopped"));
    assert_null(strstr(outcome.printed, "stopped"));
}

/* As under a program that lets this one run only a part of the time. */
TEST(a_cell_that_is_stopped_again_and_again_has_no_time) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_CPU("stopped", run_stopped)};
    const RunOptions options = request_of(variants, 2);
    stop_from = 0;
    stop_most = 1000000;
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(outcome.results.rows[0].status, CELL_OK);
    assert_int_equal(outcome.results.rows[1].status, CELL_SKIP);
    assert_says(outcome.results.rows[1].why, "in each of 8 tries to time it");
    assert_true(isnan(outcome.results.rows[1].repeated));
}
