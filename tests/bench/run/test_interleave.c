#include <signal.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base_internal.h"
#include "bench/fakes.h"
#include "bench/scratch_folder.h"
#include "cell.h"
#include "interrupt.h"
#include "sweep.h"
#include "test.h"

/*
 * A machine of which every run is written down, and whose speed may drift: a run takes
 * seconds · (1 + drift · clock) seconds.
 */
static struct {
    double clock, clock_at_start, drift;
    char log[4096]; /* the name of each run, in order; '!' when a lane was told to be sampled */
    size_t length;
} machine;

typedef struct Runner {
    char name;
    double seconds;
    size_t fails_at; /* the how-manieth run fails; 0: none */
    StatusCode failure;
    size_t stops_at; /* the how-manieth run is interrupted; 0: none */
    size_t runs;
} Runner;

static Status machine_start(void) {
    machine.clock_at_start = machine.clock;
    return status_ok();
}

static Status machine_stop(double *seconds) {
    *seconds = machine.clock - machine.clock_at_start;
    return status_ok();
}

static void note(char what) {
    assert_true(machine.length + 1 < sizeof machine.log);
    machine.log[machine.length++] = what;
}

static Status machine_run(void *state) {
    Runner *runner = state;
    note(runner->name);
    machine.clock += runner->seconds * (1 + machine.drift * machine.clock);
    runner->runs++;
    if (runner->runs == runner->stops_at) {
        raise(SIGINT);
    }
    return runner->runs == runner->fails_at ? status_make(runner->failure, "went wrong")
                                            : status_ok();
}

enum { LANES_MAX = 4 };
static BackendRunner runner;
static Backend backend, other_backend;
static Variant variant, other_variant;
static RunOptions options, short_options;
static Runner runners[LANES_MAX];
static Measurement measurements[LANES_MAX];
static Lane lanes[LANES_MAX];
static Warmth warmth;

static void reset(void) {
    memset(&machine, 0, sizeof machine);
    memset(lanes, 0, sizeof lanes);
    memset(runners, 0, sizeof runners);
    runner = fake_runner;
    backend = fake_backend;
    backend.runner = &runner;
    runner.hold = NULL;
    runner.clock_start = machine_start;
    runner.clock_stop = machine_stop;
    other_backend = backend;
    variant = (Variant){.name = "machine", .backend = &backend, .run = machine_run};
    other_variant = (Variant){.name = "other", .backend = &other_backend, .run = machine_run};
    options = (RunOptions){.ci_width = 0.01, .min_reps = 15, .max_time = 60, .warmup = 1};
    for (size_t i = 0; i < LANES_MAX; i++) {
        runners[i] = (Runner){.name = (char)('A' + i), .seconds = 1e-3};
        measurements[i] =
            (Measurement){.options = &options, .variant = &variant, .state = &runners[i]};
        lanes[i] = (Lane){.measurement = &measurements[i]};
    }
    /* As if the device had been at work all day: warming it up has tests of its own. */
    warmth = (Warmth){.backend = &backend, .left = INFINITY, .mark = stops_mark()};
}

static void tear_down(void) {
    for (size_t i = 0; i < LANES_MAX; i++) {
        samples_release(&measurements[i].samples);
        samples_release(&measurements[i].end_to_end);
    }
}

EACH_TEST(reset, tear_down);

static Status note_sampled(void *context, size_t lane) {
    (void)context;
    (void)lane;
    note('!');
    return status_ok();
}

static const LaneWatch watch = {.sampled = note_sampled};

static void begin(size_t count) {
    for (size_t i = 0; i < count; i++) {
        assert_ok(measure_begin(&measurements[i]));
    }
    machine.length = 0;
    memset(machine.log, 0, sizeof machine.log);
}

static void sample_in_turns(size_t count) {
    begin(count);
    interleave_sample(lanes, count, &warmth, &watch);
}

static double median_of(size_t lane) {
    Summary summary;
    assert_ok(summarize(&measurements[lane].samples, &summary));
    return summary.median;
}

/* --- The order -------------------------------------------------------------------------------- */

/* Eight samples in eight turns. A turn starts with two runs that are not counted, which agree,
 * unless the same lane has just had the turn before. */
