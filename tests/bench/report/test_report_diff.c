/* The difference of two runs: made by hand, with times whose ratios are plain, and recorded ones.
 */
#include "compare_internal.h"
#include "files.h"
#include "report.h"
#include "report_diff_fixture.h"
#include "report_internal.h"
#include "stored_run.h"
#include "test.h"

#define RECORDED BENCH_SOURCE_DIR "/tests/data/h200/"

/* --- Differences and what they are called ----------------------------------------------------- */

TEST(each_cell_has_both_medians_and_their_ratio) {
    RELEASED_BY(release) Report report = build_two(plain_run("X1", 10), plain_run("X2", 5));
    const DocTable *table = table_of(&report, "diff-lbp-texture-cells", 4);
    assert_true(table->sortable);
    check_cell(table, 0, 0, "seq");
    check_cell(table, 0, 1, "10×10");
    check_cell(table, 0, 5, "as fast (within 5%)");
    assert_true(fabs(table_at(table, 0, 4)->number - 1) < 1e-12);
    check_cell(table, 2, 0, "cuda_fast");
    check_cell(table, 2, 2, "10.00");
    check_cell(table, 2, 3, "5.000");
    assert_true(fabs(table_at(table, 2, 4)->number - 0.5) < 1e-12);
    check_cell(table, 2, 4, "0.5000");
    check_cell(table, 2, 6, "20.00");
    check_cell(table, 2, 7, "10.00");
    check_cell(table, 2, 5, "2.00× faster (1.99 to 2.01)");
    check_cell(table, 2, 9, "2.00× faster (1.99 to 2.01)");
}

TEST(few_launches_decide_nothing) {
    StoredRun a = {.complete = true};
    StoredRun b = {.complete = true};
    Row few = timed_row("seq", 10, 1);
    few.kernel.count = 2;
    add(&a, few);
    add(&b, timed_row("seq", 10, 2));
    RELEASED_BY(release) Report report = build_two(a, b);
    check_cell(find_table(&report, "diff-lbp-texture-cells"), 0, 5, "undecided");
    check_tally(&report, 0, "kernel", "1 0 0 0 1");
}

/* --- Verification of both --------------------------------------------------------------------- */

TEST(both_runs_have_their_verified_and_failed_cells) {
    StoredRun a = plain_run("X1", 10);
    StoredRun b = plain_run("X2", 5);
    snprintf(a.results.rows[1].verified_by, sizeof a.results.rows[1].verified_by, "seq");
    b.results.rows[2].agreement = 0.5;
    Row failed = sample_row("cuda_naive");
    failed.status = CELL_FAIL;
    snprintf(failed.why, sizeof failed.why, "codes differ");
    add(&b, failed);
    RELEASED_BY(release) Report report = build_two(a, b);
    const DocTable *table = table_of(&report, "verification", 3);
    assert_string_equal(cell(table, 1, NULL, "run")->text, "A");
    assert_string_equal(cell(table, 1, NULL, "verified against the answer of")->text, "seq");
    assert_string_equal(cell(table, 2, NULL, "run")->text, "B");
    assert_string_equal(cell(table, 2, NULL, "cells with a time")->text, "4");
    assert_string_equal(cell(table, 2, NULL, "equal in all elements")->text, "3");
    const DocTable *failures = table_of(&report, "failures", 1);
    assert_string_equal(cell(failures, 0, NULL, "run")->text, "B");
    const DocTable *reasons = find_table(&report, "without-time");
    assert_string_equal(cell(reasons, 0, NULL, "run")->text, "B");
    assert_string_equal(cell(reasons, 0, NULL, "reason")->text, "codes differ");
}

/* --- The summary ------------------------------------------------------------------------------ */

