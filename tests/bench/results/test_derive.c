
#include "bench/fakes.h"
#include "results.h"
#include "row.h"
#include "run_record.h"
#include "test.h"

static const Algorithm fake_copy = {
    .name = "copy",
    .roof = true,
    .cpu = {fake_variants, sizeof fake_variants / sizeof fake_variants[0]}};

/* Seven samples around `seconds`, the median exactly it. */
static void fill(Samples *samples, double seconds) {
    static const double factors[] = {1, 0.97, 1.04, 0.99, 1.02, 0.98, 1.01};
    for (size_t i = 0; i < 7; i++) {
        samples_add(samples, seconds * factors[i]);
    }
}

static Row *add(Results *results, const Algorithm *algorithm, const char *variant, int threads,
                double seconds, double whole_seconds) {
    Row row = row_empty();
    row.algorithm = algorithm;
    row.variant = fake_variant(variant);
    strcpy(row.input, "texture");
    strcpy(row.size_name, "1080p");
    row.width = 1920;
    row.height = 1080;
    row.threads = threads;
    if (threads > 0 && row.variant->tuning != NULL) {
        row.tuning = (Point){.count = 1, .axes = {&fake_threads_axis}};
        snprintf(row.tuning.values[0].text, AXIS_TEXT_SIZE, "%d", threads);
    }
    row.status = CELL_OK;
    row.verified = true;
    row.cost = (Cost){.bytes = 2000, .operations = 8000, .items = 1000};
    fill(&row.kernel, seconds);
    fill(&row.end_to_end, whole_seconds);
    results_add(results, &row);
    return &results->rows[results->count - 1];
}

TEST(speedups_are_over_seq_and_over_the_best_cpu) {
    RELEASED_BY(results_release) Results results = {0};
    add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0);
    add(&results, &fake_algorithm, "omp", 2, 4.0, 4.0);
    add(&results, &fake_algorithm, "omp", 4, 2.0, 2.0);
    add(&results, &fake_algorithm, "omp", 8, 3.0, 3.0);
    add(&results, &fake_algorithm, "dev_good", 0, 0.25, 1.0);
    results_derive(&results, 1);
    const Row *device = &results.rows[4];
    assert_string_equal(device->base, "seq (1 thread)");
    assert_near(device->base_seconds, 8, 1e-9);
    assert_near(device->speedup, 32, 1e-9);
    assert_true(device->speedup_ci_low <= 32 && device->speedup_ci_low > 29);
    assert_true(device->speedup_ci_high >= 32 && device->speedup_ci_high < 35);
    assert_near(device->speedup_end_to_end, 8, 1e-9);
    assert_true(device->speedup_end_to_end_ci_low > 7 && device->speedup_end_to_end_ci_high < 9);
    assert_string_equal(device->best_cpu, "omp/threads:4");
    assert_near(device->speedup_vs_best_cpu, 8, 1e-9);
    assert_true(device->speedup_vs_best_cpu_ci_low > 7 && device->speedup_vs_best_cpu_ci_high < 9);
    assert_near(device->speedup_end_to_end_vs_best_cpu, 2, 1e-9);
    assert_true(device->speedup_end_to_end_vs_best_cpu_ci_high < 2.3);
    assert_near(device->items_per_second, 1000 / 0.25, 1e-9);
    assert_near(device->bytes_per_second, 2000 / 0.25, 1e-9);
    const Row *seq = &results.rows[0];
    assert_true(seq->speedup == 1 && seq->speedup_ci_low == 1 && seq->speedup_ci_high == 1);
    assert_near(seq->speedup_vs_best_cpu, 0.25, 1e-9);
}

/* Nothing is resampled: launches are read for their samples, and joined. */
TEST(values_alone_have_no_interval) {
    RELEASED_BY(results_release) Results results = {0};
    add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0);
    add(&results, &fake_algorithm, "omp", 2, 4.0, 4.0);
    add(&results, &fake_algorithm, "dev_good", 0, 0.25, 1.0);
    results_derive_values(&results);
    const Row *device = &results.rows[2];
    assert_near(device->speedup, 32, 1e-9);
    assert_true(isnan(device->speedup_ci_low) && isnan(device->speedup_ci_high));
    assert_near(device->speedup_end_to_end_vs_best_cpu, 4, 1e-9);
    assert_true(isnan(device->speedup_end_to_end_vs_best_cpu_ci_low));
    assert_true(device->best_tuning);
    results_derive(&results, 1);
    assert_true(device->speedup_ci_low <= 32 && device->speedup_ci_low > 29);
}