TEST(turns_go_forward_and_backward) {
    options.reps = 8;
    sample_in_turns(3);
    assert_string_equal(machine.log, "AAABBBCCC"
                                     "CBBBAAA"
                                     "ABBBCCC"
                                     "CBBBAAA"
                                     "ABBBCCC"
                                     "CBBBAAA"
                                     "ABBBCCC"
                                     "C!BBB!AAA!");
    for (size_t i = 0; i < 3; i++) {
        assert_true(lanes[i].over && status_is_ok(&lanes[i].status));
        assert_int_equal(measurements[i].samples.count, 8);
    }
}

TEST(the_least_number_of_samples_takes_eight_turns) {
    sample_in_turns(2);
    assert_string_equal(machine.log, "AAAABBBB"
                                     "BBAAAA"
                                     "AABBBB"
                                     "BBAAAA"
                                     "AABBBB"
                                     "BBAAAA"
                                     "AABBBB"
                                     "B!AAA!");
    assert_int_equal(measurements[0].samples.count, 15);
    assert_true(measurements[0].converged && measurements[1].converged);
}

TEST(cold_samples_have_no_run_before_them) {
    options.reps = 4;
    options.cold = true;
    sample_in_turns(2);
    assert_string_equal(machine.log, "ABBAABB!A!");
}

/* A of 12 ms has two samples a turn and one run before them, B of a quarter of a second one, and no
 * run before it. */
TEST(slow_lanes_have_short_turns) {
    options.reps = 12;
    runners[0].seconds = 0.012;
    runners[1].seconds = 0.25;
    sample_in_turns(2);
    assert_memory_equal(machine.log, "AAABBAAAAAB", 11);
    assert_int_equal(measurements[0].samples.count, 12);
    assert_int_equal(measurements[1].samples.count, 12);
}

/* The uncounted runs before the samples of a turn take as long as one of them or longer: with
 * little time there are two samples a turn, in a launch without a budget one. */
TEST(with_little_time_a_turn_is_worth_its_warm_up) {
    static const struct {
        double seconds, budget;
        const char *log;
    } rows[] = {{0.03, 0, "AABBBAAABBB!AA!"},
                {0.03, 1, "AAABBBBB!AAA!"},
                {0.001, 0, "AAABBBBAAAABBBB!AAA!"},
                {0.001, 1, "AAAABBBBBB!AAAA!"}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        tear_down();
        options = (RunOptions){.ci_width = 0.01,
                               .min_reps = 4,
                               .max_time = 60,
                               .warmup = 1,
                               .launches = 12,
                               .budget = rows[row].budget};
        for (size_t i = 0; i < 2; i++) {
            runners[i].seconds = rows[row].seconds;
            measurements[i] =
                (Measurement){.options = &options, .variant = &variant, .state = &runners[i]};
            lanes[i] = (Lane){.measurement = &measurements[i]};
        }
        sample_in_turns(2);
        assert_string_equal(machine.log, rows[row].log);
    }
}

/* B has its fixed number after four turns; A, whose 25 ms allow one sample a turn, goes on. */
TEST(a_lane_that_is_over_leaves_the_others_going_on) {
    options.reps = 6;
    runners[0].seconds = 0.025;
    runners[1].seconds = 0.009;
    measurements[1].options = &short_options;
    short_options = options;
    short_options.reps = 4;
    sample_in_turns(2);
    assert_string_equal(machine.log, "AABB"
                                     "BAA"
                                     "ABB"
                                     "B!AA"
                                     "A"
                                     "A!");
}

/* A needs 64 samples, B has its 15 before: it stays in the turns, with its answer checked when it
 * was done and at the end. */
TEST(a_lane_that_is_done_shares_the_turns_of_the_others) {
    short_options = options;
    options.min_reps = 64;
    runners[0].seconds = 0.012; /* two samples a turn */
    measurements[1].options = &short_options;
    sample_in_turns(2);
    const Samples *slow = &measurements[0].samples;
    const Samples *fast = &measurements[1].samples;
    const uint32_t last = slow->origins[slow->count - 1].turn;
    assert_true(slow->count >= 64 && last > 16);
    /* Eight turns for 15 samples, and as many again of one sample. */
    assert_int_equal(fast->count, 15 + 8);
    assert_int_equal(fast->origins[fast->count - 1].turn, 15);
    size_t checks = 0;
    for (const char *at = machine.log; (at = strchr(at, '!')) != NULL; at++) {
        checks++;
    }
    assert_int_equal(checks, 3);
}