TEST(the_summary_counts_and_names_extremes) {
    RELEASED_BY(release) Report report = build_two(plain_run("X1", 10), plain_run("X2", 5));
    assert_string_equal(report.document.blocks[report.document.folded].text, "Verdict");
    check_says(
        &report,
        "By kernel time B is faster at 2 of 4 cells, slower at 0, as fast at 2 "
        "(within 5%); 0 are undecided; where no change is shown, one of 5.1% would have been "
        "found in 80% of comparisons. Most: lbp/cuda_fast/texture/10x10 2.00× faster (");
    check_says(&report, "B: new. Measured 2026-01-02 on X2 and Test CPU.");
    const DocTable *measured = table_of(&report, "measured", 2);
    assert_string_equal(cell(measured, 0, NULL, "run")->text, "A: old");
    assert_string_equal(cell(measured, 1, NULL, "run")->text, "B: new");
    assert_string_equal(cell(measured, 1, NULL, "sizes")->text, "2, 10×10 to 100×100");
    assert_string_equal(cell(measured, 1, "CPU", "variants")->text, "seq");
    assert_string_equal(cell(measured, 1, "GPU", "variants")->text, "cuda_fast");
    check_tally(&report, 0, "kernel", "4 2 0 2 0");
    const DocTable *fastest = table_of(&report, "diff-fastest", 2);
    assert_string_equal(cell(fastest, 0, NULL, "change")->text, "");
    assert_string_equal(fastest->note, "Another variant at 0 of 2 sizes.");
}

/* The title is what was found, by the names of the machines; the first table has best against best,
 * and the long one of all cells is folded. */
TEST(two_runs_begin_with_what_was_found) {
    RELEASED_BY(release)
    Report report = build_two(plain_run("NVIDIA X1", 10), plain_run("NVIDIA X2", 5));
    const ReportRun runs[] = {{.stored = &report.stored, .name = "some/path/old"},
                              {.stored = &report.other, .name = "some/path/new"}};
    const char *title = report_finding(runs, 2, &report.document);
    if (strncmp(title, "lbp at 100×100: X2 is 2.00× faster than X1 (kernel only); with copies ",
                strlen("lbp at 100×100: X2 is 2.00× faster than X1 (kernel only); with copies ")) !=
        0) {
        fail_msg("%s", title);
    }
    const DocTable *first = find_table(&report, "diff-first");
    assert_non_null(first);
    assert_int_equal(first->column_count, 5);
    assert_int_equal(first->row_count, 2);
    assert_memory_equal(cell(first, 1, NULL, "kernel only")->text, "2.00× faster (",
                        strlen("2.00× faster ("));
    assert_true(find_table(&report, "diff-lbp-texture-cells")->collapsed);
}

/* Pinned memory changes the copies alone. */
TEST(end_to_end_is_told_of_apart) {
    StoredRun a = plain_run("X1", 10);
    StoredRun b = plain_run("X1", 10);
    for (size_t i = 2; i < 4; i++) { /* the device */
        Row *row = &b.results.rows[i];
        for (size_t j = 0; j < row->end_to_end.count; j++) {
            row->end_to_end.seconds[j] *= 4;
        }
        assert_ok(summarize(&row->end_to_end, &row->end_to_end_summary));
    }
    RELEASED_BY(release) Report report = build_two(a, b);
    check_tally(&report, 0, "kernel", "4 0 0 4 0");
    check_tally(&report, 1, "with copies", "4 0 2 2 0");
    check_says(&report,
               "With copies B is faster at 0 of 4 cells, slower at 2, as fast at 2 (within 5%); 0 "
               "are undecided; where no change is shown, one of 5.1% would have been found in 80% "
               "of comparisons. Most: lbp/cuda_fast/texture/10x10 4.00× slower (");
    check_cell(find_table(&report, "diff-lbp-texture-cells"), 2, 5, "as fast (within 5%)");
    check_cell(find_table(&report, "diff-lbp-texture-cells"), 2, 9, "4.00× slower (3.99 to 4.01)");
}

