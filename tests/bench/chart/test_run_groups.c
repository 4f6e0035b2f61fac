/* Groups of rows and their curves, on rows made by hand. */
#include "algorithm.h"
#include "document.h"
#include "results.h"
#include "rows.h"
#include "sample_results.h"
#include "test.h"
#include "variant.h"

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
    assert_ok(results_add(results, &row));
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

TEST(rows_are_grouped_by_algorithm_input_and_answer) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add(&results, "seq", 10, 0, 1.0, 1.0);
    Row other = results.rows[0];
    snprintf(other.input, sizeof other.input, "My Photo.png");
    assert_ok(results_add(&results, &other));
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
        assert_ok(results_add(&results, &row));
    }
    RELEASED_BY(document_release) Document document;
    document_open(&document, "");
    const RunGroups groups = run_groups_make(&results, &document);
    assert_false(document.failed);
    assert_int_equal(groups.count, 4);
    assert_string_equal(groups.groups[0].title, "lbp, texture");
    assert_string_equal(groups.groups[0].slug, "lbp-texture");
    assert_int_equal(groups.groups[0].count, 2);
    assert_ptr_equal(groups.groups[0].rows[1], &results.rows[2]);
    assert_string_equal(groups.groups[1].title, "lbp, My Photo.png");
    assert_string_equal(groups.groups[2].title, "lbp_riu, texture, pr:8:1 interp:bilinear");
    assert_int_equal(groups.groups[2].count, 2);
    assert_int_equal(groups.groups[3].count, 1);
}

TEST(slugs_are_unique) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add(&results, "seq", 10, 0, 1.0, 1.0);
    add(&results, "seq", 10, 0, 1.0, 1.0);
    add(&results, "seq", 10, 0, 1.0, 1.0);
    snprintf(results.rows[0].input, sizeof results.rows[0].input, "a b");
    snprintf(results.rows[1].input, sizeof results.rows[1].input, "a_b");
    snprintf(results.rows[2].input, sizeof results.rows[2].input, "A-b");
    RELEASED_BY(document_release) Document document;
    document_open(&document, "");
    const RunGroups groups = run_groups_make(&results, &document);
    assert_false(document.failed);
    assert_int_equal(groups.count, 3);
    assert_string_not_equal(groups.groups[0].slug, groups.groups[1].slug);
    assert_string_not_equal(groups.groups[0].slug, groups.groups[2].slug);
    assert_string_not_equal(groups.groups[1].slug, groups.groups[2].slug);
}

TEST(no_rows_make_no_groups) {
    const Results results = {.rows = NULL};
    RELEASED_BY(document_release) Document document;
    document_open(&document, "");
    const RunGroups groups = run_groups_make(&results, &document);
    assert_false(document.failed);
    assert_int_equal(groups.count, 0);
}

TEST(sizes_are_counted_in_what_the_input_is_made_of) {
    Row row = sample_row("seq"); /* 4×3 */
    char text[REPORT_TEXT_SIZE];
    assert_true(row_size(&row) == 12);
    assert_int_equal(row_size_unit(&row), SIZE_PIXELS);
    size_words(&row, text);
    assert_string_equal(text, "tiny (4×3)");
    snprintf(row.size_name, sizeof row.size_name, "4x3");
    size_words(&row, text);
    assert_string_equal(text, "4×3");
    row.algorithm = registry_find_algorithm("haar");
    row.images = 500;
    row.width = row.height = 28;
    assert_true(row_size(&row) == 500);
    assert_int_equal(row_size_unit(&row), SIZE_IMAGES);
    size_words(&row, text);
    assert_string_equal(text, "500 images");
    row.algorithm = registry_find_algorithm("matching");
    row.images = 0;
    row.width = 128; /* bytes */
    row.height = 200000;
    assert_true(row_size(&row) == 100000);
    assert_int_equal(row_size_unit(&row), SIZE_ROWS);
    row.algorithm = registry_find_algorithm("copy");
    row.images = 60000;
    assert_true(row_size(&row) == 60000);
}

/* The rows of two sizes, changed by the test, and lines of the first group. */
typedef struct Lines {
    Results results;
    RunGroups groups;
    Document document;
} Lines;

static Lines open_lines(void (*change)(Results *results)) {
    Lines lines = {.results = two_sizes()};
    if (change != NULL) {
        change(&lines.results);
    }
    document_open(&lines.document, "");
    lines.groups = run_groups_make(&lines.results, &lines.document);
    assert_false(lines.document.failed);
    return lines;
}

static void close_lines(Lines *lines) {
    document_release(&lines->document);
    results_release(&lines->results);
}

static RowLine line_of(Lines *lines, RowChoice choice) {
    return row_line(&lines->document, &lines->groups.groups[0], &along_size, choice);
}

TEST(a_line_is_of_the_fastest_tuning_and_ascends) {
    RELEASED_BY(close_lines) Lines lines = open_lines(NULL);
    const RowLine line = line_of(&lines, (RowChoice){.variant = find("omp")});
    assert_int_equal(line.count, 2);
    assert_ptr_equal(line.rows[0], &lines.results.rows[5]);
    assert_ptr_equal(line.rows[1], &lines.results.rows[1]);
    assert_true(row_place(&along_size, line.rows[0]) == 100);
    assert_true(row_place(&along_size, line.rows[1]) == 400);
    assert_true(row_seconds(line.rows[0], TIME_KERNEL) == 2.0);
    assert_true(row_seconds(line.rows[1], TIME_KERNEL) == 3.0);
}

