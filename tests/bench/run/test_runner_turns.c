/* Cells that are sampled in turns: what does not fit, what goes wrong beside others only, and what
 * an interrupt leaves. */
#include "bench/runner_fixture.h"
#include "cell.h"
#include "exit_code.h"
#include "results_internal.h"
#include "sweep.h"
#include "test.h"

#include <signal.h>
#include <time.h>

EACH_TEST(reset);

static RunOptions request_of(const Variant *variants, size_t count) {
    RunOptions options = fake_options_of(variants, count);
    options.interleave = true;
    return options;
}

/* The rows outlive the table they were made from. */
static void check_all_ok(const Outcome *outcome, const Variant *variants, size_t count) {
    assert_int_equal(outcome->exit_code, EXIT_OK);
    assert_int_equal(outcome->results.count, count);
    for (size_t i = 0; i < count; i++) {
        check_ok(&outcome->results.rows[i], variants[i].name);
        assert_int_equal(outcome->results.rows[i].kernel.count, 7);
    }
}

/* --- The order -------------------------------------------------------------------------------- */

static char runs[4096]; /* the variant of each run, in order */

static Status run_noted(void *state, char name) {
    const size_t length = strlen(runs);
    assert_true(length + 1 < sizeof runs);
    runs[length] = name;
    return fake_run(state);
}

static Status run_a(void *state) {
    return run_noted(state, 'a');
}

static Status run_b(void *state) {
    return run_noted(state, 'b');
}

/* One sample a turn at least, whatever the clock says. */
TEST(cells_are_sampled_in_turns_unless_told_not_to) {
    static const Variant variants[] = {FAKE_CPU("seq", run_a), FAKE_CPU("b", run_b)};
    RunOptions options = request_of(variants, 2);
    memset(runs, 0, sizeof runs);
    options.cold = true; /* one run a sample */
    Outcome outcome = run(options);
    check_all_ok(&outcome, variants, 2);
    finish(&outcome);
    /* Proof of a and b, warm-up of a and b, seven samples in turns of one, and after the last
     * sample of each its run on poison. */
    assert_says(runs, "ab"
                      "ab"
                      "abbaabbaabba"
                      "aabb");
    memset(runs, 0, sizeof runs);
    options.interleave = false;
    outcome = run(options);
    check_all_ok(&outcome, variants, 2);
    finish(&outcome);
    /* The oracle's probes come first; then all of a, and then all of b. */
    assert_ptr_equal(strchr(runs, 'b') + strspn(strchr(runs, 'b'), "b"), runs + strlen(runs));
}

/* --- Long runs -------------------------------------------------------------------------------- */

static struct timespec first_pause = {.tv_sec = 1};

static void sleep_the_first_time(void) {
    if (strlen(runs) == 0) {
        nanosleep(&first_pause, NULL);
    }
}

static Status run_long(void *state) {
    sleep_the_first_time();
    return run_noted(state, 'l');
}

/* Its proof has warmed it up, and its sample is verified itself. The third run is that with
 * allocation. */
TEST(long_runs_are_only_sampled) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_CPU("long", run_long)};
    RunOptions options = request_of(variants, 2);
    options.reps = 1;
    memset(runs, 0, sizeof runs);
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(outcome.results.rows[1].kernel.count, 1);
    assert_string_equal(runs, "lll");
}

/* The same of a run of 0.1 s in a launch that has little time: its sample is verified itself, where
 * a shorter run is run once more on poison. */
TEST(in_a_brief_launch_a_tenth_of_a_second_is_long) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_CPU("long", run_long)};
    const struct timespec second = first_pause;
    RunOptions options = request_of(variants, 2);
    options.reps = 1;
    options.budget = 6;
    first_pause = (struct timespec){.tv_nsec = 110000000};
    memset(runs, 0, sizeof runs);
    RELEASED_BY(finish) Outcome outcome = run(options);
    first_pause = second;
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(outcome.results.rows[1].kernel.count, 1);
    assert_string_equal(runs, "ll");
}