/* At 100 pixels seq takes 1 ms: it wins over 10 ms of A's device and loses to 0.5 of B's. */
TEST(another_winner_is_named) {
    RELEASED_BY(release) Report report = build_two(plain_run("X1", 10), plain_run("X2", 0.5));
    const DocTable *fastest = table_of(&report, "diff-fastest", 2);
    assert_string_equal(cell(fastest, 0, NULL, "of")->text, "lbp, texture");
    assert_string_equal(cell(fastest, 0, NULL, "size")->text, "10×10");
    assert_string_equal(cell(fastest, 0, NULL, "A")->text, "seq");
    assert_string_equal(cell(fastest, 0, NULL, "B")->text, "cuda_fast");
    assert_string_equal(cell(fastest, 0, NULL, "change")->text, "another");
    assert_string_equal(cell(fastest, 1, NULL, "change")->text, "");
}

/* At 10×10 seq is the fastest of A and cuda_fast of B, whose interval contains the time of its seq.
 */
TEST(winners_within_an_interval_are_no_change) {
    StoredRun b = plain_run("X2", 0.999);
    RELEASED_BY(release) Report report = build_two(plain_run("X1", 10), b);
    const DocTable *fastest = find_table(&report, "diff-fastest");
    assert_string_equal(cell(fastest, 0, NULL, "A")->text, "seq");
    assert_string_equal(cell(fastest, 0, NULL, "B")->text, "cuda_fast (or seq)");
    assert_string_equal(cell(fastest, 0, NULL, "change")->text, "undecided");
    assert_string_equal(fastest->note,
                        "Another variant at 0 of 2 sizes. \"Or\": within the interval "
                        "of the fastest, so which of them is faster is undecided.");
}

/* --- Machines --------------------------------------------------------------------------------- */

TEST(facts_that_differ_come_first) {
    StoredRun a = plain_run("X1", 10);
    StoredRun b = plain_run("X2", 5);
    add_fact(&b.machine, "cuda_driver", "13.0");
    b.results.rows[0].cold = true;
    b.ignored = 7;
    RELEASED_BY(release) Report report = build_two(a, b);
    const DocTable *differ = table_of(&report, "diff-facts", 3);
    check_cell(differ, 0, 0, "caches");
    check_cell(differ, 0, 1, "hot");
    check_cell(differ, 0, 2, "hot and cold");
    check_cell(differ, 1, 0, "gpu model");
    check_cell(differ, 1, 1, "X1");
    check_cell(differ, 1, 2, "X2");
    check_cell(differ, 2, 0, "cuda driver");
    check_cell(differ, 2, 1, "not known");
    assert_int_equal(table_at(differ, 2, 1)->kind, CELL_MISSING);
    const DocTable *all = find_table(&report, "diff-all-facts");
    assert_true(all->collapsed && !differ->collapsed);
    check_cell(all, find_row(all, "fact", "cpu model"), 2, "Test CPU");
    check_cell(all, find_row(all, "fact", "warm-up runs"), 2, "at most 3");
    check_says(&report, "B: 7 rows of algorithms");
}

TEST(warnings_say_of_which_run) {
    StoredRun a = plain_run("X1", 10);
    add_fact(&a.machine, "virtual_machine", "yes");
    RELEASED_BY(release) Report report = build_two(a, plain_run("X1", 10));
    check_says(&report, "A: this is a virtual machine");
    assert_false(says(&report, "B: this is a virtual machine"));
}

/* --- What is not compared --------------------------------------------------------------------- */

TEST(another_input_of_the_same_name_is_warned_of) {
    StoredRun b = plain_run("X2", 5);
    for (size_t i = 0; i < b.results.count; i++) {
        b.results.rows[i].input_hash = 1;
    }
    RELEASED_BY(release) Report report = build_two(plain_run("X1", 10), b);
    check_says(&report, "lbp, texture: the input has the same name in both runs and other content");
    check_says(&report, "No cell was verified and timed in both runs");
    assert_null(find_table(&report, "diff-lbp-texture-cells"));
    assert_null(find_chart(&report, "diff-lbp-texture-time"));
    assert_null(find_table(&report, "diff-crossovers"));
}

