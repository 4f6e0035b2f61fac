/* What a page says of other people's code. */
#include "report_fixture.h"
#include "results.h"

#define REPORTED 6 /* launches */

static void add_row(Results *results, const char *variant, double seconds, const char *library) {
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = row.converged = true;
    row.peer = library != NULL;
    snprintf(row.library, sizeof row.library, "%s", library != NULL ? library : "");
    for (uint32_t launch = 0; launch < REPORTED; launch++) {
        row.kernel.origin.launch = row.end_to_end.origin.launch = launch;
        assert_ok(samples_add(&row.kernel, seconds));
        assert_ok(samples_add(&row.end_to_end, seconds));
    }
    assert_ok(results_add(results, &row));
}

static Report with_peers(double fast, const char *definition) {
    Report report = {.stored = {.elapsed = NAN}};
    Results *results = &report.stored.results;
    add_row(results, "seq", 8e-3, NULL);
    add_row(results, "simd", 2e-3, NULL);
    add_row(results, "opencv", fast, "OpenCV 5.0.0");
    add_row(results, "skimage", 64e-3, "scikit-image 0.26.0");
    snprintf(results->rows[2].another_definition, sizeof results->rows[2].another_definition, "%s",
             definition);
    results_derive(results, 1);
    build(&report);
    return report;
}

TEST(the_best_stands_beside_the_best_library) {
    RELEASED_BY(release) Report report = with_peers(4e-3, "");
    const DocTable *table = table_of(&report, "peers", 1);
    assert_string_equal(cell(table, 0, "CPU", "this program is")->text, "2.00× faster");
    assert_string_equal(cell(table, 0, "CPU", "variant")->text, "simd");
    assert_string_equal(table->columns[0].title, "size");
    assert_string_equal(cell(table, 0, "CPU", "best other code")->text, "OpenCV 5.0.0 (opencv)");
    assert_string_equal(cell(table, 0, "CPU", "other definition")->text, "");
}

/* A library that wins is neither the best CPU nor in its place. */
TEST(a_library_that_is_faster_is_said_to_be) {
    RELEASED_BY(release) Report report = with_peers(1e-3, "rounding");
    const DocTable *table = find_table(&report, "peers");
    assert_string_equal(cell(table, 0, "CPU", "this program is")->text, "2.00× slower");
    assert_string_equal(cell(table, 0, "CPU", "other definition")->text, "rounding");
    assert_string_equal(table->columns[0].title, "other code is faster");
    assert_string_equal(table->cells[0].text, "CPU: OpenCV 5.0.0, 2.00× faster");
    assert_int_equal(table->cells[0].kind, CELL_STRONG);
    assert_string_equal(report.stored.results.rows[0].best_cpu, "simd");
    table = find_table(&report, "fastest");
    assert_true(table == NULL || find_row(table, "fastest", "opencv") == SIZE_MAX);
}

/* Libraries of both sides are one row; of one side alone the other has no columns. */
TEST(both_sides_are_one_row) {
    Report report = {.stored = {.elapsed = NAN}};
    Results *results = &report.stored.results;
    add_row(results, "seq", 8e-3, NULL);
    add_row(results, "cuda_fast", 1e-3, NULL);
    add_row(results, "opencv", 4e-3, "OpenCV 5.0.0");
    add_row(results, "pytorch", 3e-3, "PyTorch 2.15.0");
    results_derive(results, 1);
    build(&report);
    const DocTable *table = table_of(&report, "peers", 1);
    assert_string_equal(cell(table, 0, "CPU", "this program is")->text, "2.00× slower");
    assert_string_equal(cell(table, 0, "GPU", "this program is")->text, "3.00× faster");
    assert_string_equal(table->cells[0].text, "CPU: OpenCV 5.0.0, 2.00× faster");
    assert_string_equal(cell(table, 0, "GPU", "best other code")->text, "PyTorch 2.15.0 (pytorch)");
    release(&report);
    report = with_peers(4e-3, "");
    assert_true(find_column(find_table(&report, "peers"), "GPU", "variant") == SIZE_MAX);
    release(&report);
}

/* One that is compiled in stands in the algorithm's table of variants, but is none of them here. */
TEST(one_that_is_compiled_in_is_no_variant_of_the_page) {
    RELEASED_BY(release) Report report = {.stored = {.elapsed = NAN}};
    Results *results = &report.stored.results;
    add_row(results, "seq", 8e-3, NULL);
    add_row(results, "cuda_fast", 1e-3, NULL);
    add_row(results, "cub", 2e-3, "CUB 3.0.1");
    results_derive(results, 1);
    build(&report);
    assert_string_equal(cell(find_table(&report, "peers"), 0, "GPU", "best other code")->text,
                        "CUB 3.0.1 (cub)");
    const DocTable *table = find_table(&report, "measured");
    assert_non_null(table);
    assert_string_equal(cell(table, 0, "GPU", "variants")->text, "cuda_fast");
}

/* As the steps of a study: a table of each that has libraries, below one heading. */
TEST(runs_have_their_tables_by_their_names) {
    StoredRun stored[] = {{.elapsed = NAN}, {.elapsed = NAN}, {.elapsed = NAN}};
    ReportRun runs[] = {{.stored = &stored[0], .name = "one"},
                        {.stored = &stored[1], .name = "none"},
                        {.stored = &stored[2], .name = "two"}};
    Report report = {.stored = {.elapsed = NAN}};
    for (size_t i = 0; i < 3; i++) {
        add_row(&stored[i].results, "seq", 8e-3, NULL);
        if (i != 1) {
            add_row(&stored[i].results, "opencv", 4e-3, "OpenCV 5.0.0");
        }
        results_derive(&stored[i].results, 1);
    }
    document_open(&report.document, "a study");
    peers_add(runs, 3, &report.document);
    assert_ok(document_status(&report.document));
    assert_string_equal(cell(find_table(&report, "peers-one"), 0, "CPU", "this program is")->text,
                        "2.00× slower");
    assert_string_equal(find_table(&report, "peers-two")->caption,
                        "Over the best other code: step two");
    assert_null(find_table(&report, "peers-none"));
    size_t headings = 0;
    for (size_t i = 0; i < report.document.count; i++) {
        headings += report.document.blocks[i].kind == BLOCK_HEADING;
    }
    assert_int_equal(headings, 1);
    release(&report);
    for (size_t i = 0; i < 3; i++) {
        stored_run_release(&stored[i]);
    }
}

TEST(without_libraries_there_is_no_section) {
    RELEASED_BY(release) Report report = {.stored = {.elapsed = NAN}};
    add_row(&report.stored.results, "seq", 8e-3, NULL);
    results_derive(&report.stored.results, 1);
    build(&report);
    assert_null(find_table(&report, "peers"));
    assert_false(says(&report, "Other people's code"));
}