static Status run_middle(void *state) {
    nanosleep(&(struct timespec){.tv_nsec = 6000000}, NULL);
    return run_noted(state, 'm');
}

TEST(with_a_budget_a_run_of_some_milliseconds_is_not_timed_with_allocation) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_CPU("middle", run_middle)};
    RunOptions options = request_of(variants, 2);
    options.reps = 1;
    for (int budget = 0; budget <= 6; budget += 6) {
        options.budget = budget;
        options.pass = budget > 0 ? 2 : 0;
        RELEASED_BY(finish) Outcome outcome = run(options);
        assert_int_equal(outcome.exit_code, EXIT_OK);
        const Row *row = &outcome.results.rows[1];
        assert_int_equal(isfinite(row->with_alloc_summary.median), budget == 0);
        assert_true(row->host_peak > 0);
    }
}

/* The oracle, which comes after two probes, takes a second. */
static Status run_long_oracle(void *state) {
    const struct timespec second = {.tv_sec = 1};
    if (strlen(runs) == 2) {
        nanosleep(&second, NULL);
    }
    return run_noted(state, 's');
}

/* Between it and the run with allocation there is its sample alone, and that is verified. */
TEST(a_long_oracle_is_not_verified_by_a_run_of_its_own) {
    static const Variant variants[] = {FAKE_CPU("seq", run_long_oracle)};
    RunOptions options = request_of(variants, 1);
    options.reps = 1;
    memset(runs, 0, sizeof runs);
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(outcome.results.rows[0].kernel.count, 1);
    assert_true(outcome.results.rows[0].host_peak > 0);
    assert_string_equal(runs, "sssss");
}

static Status run_long_oracle_wrong_later(void *state) {
    STATUS_TRY(run_long_oracle(state));
    *fake_last_pixel(state) ^= strlen(runs) > 3;
    return status_ok();
}

TEST(a_long_oracle_that_contradicts_itself_is_found) {
    static const Variant variants[] = {FAKE_CPU("seq", run_long_oracle_wrong_later),
                                       FAKE_CPU("simd", fake_run)};
    RunOptions options = request_of(variants, 2);
    options.reps = 1;
    memset(runs, 0, sizeof runs);
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_WRONG);
    check_failed(&outcome.results.rows[0], "its calls give different answers");
    assert_int_equal(outcome.results.rows[1].status, CELL_SKIP);
}

/* Writes once after it was opened. */
static Status run_long_once(void *state) {
    sleep_the_first_time();
    return ((FakeState *)state)->runs == 0 ? run_noted(state, 'l') : status_ok();
}

/* The answer of its first sample does not pass for that of its second. */
TEST(a_long_run_that_stops_writing_is_found) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_CPU("long", run_long_once)};
    RunOptions options = request_of(variants, 2);
    options.reps = 2;
    memset(runs, 0, sizeof runs);
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_WRONG);
    assert_int_equal(outcome.results.rows[1].status, CELL_FAIL);
}

/* --- What does not fit ------------------------------------------------------------------------ */

/* Each holds two of the 16 blocks that the fake device has: only eight fit beside each other. */
TEST(cells_that_do_not_fit_are_sampled_alone) {
    static const Variant variants[] = {
        FAKE_CPU("seq", fake_run),
        FAKE_DEVICE("d1", fake_device_run, NULL),
        FAKE_DEVICE("d2", fake_device_run, NULL),
        FAKE_DEVICE("d3", fake_device_run, NULL),
        FAKE_DEVICE("d4", fake_device_run, NULL),
        FAKE_DEVICE("d5", fake_device_run, NULL),
        FAKE_DEVICE("d6", fake_device_run, NULL),
        FAKE_DEVICE("d7", fake_device_run, NULL),
        FAKE_DEVICE("d8", fake_device_run, NULL),
        FAKE_DEVICE("d9", fake_device_run, NULL),
        FAKE_DEVICE("d10", fake_device_run, NULL),
    };
    RELEASED_BY(finish) Outcome outcome = run(request_of(variants, 11));
    check_all_ok(&outcome, variants, 11);
}

/* --- What goes wrong -------------------------------------------------------------------------- */

