#include "bench/runner_fixture.h"
#include "exit_code.h"
#include "row.h"
#include "test.h"

EACH_TEST(reset);

static Status run_counting(void *state) {
    STATUS_TRY(fake_run(state));
    *fake_last_pixel(state) = (uint8_t)fake_device.runs; /* another answer each time */
    return status_ok();
}

TEST(an_oracle_that_contradicts_itself_is_found) {
    static const Variant variants[] = {FAKE_CPU("seq", run_counting), FAKE_CPU("simd", fake_run)};
    RELEASED_BY(finish) Outcome outcome = run(fake_options_of(variants, 2));
    assert_int_equal(outcome.exit_code, EXIT_WRONG);
    check_failed(&outcome.results.rows[0], "its calls give different answers");
    assert_int_equal(outcome.results.rows[1].status, CELL_SKIP);
    assert_says(outcome.results.rows[1].why, "seq is wrong");
}

TEST(an_oracle_that_leaves_bytes_is_found) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run_unwritten)};
    RELEASED_BY(finish) Outcome outcome = run(fake_options_of(variants, 1));
    assert_int_equal(outcome.exit_code, EXIT_WRONG);
    check_failed(&outcome.results.rows[0], "is 165, expected 90"); /* the two poisons */
}

TEST(an_oracle_out_of_bounds_is_found) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run_past_end),
                                       FAKE_CPU("simd", fake_run)};
    RunOptions options = fake_options_of(variants, 2);
    Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_WRONG);
    check_failed(&outcome.results.rows[0], "out of bounds");
    assert_int_equal(outcome.results.rows[1].status, CELL_SKIP);
    finish(&outcome);
    fake_select(&options, "simd");
    options.out = NULL;
    outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_WRONG); /* also when seq has no row */
    finish(&outcome);
}

/* Memory that the oracle had is not there for the cell of seq: after the probe's two runs and the
 * oracle's one. */
static Status open_three_times(const Request *request, void **state) {
    return fake_device.opened < 3 ? fake_open(request, state) : fake_open_skips(request, state);
}

TEST(an_oracle_that_cannot_be_measured_is_not_wrong) {
    static const Variant variants[] = {{.name = "seq",
                                        .summary = "seq",
                                        .backend = &cpu_backend,
                                        .open = open_three_times,
                                        .run = fake_run,
                                        .close = fake_close},
                                       FAKE_CPU("simd", fake_run)};
    RELEASED_BY(finish) Outcome outcome = run(fake_options_of(variants, 2));
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(outcome.results.rows[0].status, CELL_SKIP);
    assert_says(outcome.results.rows[0].why, "larger picture");
    assert_int_equal(outcome.results.rows[1].status, CELL_OK);
}

static SizeSpec square(int32_t side) {
    SizeSpec size = {.width = side, .height = side};
    snprintf(size.name, sizeof size.name, "%d", side);
    return size;
}

/* On one square, where long runs may take `max_long` seconds. */
static RunOptions budget_of(const Variant *variants, size_t count, double max_long, int32_t side) {
    RunOptions options = fake_options_of(variants, count);
    options.max_long = max_long;
    options.sizes[0] = square(side);
    return options;
}

static int seq_runs_on_large, seq_runs_on_512;

/* Takes a microsecond a pixel. */
static Status run_slowly(void *state) {
    const FakeState *fake = state;
    const size_t pixels = image_pixel_count(&fake->request->workload->image);
    const struct timespec pause = {.tv_sec = (time_t)(pixels / 1000000),
                                   .tv_nsec = (long)(pixels % 1000000) * 1000};
    nanosleep(&pause, NULL);
    seq_runs_on_large += pixels > 128 * 128;
    seq_runs_on_512 += pixels == 512 * 512;
    return fake_run(state);
}

