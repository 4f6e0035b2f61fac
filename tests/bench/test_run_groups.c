/* Groups of rows and their curves, on rows made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base.h"
#include "report_internal.h"
#include "results.h"
#include "sample_results.h"

static void set_size(Row *row, const char *name, int32_t width, int32_t height) {
    snprintf(row->size_name, sizeof row->size_name, "%s", name);
    row->width = width;
    row->height = height;
}

static void set_times(Row *row, double kernel, double end_to_end) {
    row->kernel_summary =
        (Summary){.count = 9, .median = kernel, .ci_low = 0.9 * kernel, .ci_high = 1.1 * kernel};
    row->end_to_end_summary = (Summary){
        .count = 9, .median = end_to_end, .ci_low = 0.8 * end_to_end, .ci_high = 1.2 * end_to_end};
}

static void add(Results *results, const char *variant, int32_t side, int threads, double kernel,
                double end_to_end) {
    char name[16];
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = true;
    row.agreement = 1.0;
    snprintf(name, sizeof name, "%d", side);
    set_size(&row, name, side, side);
    set_times(&row, kernel, end_to_end);
    if (threads > 0) {
        set_threads(&row, threads);
    }
    assert_int_equal(results_add(results, &row).code, STATUS_OK);
}

/* Two sizes, the larger first, as runs may have them. */
static Results two_sizes(void) {
    Results results = {.rows = NULL};
    add(&results, "omp", 20, 2, 4.0, 4.0);
    add(&results, "omp", 20, 4, 3.0, 3.0);
    add(&results, "seq", 20, 0, 8.0, 8.0);
    add(&results, "cuda_naive", 20, 0, 0.5, 5.0);
    add(&results, "cuda_fast", 20, 0, 0.25, 6.0);
    add(&results, "omp", 10, 2, 2.0, 2.0);
    add(&results, "omp", 10, 4, 2.5, 2.5);
    add(&results, "seq", 10, 0, 1.0, 1.0);
    add(&results, "cuda_naive", 10, 0, 0.4, 4.0);
    return results;
}

static const Variant *find(const char *name) {
    return registry_find_variant(registry_find_algorithm("lbp"), name);
}

static void rows_are_grouped_by_algorithm_input_and_answer(void **state) {
    (void)state;
    Results results = {.rows = NULL};
    add(&results, "seq", 10, 0, 1.0, 1.0);
    Row other = results.rows[0];
    snprintf(other.input, sizeof other.input, "My Photo.png");
    assert_int_equal(results_add(&results, &other).code, STATUS_OK);
    add(&results, "omp", 20, 4, 1.0, 1.0);
    const Algorithm *riu = registry_find_algorithm("lbp_riu");
    const char *const points[] = {"8:1", "16:2", "8:1"};
    for (size_t i = 0; i < 3; i++) {
        Row row = sample_row("seq");
        row.algorithm = riu;
        row.variant = registry_find_variant(riu, "seq");
        row.answer.count = 2;
        row.answer.axes[0] = riu->answer[0];
        row.answer.axes[1] = riu->answer[1];
        snprintf(row.answer.values[0].text, AXIS_TEXT_SIZE, "%s", points[i]);
        snprintf(row.answer.values[1].text, AXIS_TEXT_SIZE, "bilinear");
        assert_int_equal(results_add(&results, &row).code, STATUS_OK);
    }
    RunGroups groups;
    assert_int_equal(run_groups_make(&results, &groups).code, STATUS_OK);
    assert_int_equal(groups.count, 4);
    assert_string_equal(groups.groups[0].title, "lbp, texture");
    assert_string_equal(groups.groups[0].slug, "lbp-texture");
    assert_int_equal(groups.groups[0].count, 2);
    assert_ptr_equal(groups.groups[0].rows[1], &results.rows[2]);
    assert_string_equal(groups.groups[1].title, "lbp, My Photo.png");
    assert_string_equal(groups.groups[2].title, "lbp_riu, texture, pr:8:1 interp:bilinear");
    assert_int_equal(groups.groups[2].count, 2);
    assert_int_equal(groups.groups[3].count, 1);
    run_groups_release(&groups);
    assert_int_equal(groups.count, 0);
    results_release(&results);
}

static void slugs_are_unique(void **state) {
    (void)state;
    Results results = {.rows = NULL};
    add(&results, "seq", 10, 0, 1.0, 1.0);
    add(&results, "seq", 10, 0, 1.0, 1.0);
    add(&results, "seq", 10, 0, 1.0, 1.0);
    snprintf(results.rows[0].input, sizeof results.rows[0].input, "a b");
    snprintf(results.rows[1].input, sizeof results.rows[1].input, "a_b");
    snprintf(results.rows[2].input, sizeof results.rows[2].input, "A-b");
    RunGroups groups;
    assert_int_equal(run_groups_make(&results, &groups).code, STATUS_OK);
    assert_int_equal(groups.count, 3);
    assert_string_not_equal(groups.groups[0].slug, groups.groups[1].slug);
    assert_string_not_equal(groups.groups[0].slug, groups.groups[2].slug);
    assert_string_not_equal(groups.groups[1].slug, groups.groups[2].slug);
    run_groups_release(&groups);
    results_release(&results);
}