TEST(a_hash_that_is_not_known_is_no_other_input) {
    StoredRun b = plain_run("X2", 5);
    for (size_t i = 0; i < b.results.count; i++) {
        b.results.rows[i].input_hash = 0;
    }
    RELEASED_BY(release) Report report = build_two(plain_run("X1", 10), b);
    assert_non_null(find_table(&report, "diff-lbp-texture-cells"));
}

TEST(cells_of_one_run_are_told_with_reasons) {
    StoredRun a = plain_run("X1", 10);
    StoredRun b = plain_run("X2", 5);
    Row skipped = sample_row("simd");
    snprintf(skipped.why, sizeof skipped.why, "this processor has no AVX2");
    skipped.width = skipped.height = 10;
    add(&b, skipped);
    add(&a, timed_row("simd", 10, 0.25));
    Row threaded = timed_row("omp", 10, 0.5);
    set_threads(&threaded, 2);
    add(&b, threaded);
    Row neither = sample_row("cuda_naive");
    add(&a, neither);
    add(&b, neither);
    Row elsewhere = timed_row("seq", 10, 1);
    snprintf(elsewhere.input, sizeof elsewhere.input, "noise");
    add(&a, elsewhere);
    RELEASED_BY(release) Report report = build_two(a, b);
    const DocTable *table = table_of(&report, "diff-missing", 2);
    check_cell(table, 0, 0, "lbp/simd/texture/10x10");
    check_cell(table, 0, 1, "A");
    check_cell(table, 0, 2, "250 µs");
    check_cell(table, 0, 3, "skipped: this processor has no AVX2");
    check_cell(table, 1, 0, "lbp/omp/texture/10x10/threads:2");
    check_cell(table, 1, 1, "B");
    check_cell(table, 1, 3, "not in that run");
    check_says(&report, "Only A has lbp, noise: 1 cell.");
    check_says(&report, "1 cell has a time in neither run.");
}

TEST(runs_without_a_common_cell_say_what_they_have) {
    StoredRun a = {.complete = true};
    add(&a, timed_row("seq", 10, 1));
    StoredRun b = {.complete = true};
    Row row = timed_row("seq", 10, 1);
    snprintf(row.input, sizeof row.input, "noise");
    add(&b, row);
    Report report = build_two(a, b);
    const DocTable *measured = find_table(&report, "measured");
    assert_string_equal(cell(measured, 0, NULL, "input")->text, "texture");
    assert_string_equal(cell(measured, 1, NULL, "input")->text, "noise");
    assert_string_equal(cell(measured, 1, "GPU", "variants")->text, "none with a time");
    assert_null(find_table(&report, "diff-missing"));
    release(&report);
    RELEASED_BY(release)
    Report empty = build_two((StoredRun){.complete = true}, (StoredRun){.complete = true});
    check_says(&empty, "A: this run has no cells.");
    check_says(&empty, "B: this run has no cells.");
}

/* --- Whole documents -------------------------------------------------------------------------- */

/* Written with BENCH_WRITE_GOLDEN in the environment, to be read before it is kept. */
TEST(the_markdown_is_the_stored_one) {
    RELEASED_BY(release) Report report = build_two(plain_run("X1", 10), plain_run("X2", 0.5));
    const char *golden = TEST_DATA "/report_diff.md";
    if (getenv("BENCH_WRITE_GOLDEN") != NULL) {
        assert_ok(markdown_write(&report.document, golden, NULL));
    }
    assert_ok(markdown_write(&report.document, test_path("diff.md"), NULL));
    char *want;
    char *got;
    size_t length;
    assert_ok(file_text_read(golden, "a text", SIZE_MAX, &want, &length));
    assert_ok(file_text_read(test_path("diff.md"), "a text", SIZE_MAX, &got, &length));
    assert_string_equal(got, want);
    free(got);
    free(want);
}