/* 512×512 pixels would take 0.262 s, more than 0.25 s; 128×128 take 16 ms. */
TEST(a_slow_oracle_is_stood_in_for) {
    static const Variant variants[] = {FAKE_CPU("seq", run_slowly),
                                       FAKE_CPU("wrong", fake_run_one_wrong),
                                       FAKE_CPU("simd", fake_run), FAKE_CPU("good", fake_run)};
    RunOptions options = fake_options_of(variants, 4);
    options.max_cell = 0.25;
    options.sizes[0] = square(512);
    fake_select(&options, "seq");
    fake_select(&options, "wrong");
    fake_select(&options, "good");
    seq_runs_on_large = 0;
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_WRONG); /* one of them is wrong, after all */
    const Row *rows = outcome.results.rows;
    assert_int_equal(rows[0].status, CELL_SKIP);
    assert_says(rows[0].why, "more than --max-cell 0.25 s");
    check_failed(&rows[1], "wrong answer");
    assert_int_equal(rows[2].status, CELL_OK);
    assert_true(strcmp(rows[2].verified_by, "simd") == 0 ||
                strcmp(rows[2].verified_by, "good") == 0);
    assert_string_equal(rows[2].base, ""); /* no speedup over what was not run */
    assert_true(isnan(rows[2].speedup) && isnan(rows[2].base_seconds));
    assert_true(rows[2].speedup_vs_best_cpu == 1);
}

TEST(seq_has_half_of_the_budget) {
    static const Variant variants[] = {FAKE_CPU("seq", run_slowly), FAKE_CPU("simd", fake_run)};
    RunOptions options = budget_of(variants, 2, 0.25, 512);
    RELEASED_BY(finish) Outcome outcome = run(options);
    const Row *rows = outcome.results.rows;
    assert_int_equal(rows[0].status, CELL_SKIP);
    assert_says(
        rows[0].why,
        "more than the 0.25 s that the budget leaves for long runs (--max-cell allows more)");
    assert_int_equal(rows[1].status, CELL_OK);
}

/* Its runs take 0.26 s on 512 x 512, and 0.02 on the last size, which is short on a busy machine
 * too.
 */
TEST(long_runs_have_half_of_the_budget_together) {
    static const Variant variants[] = {FAKE_CPU("seq", run_slowly), FAKE_CPU("simd", fake_run)};
    RunOptions options = fake_options_of(variants, 2);
    options.max_long = 0.5;
    options.size_count = 3;
    options.sizes[0] = square(512);
    options.sizes[1] = (SizeSpec){.name = "512x516", .width = 512, .height = 516};
    options.sizes[2] = (SizeSpec){.name = "128x160", .width = 128, .height = 160};
    RELEASED_BY(finish) Outcome outcome = run(options);
    const Row *rows = outcome.results.rows;
    assert_int_equal(outcome.results.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(rows[i].status, i == 2 ? CELL_SKIP : CELL_OK);
    }
    assert_says(rows[2].why, " s that the budget leaves for long runs");
}

/* It takes 0.07, 0.26 and about 1 s, where 0.4 s are left. */
TEST(a_variant_that_grows_too_slow_is_skipped) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_CPU("simd", fake_run),
                                       FAKE_CPU("slow", run_slowly)};
    RunOptions options = fake_options_of(variants, 3);
    options.max_long = 1;
    options.size_count = 3;
    options.sizes[0] = square(256);
    options.sizes[1] = square(512);
    options.sizes[2] = square(1200);
    RELEASED_BY(finish) Outcome outcome = run(options);
    const Row *rows = outcome.results.rows;
    assert_int_equal(outcome.results.count, 9);
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(rows[i].status, i < 8 ? CELL_OK : CELL_SKIP);
    }
    assert_says(rows[8].why, "two runs, to verify and to time it, would take about ");
}

/* Both take 17 s on the whole, where simd takes some milliseconds. */
TEST(a_variant_that_was_slow_on_a_crop_is_skipped) {
    static const Variant variants[] = {FAKE_CPU("seq", run_slowly), FAKE_CPU("slow", run_slowly),
                                       FAKE_CPU("simd", fake_run)};
    RunOptions options = budget_of(variants, 3, 0.5, 4096);
    RELEASED_BY(finish) Outcome outcome = run(options);
    const Row *rows = outcome.results.rows;
    assert_int_equal(rows[0].status, CELL_SKIP);
    assert_int_equal(rows[1].status, CELL_SKIP);
    assert_says(rows[1].why, "s (from a small part of the input), more than the 0.5 s");
    assert_int_equal(rows[2].status, CELL_OK);
}

/* Nobody asked for simd, which was faster on the crop. */
TEST(the_only_variant_is_not_skipped) {
    static const Variant variants[] = {FAKE_CPU("seq", run_slowly), FAKE_CPU("slow", run_slowly),
                                       FAKE_CPU("simd", fake_run)};
    RunOptions options = budget_of(variants, 3, 0.5, 1024);
    fake_select(&options, "seq");
    fake_select(&options, "slow");
    RELEASED_BY(finish) Outcome outcome = run(options);
    const Row *rows = outcome.results.rows;
    assert_int_equal(rows[0].status, CELL_SKIP);
    assert_int_equal(rows[1].status, CELL_OK);
}