static void no_rows_make_no_groups(void **state) {
    (void)state;
    const Results results = {.rows = NULL};
    RunGroups groups;
    assert_int_equal(run_groups_make(&results, &groups).code, STATUS_OK);
    assert_int_equal(groups.count, 0);
    run_groups_release(&groups);
}

static void sizes_are_counted_in_what_the_input_is_made_of(void **state) {
    (void)state;
    Row row = sample_row("seq"); /* 4×3 */
    char text[OVERVIEW_TEXT_SIZE];
    assert_true(row_size(&row) == 12);
    assert_string_equal(row_size_unit(&row), "pixels");
    size_words(&row, text);
    assert_string_equal(text, "tiny (4×3)");
    snprintf(row.size_name, sizeof row.size_name, "4x3");
    size_words(&row, text);
    assert_string_equal(text, "4×3");
    row.algorithm = registry_find_algorithm("haar");
    row.images = 500;
    row.width = row.height = 28;
    assert_true(row_size(&row) == 500);
    assert_string_equal(row_size_unit(&row), "pictures");
    size_words(&row, text);
    assert_string_equal(text, "500 pictures");
    row.algorithm = registry_find_algorithm("matching");
    row.images = 0;
    row.width = 128; /* bytes */
    row.height = 200000;
    assert_true(row_size(&row) == 100000);
    assert_string_equal(row_size_unit(&row), "rows");
    row.algorithm = registry_find_algorithm("copy");
    row.images = 60000;
    assert_true(row_size(&row) == 60000);
}

static void a_curve_is_of_the_fastest_tuning_and_ascends(void **state) {
    (void)state;
    Results results = two_sizes();
    RunGroups groups;
    assert_int_equal(run_groups_make(&results, &groups).code, STATUS_OK);
    CurvePoint *curve;
    const Row **rows;
    size_t count;
    assert_int_equal(
        run_curve(&groups.groups[0], find("omp"), TIME_KERNEL, &curve, &rows, &count).code,
        STATUS_OK);
    assert_int_equal(count, 2);
    assert_true(curve[0].x == 100 && curve[0].value == 2.0);
    assert_true(curve[1].x == 400 && curve[1].value == 3.0);
    assert_true(curve[1].low == 0.9 * 3.0 && curve[1].high == 1.1 * 3.0);
    assert_ptr_equal(rows[0], &results.rows[5]);
    assert_ptr_equal(rows[1], &results.rows[1]);
    free(curve);
    free(rows);
    run_groups_release(&groups);
    results_release(&results);
}

static void without_a_variant_a_curve_is_of_the_fastest_on_the_cpu(void **state) {
    (void)state;
    Results results = two_sizes();
    RunGroups groups;
    assert_int_equal(run_groups_make(&results, &groups).code, STATUS_OK);
    CurvePoint *curve;
    size_t count;
    assert_int_equal(run_curve(&groups.groups[0], NULL, TIME_KERNEL, &curve, NULL, &count).code,
                     STATUS_OK);
    assert_int_equal(count, 2);
    assert_true(curve[0].value == 1.0); /* seq */
    assert_true(curve[1].value == 3.0); /* omp */
    free(curve);
    run_groups_release(&groups);
    results_release(&results);
}

static void devices_have_a_curve_of_each_kind_of_time(void **state) {
    (void)state;
    Results results = two_sizes();
    RunGroups groups;
    assert_int_equal(run_groups_make(&results, &groups).code, STATUS_OK);
    CurvePoint *curve;
    const Row **rows;
    size_t count;
    assert_int_equal(run_device_curve(&groups.groups[0], TIME_KERNEL, &curve, &rows, &count).code,
                     STATUS_OK);
    assert_int_equal(count, 2);
    assert_true(curve[1].value == 0.25); /* cuda_fast */
    free(curve);
    free(rows);
    assert_int_equal(
        run_device_curve(&groups.groups[0], TIME_END_TO_END, &curve, &rows, &count).code,
        STATUS_OK);
    assert_true(curve[1].value == 5.0); /* cuda_naive */
    assert_ptr_equal(rows[1]->variant, find("cuda_naive"));
    free(curve);
    free(rows);
    run_groups_release(&groups);
    results_release(&results);
}