static Status run_unless_crowded(void *state) {
    return fake_device.opened - fake_device.closed > 1 ? status_fail("too many beside it")
                                                       : fake_run(state);
}

static Status run_wrong_when_crowded(void *state) {
    return fake_device.opened - fake_device.closed > 1 ? fake_run_one_wrong(state)
                                                       : fake_run(state);
}

static Status run_past_end_when_crowded(void *state) {
    return fake_device.opened - fake_device.closed > 1 ? fake_run_past_end(state) : fake_run(state);
}

/* Beside others each goes wrong, and one damages the guards of all; alone all are right. */
TEST(what_goes_wrong_beside_others_is_judged_alone) {
    static const Variant variants[] = {
        FAKE_CPU("seq", fake_run), FAKE_CPU("fails", run_unless_crowded),
        FAKE_CPU("wrong", run_wrong_when_crowded), FAKE_CPU("past_end", run_past_end_when_crowded)};
    RELEASED_BY(finish) Outcome outcome = run(request_of(variants, 4));
    check_all_ok(&outcome, variants, 4);
}

/* Right when it is proved, and lost once it is sampled. */
static Status run_lost_later(void *state) {
    return ((FakeState *)state)->runs < 3 ? fake_device_run(state) : fake_run_lost(state);
}

TEST(a_device_lost_while_sampling_takes_its_cells) {
    static const Variant variants[] = {
        FAKE_CPU("seq", fake_run),
        FAKE_DEVICE("before", fake_device_run, NULL),
        FAKE_DEVICE("culprit", run_lost_later, NULL),
        FAKE_DEVICE("after", fake_device_run, NULL),
        FAKE_CPU("last", fake_run),
    };
    RELEASED_BY(finish) Outcome outcome = run(request_of(variants, 5));
    const Row *rows = outcome.results.rows;
    assert_int_equal(outcome.exit_code, EXIT_WRONG);
    assert_int_equal(outcome.results.count, 5);
    check_ok(&rows[0], "seq");
    check_failed(&rows[2], "an illegal address was met");
    for (size_t i = 1; i <= 3; i += 2) {
        assert_int_equal(rows[i].status, CELL_SKIP);
        assert_says(rows[i].why, "the device was lost in fake/culprit/texture/16x8");
        assert_int_equal(rows[i].kernel.count, 0);
    }
    check_ok(&rows[4], "last");
    assert_int_equal(rows[4].kernel.count, 7);
}

/* --- One of several devices is lost ----------------------------------------------------------- */

static int alive;   /* the first devices, which still work */
static int lost_on; /* the number of GPUs on which the cell of that name loses a device */
static bool lost_while_sampling;

static Status still_usable(int devices) {
    return devices <= alive ? status_ok() : status_skip("device %d is gone", alive);
}

static Status run_on_several(void *state) {
    const FakeState *fake = state;
    const int gpus = (int)point_integer(fake->request->tuning, "gpus", 1);
    if (gpus == lost_on && fake->runs >= (lost_while_sampling ? 3 : 0)) {
        alive = gpus - 1;
        return status_make(STATUS_DEVICE_LOST, "an illegal address was met");
    }
    return fake_device_run(state);
}

/* What needs the first device fails once that is lost. */
static Status run_on_first(void *state) {
    return alive > 0 ? fake_device_run(state)
                     : status_make(STATUS_DEVICE_LOST, "the context is broken");
}

static const Axis gpus_axis = {.name = "gpus",
                               .help = "GPUs",
                               .defaults = "1,2,4",
                               .kind = AXIS_INTEGER,
                               .minimum = 1,
                               .maximum = 16};
static const Axis *const gpus_tuning[] = {&gpus_axis, NULL};

