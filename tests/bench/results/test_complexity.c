/* Exponents of rows. Anchors: SciPy (stats.linregress). */
#include "bench/fakes.h"
#include "results.h"
#include "row.h"
#include "test.h"

static Row *add(Results *results, const char *variant, int threads, double items, double seconds) {
    Row row = row_empty();
    row.algorithm = &fake_algorithm;
    row.variant = fake_variant(variant);
    strcpy(row.input, "texture");
    snprintf(row.size_name, sizeof row.size_name, "%.0fx1", items);
    row.width = (int32_t)items;
    row.height = 1;
    if (threads > 0) {
        row.tuning = (Point){.count = 1, .axes = {&fake_threads_axis}};
        snprintf(row.tuning.values[0].text, AXIS_TEXT_SIZE, "%d", threads);
    }
    row.status = CELL_OK;
    row.cost = (Cost){.bytes = items, .operations = items, .items = items};
    for (int i = 0; i < 15; i++) {
        samples_add(&row.kernel, seconds);
    }
    results_add(results, &row);
    return &results->rows[results->count - 1];
}

/* omp is best with one thread at first and with two later: 2, 8, 32 seconds. */
TEST(rows_share_the_exponent_of_their_best_points) {
    RELEASED_BY(results_release) Results results = {0};
    for (int i = 0; i < 3; i++) {
        const double items = 100 * pow(4, i);
        add(&results, "seq", 0, items, items);
        add(&results, "omp", 1, items, i == 0 ? 2 : 100 + i);
        add(&results, "omp", 2, items, i == 0 ? 3 : 2 * pow(4, i));
    }
    add(&results, "simd", 0, 100, 1);
    add(&results, "simd", 0, 400, 2);
    add(&results, "seq", 0, 25600, 1)->status = CELL_FAIL;
    strcpy(add(&results, "seq", 0, 25600, 1)->input, "noise");
    results_derive(&results, 1);
    for (size_t i = 0; i < 9; i++) {
        assert_near(results.rows[i].exponent, 1, 1e-12);
        assert_true(results.rows[i].exponent_low <= 1.0001 &&
                    results.rows[i].exponent_high >= 0.9999);
    }
    for (size_t i = 9; i < results.count; i++) {
        assert_true(isnan(results.rows[i].exponent) && isnan(results.rows[i].exponent_low));
    }
}

/* Times of size^exponent: the exponents of six launches are 0.9, 1.0 … 1.4, their median 1.15. A
 * seventh launch measured two sizes and has none; of five the line goes through the medians, which
 * are those of the third, and meets them exactly. */
TEST(launches_have_an_exponent_each) {
    for (int launches = 5; launches <= 7; launches++) {
        RELEASED_BY(results_release) Results results = {0};
        for (int i = 0; i < 3; i++) {
            const double items = 100 * pow(4, i);
            Row *row = add(&results, "seq", 0, items, 1);
            samples_release(&row->kernel);
            for (int launch = 0; launch < launches; launch++) {
                row->kernel.origin = (SampleOrigin){.launch = (uint32_t)launch};
                if (launch < 6 || i > 0) {
                    samples_add(&row->kernel, 1e-6 * pow(items, 0.9 + 0.1 * launch));
                }
            }
        }
        results_derive(&results, 1);
        const Row *row = &results.rows[2];
        assert_int_equal(row->exponent_launches, launches < 6 ? 0 : 6);
        assert_near(row->exponent, launches < 6 ? 1.1 : 1.15, 1e-12);
        assert_near(row->exponent_low, launches < 6 ? 1.1 : 0.9, 1e-12);
        assert_near(row->exponent_high, launches < 6 ? 1.1 : 1.4, 1e-12);
        assert_true(results.rows[0].exponent == row->exponent);
    }
}

/* As of a file: samples only. */
TEST(rows_get_the_behaviour_of_their_samples) {
    RELEASED_BY(results_release) Results results = {0};
    Row *row = add(&results, "seq", 0, 100, 1);
    for (size_t i = 0; i < 15; i++) {
        row->kernel.seconds[i] = i == 14 ? 9 : 1 + 0.01 * (double)i;
    }
    Row *skipped = add(&results, "simd", 0, 100, 1);
    skipped->status = CELL_SKIP;
    samples_release(&skipped->kernel);
    results_derive(&results, 1);
    assert_int_equal(results.rows[0].outliers_severe, 1);
    assert_int_equal(results.rows[0].outliers_mild, 0);
    assert_true(results.rows[0].autocorrelated && results.rows[0].autocorrelation > 0.7);
    assert_false(results.rows[0].multimodal);
    assert_true(isnan(results.rows[1].autocorrelation));
}
