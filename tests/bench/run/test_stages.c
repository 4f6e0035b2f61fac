/* Parts of a run timed apart: whole passes, how many of them, and that they have to make the
 * answer.
 */
#include "bench/runner_fixture.h"
#include "exit_code.h"
#include "measure.h"
#include "row.h"
#include "run_options.h"
#include "test.h"

/* --- Passes, on a clock that only stages advance --------------------------------------------- */

enum { TOLD_STAGES = 2 };

static struct {
    double clock, started;
    int calls[TOLD_STAGES], flushes, holds;
    bool fails;
} told;

static Status told_start(void) {
    told.started = told.clock;
    return status_ok();
}

static Status told_stop(double *seconds) {
    *seconds = told.clock - told.started;
    return status_ok();
}

static Status told_hold(void) {
    told.holds++;
    return status_ok();
}

static Status told_flush(void) {
    told.flushes++;
    return status_ok();
}

/* In pass 0, 1, …: 100, 3, 1, 2, 9, 8 seconds. */
static Status first_stage(void *state) {
    static const double seconds[] = {100, 3, 1, 2, 9, 8};
    (void)state;
    assert_int_equal(told.calls[0], told.calls[1]);
    told.clock += seconds[told.calls[0]++];
    return status_ok();
}

/* Needs the first one of its pass. */
static Status second_stage(void *state) {
    (void)state;
    assert_int_equal(told.calls[0], told.calls[1] + 1);
    told.clock += 0.25;
    told.calls[1]++;
    return told.fails ? status_fail("the second stage stumbled") : status_ok();
}

static const Stage told_stages[] = {{"first", first_stage}, {"second", second_stage}, {NULL, NULL}};
static BackendRunner told_runner;
static Backend told_backend;
static Variant told_variant;
static RunOptions told_options;

static Measurement told_measurement(void) {
    memset(&told, 0, sizeof told);
    told_runner = fake_runner;
    told_backend = fake_backend;
    told_backend.runner = &told_runner;
    told_runner.clock_start = told_start;
    told_runner.clock_stop = told_stop;
    told_runner.flush_caches = told_flush;
    told_runner.hold = told_hold;
    told_variant = (Variant){.name = "told", .backend = &told_backend, .stages = told_stages};
    told_options = (RunOptions){.max_time = 1000};
    return (Measurement){.options = &told_options, .variant = &told_variant};
}

/* Of 3, 1, 2, 9 and 8 the median is 3; the pass before them is not counted. */
TEST(stages_are_timed_in_passes) {
    Measurement measurement = told_measurement();
    double seconds[STAGES_MAX];
    assert_ok(measure_stages(&measurement, 0.5, seconds));
    assert_int_equal(told.calls[0], 6);
    assert_true(seconds[0] == 3);
    assert_true(seconds[1] == 0.25);
    for (size_t i = 2; i < STAGES_MAX; i++) {
        assert_true(isnan(seconds[i]));
    }
    assert_int_equal(told.flushes, 0);
    assert_int_equal(told.holds, 0);
}

TEST(stages_of_a_held_cell_are_held) {
    Measurement measurement = told_measurement();
    measurement.held = true;
    double seconds[STAGES_MAX];
    assert_ok(measure_stages(&measurement, 0.5, seconds));
    assert_int_equal(told.holds, 6 * TOLD_STAGES);
    assert_true(seconds[0] == 3);
}

TEST(a_long_run_has_one_pass) {
    Measurement measurement = told_measurement();
    double seconds[STAGES_MAX];
    assert_ok(measure_stages(&measurement, LONG_RUN, seconds));
    assert_int_equal(told.calls[1], 1);
    assert_true(seconds[0] == 100);
}

/* A run with a budget calls shorter ones long. */
TEST(with_a_budget_a_tenth_of_a_second_has_one_pass) {
    Measurement measurement = told_measurement();
    double seconds[STAGES_MAX];
    told_options.budget = 60;
    assert_ok(measure_stages(&measurement, LONG_RUN_BRIEF, seconds));
    assert_int_equal(told.calls[1], 1);
    assert_true(seconds[0] == 100);
}

TEST(the_time_limit_leaves_one_pass) {
    Measurement measurement = told_measurement();
    double seconds[STAGES_MAX];
    told_options.max_time = 0;
    assert_ok(measure_stages(&measurement, 0.5, seconds));
    assert_int_equal(told.calls[1], 2);
    assert_true(seconds[0] == 3);
}

TEST(cold_passes_begin_with_empty_caches) {
    Measurement measurement = told_measurement();
    double seconds[STAGES_MAX];
    told_options.cold = true;
    assert_ok(measure_stages(&measurement, 0.5, seconds));
    assert_int_equal(told.flushes, 6);
}