/* An upload is 'u' in the log. */
static Status machine_upload(void *state) {
    note('u');
    machine.clock += ((Runner *)state)->seconds;
    return status_ok();
}

/* B is measured end to end too: in each turn a pass that is not counted and one that is, then its
 * kernel, which is warmed up again even if it had the turn before. */
TEST(end_to_end_takes_turns) {
    options.reps = 3;
    variant.upload = NULL;
    Variant with_upload = variant;
    with_upload.upload = machine_upload;
    measurements[1].variant = &with_upload;
    sample_in_turns(2);
    assert_string_equal(machine.log, "AAAuBuBBBB"
                                     "uBuBBBBAAA"
                                     "A!uBuBBBB!");
    const Samples *samples = &measurements[1].end_to_end;
    assert_int_equal(samples->count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(samples->origins[i].turn, i);
        assert_int_equal(measurements[1].samples.origins[i].turn, i);
    }
    assert_int_equal(measurements[0].end_to_end.count, 0);
}

/* The kernel of A needs one turn, end to end eight: the turns go on until both have what they
 * need, each with a kernel sample. */
TEST(a_lane_is_done_when_both_of_its_samples_are) {
    options.min_reps = 6;
    runners[0].seconds = 1e-6;
    Variant with_upload = variant;
    with_upload.upload = machine_upload;
    measurements[0].variant = &with_upload;
    options.ci_width = INFINITY;
    begin(1);
    measurements[0].end_to_end.count = 0;
    const LaneWatch quiet = {.sampled = note_sampled};
    measurements[0].done = true; /* as if it had been restored */
    interleave_sample(lanes, 1, &warmth, &quiet);
    assert_int_equal(measurements[0].end_to_end.count, 6);
    assert_int_equal(measurements[0].samples.count, 6);
    assert_int_equal(lanes[0].turns, 6);
}

/* --- What turns are for ----------------------------------------------------------------------- */

static double ratio_in_blocks(void) {
    options.reps = 64;
    begin(2);
    interleave_sample(&lanes[0], 1, &warmth, &watch);
    interleave_sample(&lanes[1], 1, &warmth, &watch);
    return median_of(1) / median_of(0);
}

/* The machine gets slower all the time, by about half over each block of 64 samples. B is as fast
 * as A, but is measured later. */
TEST(drift_biases_blocks_and_not_turns) {
    machine.drift = 8;
    assert_true(ratio_in_blocks() > 1.2);
    tear_down();
    reset();
    options.reps = 64;
    machine.drift = 8;
    sample_in_turns(2);
    assert_true(fabs(median_of(1) / median_of(0) - 1) < 0.01);
}

/* The same for cells that differ: D is three times as slow as A, and in turns it is found to be. */
TEST(drift_leaves_ratios_of_many_alone) {
    options.reps = 32;
    machine.drift = 2;
    runners[3].seconds = 3e-3;
    sample_in_turns(4);
    for (size_t i = 1; i < 3; i++) {
        assert_true(fabs(median_of(i) / median_of(0) - 1) < 0.02);
    }
    assert_true(fabs(median_of(3) / median_of(0) / 3 - 1) < 0.02);
}

/* --- What goes wrong -------------------------------------------------------------------------- */

TEST(a_lane_that_fails_ends_alone) {
    options.reps = 8;
    runners[1] = (Runner){.name = 'B', .seconds = 1e-3, .fails_at = 6, .failure = STATUS_FAIL};
    sample_in_turns(3);
    assert_int_equal(lanes[1].status.code, STATUS_FAIL);
    assert_string_equal(lanes[1].status.why, "went wrong");
    assert_true(lanes[1].over);
    assert_int_equal(runners[1].runs, 6);
    assert_int_equal(measurements[0].samples.count, 8);
    assert_int_equal(measurements[2].samples.count, 8);
}

