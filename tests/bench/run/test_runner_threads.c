/* Rows of several threads: each says a number that was seen to work, however the variant starts its
 * threads; with fewer it is a skip. */
#include "bench/runner_fixture.h"
#include "exit_code.h"
#include "row.h"
#include "status_checks.h"
#include "test.h"
#include "verify.h"

#include <omp.h>
#include <pthread.h>
#include <semaphore.h>

EACH_TEST(reset);

/* --- Variants that are given two threads ------------------------------------------------------ */

/* As with an OpenMP runtime of its own that was told to use one. */
static Status run_alone(void *state) {
    return fake_run(state);
}

static void *work(void *state) {
    fake_run(state);
    return NULL;
}

/* A thread that is gone after each run. */
static Status run_beside(void *state) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, state) != 0) {
        return status_fail("no thread");
    }
    pthread_join(thread, NULL);
    return status_ok();
}

static struct {
    sem_t begin, end;
    pthread_t thread;
    void *state; /* of the run; NULL: it ends */
} helper;

static void *help(void *unused) {
    (void)unused;
    while (sem_wait(&helper.begin) == 0 && helper.state != NULL) {
        fake_run(helper.state);
        sem_post(&helper.end);
    }
    return NULL;
}

/* One that waits between the runs. */
static Status run_with_helper(void *state) {
    helper.state = state;
    sem_post(&helper.begin);
    sem_wait(&helper.end);
    return status_ok();
}

static void start_helper(void) {
    reset();
    sem_init(&helper.begin, 0, 0);
    sem_init(&helper.end, 0, 0);
    assert_int_equal(pthread_create(&helper.thread, NULL, help, NULL), 0);
}

static void end_helper(void) {
    helper.state = NULL;
    sem_post(&helper.begin);
    assert_int_equal(pthread_join(helper.thread, NULL), 0);
}

/* OpenMP gives every region one thread. */
static void limit_openmp(void) {
    omp_set_max_active_levels(0);
    reset();
}

static void limit_openmp_no_longer(void) {
    omp_set_max_active_levels(1);
}

/* --- Their rows ------------------------------------------------------------------------------- */

#define THREADED(function)                                                                         \
    {                                                                                              \
        .name = "threaded", .summary = "threaded", .backend = &cpu_backend,                        \
        .tuning = fake_omp_tuning, .open = fake_open, .run = (function), .close = fake_close       \
    }

/* seq and a variant on two threads. */
static Outcome run_threaded(const Variant *variants) {
    RunOptions options = fake_options_of(variants, 2);
    options.interleave = true;
    options.axis_count = 1;
    options.axes[0] = (AxisRequest){"threads", "2"};
    Outcome outcome = run(options);
    assert_int_equal(outcome.results.count, 2);
    assert_int_equal(outcome.results.rows[0].status, CELL_OK);
    assert_int_equal(outcome.results.rows[1].threads, 2);
    return outcome;
}

static void check_measured(const Variant *variants) {
    RELEASED_BY(finish) Outcome outcome = run_threaded(variants);
    if (outcome.results.rows[1].status != CELL_OK) {
        fail_msg("skipped: %s", outcome.results.rows[1].why);
    }
}

static void check_skipped(const Variant *variants, const char *reason) {
    RELEASED_BY(finish) Outcome outcome = run_threaded(variants);
    const Row *row = &outcome.results.rows[1];
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(row->status, CELL_SKIP);
    assert_int_equal(row->kernel.count, 0);
    assert_says(row->why, reason);
}

TEST(a_team_is_measured) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), THREADED(fake_run_together)};
    check_measured(variants);
}

TEST(one_thread_is_no_team) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), THREADED(run_alone)};
    check_skipped(variants, "needs 2 threads, and only 1 worked");
}

TEST(threads_that_have_ended_are_not_held_against_it) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), THREADED(run_beside)};
    check_measured(variants);
}

TEST(threads_of_its_own_count, start_helper, end_helper) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), THREADED(run_with_helper)};
    check_measured(variants);
}

TEST(a_runtime_that_gives_fewer_is_named, limit_openmp, limit_openmp_no_longer) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), THREADED(fake_run_together)};
    check_skipped(variants, "needs 2 threads, and OpenMP runs only 1");
}

/* Each of several devices is worked on by a thread. */
TEST(devices_need_threads_too, limit_openmp, limit_openmp_no_longer) {
    Point tuning = {.count = 1, .values = {{.number = 2}}};
    static const Axis gpus = {.name = "gpus", .kind = AXIS_INTEGER, .minimum = 1, .maximum = 16};
    tuning.axes[0] = &gpus;
    assert_status(tuning_check_threads(&tuning), STATUS_SKIP,
                  "needs 2 threads, and OpenMP runs only 1");
    tuning.values[0].number = 1;
    assert_ok(tuning_check_threads(&tuning));
}