TEST(a_stage_that_fails_ends_it) {
    Measurement measurement = told_measurement();
    double seconds[STAGES_MAX];
    told.fails = true;
    assert_int_equal(measure_stages(&measurement, 0.5, seconds).code, STATUS_FAIL);
    assert_int_equal(told.calls[0], 1);
    assert_true(isnan(seconds[0]) && isnan(seconds[1]));
}

TEST(stages_are_counted_up_to_the_most) {
    Stage many[STAGES_MAX + 2] = {{NULL, NULL}};
    Variant variant = {.name = "many"};
    assert_int_equal(variant_stage_count(&variant), 0);
    variant.stages = many;
    assert_int_equal(variant_stage_count(&variant), 0);
    for (size_t i = 0; i <= STAGES_MAX; i++) {
        many[i].name = "stage";
    }
    assert_int_equal(variant_stage_count(&variant), STAGES_MAX);
}

/* --- In a run: on the fake device, where each step takes a millisecond ------------------------ */

static Status idle_stage(void *state) {
    (void)state;
    fake_device.steps += 2;
    return status_ok();
}

static Status spoiling_stage(void *state) {
    FakeState *fake = state;
    fake->answer[0] ^= 1;
    return status_ok();
}

static const Stage right_stages[] = {
    {"prepare", idle_stage}, {"compute", fake_device_run}, {NULL, NULL}};
static const Stage spoiling_stages[] = {
    {"compute", fake_device_run}, {"spoil", spoiling_stage}, {NULL, NULL}};
/* Right as long as the answer of a run lies about. */
static const Stage idle_stages[] = {{"prepare", idle_stage}, {NULL, NULL}};
static const Stage cpu_stages[] = {{"compute", fake_run}, {NULL, NULL}};

#define STAGED(variant_name, of_run)                                                               \
    {                                                                                              \
        .name = variant_name, .backend = &fake_backend, .open = fake_device_open,                  \
        .upload = fake_upload, .run = fake_device_run, .stages = of_run,                           \
        .download = fake_download, .close = fake_close                                             \
    }

static const Variant staged_variants[] = {
    FAKE_CPU("seq", fake_run),
    STAGED("staged", right_stages),
    STAGED("spoiling", spoiling_stages),
    STAGED("idle", idle_stages),
    {.name = "on_cpu",
     .backend = &cpu_backend,
     .open = fake_open,
     .run = fake_run,
     .stages = cpu_stages,
     .close = fake_close},
};

/* Bytes that only who has the pixels can count. */
static Cost cost_by_content(const Workload *workload, const Point *answer) {
    Cost cost = fake_cost(workload, answer);
    cost.bytes += workload->image.pixels != NULL ? 1000 : 0;
    return cost;
}

static const Algorithm staged_algorithm = {
    .name = "staged",
    .summary = "inverts in stages",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .output_layout = fake_layout,
    .cost = cost_by_content,
    .cpu = {staged_variants, sizeof staged_variants / sizeof staged_variants[0]},
};

static Outcome run_staged(const char *variant) {
    RunOptions options = request("seq", variant, NULL);
    options.algorithms[0] = &staged_algorithm;
    return run(options);
}

TEST_BOTH(rows_have_the_times_of_their_stages) {
    Outcome outcome = run_staged("staged");
    assert_int_equal(outcome.exit_code, EXIT_OK);
    const Row *row = &outcome.results.rows[1];
    check_ok(row, "staged");
    assert_true(fabs(row->stage_seconds[0] - 2e-3) < 1e-12);
    assert_true(fabs(row->stage_seconds[1] - 1e-3) < 1e-12);
    assert_true(isnan(row->stage_seconds[2]));
    assert_true(isnan(outcome.results.rows[0].stage_seconds[0]));
    finish(&outcome);
    outcome = run_staged("on_cpu");
    assert_int_equal(outcome.exit_code, EXIT_OK);
    check_ok(&outcome.results.rows[1], "on_cpu");
    assert_true(outcome.results.rows[1].stage_seconds[0] > 0);
    finish(&outcome);
}

TEST_BOTH(stages_have_to_make_the_answer) {
    static const char *const wrong[] = {"spoiling", "idle"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        RELEASED_BY(finish) Outcome outcome = run_staged(wrong[i]);
        assert_int_equal(outcome.exit_code, EXIT_WRONG);
        check_failed(&outcome.results.rows[1], "wrong answer");
        assert_true(isnan(outcome.results.rows[1].stage_seconds[0]));
    }
}

/* 16×8 pixels in and out, and what is in them. */
TEST(the_cost_of_a_row_is_that_of_its_pixels, reset) {
    RELEASED_BY(finish) Outcome outcome = run_staged("staged");
    assert_true(outcome.results.rows[0].cost.bytes == 256 + 1000);
    assert_true(outcome.results.rows[1].cost.bytes == 256 + 1000);
}