TEST(a_lost_device_ends_its_lanes) {
    options.reps = 8;
    runners[0] = (Runner){.name = 'A', .seconds = 1, .fails_at = 3, .failure = STATUS_DEVICE_LOST};
    measurements[1].variant = &other_variant;
    sample_in_turns(3);
    assert_int_equal(lanes[0].status.code, STATUS_DEVICE_LOST);
    assert_int_equal(lanes[2].status.code, STATUS_SKIP);
    assert_string_equal(lanes[2].status.why, "the device was lost");
    assert_ok(lanes[1].status);
    assert_int_equal(measurements[1].samples.count, 8);
}

/* Whether another share of the host could run kernels beside the run. */
static bool host_was_shared;

static Status run_beside(void *state) {
    char path[700];
    snprintf(path, sizeof path, "%s/bench-%lu-host.lock", getenv("BENCH_LOCK_FOLDER"),
             (unsigned long)geteuid());
    const int file = open(path, O_RDWR);
    assert_true(file >= 0);
    host_was_shared = flock(file, LOCK_SH | LOCK_NB) == 0;
    close(file);
    return machine_run(state);
}

/* Other shares know the first device of a cell alone. */
TEST(a_cell_of_several_devices_has_the_host_alone) {
    assert_int_equal(setenv("BENCH_LOCK_FOLDER", test_folder, 1), 0);
    const Status opened = host_lock_open("");
    assert_string_equal(opened.why, "");
    host_lock_alone();
    options.reps = 8;
    variant.run = run_beside;
    for (int gpus = 1; gpus <= 2; gpus++) {
        measurements[gpus].gpus = gpus;
        lanes[0] = (Lane){.measurement = &measurements[gpus]};
        assert_ok(measure_begin(&measurements[gpus]));
        interleave_sample(lanes, 1, &warmth, &watch);
        assert_int_equal(measurements[gpus].samples.count, 8);
        assert_int_equal(host_was_shared, gpus == 1);
    }
    host_lock_close();
    assert_int_equal(unsetenv("BENCH_LOCK_FOLDER"), 0);
}

static Status refuse(void *context, size_t lane) {
    (void)context;
    return lane == 0 ? status_fail("wrong answer") : status_ok();
}

TEST(an_answer_that_is_refused_is_the_lane_s_end) {
    options.reps = 8;
    begin(2);
    const LaneWatch refusing = {.sampled = refuse};
    interleave_sample(lanes, 2, &warmth, &refusing);
    assert_string_equal(lanes[0].status.why, "wrong answer");
    assert_ok(lanes[1].status);
}

TEST(an_interrupt_ends_it_between_samples) {
    interrupt_watch();
    options.reps = 8;
    runners[1].stops_at = 4;
    sample_in_turns(3);
    assert_string_equal(machine.log, "AAABBB");
    for (size_t i = 0; i < 3; i++) {
        assert_false(lanes[i].over);
    }
    interrupt_watch(); /* clears the flag for the tests that follow */
}

/* --- Warming a device ------------------------------------------------------------------------- */

/* 50 ms of runs of 1 ms; not again directly afterwards, nor for a variant of the CPU. */
TEST(an_idle_device_is_warmed_up) {
    warmth = (Warmth){.backend = NULL};
    assert_ok(measure_warm_device(&measurements[0], &warmth));
    assert_in_range(runners[0].runs, 49, 51); /* rounding of the sum */
    assert_ptr_equal(warmth.backend, &backend);
    const size_t before = runners[1].runs;
    warmth.left = INFINITY;
    measure_warm_device(&measurements[1], &warmth);
    assert_int_equal(runners[1].runs, before);
    warmth.left = -INFINITY; /* idle for long */
    measure_warm_device(&measurements[1], &warmth);
    assert_in_range(runners[1].runs, before + 49, before + 51);
    warmth = (Warmth){.backend = NULL};
    variant.backend = &cpu_backend;
    measure_warm_device(&measurements[2], &warmth);
    assert_int_equal(runners[2].runs, 0);
    assert_null(warmth.backend);
}

static Status run_in_no_time(void *state) {
    (void)state;
    return status_ok();
}

TEST(a_device_whose_clock_stands_still_is_not_warmed_forever) {
    warmth = (Warmth){.backend = NULL};
    variant.run = run_in_no_time;
    assert_ok(measure_warm_device(&measurements[0], &warmth));
}