/* One device before, several, one device after, and the CPU. */
static Outcome run_with_a_loss(bool interleaved) {
    static BackendRunner runner;
    static Backend single, several;
    static Variant variants[5];
    single = several = fake_backend;
    runner = fake_runner;
    runner.usable = still_usable;
    single.runner = several.runner = &runner;
    const Variant list[] = {FAKE_CPU("seq", fake_run), FAKE_DEVICE("before", run_on_first, NULL),
                            FAKE_DEVICE("several", run_on_several, NULL),
                            FAKE_DEVICE("after", run_on_first, NULL), FAKE_CPU("last", fake_run)};
    memcpy(variants, list, sizeof list);
    variants[1].backend = variants[3].backend = &single;
    variants[2].backend = &several;
    variants[2].tuning = gpus_tuning;
    alive = 4;
    RunOptions options = request_of(variants, 5);
    options.interleave = interleaved;
    return run(options);
}

static void check_skipped(const Row *row) {
    assert_int_equal(row->status, CELL_SKIP);
    assert_says(row->why, "the device was lost in fake/several/texture/16x8/gpus:");
    assert_says(row->why, "an illegal address was met");
    assert_int_equal(row->kernel.count, 0);
}

/* The second of four: what works on the first alone goes on. */
TEST(what_needs_no_lost_device_goes_on) {
    for (int way = 0; way < 4; way++) {
        lost_on = 2;
        lost_while_sampling = way % 2 > 0;
        RELEASED_BY(finish) Outcome outcome = run_with_a_loss(way / 2 > 0);
        const Row *rows = outcome.results.rows;
        assert_int_equal(outcome.results.count, 7);
        check_ok(&rows[0], "seq");
        check_ok(&rows[1], "before");
        check_ok(&rows[2], "several"); /* on one */
        check_failed(&rows[3], "an illegal address was met");
        check_skipped(&rows[4]); /* on four */
        check_ok(&rows[5], "after");
        check_ok(&rows[6], "last");
    }
}

/* The first: every cell of a GPU works on it. */
TEST(without_the_first_device_the_cpu_alone_goes_on) {
    for (int way = 0; way < 4; way++) {
        lost_on = 1;
        lost_while_sampling = way % 2 > 0;
        RELEASED_BY(finish) Outcome outcome = run_with_a_loss(way / 2 > 0);
        const Row *rows = outcome.results.rows;
        assert_int_equal(outcome.results.count, 7);
        check_failed(&rows[2], "an illegal address was met");
        for (size_t i = 3; i <= 5; i++) {
            check_skipped(&rows[i]);
        }
        check_ok(&rows[0], "seq");
        check_ok(&rows[6], "last");
    }
}

/* Every other cell would be compared with it. */
TEST(a_seq_that_goes_wrong_while_timing_leaves_no_times) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run_wrong_later),
                                       FAKE_CPU("simd", fake_run)};
    RELEASED_BY(finish) Outcome outcome = run(request_of(variants, 2));
    assert_int_equal(outcome.exit_code, EXIT_WRONG);
    check_failed(&outcome.results.rows[0], "its calls give different answers");
    assert_int_equal(outcome.results.rows[1].status, CELL_SKIP);
    assert_says(outcome.results.rows[1].why, "because seq is wrong");
    assert_int_equal(outcome.results.rows[1].kernel.count, 0);
}

/* --- Interrupts ------------------------------------------------------------------------------- */

static Status run_and_stop_on_small(void *state) {
    if (((FakeState *)state)->request->workload->image.width == 8) {
        raise(SIGINT);
    }
    return fake_run(state);
}

/* The set of the first size was finished, that of the second is lost. */
TEST(an_interrupt_loses_the_set_it_falls_into) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run),
                                       FAKE_CPU("stopper", run_and_stop_on_small)};
    RunOptions options = request_of(variants, 2);
    options.size_count = 2;
    options.sizes[1] = (SizeSpec){.name = "8x8", .width = 8, .height = 8};
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_INTERRUPTED);
    assert_int_equal(outcome.results.count, 2);
    check_ok(&outcome.results.rows[0], "seq");
    check_ok(&outcome.results.rows[1], "stopper");
}

static int stopper_opened;

static Status open_and_stop(const Request *request, void **state) {
    if (++stopper_opened == 3) { /* proof, samples, allocation */
        raise(SIGINT);
    }
    return fake_open(request, state);
}

