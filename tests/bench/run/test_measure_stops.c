/* A stop in a timing of any kind: it is taken again, and everything that has to precede it. */
#include <signal.h>

#include "bench/fakes.h"
#include "clock.h"
#include "harness.h"
#include "measure.h"
#include "run_options.h"
#include "status_checks.h"
#include "stops.h"
#include "test.h"
#include "verify.h"

/* A variant whose steps take a second each on the fake device's clock, and six more if the process
 * is stopped in them. */
static struct {
    int steps;           /* uploads, runs, downloads and stages so far */
    int stop_from, most; /* the steps from this one on are stopped, so many of them */
    double clock, started;
    int holds, flushes;
    bool held, stopped; /* a stop lets the hold end */
} script;

static Status script_start(void) {
    script.started = script.clock;
    return status_ok();
}

static Status script_stop(double *seconds) {
    *seconds = script.clock - script.started;
    return status_ok();
}

static Status script_hold(void) {
    script.holds++;
    script.stopped = false;
    return status_ok();
}

static bool script_was_held(void) {
    return !script.stopped;
}

static Status script_flush(void) {
    script.flushes++;
    return status_ok();
}

static Status script_step(void *state) {
    (void)state;
    script.steps++;
    script.clock += 1;
    if (script.steps >= script.stop_from && script.steps < script.stop_from + script.most) {
        script.clock += 6;
        script.stopped = true;
        raise(SIGCONT);
    }
    return status_ok();
}

static BackendRunner runner;
static Backend backend;
static Variant variant;
static RunOptions options;
static Measurement measurement;

static void reset(void) {
    memset(&script, 0, sizeof script);
    memset(&fake_device, 0, sizeof fake_device);
    stops_watch();
    runner = fake_runner;
    backend = fake_backend;
    backend.runner = &runner;
    runner.clock_start = script_start;
    runner.clock_stop = script_stop;
    runner.hold = NULL;
    runner.flush_caches = script_flush;
    variant = (Variant){.name = "script",
                        .backend = &backend,
                        .open = fake_open,
                        .run = script_step,
                        .close = fake_close};
    options = (RunOptions){
        .ci_width = 0.01, .min_reps = 5, .reps = 5, .max_time = 1000, .warmup = 3, .cold = true};
    measurement = (Measurement){.options = &options, .variant = &variant};
}

static void release(void) {
    samples_release(&measurement.samples);
    samples_release(&measurement.end_to_end);
}

EACH_TEST(reset, release);

/* From the next step on, or later. */
static void stop_next(int later, int most) {
    script.stop_from = script.steps + 1 + later;
    script.most = most;
}

static void begin(void) {
    assert_ok(measure_begin(&measurement));
}

static void take_all(void) {
    while (!measurement.done) {
        assert_ok(measure_sample(&measurement));
    }
}

static void check_samples(const Samples *samples, size_t count, double seconds) {
    assert_int_equal(samples->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(samples->seconds[i] == seconds);
    }
}

/* === Kernel samples =========================================================================== */

/* After a run that raises the device's clock. */
TEST(a_stopped_sample_is_taken_again) {
    begin();
    const int before = script.steps;
    stop_next(2, 1);
    take_all();
    check_samples(&measurement.samples, 5, 1);
    assert_int_equal(script.steps - before, 5 + 1 + 1);
    assert_int_equal(script.flushes, 5 + 1);
    assert_int_equal(measurement.repeated, 1);
}

static uint8_t *poisoned;

/* All but the run that raises the device's clock, which comes after the first. */
static Status step_on_poison(void *state) {
    if (script.steps != 1) {
        assert_int_equal(poisoned[0], POISON_CANDIDATE);
        poisoned[0] = 0;
    }
    return script_step(state);
}

/* Its answer has to be proven, too. */
TEST(a_stopped_long_sample_is_poisoned_again) {
    uint8_t bytes[64] = {0};
    const Output answer = {.layout = {.count = 1, .bytes = sizeof bytes, .parts = {{.bytes = 64}}},
                           .data = bytes};
    measurement.poisoned = &answer;
    measurement.latest = 1;
    variant.run = step_on_poison;
    poisoned = bytes;
    begin();
    assert_int_equal(script.steps, 0);
    stop_next(0, 1);
    assert_ok(measure_sample(&measurement));
    assert_int_equal(measurement.repeated, 1);
    variant.run = script_step;
}

