/* The launch-to-launch spread: pooled, looked up, stored, and the changes that it hides. */
#include "judge_internal.h"
#include "machine_internal.h"
#include "random.h"
#include "run.h"
#include "sample_results.h"
#include "spread_files.h"
#include "stored_run.h"
#include "test.h"

static void enter(void) {
    assert_int_equal(setenv("XDG_CACHE_HOME", test_folder, 1), 0);
}

static bool near(double a, double b) {
    return fabs(a - b) < 1e-12;
}

static double value_of(const LaunchSpread *spread, int threads, double seconds) {
    const Spread *pool = launch_spread_find(spread, threads, seconds);
    return pool != NULL ? pool->value : -1;
}

/* By hand: six launches each, (5 · 0.03² + 5 · 0.04²) / 10 = 0.00125; with eleven launches of 0.06
 * besides, (10 · 0.00125 + 10 · 0.0036) / 20 = 0.002425. */
TEST(variances_are_pooled_by_their_degrees_of_freedom) {
    LaunchSpread spread = {.of = {{{0}}}};
    launch_spread_add(&spread, 1, 2e-3, 0.03, 6);
    assert_true(near(value_of(&spread, 1, 5e-3), 0.03));
    launch_spread_add(&spread, 1, 9e-3, 0.04, 6);
    assert_true(near(value_of(&spread, 1, 5e-3), sqrt(0.00125)));
    launch_spread_add(&spread, 1, 1e-3, 0.06, 11);
    assert_true(near(value_of(&spread, 1, 5e-3), sqrt(0.002425)));
    const Spread *pool = launch_spread_find(&spread, 1, 5e-3);
    assert_int_equal(pool->degrees, 20);
    assert_int_equal(pool->cells, 3);
    launch_spread_add(&spread, 1, 5e-3, NAN, 1); /* one launch says nothing */
    launch_spread_add(&spread, 1, NAN, 0.5, 6);
    assert_int_equal(pool->degrees, 20);
}

TEST(processors_and_durations_are_apart) {
    static const double starts[] = {1e-9, 1e-5, 1e-4, 1e-3, 1e-2};
    static const double ends[] = {9.999e-6, 9.999e-5, 9.999e-4, 9.999e-3, 1e3};
    static const int threads[] = {1, 2, 0};
    LaunchSpread spread = {.of = {{{0}}}};
    for (size_t i = 0; i < 15; i++) {
        assert_null(launch_spread_find(&spread, threads[i / 5], ends[i % 5]));
        launch_spread_add(&spread, threads[i / 5], starts[i % 5], 0.01 * (double)(i + 1), 2);
    }
    for (size_t i = 0; i < 15; i++) {
        assert_true(near(value_of(&spread, threads[i / 5], ends[i % 5]), 0.01 * (double)(i + 1)));
    }
    assert_true(near(value_of(&spread, 64, 1e-6), value_of(&spread, 2, 1e-6)));
    assert_null(launch_spread_find(&spread, 1, NAN));
}

/* By hand: launch medians of e^-0.1, 1 and e^0.1 seconds have logarithms -0.1, 0 and 0.1, whose
 * standard deviation is 0.1. */
TEST(a_run_of_launches_has_a_spread) {
    RELEASED_BY(results_release) Results results = sample_results();
    Row *row = &results.rows[0];
    samples_release(&row->kernel);
    for (uint32_t launch = 0; launch < 3; launch++) {
        row->kernel.origin.launch = launch;
        for (int i = 0; i < 3; i++) {
            assert_ok(samples_add(&row->kernel, exp(0.1 * ((double)launch - 1))));
        }
    }
    assert_ok(summarize(&row->kernel, &row->kernel_summary));
    LaunchSpread spread;
    selftest_spread(&results, "2026-01-02T03:04:05Z", &spread);
    assert_true(near(value_of(&spread, 1, 1), 0.1));
    const Spread *pool = launch_spread_find(&spread, 1, 1);
    assert_int_equal(pool->degrees, 2);
    assert_int_equal(pool->cells, 1);
    assert_string_equal(pool->measured, "2026-01-02T03:04:05Z");
    assert_null(launch_spread_find(&spread, 2, 5e-4)); /* the other row is of one launch */
}

/* By a simulation of 150,000 comparisons with sums of ranks in another language: 8 normal values a
 * side of which one is shifted by 2.11 standard deviations differ in 80.3%, by 2.37 in 89.9%. */
TEST(the_smallest_change_is_that_of_an_independent_program) {
    assert_true(fabs(log1p(spread_smallest_change(0.01, 0.8)) / 0.01 - 2.11) < 0.02);
    assert_true(fabs(log1p(spread_smallest_change(0.01, 0.9)) / 0.01 - 2.37) < 0.02);
    assert_true(near(spread_smallest_change(0, 0.8), 0));
    const double small = log1p(spread_smallest_change(0.02, 0.8));
    assert_true(near(log1p(spread_smallest_change(0.1, 0.8)), 5 * small));
}