/* So do cells whose samples were all taken; what is measured around them is missing. */
TEST(an_interrupt_keeps_the_sampled_cells_of_a_set) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run),
                                       {.name = "stopper",
                                        .backend = &cpu_backend,
                                        .open = open_and_stop,
                                        .run = fake_run,
                                        .close = fake_close},
                                       FAKE_CPU("last", fake_run),
                                       FAKE_DEVICE("device", fake_device_run, NULL)};
    stopper_opened = 0;
    RELEASED_BY(finish) Outcome outcome = run(request_of(variants, 4));
    assert_int_equal(outcome.exit_code, EXIT_INTERRUPTED);
    assert_int_equal(outcome.results.count, 4);
    check_ok(&outcome.results.rows[0], "seq");
    assert_false(outcome.results.rows[0].unfinished);
    for (size_t i = 1; i < 4; i++) {
        const Row *row = &outcome.results.rows[i];
        assert_int_equal(row->status, CELL_OK);
        assert_true(row->verified);
        assert_int_equal(row->kernel.count, 7);
        assert_int_equal(row->end_to_end.count, 7);
        assert_false(isnan(row_ratio(row, OVER_SEQ, TIME_END_TO_END).value));
        assert_true(resume_is_sampled(row));
        assert_false(resume_is_finished(row));
        assert_true(isnan(row->with_alloc_summary.median));
    }
}

/* So that a run that goes on measures them, and only them, to the end. */
TEST(the_file_tells_unfinished_cells_from_others) {
    RELEASED_BY(row_release) Row row = row_empty();
    row.algorithm = registry_find_algorithm("copy");
    row.variant = registry_find_variant(row.algorithm, "seq");
    row.status = CELL_OK;
    samples_add(&row.kernel, 0.5);
    samples_add(&row.end_to_end, 0.75);
    for (int unfinished = 0; unfinished < 2; unfinished++) {
        row.unfinished = unfinished == 1;
        const char *list;
        cJSON *entry = row_json_entry(&row, &list);
        assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(entry, "unfinished")), unfinished);
        assert_int_equal(cJSON_HasObjectItem(entry, "unfinished"), unfinished);
        assert_true(cJSON_HasObjectItem(entry, "end_to_end_turns"));
        cJSON_Delete(entry);
    }
}

/* A cell without transfers has been measured end to end in the same turns. */
TEST(end_to_end_is_of_the_same_turns) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run),
                                       FAKE_DEVICE("device", fake_device_run, NULL),
                                       FAKE_DEVICE("stream", fake_device_run, fake_stream)};
    RELEASED_BY(finish) Outcome outcome = run(request_of(variants, 3));
    check_all_ok(&outcome, variants, 3);
    for (size_t i = 0; i < 3; i++) {
        const Samples *kernel = &outcome.results.rows[i].kernel;
        const Samples *end_to_end = &outcome.results.rows[i].end_to_end;
        assert_int_equal(isfinite(outcome.results.rows[i].sentinel_chain), i == 0);
        assert_int_equal(end_to_end->count, 7);
        for (size_t sample = 0; sample < 7; sample++) {
            assert_int_equal(end_to_end->origins[sample].turn, kernel->origins[sample].turn);
        }
    }
}

/* --- Long runs of a device ----------------------------------------------------------------------
 */

static int steps_of_run; /* of a thousandth of a second by the device's clock */

static Status run_steps(void *state) {
    fake_device.steps += steps_of_run - 1;
    return fake_device_run(state);
}

static double call_of(int steps, double budget) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run),
                                       FAKE_DEVICE("device", run_steps, NULL)};
    RunOptions options = request_of(variants, 2);
    options.budget = budget;
    options.pass = budget > 0 ? 2 : 0;
    steps_of_run = steps;
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    return outcome.results.rows[1].call;
}

/* A run more would tell little of it, and take long. */
TEST(with_a_budget_a_call_of_a_second_is_not_timed) {
    assert_true(isnan(call_of(1000, 6)));
    assert_true(call_of(999, 6) > 0);
    assert_true(call_of(1000, 0) > 0);
}