TEST(the_best_tuning_is_marked_per_variant) {
    RELEASED_BY(results_release) Results results = {0};
    add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0);
    add(&results, &fake_algorithm, "omp", 2, 4.0, 4.0);
    add(&results, &fake_algorithm, "omp", 4, 2.0, 2.0);
    add(&results, &fake_algorithm, "omp", 8, 2.0, 2.0);
    results_derive(&results, 1);
    assert_true(results.rows[0].best_tuning);
    assert_false(results.rows[1].best_tuning);
    assert_true(results.rows[2].best_tuning);
    assert_false(results.rows[3].best_tuning); /* of equal ones the first */
}

TEST(without_a_base_there_is_no_speedup) {
    RELEASED_BY(results_release) Results results = {0};
    add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0)->status = CELL_SKIP;
    add(&results, &fake_algorithm, "dev_good", 0, 0.25, 1.0);
    Row *failed = add(&results, &fake_algorithm, "omp", 4, 2.0, 2.0);
    failed->status = CELL_FAIL;
    results_derive(&results, 1);
    const Row *device = &results.rows[1];
    assert_string_equal(device->base, "");
    assert_true(isnan(device->speedup) && isnan(device->base_seconds));
    assert_string_equal(device->best_cpu, "");
    assert_true(isnan(device->speedup_vs_best_cpu));
    assert_true(isnan(results.rows[2].items_per_second));
}

TEST(other_questions_are_not_compared) {
    RELEASED_BY(results_release) Results results = {0};
    strcpy(add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0)->size_name, "720p");
    strcpy(add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0)->input, "noise");
    Row *other = add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0);
    other->answer = (Point){.count = 1, .axes = {&fake_tile_axis}, .values = {{3, "3"}}};
    add(&results, &fake_copy, "seq", 1, 8.0, 8.0);
    add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0)->images = 10;
    add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0)->cold = true;
    add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0)->height = 1088;
    add(&results, &fake_algorithm, "dev_good", 0, 0.25, 1.0);
    results_derive(&results, 1);
    assert_string_equal(results.rows[7].base, "");
    assert_string_equal(results.rows[7].best_cpu, "");
}

/* With cold caches and with warm ones: each over its own. */
TEST(hot_and_cold_have_baselines_of_their_own) {
    RELEASED_BY(results_release) Results results = {0};
    add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0);
    add(&results, &fake_algorithm, "seq", 1, 12.0, 12.0)->cold = true;
    add(&results, &fake_algorithm, "simd", 1, 4.0, 4.0);
    add(&results, &fake_algorithm, "simd", 1, 3.0, 3.0)->cold = true;
    results_derive(&results, 1);
    assert_near(results.rows[2].speedup, 2, 1e-9);
    assert_near(results.rows[3].speedup, 4, 1e-9);
    assert_near(results.rows[0].speedup_vs_best_cpu, 0.5, 1e-9);
    assert_near(results.rows[1].speedup_vs_best_cpu, 0.25, 1e-9);
    for (size_t i = 0; i < results.count; i++) {
        assert_true(results.rows[i].best_tuning);
    }
}