TEST(a_line_of_the_cpu_has_its_fastest_variants) {
    RELEASED_BY(close_lines) Lines lines = open_lines(NULL);
    const RowLine line = line_of(&lines, (RowChoice){.side = SIDE_CPU});
    assert_int_equal(line.count, 2);
    assert_ptr_equal(line.rows[0]->variant, find("seq"));
    assert_ptr_equal(line.rows[1]->variant, find("omp"));
}

TEST(devices_have_a_line_of_each_kind_of_time) {
    RELEASED_BY(close_lines) Lines lines = open_lines(NULL);
    const RowLine kernel = line_of(&lines, (RowChoice){.side = SIDE_DEVICE});
    const RowLine whole =
        line_of(&lines, (RowChoice){.side = SIDE_DEVICE, .kind = TIME_END_TO_END});
    assert_int_equal(kernel.count, 2);
    assert_ptr_equal(kernel.rows[1]->variant, find("cuda_fast"));
    assert_true(row_seconds(kernel.rows[1], TIME_KERNEL) == 0.25);
    assert_ptr_equal(whole.rows[1]->variant, find("cuda_naive"));
    assert_true(row_seconds(whole.rows[1], TIME_END_TO_END) == 5.0);
}

static void fail_the_small_omp(Results *results) {
    results->rows[5].status = CELL_FAIL; /* omp at 10 with 2 threads */
    results->rows[6].status = CELL_SKIP; /* and with 4 */
}

TEST(cells_without_a_time_are_in_no_line) {
    RELEASED_BY(close_lines) Lines lines = open_lines(fail_the_small_omp);
    assert_int_equal(line_of(&lines, (RowChoice){.variant = find("omp")}).count, 1);
    assert_int_equal(line_of(&lines, (RowChoice){.variant = find("cuda_tiled")}).count, 0);
}

TEST(values_of_an_axis_stand_at_their_numbers) {
    RELEASED_BY(close_lines) Lines lines = open_lines(NULL);
    const RowAxis axis = row_axis(&lines.document, &lines.groups.groups[0], true, "threads");
    assert_true(axis.count > 1 && axis.numbers);
    for (size_t i = 0; i < axis.count; i++) {
        assert_true(axis.values[i].place == strtod(axis.values[i].name, NULL));
        assert_true(i == 0 || axis.values[i - 1].place < axis.values[i].place);
    }
    const Row *seq = line_of(&lines, (RowChoice){.variant = find("seq")}).rows[0];
    assert_true(isnan(row_place(&axis, seq)));
}

TEST(variants_are_listed_once_in_their_order) {
    RELEASED_BY(results_release) Results results = two_sizes();
    add(&results, "cub", 10, 0, 0.3, 3.0); /* other people's code is not */
    results.rows[results.count - 1].peer = true;
    RELEASED_BY(document_release) Document document;
    document_open(&document, "");
    const RunGroups groups = run_groups_make(&results, &document);
    assert_false(document.failed);
    const Variant *variants[VARIANTS_MAX];
    assert_int_equal(run_variants(&groups.groups[0], variants), 4);
    assert_string_equal(variants[0]->name, "seq");
    assert_string_equal(variants[1]->name, "omp");
    assert_string_equal(variants[2]->name, "cuda_naive");
    assert_string_equal(variants[3]->name, "cuda_fast");
}

TEST(the_best_of_each_size_are_found) {
    RELEASED_BY(results_release) Results results = two_sizes();
    RELEASED_BY(document_release) Document document;
    document_open(&document, "");
    const RunGroups groups = run_groups_make(&results, &document);
    assert_false(document.failed);
    SizeBest *sizes;
    assert_int_equal(size_best_find(&document, &groups.groups[0], &sizes), 2);
    assert_true(row_size(sizes[0].of[SIDE_BOTH][TIME_KERNEL]) == 100);
    assert_true(row_size(sizes[1].of[SIDE_BOTH][TIME_KERNEL]) == 400);
    assert_ptr_equal(sizes[1].of[SIDE_BOTH][TIME_KERNEL]->variant, find("cuda_fast"));
    assert_ptr_equal(sizes[1].of[SIDE_BOTH][TIME_END_TO_END]->variant, find("omp"));
    assert_ptr_equal(sizes[1].of[SIDE_DEVICE][TIME_END_TO_END]->variant, find("cuda_naive"));
    assert_ptr_equal(sizes[0].of[SIDE_CPU][TIME_KERNEL]->variant, find("seq"));
}

static void same_text(const char *got, const char *want) {
    assert_string_equal(got, want);
}

TEST(numbers_have_three_digits_and_a_unit_that_fits) {
    char text[REPORT_TEXT_SIZE];
    seconds_text(92.46e-6, text);
    same_text(text, "92.5 µs");
    seconds_text(0.9998, text);
    same_text(text, "1.00 s");
    seconds_text(3.4e-3, text);
    same_text(text, "3.40 ms");
    seconds_text(5e-10, text);
    same_text(text, "0.500 ns");
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