/* --- Other addresses -------------------------------------------------------------------------- */

static int opened;
static long pause_ns; /* of each opening */

static Status open_noted(const Request *request, void **state) {
    const struct timespec pause = {.tv_nsec = pause_ns};
    nanosleep(&pause, NULL);
    opened++;
    return fake_device_open(request, state);
}

/* Without a pause none takes long, however loaded the machine is. */
static int openings_of(Status (*run_function)(void *state), long pause, double budget,
                       int expected_exit) {
    const double limit = cell_anew_limit;
    Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_DEVICE("device", run_function, NULL)};
    variants[1].open = open_noted;
    RunOptions options = request_of(variants, 2);
    options.max_time = 10;
    options.budget = budget;
    opened = 0;
    pause_ns = pause;
    cell_anew_limit = pause > 0 ? limit : INFINITY;
    RELEASED_BY(finish) Outcome outcome = run(options);
    cell_anew_limit = limit;
    assert_int_equal(outcome.exit_code, expected_exit);
    return opened;
}

static int openings(Status (*run_function)(void *state), long pause, int expected_exit) {
    return openings_of(run_function, pause, 0, expected_exit);
}

/* In a launch with little time all four turns of seven samples have one memory. */
TEST(a_brief_launch_keeps_its_memory) {
    assert_int_equal(openings_of(fake_device_run, 0, 6, EXIT_OK), 1 + 9);
}

/* Besides the turns: its proof, its transfers and seven with allocation. */
TEST(each_turn_of_a_device_has_memory_of_its_own) {
    assert_int_equal(openings(fake_device_run, 0, EXIT_OK), 7 + 9);
}

/* The first turns tell that it takes long. */
TEST(what_takes_long_to_open_is_opened_once_more) {
    assert_int_equal(openings(fake_device_run, 30000000, EXIT_OK), 2 + 9);
}

static Status run_wrong_in_one_place(void *state) {
    STATUS_TRY(fake_device_run(state));
    ((FakeState *)state)->answer[0] ^= opened % 4 == 0 ? 1 : 0;
    return status_ok();
}

/* In a turn in the middle, beside another cell and then alone: other turns do not cover it. */
TEST(a_wrong_answer_of_one_turn_is_found) {
    assert_int_equal(openings(run_wrong_in_one_place, 0, EXIT_WRONG), 8);
}

/* --- End to end ------------------------------------------------------------------------------- */

static int passes; /* of the latest state */

static Status open_counting(const Request *request, void **state) {
    passes = 0;
    return fake_device_open(request, state);
}

/* Wrong from the third pass on, of which a state that is opened for one pass knows nothing. */
static Status stream_wrong_later(void *state) {
    STATUS_TRY(fake_stream(state));
    *fake_last_pixel(state) ^= ++passes > 2 ? 1 : 0;
    return status_ok();
}

TEST(a_wrong_answer_end_to_end_is_found) {
    Variant variants[] = {FAKE_CPU("seq", fake_run),
                          FAKE_DEVICE("later", fake_device_run, stream_wrong_later)};
    variants[1].open = open_counting;
    RELEASED_BY(finish) Outcome outcome = run(request_of(variants, 2));
    check_ok(&outcome.results.rows[0], "seq");
    assert_int_equal(outcome.results.rows[1].status, CELL_FAIL);
}

/* --- The record ------------------------------------------------------------------------------- */

TEST(files_say_whether_cells_took_turns) {
    for (int turns = 0; turns < 2; turns++) {
        RunOptions options = request("seq", NULL, NULL);
        options.interleave = turns == 1;
        RELEASED_BY(finish) Outcome outcome = run(options);
        ScratchFolder folder;
        memcpy(folder.path, outcome.run, sizeof folder.path);
        char *csv = scratch_read(&folder, "results.csv");
        char *json = scratch_read(&folder, "results.json");
        assert_says(csv, turns == 1 ? "# interleaved: yes\n" : "# interleaved: no\n");
        assert_says(json, turns == 1 ? "\"interleaved\":\ttrue" : "\"interleaved\":\tfalse");
    }
}
