#include <time.h>

#include "bench/fakes.h"
#include "measure.h"
#include "run_options.h"
#include "test.h"

/* A variant whose runs last what a script says, on the fake device's clock. */
static struct {
    const double *seconds; /* of run 0, 1, …; the last one repeats */
    size_t count, run;
    double clock, clock_at_start;
    double overhead; /* between start and stop with nothing between */
    int uploads, downloads, streams;
    int holds, breaks; /* holds so far; how many of the next ones end by themselves */
    bool broken;       /* the latest one did */
} script;

static Status script_start(void) {
    script.clock_at_start = script.clock;
    return status_ok();
}

static Status script_stop(double *seconds) {
    *seconds = script.clock - script.clock_at_start + script.overhead;
    return status_ok();
}

static Status script_hold(void) {
    script.holds++;
    script.broken = script.breaks > 0;
    script.breaks -= script.broken;
    return status_ok();
}

static bool script_was_held(void) {
    return !script.broken;
}

static Status script_run(void *state) {
    (void)state;
    const size_t index = script.run < script.count ? script.run : script.count - 1;
    script.clock += script.seconds[index];
    script.run++;
    return status_ok();
}

/* Of five 3 s in the middle, of which neither the first, the last nor the mean is. */
static Status script_upload(void *state) {
    (void)state;
    static const double seconds[] = {9, 1, 3, 2, 5};
    script.clock += seconds[script.uploads % 5];
    script.uploads++;
    return status_ok();
}

static Status script_download(void *state) {
    (void)state;
    static const double seconds[] = {1, 8, 3, 9, 4};
    script.clock += seconds[script.downloads % 5];
    script.downloads++;
    return status_ok();
}

static Status script_stream(void *state) {
    (void)state;
    script.streams++;
    return status_ok();
}

static BackendRunner runner;
static Backend backend;
static Variant variant;
static RunOptions options;

static void reset(void) {
    memset(&script, 0, sizeof script);
    memset(&fake_device, 0, sizeof fake_device);
    runner = fake_runner;
    backend = fake_backend;
    backend.runner = &runner;
    runner.clock_start = script_start;
    runner.clock_stop = script_stop;
    variant = (Variant){.name = "script",
                        .backend = &backend,
                        .open = fake_open,
                        .run = script_run,
                        .close = fake_close};
    options = (RunOptions){.ci_width = 0.01, .min_reps = 15, .max_time = 5, .warmup = 3, .reps = 0};
}

EACH_TEST(reset);

static void play(const double *seconds, size_t count) {
    script.seconds = seconds;
    script.count = count;
}

static Measurement measure(void) {
    Measurement measurement = {.options = &options, .variant = &variant};
    measurement.timer_overhead = script.overhead;
    assert_ok(measure_begin(&measurement));
    while (!measurement.done) {
        assert_ok(measure_sample(&measurement));
    }
    return measurement;
}

TEST(warm_up_is_not_counted) {
    const double seconds[] = {50, 40, 30, 1};
    play(seconds, 4);
    options.reps = 5;
    Measurement measurement = measure();
    assert_int_equal(measurement.samples.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(measurement.samples.seconds[i] == 1);
    }
    assert_int_equal(script.run, 3 + 5);
    samples_release(&measurement.samples);
}

/* The first launch has found out how many runs make a sample: none is spent on that again. */
TEST(what_the_first_launch_found_out_is_not_measured_again) {
    const double seconds[] = {1e-6};
    play(seconds, 1);
    variant.backend = &cpu_backend;
    options.warmup = 0;
    Measurement measurement = {.options = &options, .variant = &variant, .threads = 1};
    assert_true(measure_begin_known(&measurement, 20, 1e-6));
    assert_int_equal(script.run, 0);
    assert_int_equal(measurement.batch, 20);
    assert_float_equal(measurement.latest, 20e-6, 1e-12);
    /* Threads are watched while they warm up; a long sample has no run before it. */
    measurement.threads = 2;
    assert_false(measure_begin_known(&measurement, 20, 1e-6));
    measurement.threads = 1;
    assert_false(measure_begin_known(&measurement, 20, 0.006));
    assert_false(measure_begin_known(&measurement, 0, 1e-6));
    assert_false(measure_begin_known(&measurement, 20, NAN));
    options.cold = true;
    assert_false(measure_begin_known(&measurement, 20, 1e-6));
    options = (RunOptions){.warmup = 1};
    assert_false(measure_begin_known(&measurement, 20, 1e-6));
    options.warmup = 0;
    variant.backend = &backend;
    assert_false(measure_begin_known(&measurement, 20, 1e-6));
}