static void cells_without_a_time_are_in_no_curve(void **state) {
    (void)state;
    Results results = two_sizes();
    results.rows[5].status = CELL_FAIL; /* omp at 10 with 2 threads */
    results.rows[6].status = CELL_SKIP; /* and with 4 */
    RunGroups groups;
    assert_int_equal(run_groups_make(&results, &groups).code, STATUS_OK);
    CurvePoint *curve;
    size_t count;
    assert_int_equal(
        run_curve(&groups.groups[0], find("omp"), TIME_KERNEL, &curve, NULL, &count).code,
        STATUS_OK);
    assert_int_equal(count, 1);
    free(curve);
    assert_int_equal(
        run_curve(&groups.groups[0], find("cuda_tiled"), TIME_KERNEL, &curve, NULL, &count).code,
        STATUS_OK);
    assert_int_equal(count, 0);
    free(curve);
    run_groups_release(&groups);
    results_release(&results);
}

static void variants_are_listed_once_in_their_order(void **state) {
    (void)state;
    Results results = two_sizes();
    RunGroups groups;
    assert_int_equal(run_groups_make(&results, &groups).code, STATUS_OK);
    const Variant *variants[8];
    assert_int_equal(run_variants(&groups.groups[0], variants, 8), 4);
    assert_string_equal(variants[0]->name, "seq");
    assert_string_equal(variants[1]->name, "omp");
    assert_string_equal(variants[2]->name, "cuda_naive");
    assert_string_equal(variants[3]->name, "cuda_fast");
    assert_int_equal(run_variants(&groups.groups[0], variants, 2), 2);
    run_groups_release(&groups);
    results_release(&results);
}

static void the_best_of_each_size_are_found(void **state) {
    (void)state;
    Results results = two_sizes();
    RunGroups groups;
    assert_int_equal(run_groups_make(&results, &groups).code, STATUS_OK);
    SizeBest *sizes;
    size_t count;
    assert_int_equal(size_best_find(&groups.groups[0], &sizes, &count).code, STATUS_OK);
    assert_int_equal(count, 2);
    assert_true(sizes[0].size == 100 && sizes[1].size == 400);
    assert_ptr_equal(sizes[1].fastest[TIME_KERNEL]->variant, find("cuda_fast"));
    assert_ptr_equal(sizes[1].fastest[TIME_END_TO_END]->variant, find("omp"));
    assert_ptr_equal(sizes[1].device[TIME_END_TO_END]->variant, find("cuda_naive"));
    assert_ptr_equal(sizes[0].cpu[TIME_KERNEL]->variant, find("seq"));
    free(sizes);
    run_groups_release(&groups);
    results_release(&results);
}

static void same_text(const char *got, const char *want) {
    assert_string_equal(got, want);
}

static void numbers_have_three_digits_and_a_unit_that_fits(void **state) {
    (void)state;
    char text[OVERVIEW_TEXT_SIZE];
    seconds_text(92.46e-6, text);
    same_text(text, "92.5 µs");
    seconds_text(0.9998, text);
    same_text(text, "1.00 s");
    seconds_text(3.4e-3, text);
    same_text(text, "3.40 ms");
    seconds_text(5e-10, text);
    same_text(text, "0.500 ns");
    ratio_text(36.75, 36.21, 37.18, text);
    same_text(text, "36.8× (36.2–37.2)");
    ratio_text(12810, 12796, 12833, text); /* alike in three digits */
    same_text(text, "12800× (12800–12830)");
    ratio_text(2, NAN, NAN, text);
    same_text(text, "2.00×");
    ratio_text(NAN, 1, 2, text);
    same_text(text, "");
    amount_text(1234567, "pixel", text, sizeof text);
    same_text(text, "1.23 Mpixel");
    amount_text(999.6, "pixel", text, sizeof text);
    same_text(text, "1.00 kpixel");
    amount_text(42, "pixel", text, sizeof text);
    same_text(text, "42 pixel");
    amount_text(20.54e9, "B/s", text, sizeof text);
    same_text(text, "20.5 GB/s");
    TimeRange range = {.count = 0};
    assert_string_equal(time_unit(&range).name, "ms");
    time_range_add(&range, 1e-6);
    time_range_add(&range, NAN);
    time_range_add(&range, 1e-4); /* geometric mean 10 µs */
    assert_string_equal(time_unit(&range).name, "µs");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_grouped_by_algorithm_input_and_answer),
        cmocka_unit_test(slugs_are_unique),
        cmocka_unit_test(no_rows_make_no_groups),
        cmocka_unit_test(sizes_are_counted_in_what_the_input_is_made_of),
        cmocka_unit_test(a_curve_is_of_the_fastest_tuning_and_ascends),
        cmocka_unit_test(without_a_variant_a_curve_is_of_the_fastest_on_the_cpu),
        cmocka_unit_test(devices_have_a_curve_of_each_kind_of_time),
        cmocka_unit_test(cells_without_a_time_are_in_no_curve),
        cmocka_unit_test(variants_are_listed_once_in_their_order),
        cmocka_unit_test(the_best_of_each_size_are_found),
        cmocka_unit_test(numbers_have_three_digits_and_a_unit_that_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