/* Copy moves 2000 bytes; the roof allows 2000 bytes in the time of the copy. */
TEST(the_roof_is_the_copy_of_the_same_means) {
    RELEASED_BY(results_release) Results results = {0};
    add(&results, &fake_copy, "seq", 1, 0.50, 0.50);
    add(&results, &fake_copy, "simd", 1, 0.40, 0.40);
    add(&results, &fake_copy, "omp", 2, 0.30, 0.30);
    add(&results, &fake_copy, "omp", 8, 0.10, 0.10);
    add(&results, &fake_copy, "dev_good", 0, 0.01, 0.10);
    add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0);
    add(&results, &fake_algorithm, "omp", 4, 3.0, 3.0);
    Row *device = add(&results, &fake_algorithm, "dev_good", 0, 0.04, 1.0);
    device->cost.bytes = 4000;
    results_derive(&results, 1);
    assert_string_equal(results.rows[5].roof, "copy/simd");
    assert_near(results.rows[5].roof_seconds, 0.40, 1e-9);
    assert_near(results.rows[5].roof_fraction, 0.05, 1e-9);
    assert_string_equal(results.rows[6].roof, "copy/omp/threads:2"); /* nearest fewer than 4 */
    assert_near(results.rows[6].roof_fraction, 0.1, 1e-9);
    assert_string_equal(results.rows[7].roof, "copy/dev_good");
    assert_near(results.rows[7].roof_seconds, 0.02, 1e-9);
    assert_near(results.rows[7].roof_fraction, 0.5, 1e-9);
    assert_near(results.rows[1].roof_fraction, 1, 1e-9);
}

TEST(deriving_again_starts_anew) {
    RELEASED_BY(results_release) Results results = {0};
    add(&results, &fake_algorithm, "seq", 1, 8.0, 8.0);
    add(&results, &fake_algorithm, "simd", 1, 2.0, 2.0);
    results_derive(&results, 1);
    const double low = results.rows[1].speedup_ci_low;
    add(&results, &fake_algorithm, "omp", 2, 1.0, 1.0);
    results_derive(&results, 1);
    assert_true(results.rows[1].speedup_ci_low == low); /* its own random numbers */
    assert_near(results.rows[1].speedup_vs_best_cpu, 0.5, 1e-9);
    results.rows[0].status = CELL_FAIL;
    results_derive(&results, 1);
    assert_string_equal(results.rows[1].base, "");
    assert_true(isnan(results.rows[1].speedup));
}

/* Cells of one thread run elsewhere than those of several, so each class has its own least time. */
/* A fifth of the time, each in its own way; the marks of rows begin sooner. */
TEST(a_launch_says_what_disturbed_it) {
    RELEASED_BY(results_release) Results results = {0};
    const struct {
        int threads;
        double stolen, cpu, chain;
        bool throttled;
        Disturber by;
    } cells[] = {
        {1, 0, 1, 1, false, DISTURBER_NONE},         {1, 0.19, 0.81, 1.2, false, DISTURBER_NONE},
        {1, 0.21, 0.7, 1, false, DISTURBER_GUESTS},  {4, 0, 3.1, NAN, false, DISTURBER_PROGRAMS},
        {1, 0, 1, 1.3, false, DISTURBER_SLOW_PHASE}, {1, 0, 1, 1, true, DISTURBER_THROTTLING},
    };
    size_t expected[DISTURBERS] = {0};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        Row *row = add(&results, &fake_algorithm, "omp", cells[i].threads, 1, 1);
        row->stolen_share = cells[i].stolen;
        row->cpu_seconds = cells[i].cpu;
        row->sentinel_chain = cells[i].chain;
        row->throttled = cells[i].throttled;
        expected[cells[i].by] += cells[i].by != DISTURBER_NONE;
    }
    /* A library's threads pause where it has nothing for them to do, which no time of theirs tells
     * from other programs. */
    Row *library = add(&results, &fake_algorithm, "omp", 4, 1, 1);
    library->cpu_seconds = 1.2;
    snprintf(library->library, sizeof library->library, "Other 1.0");
    const LaunchDisturbance found = results_disturbance(&results);
    assert_int_equal(found.measured, 7);
    assert_int_equal(found.disturbed, 4);
    assert_memory_equal(found.by, expected, sizeof found.by);
    Warnings warnings = {.count = 0};
    results_warn_of_disturbances(&results, &warnings);
    assert_int_equal(warnings.count, 1);
    assert_string_equal(warnings.text[0],
                        "4 of 7 cells were disturbed and may be too slow by a fifth or more: other "
                        "guests of the host (1), other programs (1), throttling (1), a slow phase "
                        "(1)");
}

/* By hand: 0.958^16 = 0.503, 0.957^16 = 0.495. Two threads wait for half of the time from 0.29 on,
 * by when a fifth is gone. */