/* It takes 1.05 s, and nothing was known of it. */
TEST(a_variant_that_is_verified_slowly_is_not_timed) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_CPU("slow", run_slowly)};
    RunOptions options = budget_of(variants, 2, 0.5, 1024);
    seq_runs_on_large = 0;
    RELEASED_BY(finish) Outcome outcome = run(options);
    const Row *rows = outcome.results.rows;
    assert_int_equal(rows[0].status, CELL_OK);
    assert_int_equal(rows[1].status, CELL_SKIP);
    assert_says(rows[1].why, "it is right, but the run that verified it took ");
    assert_int_equal(seq_runs_on_large, 1);
}

/* 0.12 s for 64×64 pixels: more than is left for long runs, but there is no smaller part. */
static Status run_very_slowly(void *state) {
    const FakeState *fake = state;
    const size_t pixels = image_pixel_count(&fake->request->workload->image);
    const struct timespec pause = {.tv_nsec = (long)pixels * 30000};
    nanosleep(&pause, NULL);
    return fake_run(state);
}

TEST(the_smallest_part_is_verified_on_though_it_takes_long) {
    static const Variant variants[] = {FAKE_CPU("seq", run_very_slowly),
                                       FAKE_CPU("simd", fake_run)};
    RunOptions options = budget_of(variants, 2, 0.1, 512);
    RELEASED_BY(finish) Outcome outcome = run(options);
    const Row *rows = outcome.results.rows;
    assert_int_equal(rows[0].status, CELL_SKIP);
    assert_int_equal(rows[1].status, CELL_OK);
}

TEST(without_a_stand_in_cells_are_skipped) {
    static const Variant variants[] = {FAKE_CPU("seq", run_slowly),
                                       FAKE_CPU("wrong", fake_run_one_wrong)};
    RunOptions options = fake_options_of(variants, 2);
    options.max_cell = 0.1;
    options.sizes[0] = square(512);
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_NO_SAMPLE);
    assert_int_equal(outcome.results.rows[0].status, CELL_SKIP);
    assert_int_equal(outcome.results.rows[1].status, CELL_SKIP);
    assert_says(outcome.results.rows[1].why, "no other CPU variant");
}

static Status run_slowly_past_end(void *state) {
    STATUS_TRY(run_slowly(state));
    return fake_run_past_end(state);
}

/* With a budget. Runs on smaller images tell that one here takes 0.26 s. */
TEST(with_a_budget_a_long_oracle_is_the_first_sample_of_seq) {
    static const Variant variants[] = {FAKE_CPU("seq", run_slowly), FAKE_CPU("simd", fake_run),
                                       FAKE_CPU("wrong", fake_run_one_wrong)};
    static const Variant outside[] = {FAKE_CPU("seq", run_slowly_past_end),
                                      FAKE_CPU("simd", fake_run)};
    Algorithm algorithm = fake_algorithm;
    algorithm.cpu = (VariantTable){variants, 3};
    RunOptions options = fake_options(&algorithm);
    options.sizes[0] = square(512);
    options.launches = 12;
    options.budget = 6;
    options.pass = 1;
    seq_runs_on_512 = 0;
    Outcome outcome = run(options);
    assert_int_equal(seq_runs_on_512, 1);
    assert_int_equal(outcome.exit_code, EXIT_WRONG);
    const Row *rows = outcome.results.rows;
    check_ok(&rows[0], "seq");
    assert_int_equal(rows[0].kernel.count, 1);
    assert_true(rows[0].verified && rows[0].agreement == 1);
    assert_true(rows[0].kernel_summary.median >= 0.26);
    check_ok(&rows[1], "simd");
    assert_true(rows[0].answer_digest != 0 && rows[0].answer_digest == rows[1].answer_digest);
    check_failed(&rows[2], "wrong answer");
    finish(&outcome);
    algorithm.cpu = (VariantTable){outside, 2};
    outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_WRONG);
    check_failed(&outcome.results.rows[0], "out of bounds");
    assert_int_equal(outcome.results.rows[1].status, CELL_SKIP);
    finish(&outcome);
}