static Report build_recorded(const char *a, const char *b) {
    char folder[512], path[512];
    StoredRun runs[2];
    const char *names[] = {a, b};
    for (size_t i = 0; i < 2; i++) {
        snprintf(folder, sizeof folder, RECORDED "%s", names[i]);
        assert_ok(stored_run_path(folder, path, sizeof path));
        assert_ok(stored_run_read(path, &runs[i]));
    }
    return build_two(runs[0], runs[1]);
}

/* Where the launches lie further apart than 5%, it is not shown to be as fast either. */
TEST(a_recorded_run_does_not_differ_from_itself) {
    RELEASED_BY(release) Report report = build_recorded("lbp", "lbp");
    check_tally(&report, 0, "kernel", "105 0 0 61 44");
    assert_int_equal(find_table(&report, "diff-facts")->row_count, 0);
    assert_true(find_table(&report, "diff-ceilings")->collapsed);
    check_says(&report, "Every cell that one run has a time of, the other has too.");
}

/* --- The same sides as `bench compare` -------------------------------------------------------- */

static void check_sides(const char *old_run, const char *new_run, const char *counts) {
    const CompareCriteria usual = {.alpha = 0.01, .threshold = 0.05};
    MeasuredRun before, now;
    Comparison comparison;
    char path[512], changes[64];
    snprintf(path, sizeof path, RECORDED "%s", old_run);
    assert_ok(measured_run_read(path, &before));
    snprintf(path, sizeof path, RECORDED "%s", new_run);
    assert_ok(measured_run_read(path, &now));
    assert_ok(comparison_make(&before, &now, &usual, true, &comparison));
    snprintf(changes, sizeof changes, "%zu %zu %zu %zu %zu", comparison_judged(&comparison),
             comparison.changes[CHANGE_FASTER], comparison.changes[CHANGE_SLOWER],
             comparison.changes[CHANGE_SAME], comparison.changes[CHANGE_UNDECIDED]);
    assert_string_equal(changes, counts);
    comparison_release(&comparison);
    measured_run_release(&before);
    measured_run_release(&now);
    RELEASED_BY(release) Report report = build_recorded(old_run, new_run);
    check_tally(&report, 0, "kernel", counts);
}

TEST(compare_and_diff_say_the_same) {
    check_sides("lbp_riu", "lbp_riu-again", "77 0 0 50 27");
    check_sides("haar-60000", "haar-60000-pinned", "5 0 0 4 1");
}

/* Each run has one answer point of the axes that differ between them. */
TEST(rows_of_both_have_their_answer) {
    RELEASED_BY(release) Report report = build_recorded("matching", "matching-l2");
    const DocTable *table = table_of(&report, "fastest", 3);
    assert_string_equal(cell(table, 1, NULL, "run")->text, "A");
    assert_string_equal(cell(table, 1, NULL, "answer")->text,
                        "bits 256, keypoints 10000, distance hamming");
    assert_string_equal(cell(table, 2, NULL, "run")->text, "B");
    assert_string_equal(cell(table, 2, NULL, "answer")->text,
                        "bits 1024, keypoints 10000, distance l2");
}

TEST(recorded_runs_of_other_inputs_are_told_as_such) {
    RELEASED_BY(release) Report report = build_recorded("lbp", "lbp-pinned-noise");
    const DocTable *measured = find_table(&report, "measured");
    assert_string_equal(cell(measured, 0, NULL, "input")->text, "meadow.jpg");
    assert_string_equal(cell(measured, 1, NULL, "input")->text, "noise");
    check_says(&report, "Only A has lbp, meadow.jpg: 105 cells.");
    check_says(&report, "Only B has lbp, noise: 56 cells.");
}