TEST(many_threads_are_disturbed_by_few_guests) {
    static const struct {
        int threads;
        double stolen;
        bool disturbed;
    } cases[] = {{16, 0.042, false}, {16, 0.043, true}, {2, 0.199, false}, {2, 0.201, true},
                 {64, 0.010, false}, {64, 0.011, true}, {1, 0.199, false}, {0, 0.199, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RELEASED_BY(results_release) Results results = {.rows = NULL};
        const char *variant = cases[i].threads == 0 ? "dev_good" : "omp";
        Row *row = add(&results, &fake_algorithm, variant, cases[i].threads, 1, 1);
        row->stolen_share = cases[i].stolen;
        assert_int_equal(results_disturbance(&results).disturbed, cases[i].disturbed);
    }
}

TEST(one_of_several_cells_was_disturbed) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add(&results, &fake_algorithm, "seq", 1, 1, 1);
    add(&results, &fake_algorithm, "omp", 4, 1, 1)->stolen_share = 0.3;
    Warnings warnings = {.count = 0};
    results_warn_of_disturbances(&results, &warnings);
    assert_says(warnings.text[0], "1 of 2 cells was disturbed and may be too slow");
}

/* A quarter of the fastest sample; where others had more, what they left of it.
 * How much slower the clock was is not known. */
TEST(a_time_has_a_least_one_without_a_disturber) {
    static const struct {
        double cpu_share, stolen, least;
        bool throttled;
    } cases[] = {{NAN, NAN, 0.25, false}, {0.9, 0.1, 0.25, false}, {0.6, 0.8, 0.2, false},
                 {0.2, NAN, 0.2, false},  {0.2, 1.1, 0, false},    {1, 0, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RELEASED_BY(results_release) Results results = {.rows = NULL};
        Row *row = add(&results, &fake_algorithm, "seq", 1, 5e-3, 5e-3);
        row->cpu_seconds = cases[i].cpu_share * 5e-3;
        row->stolen_share = cases[i].stolen;
        row->throttled = cases[i].throttled;
        results_disturbance(&results);
        const double fastest = results.rows[0].kernel_summary.min;
        assert_true(fastest > 0);
        assert_float_equal(results.rows[0].kernel.undisturbed, cases[i].least * fastest, 1e-9);
    }
}

TEST(a_launch_without_disturbance_says_nothing) {
    RELEASED_BY(results_release) Results results = {0};
    Warnings warnings = {.count = 0};
    add(&results, &fake_algorithm, "simd", 1, 1, 1)->cpu_seconds = 1;
    assert_int_equal(results_disturbance(&results).disturbed, 0);
    results_warn_of_disturbances(&results, &warnings);
    assert_int_equal(warnings.count, 0);
}

TEST(a_slow_phase_is_5_percent_off_the_best) {
    static const struct {
        int threads;
        double chain, copy;
        bool slow;
    } cells[] = {{1, 100, 50, false}, {1, 104, 52, false}, {1, 106, 50, true},  {1, 100, 53, true},
                 {4, 200, 90, false}, {8, 211, 90, true},  {0, NAN, NAN, false}};
    RELEASED_BY(results_release) Results results = {0};
    for (size_t i = 0; i < 7; i++) {
        Row *row = add(&results, &fake_algorithm, cells[i].threads == 0 ? "dev_good" : "omp",
                       cells[i].threads, 1 + (double)i, 1);
        row->sentinel_chain = cells[i].chain;
        row->sentinel_copy = cells[i].copy;
    }
    add(&results, &fake_algorithm, "simd", 1, 1, 1)->sentinel_chain = 1;
    results.rows[7].status = CELL_FAIL; /* counts for nothing */
    results_derive(&results, 1);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(results.rows[i].slow_phase, cells[i].slow);
    }
}

TEST(over_a_hundredth_of_the_time_is_stolen) {
    static const double shares[] = {0, 0.009, 0.011, NAN};
    RELEASED_BY(results_release) Results results = {0};
    for (size_t i = 0; i < 4; i++) {
        add(&results, &fake_algorithm, "omp", 4, 1, 1)->stolen_share = shares[i];
    }
    results_derive(&results, 1);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(results.rows[i].stolen, i == 2);
    }
}