static Status sleep_and_step(void *state) {
    if (script.steps + 1 == script.stop_from) { /* the clock is not read meanwhile */
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    return script_step(state);
}

static double raw_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

TEST(a_stop_does_not_count_against_the_limit) {
    variant.run = sleep_and_step;
    begin();
    stop_next(1, 1);
    const double started = raw_now();
    take_all();
    assert_true(measurement.spent <= raw_now() - started - 0.05);
    assert_int_equal(measurement.repeated, 1);
}

/* Meanwhile the caches were those of others. Two runs that agree, and then the sample. */
TEST(caches_are_filled_again_after_a_stop) {
    static const double short_run = 1e-3;
    options.cold = false;
    begin();
    assert_ok(measure_sample(&measurement));
    measurement.latest = short_run;
    const double spent = measurement.spent;
    int before = script.steps;
    raise(SIGCONT); /* between two samples */
    assert_ok(measure_sample(&measurement));
    assert_true(script.steps - before >= 2 + 1);
    assert_int_equal(measurement.repeated, 0);
    measurement.latest = short_run;
    before = script.steps;
    assert_ok(measure_sample(&measurement));
    assert_int_equal(script.steps - before, 1);
    assert_true(measurement.spent >= spent);
}

TEST(a_stop_does_not_take_the_hold_away) {
    runner.hold = script_hold;
    runner.was_held = script_was_held;
    begin();
    measurement.held = true;
    stop_next(0, 3); /* of a hold there are two tries, and a run in between raises the clock */
    assert_ok(measure_sample(&measurement));
    assert_true(measurement.held);
    assert_true(measurement.repeated >= 2);
    check_samples(&measurement.samples, 1, 1);
}

TEST(what_is_always_stopped_is_skipped) {
    begin();
    stop_next(0, 1000);
    const int before = script.steps;
    assert_status(measure_sample(&measurement), STATUS_SKIP, "in each of 8 tries");
    assert_int_equal(script.steps - before, 1 + 8); /* one sample, and the runs after it */
    assert_int_equal(measurement.samples.count, 0);
}

/* === Runs that are no samples ================================================================= */

/* A stopped first run would pass for a long one: of no batch, warmed up by one run. */
TEST(a_stopped_warm_up_run_is_repeated) {
    stop_next(2, 1);
    begin();
    assert_true(measurement.latest == 1);
    assert_int_equal(script.steps, 3 + 1);
    assert_int_equal(measurement.repeated, 1);
}

TEST(a_stopped_probe_does_not_end_the_search_for_a_batch) {
    options.cold = false;
    options.warmup = 1;
    measurement.timer_overhead = 0.3; /* a batch of six runs takes 20 of them */
    stop_next(1, 3);                  /* as many as a probe has timings */
    begin();
    assert_int_equal(measurement.batch, 6);
    assert_true(measurement.fastest == 1);
}

TEST(rewarming_repeats_what_was_stopped) {
    options.cold = false;
    begin();
    measurement.latest = 1e-3;
    const int before = script.steps;
    stop_next(1, 1);
    assert_ok(measure_rewarm(&measurement));
    assert_int_equal(script.steps - before, 2 + 1); /* two agree */
}

/* Idle for as long as the stop lasted, whatever the clock says. */
TEST(a_device_is_cold_after_a_stop) {
    Warmth warmth = {.backend = NULL};
    begin();
    measure_note_warmth(&measurement, &warmth);
    warmth.left = clock_now() + 3600;
    int before = script.steps;
    assert_ok(measure_warm_device(&measurement, &warmth));
    assert_int_equal(script.steps, before);
    raise(SIGCONT);
    before = script.steps;
    assert_ok(measure_warm_device(&measurement, &warmth));
    assert_true(script.steps > before);
}

/* === What is timed besides ==================================================================== */

TEST(a_stopped_transfer_is_repeated) {
    double upload = NAN;
    double download = NAN;
    variant.upload = variant.download = script_step;
    stop_next(1, 4);
    assert_ok(measure_transfers(&measurement, &upload, &download));
    assert_true(upload == 1 && download == 1);
    assert_int_equal(script.steps, 5 + 4 + 1 + 5);
    assert_int_equal(measurement.repeated, 4);
}

TEST(a_stopped_call_is_repeated) {
    double call = NAN;
    stop_next(0, 2);
    assert_ok(measure_call(&measurement, &call));
    assert_int_equal(measurement.repeated, 2);
    assert_int_equal(script.flushes, script.steps);
}

TEST(a_stopped_pass_is_repeated) {
    variant.upload = variant.download = script_step;
    stop_next(3 + 1, 1); /* after an uncounted pass, in the run */
    assert_ok(measure_end_to_end(&measurement, 5));
    assert_int_equal(measurement.end_to_end.count, 5);
    assert_int_equal(script.steps, 3 * (1 + 5 + 1) + 1); /* one raises the device's clock */
    assert_int_equal(script.flushes, 5 + 1);
    assert_int_equal(measurement.repeated, 1);
}

TEST(a_stopped_allocation_is_repeated) {
    const Point tuning = {.count = 0};
    const Request asked = {.tuning = &tuning};
    RELEASED_BY(samples_release) Samples samples = {0};
    size_t repeated = 0;
    stop_next(1, 1);
    assert_ok(measure_with_alloc(&options, &variant, &asked, &samples, &repeated));
    assert_int_equal(samples.count, 5);
    assert_int_equal(repeated, 1);
    assert_int_equal(fake_device.opened, 6);
    assert_int_equal(fake_device.closed, 6);
}

/* The whole pass: a stage may need what the one before it has made. */
TEST(stages_are_repeated_from_the_first) {
    static const Stage stages[] = {{"one", script_step}, {"two", script_step}, {NULL, NULL}};
    double seconds[STAGES_MAX];
    variant.stages = stages;
    stop_next(2 + 1, 1);
    assert_ok(measure_stages(&measurement, 0.5, seconds));
    assert_true(seconds[0] == 1 && seconds[1] == 1);
    assert_int_equal(script.steps, 2 * (1 + 5 + 1));
    assert_int_equal(measurement.repeated, 1);
}

/* The clock's own cost, which batches are chosen by. */
static Status stop_once(void) {
    if (script.steps++ == 3) {
        script.clock += 6;
        raise(SIGCONT);
    }
    return status_ok();
}

static Status start_and_stop_once(void) {
    const Status status = script_start();
    return status_is_ok(&status) ? stop_once() : status;
}

TEST(the_cost_of_the_timer_is_taken_again) {
    double seconds = NAN;
    runner.clock_start = start_and_stop_once;
    assert_ok(measure_timer_overhead(&backend, &seconds));
    assert_true(seconds == 0);
    assert_int_equal(script.steps, 51 + 1);
}

/* Seconds of the run that is verified: --max-cell and stand-ins rest on them. */
TEST(a_stopped_run_on_poison_is_repeated) {
    uint8_t bytes[64];
    double seconds = NAN;
    const Output answer = {.layout = {.count = 1, .bytes = sizeof bytes, .parts = {{.bytes = 64}}},
                           .data = bytes};
    stop_next(0, 1);
    assert_ok(run_on_poison(&variant, NULL, &answer, POISON_ORACLE, &seconds));
    assert_int_equal(script.steps, 2);
    assert_int_equal(fake_device.poisons, 2);
    /* The answer is right even where there is no time. */
    stop_next(0, 1000);
    assert_ok(run_on_poison(&variant, NULL, &answer, POISON_ORACLE, &seconds));
}

/* Other guests had the processors during the stop: that is not of the cell's turns. */
TEST(what_was_stolen_during_a_stop_does_not_count) {
    Stolen stolen = {.seconds = 0};
    stolen_begin(&stolen, 0);
    stolen.began_stolen -= 1000;
    raise(SIGCONT);
    stolen_end(&stolen, 0);
    assert_true(stolen.seconds == 0 && stolen.watched == 0);
    assert_true(isnan(stolen.share));
}