TEST(one_run_warms_up_what_takes_5_ms) {
    static const struct {
        double seconds;
        int warmup, runs;
    } rows[] = {{0.004, 0, 3}, {0.006, 0, 1}, {0.006, 2, 2}, {0.004, 2, 2}};
    runner.hold = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        play(&rows[i].seconds, 1);
        script.run = 0;
        options.warmup = rows[i].warmup;
        options.reps = 5;
        Measurement measurement = measure();
        assert_int_equal(script.run, rows[i].runs + 5);
        samples_release(&measurement.samples);
    }
}

/* Beyond its share of the time a launch takes five samples, of runs of 0.1 s or more one. */
TEST(a_launch_takes_few_samples_of_long_runs) {
    static const struct {
        double seconds, max_time;
        size_t samples;
    } rows[] = {{1e-3, 1e9, 15}, {1e-3, 0, 5}, {0.05, 0, 5}, {0.2, 0, 1}, {10, 0, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        play(&rows[i].seconds, 1);
        options.launches = 6;
        options.max_time = rows[i].max_time;
        Measurement measurement = measure();
        assert_int_equal(measurement.samples.count, rows[i].samples);
        samples_release(&measurement.samples);
    }
}

/* A launch with little time takes fewer of middling ones too, and of seq one less. */
TEST(a_brief_launch_takes_fewer_samples) {
    static const struct {
        double seconds;
        size_t samples, of_seq;
    } rows[] = {{1e-3, 5, 4}, {0.03, 3, 2}, {0.05, 1, 1}, {10, 1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int seq = 0; seq < 2; seq++) {
            play(&rows[i].seconds, 1);
            options.launches = 6;
            options.max_time = 0;
            options.budget = 1;
            Measurement measurement = {.options = &options, .variant = &variant};
            measurement.baseline = seq == 1;
            assert_ok(measure_begin(&measurement));
            while (!measurement.done) {
                assert_ok(measure_sample(&measurement));
            }
            assert_int_equal(measurement.samples.count,
                             seq == 1 ? rows[i].of_seq : rows[i].samples);
            samples_release(&measurement.samples);
        }
    }
}

/* A run is its own warm-up from 1 s on, in a brief launch from 0.1 s on. */
TEST(a_run_is_long_sooner_in_a_brief_launch) {
    RunOptions request = {.budget = 0};
    assert_false(measure_is_long(&request, 0.99));
    assert_true(measure_is_long(&request, 1));
    request.budget = 6;
    assert_false(measure_is_long(&request, 0.09));
    assert_true(measure_is_long(&request, 0.1));
    request.budget = INFINITY;
    assert_true(measure_is_long(&request, 0.1));
}

TEST(steady_samples_stop_at_the_least_number) {
    const double seconds[] = {1};
    play(seconds, 1);
    Measurement measurement = measure();
    assert_int_equal(measurement.samples.count, 15);
    assert_true(measurement.converged);
    assert_int_equal(measurement.batch, 1);
    samples_release(&measurement.samples);
}

/* Alternating 1 and 2: the interval spans both values however many samples there are. */
TEST(wide_samples_stop_without_convergence) {
    static double seconds[2 * SAMPLES_MAX];
    for (size_t i = 0; i < 2 * SAMPLES_MAX; i++) {
        seconds[i] = 1 + (double)(i % 2);
    }
    play(seconds, 2 * SAMPLES_MAX);
    options.max_time = 1000;
    Measurement measurement = measure();
    assert_int_equal(measurement.samples.count, SAMPLES_MAX);
    assert_false(measurement.converged);
    samples_release(&measurement.samples);
    script.run = 0;
    options.max_time = 1e-9; /* over after the first sample */
    measurement = measure();
    assert_int_equal(measurement.samples.count, 1);
    assert_false(measurement.converged);
    samples_release(&measurement.samples);
}

/* 20 samples spread from 1 to 1.19 and then all 1.1: the first check does not converge, a later
 * one does. */
TEST(more_samples_are_taken_until_the_interval_is_narrow) {
    double seconds[24] = {1, 1, 1};
    for (size_t i = 0; i < 20; i++) {
        seconds[3 + i] = 1 + 0.01 * (double)((7 * i) % 20);
    }
    seconds[23] = 1.1;
    play(seconds, 24);
    Measurement measurement = measure();
    assert_true(measurement.converged);
    assert_true(measurement.samples.count > 20);
    double width = 1;
    samples_half_width(&measurement.samples, &width);
    assert_true(width <= 0.01);
    samples_release(&measurement.samples);
}

TEST(the_count_is_fixed_by_reps) {
    const double seconds[] = {1};
    play(seconds, 1);
    options.reps = 40;
    options.max_time = 1e-9; /* does not cut a fixed count */
    Measurement measurement = measure();
    assert_int_equal(measurement.samples.count, 40);
    assert_true(measurement.converged);
    samples_release(&measurement.samples);
    options.reps = 3; /* too few for an interval */
    measurement = measure();
    assert_int_equal(measurement.samples.count, 3);
    assert_false(measurement.converged);
    samples_release(&measurement.samples);
}

/* Overhead 1, run 1/4: one run reads 1.25, 16 runs (20/1.25) read 5, then 4·16 = 64 read 17, and
 * 2·64 = 128 read 33, which is 20 or more. */
TEST(short_runs_are_batched) {
    const double seconds[] = {0.25};
    play(seconds, 1);
    script.overhead = 1;
    options.reps = 6;
    Measurement measurement = measure();
    assert_int_equal(measurement.batch, 128);
    assert_true(fabs(measurement.samples.seconds[0] - 33.0 / 128) < 1e-12);
    samples_release(&measurement.samples);
    options.cold = true;
    measurement = measure();
    assert_int_equal(measurement.batch, 1);
    assert_int_equal(fake_device.flushes, 6);
    samples_release(&measurement.samples);
}

/* Overhead 1, run 1, so 20 have to be read. Interrupted were the last run of the warm-up, which
 * read 190, and then the first batch of 10, which read 41: neither passes for long enough, because
 * timed again they read 2 and 11. A batch of 20 reads 21. */
TEST(an_interrupted_probe_does_not_pass_for_a_long_run) {
    const double seconds[] = {1, 1, 189, 1, 1, 31, 1};
    play(seconds, 7);
    script.overhead = 1;
    options.reps = 6;
    Measurement measurement = measure();
    assert_int_equal(measurement.batch, 20);
    assert_true(fabs(measurement.samples.seconds[5] - 21.0 / 20) < 1e-12);
    samples_release(&measurement.samples);
}

/* Not the time since its first sample, most of which belongs to others when cells take turns. */
TEST(only_its_own_time_counts_against_the_limit) {
    const double seconds[] = {1};
    play(seconds, 1);
    options.max_time = 3600;
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_begin(&measurement);
    assert_true(measurement.spent == 0);
    measure_sample(&measurement);
    assert_true(measurement.spent > 0);
    assert_false(measurement.done);
    measurement.spent = 3600;
    measure_sample(&measurement);
    assert_true(measurement.spent > 3600);
    assert_true(measurement.done);
    samples_release(&measurement.samples);
}

/* Narrow at every look, but the limit comes before the least number of samples. */
TEST(converged_needs_the_least_number_of_samples) {
    const double seconds[] = {1};
    play(seconds, 1);
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_begin(&measurement);
    for (int i = 0; i < 13; i++) {
        measure_sample(&measurement);
        assert_false(measurement.done);
    }
    measurement.spent = options.max_time;
    measure_sample(&measurement);
    assert_true(measurement.done);
    assert_false(measurement.converged);
    samples_release(&measurement.samples);
    /* At the fifteenth it may be both. */
    measurement = (Measurement){.options = &options, .variant = &variant};
    measure_begin(&measurement);
    for (int i = 0; i < 14; i++) {
        measure_sample(&measurement);
    }
    measurement.spent = options.max_time;
    measure_sample(&measurement);
    assert_true(measurement.done && measurement.converged);
    samples_release(&measurement.samples);
}

TEST(rewarming_is_not_counted) {
    const double seconds[] = {0.001};
    play(seconds, 1);
    options.reps = 6;
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_begin(&measurement);
    const size_t runs = script.run;
    measure_rewarm(&measurement);
    assert_int_equal(script.run, runs + 2); /* equal ones */
    assert_int_equal(measurement.samples.count, 0);
    assert_true(measurement.cpu_seconds == 0);
    measurement.latest = 0.0051;
    measure_rewarm(&measurement);
    assert_int_equal(script.run, runs + 3);
    measurement.latest = 0.5; /* fills the caches by itself */
    measure_rewarm(&measurement);
    options.cold = true;
    measurement.latest = 0.001;
    measure_rewarm(&measurement);
    assert_int_equal(script.run, runs + 3);
}

/* Each run 3% faster than the one before, then level. */
TEST(rewarming_lasts_until_two_runs_agree) {
    const double seconds[] = {0.001, 0.001, 0.00103, 0.001, 0.00097, 0.00094, 0.000935};
    play(seconds, 7);
    options.reps = 6;
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_begin(&measurement);
    script.run = 2;
    measure_rewarm(&measurement);
    assert_int_equal(script.run, 7);
}

/* Never level: eight runs, or a tenth of a second of them. */
TEST(rewarming_ends) {
    double seconds[64];
    for (size_t i = 0; i < 64; i++) {
        seconds[i] = i % 2 == 0 ? 0.001 : 0.002;
    }
    play(seconds, 64);
    options.reps = 6;
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_begin(&measurement);
    const size_t runs = script.run;
    measure_rewarm(&measurement);
    assert_int_equal(script.run, runs + 8);
}

TEST(progress_goes_from_nothing_to_one) {
    const double seconds[] = {1};
    play(seconds, 1);
    options.reps = 4;
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_begin(&measurement);
    assert_true(measure_progress(&measurement) == 0);
    measure_sample(&measurement);
    assert_true(measure_progress(&measurement) == 0.25);
    options.reps = 0;
    options.min_reps = 2;
    options.max_time = 8;
    measurement.spent = 4;
    assert_true(measure_progress(&measurement) == (0.5 + 0.5) / 2);
    measurement.done = true;
    assert_true(measure_progress(&measurement) == 1);
    samples_release(&measurement.samples);
}

static void can_be_held(void) {
    runner.hold = script_hold;
    runner.was_held = script_was_held;
    options.reps = 5;
}

/* One hold to find out, one a sample, and one to see whether the device has to be warmed up. */
TEST(a_device_is_held_while_its_runs_are_queued) {
    const double seconds[] = {0.02};
    play(seconds, 1);
    can_be_held();
    Measurement measurement = measure();
    assert_true(measurement.held);
    assert_int_equal(script.holds, 1 + 5);
    assert_int_equal(script.run, 3 + 1 + 5);
    Warmth warmth = {.backend = NULL};
    assert_ok(measure_warm_device(&measurement, &warmth));
    assert_int_equal(script.run, 3 + 1 + 5 + 1);
    assert_int_equal(script.holds, 1 + 5 + 1);
    samples_release(&measurement.samples);
}

static int runs_of_warming(Measurement *measurement) {
    const int before = script.run;
    Warmth warmth = {.backend = NULL};
    assert_ok(measure_warm_device(measurement, &warmth));
    return script.run - before;
}

/* 50 ms of work, but for one batch where that shows that the clock is up. */
TEST(a_device_at_its_level_is_not_warmed_up) {
    const double seconds[] = {0.01};
    play(seconds, 1);
    can_be_held();
    Measurement measurement = {.options = &options, .variant = &variant};
    assert_int_equal(runs_of_warming(&measurement), 5);
    samples_release(&measurement.samples);

    measurement = measure();
    assert_int_equal(runs_of_warming(&measurement), 1);
    measurement.fastest *= 0.99;
    assert_int_equal(runs_of_warming(&measurement), 1);
    measurement.fastest *= 0.98;
    assert_int_equal(runs_of_warming(&measurement), 1 + 5);
    options.cold = true;
    measurement.fastest = 1;
    assert_int_equal(runs_of_warming(&measurement), 5);
    options.cold = false;
    samples_release(&measurement.samples);
}

/* Where a launch has little time. */
TEST(a_run_of_a_second_is_its_own_warm_up) {
    const double seconds[] = {2};
    play(seconds, 1);
    options.budget = 6;
    options.warmup = 0;
    Measurement measurement = {.options = &options, .variant = &variant, .latest = 1};
    assert_ok(measure_begin(&measurement));
    assert_int_equal(runs_of_warming(&measurement), 0);
    assert_int_equal(script.run, 0);
    assert_int_equal(measurement.batch, 1);
    assert_ok(measure_sample(&measurement));
    assert_int_equal(measurement.samples.count, 1);
    assert_int_equal(runs_of_warming(&measurement), 0);
    options.budget = 0;
    assert_true(runs_of_warming(&measurement) > 0);
    options.budget = 6;
    measurement.latest = 0.9;
    assert_true(runs_of_warming(&measurement) > 0);
    measurement.latest = 0.9;
    assert_ok(measure_begin(&measurement));
    assert_true(script.run > 3);
    samples_release(&measurement.samples);
}

/* Two holds end by themselves: the runs wait for the device. They are timed without. */
TEST(runs_that_wait_are_not_held) {
    const double seconds[] = {0.5, 0.5, 0.01, 9, 9, 0.02};
    play(seconds, 6);
    can_be_held();
    script.breaks = 1000;
    Measurement measurement = measure();
    assert_false(measurement.held);
    assert_int_equal(script.holds, 2);
    assert_int_equal(measurement.samples.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(fabs(measurement.samples.seconds[i] - 0.02) < 1e-12);
    }
    samples_release(&measurement.samples);
}

/* Of a host that was interrupted once, the sample is taken again. */
TEST(a_hold_that_ended_early_is_repeated) {
    const double seconds[] = {0.02, 0.02, 0.02, 0.02, 9, 0.03, 0.04};
    play(seconds, 7);
    can_be_held();
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_begin(&measurement);
    script.breaks = 1;
    measure_sample(&measurement);
    assert_true(measurement.held);
    assert_int_equal(measurement.samples.count, 1);
    assert_true(fabs(measurement.samples.seconds[0] - 0.03) < 1e-12);
    /* Twice in a row: from here on it is not. */
    script.breaks = 2;
    measure_sample(&measurement);
    assert_false(measurement.held);
    const int holds = script.holds;
    measure_sample(&measurement);
    assert_int_equal(script.holds, holds);
    samples_release(&measurement.samples);
}

/* A launch is nothing beside a tenth of a second, and finding out would take three runs more. */
TEST(long_runs_are_not_held) {
    const double seconds[] = {0.1};
    play(seconds, 1);
    can_be_held();
    Measurement measurement = measure();
    assert_false(measurement.held);
    assert_int_equal(script.holds, 0);
    assert_int_equal(script.run, 3 + 5);
    samples_release(&measurement.samples);
}

TEST(a_call_lasts_until_the_device_has_finished) {
    const double seconds[] = {0.02};
    play(seconds, 1);
    can_be_held();
    options.cold = true;
    Measurement measurement = {.options = &options, .variant = &variant, .held = true};
    double call = NAN;
    assert_ok(measure_call(&measurement, &call));
    assert_true(call >= 0); /* by wall clock */
    assert_true(script.run >= 1 && script.run <= 15);
    assert_int_equal(fake_device.flushes, script.run);
    assert_int_equal(script.holds, 0);
}

TEST(overhead_is_what_an_empty_interval_reads) {
    script.overhead = 0.125;
    double seconds = NAN;
    assert_ok(measure_timer_overhead(&backend, &seconds));
    assert_true(seconds == 0.125);
}

TEST(transfers_are_timed_apart) {
    const double seconds[] = {1};
    play(seconds, 1);
    double upload = 0;
    double download = 0;
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_transfers(&measurement, &upload, &download);
    assert_true(isnan(upload) && isnan(download));
    variant.upload = script_upload;
    variant.download = script_download;
    measure_transfers(&measurement, &upload, &download);
    assert_true(upload == 3 && download == 4); /* medians */
    assert_int_equal(script.uploads, 5);
    assert_int_equal(script.downloads, 5);
}

TEST(without_transfers_nothing_is_measured_end_to_end) {
    const double seconds[] = {1};
    play(seconds, 1);
    options.reps = 9;
    Measurement measurement = measure();
    const size_t runs = script.run;
    assert_ok(measure_end_to_end(&measurement, 9));
    assert_int_equal(measurement.end_to_end.count, 0);
    assert_int_equal(script.run, runs);
    assert_true(measure_is_done(&measurement));
    samples_release(&measurement.samples);
}

/* A turn: end to end for `coming` kernel samples, then these. */
static void take_turn(Measurement *measurement, size_t coming) {
    assert_ok(measure_end_to_end(measurement, coming));
    for (size_t i = 0; i < coming && !measurement->done; i++) {
        assert_ok(measure_sample(measurement));
    }
}

TEST(end_to_end_takes_every_step_or_the_stream) {
    const double seconds[] = {1};
    play(seconds, 1);
    options.reps = 4;
    variant.upload = script_upload;
    variant.download = script_download;
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_begin(&measurement);
    script.run = 0;
    take_turn(&measurement, 2);
    assert_int_equal(measurement.end_to_end.count, 2);
    assert_int_equal(script.uploads, 3); /* one that is not counted */
    assert_int_equal(script.downloads, 3);
    assert_int_equal(script.run, 3 + 2);
    assert_false(measure_is_done(&measurement));
    take_turn(&measurement, 2);
    assert_true(measure_is_done(&measurement));
    take_turn(&measurement, 2);
    assert_int_equal(measurement.end_to_end.count, 4); /* --reps is not exceeded */
    samples_release(&measurement.samples);
    samples_release(&measurement.end_to_end);
    variant.stream = script_stream;
    measurement = (Measurement){.options = &options, .variant = &variant};
    measure_begin(&measurement);
    take_turn(&measurement, 4);
    assert_int_equal(script.streams, 5);
    assert_int_equal(script.uploads, 6);
    samples_release(&measurement.samples);
    samples_release(&measurement.end_to_end);
}

static const double slow_end = 0.05;

static Status end_slowly(void) {
    const struct timespec pause = {.tv_nsec = (long)(slow_end * 1e9)};
    nanosleep(&pause, NULL);
    return status_ok();
}

/* The least of several samples, since this one goes by wall clock. */
TEST(end_to_end_ends_with_the_answer) {
    const double seconds[] = {1};
    play(seconds, 1);
    options.reps = 5;
    runner.synchronize = end_slowly;
    variant.upload = script_upload;
    variant.download = script_download;
    for (int streams = 0; streams < 2; streams++) {
        variant.stream = streams ? script_stream : NULL;
        Measurement measurement = {.options = &options, .variant = &variant};
        measure_begin(&measurement);
        take_turn(&measurement, 5);
        double least = slow_end;
        for (size_t i = 0; i < measurement.end_to_end.count; i++) {
            least = fmin(least, measurement.end_to_end.seconds[i]);
        }
        assert_true(least < slow_end);
        samples_release(&measurement.samples);
        samples_release(&measurement.end_to_end);
    }
}

/* Of 1000 kernel samples 30 go with end to end, spread over all of them. */
TEST(end_to_end_keeps_up_with_many_kernel_samples) {
    const double seconds[] = {1};
    play(seconds, 1);
    options.reps = 1000;
    variant.stream = script_stream;
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_begin(&measurement);
    for (size_t turn = 0; turn < 8; turn++) {
        measurement.end_to_end.origin.turn = (uint32_t)turn;
        take_turn(&measurement, 125);
    }
    assert_int_equal(measurement.end_to_end.count, 30);
    assert_int_equal(measurement.end_to_end.origins[29].turn, 7);
    assert_true(measure_is_done(&measurement));
    samples_release(&measurement.samples);
    samples_release(&measurement.end_to_end);
}

/* Without --reps: until the interval is narrow, which takes 6 samples at least, or there are 30;
 * turns go on when the kernel has what it needs. */
TEST(end_to_end_ends_when_it_is_narrow) {
    const double seconds[] = {1};
    play(seconds, 1);
    variant.stream = script_stream;
    options.max_time = 1000;
    options.min_reps = 6;
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_begin(&measurement);
    options.ci_width = 1e9;
    take_turn(&measurement, 5);
    assert_int_equal(measurement.end_to_end.count, 5);
    assert_false(measurement.end_to_end_done);
    take_turn(&measurement, 1);
    assert_true(measurement.end_to_end_done);
    assert_true(measure_is_done(&measurement));
    samples_release(&measurement.end_to_end);
    measurement.end_to_end_done = false;
    options.ci_width = -1; /* nothing is as narrow */
    for (int turn = 0; turn < 30 && !measure_is_done(&measurement); turn++) {
        take_turn(&measurement, 1);
    }
    assert_int_equal(measurement.end_to_end.count, 30);
    samples_release(&measurement.samples);
    samples_release(&measurement.end_to_end);
}

/* What takes long ends after a quarter of --max-time, with one sample at least. */
TEST(long_end_to_end_ends_early) {
    const double seconds[] = {1};
    play(seconds, 1);
    variant.stream = script_stream;
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_begin(&measurement);
    options.max_time = 0;
    take_turn(&measurement, 15);
    assert_int_equal(measurement.end_to_end.count, 1);
    assert_true(measurement.end_to_end_done);
    samples_release(&measurement.samples);
    samples_release(&measurement.end_to_end);
}

/* A launch has its share of samples, however narrow or wide they are. */
TEST(end_to_end_of_a_launch_is_its_share) {
    const double seconds[] = {1};
    play(seconds, 1);
    variant.stream = script_stream;
    options.max_time = 1000;
    options.min_reps = 8;
    options.launches = 6;
    options.ci_width = 1e9;
    Measurement measurement = {.options = &options, .variant = &variant};
    measure_begin(&measurement);
    take_turn(&measurement, 7);
    assert_false(measurement.end_to_end_done);
    take_turn(&measurement, 1);
    assert_true(measure_is_done(&measurement));
    assert_int_equal(measurement.end_to_end.count, 8);
    samples_release(&measurement.samples);
    samples_release(&measurement.end_to_end);
}

TEST(with_alloc_opens_and_closes_each_time) {
    const double seconds[] = {1};
    play(seconds, 1);
    const Point tuning = {.count = 0};
    const Request request = {.tuning = &tuning};
    Samples samples = {0};
    assert_ok(measure_with_alloc(&options, &variant, &request, &samples, NULL));
    assert_int_equal(samples.count, 5);
    samples_release(&samples);
    options.reps = 7;
    assert_ok(measure_with_alloc(&options, &variant, &request, &samples, NULL));
    assert_int_equal(samples.count, 7);
    assert_int_equal(fake_device.opened, 12);
    assert_int_equal(fake_device.closed, 12);
    samples_release(&samples);
}

/* 30 ms, or longer. */
static Status open_slowly(const Request *request, void **state) {
    const struct timespec pause = {.tv_nsec = 30000000};
    nanosleep(&pause, NULL);
    return fake_open(request, state);
}

/* One sample takes longer than the launch's share of 20 ms. Alone, each of five takes less than a
 * quarter of the time that there is. */
TEST(with_alloc_of_a_launch_ends_with_its_share) {
    const double seconds[] = {1};
    const Point tuning = {.count = 0};
    const Request request = {.tuning = &tuning};
    for (int pass = 0; pass <= 2; pass += 2) {
        RELEASED_BY(samples_release) Samples samples = {0};
        play(seconds, 1);
        variant.open = open_slowly;
        options.pass = pass;
        options.max_time = 1000;
        assert_ok(measure_with_alloc(&options, &variant, &request, &samples, NULL));
        assert_int_equal(samples.count, pass > 0 ? 1 : 5);
        assert_true(samples.seconds[0] >= 0.03);
    }
}