/* A sum of uniform numbers instead of the simulation's normal ones, and compare's own test. */
TEST(compare_finds_the_smallest_change_that_often) {
    enum { COMPARISONS = 4000, SIDE = SPREAD_LAUNCHES_A_SIDE };
    const double spread = 0.05;
    const double change = spread_smallest_change(spread, 0.8);
    Draw draw = {.seed = 3};
    int found = 0;
    for (int i = 0; i < COMPARISONS; i++) {
        double times[2][SIDE];
        for (int k = 0; k < 2 * SIDE; k++) {
            double normal = -6;
            for (int n = 0; n < 12; n++) {
                normal += draw_share(draw_number(&draw));
            }
            times[k / SIDE][k % SIDE] = (k < SIDE ? 1 : 1 + change) * exp(spread * normal);
        }
        MannWhitney test;
        assert_ok(mann_whitney(times[0], SIDE, times[1], SIDE, &test));
        found += test.p < SPREAD_ALPHA;
    }
    assert_true(fabs((double)found / COMPARISONS - 0.8) < 0.02);
}

static LaunchSpread some_spread(void) {
    LaunchSpread spread = {.of = {{{0}}}};
    launch_spread_add(&spread, 1, 5e-6, 0.0125, 6);
    launch_spread_add(&spread, 0, 5, 0.25, 6);
    snprintf(spread.of[SPREAD_DEVICE][4].measured, SPREAD_DATE_SIZE, "2026-01-02T03:04:05Z");
    return spread;
}

TEST(what_is_stored_is_a_fact_of_the_machine, enter) {
    static Machine machine;
    char path[512];
    const LaunchSpread spread = some_spread();
    machine_read(&machine);
    assert_null(launch_spread_find(&machine.spread, 1, 5e-6));
    assert_ok(launch_spread_path(&machine, path, sizeof path));
    assert_says(path, "/bench/spread-");
    assert_ok(launch_spread_write(path, &spread));
    machine_read(&machine);
    assert_memory_equal(&machine.spread, &spread, sizeof spread);
    scratch_path(test_scratch(), "bench", path);
    assert_int_equal(scratch_count(path), 1); /* no part file */
}

TEST(what_is_not_measured_again_is_kept, enter) {
    const LaunchSpread earlier = some_spread();
    LaunchSpread spread = {.of = {{{0}}}};
    launch_spread_add(&spread, 1, 5e-6, 0.5, 6);
    launch_spread_keep(&earlier, &spread);
    assert_true(near(value_of(&spread, 1, 5e-6), 0.5));
    assert_true(near(value_of(&spread, 0, 5), 0.25));
    assert_null(launch_spread_find(&spread, 2, 5));
}

#define ENTRY(processor, from, spread, degrees)                                                    \
    "{\"version\": 1, \"launch_spread\": [{\"processor\": " processor ", \"from_s\": " from        \
    ", \"spread\": " spread ", \"cells\": 1, \"degrees_of_freedom\": " degrees "}]}"

TEST(other_files_have_no_spread, enter) {
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{}",
        "{\"version\": 1, \"launch_spread\": 5}",
        "{\"version\": 1, \"launch_spread\": [5, [], {}]}",
        "{\"version\": 2, \"launch_spread\": [{\"processor\": \"device\", \"from_s\": 0, "
        "\"spread\": 0.1, \"cells\": 1, \"degrees_of_freedom\": 5}]}",
        ENTRY("\"threadz\"", "0", "0.1", "5"),
        ENTRY("5", "0", "0.1", "5"),
        ENTRY("\"device\"", "0.5", "0.1", "5"), /* of other classes */
        ENTRY("\"device\"", "\"0\"", "0.1", "5"),
        ENTRY("\"device\"", "0", "-0.1", "5"),
        ENTRY("\"device\"", "0", "1e999", "5"),
        ENTRY("\"device\"", "0", "0.1", "0"),
        ENTRY("\"device\"", "0", "0.1", "1e300"),
    };
    static const LaunchSpread nothing;
    LaunchSpread spread = some_spread();
    launch_spread_read(test_path("missing.json"), &spread);
    assert_memory_equal(&spread, &nothing, sizeof spread);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        test_write("spread.json", texts[i]);
        spread = some_spread();
        launch_spread_read(test_path("spread.json"), &spread);
        assert_memory_equal(&spread, &nothing, sizeof spread);
    }
    test_write("spread.json", ENTRY("\"device\"", "0", "0.1", "5"));
    launch_spread_read(test_path("spread.json"), &spread);
    assert_true(near(value_of(&spread, 0, 5e-6), 0.1));
}

TEST(a_run_stores_it, enter) {
    RELEASED_BY(results_release) Results results = sample_results();
    static Machine machine;
    RunRecord record = *sample_record();
    StoredRun stored;
    machine = *record.machine;
    record.machine = &machine;
    assert_ok(report_json(test_path("run.json"), &record, &results));
    char *text = test_read("run.json");
    assert_null(strstr(text, "launch_spread")); /* as runs of earlier versions */
    assert_ok(stored_run_read(test_path("run.json"), &stored));
    assert_memory_equal(&stored.machine.spread, &machine.spread, sizeof machine.spread);
    stored_run_release(&stored);
    machine.spread = some_spread();
    assert_ok(report_json(test_path("run.json"), &record, &results));
    assert_ok(stored_run_read(test_path("run.json"), &stored));
    assert_memory_equal(&stored.machine.spread, &machine.spread, sizeof machine.spread);
    stored_run_release(&stored);
}
