/* The tables of a study: measured beside published. */
#include "bench/study_fixture.h"
#include "document.h"
#include "table.h"
#include "test.h"

#include "bench/scratch_study.h"
#include "study_internal.h"

TEST(test_measured_stands_beside_published) {
    RELEASED_BY(release) Built built;
    build(&built);
    const DocTable *table = find_table(&built.document, "table-1");
    assert_string_equal(table->caption, "Threads at 480×360");
    assert_int_equal(table->column_count, 5);
    assert_int_equal(table->row_count, 3);
    assert_column(table, 0, NULL, "");
    assert_column(table, 1, "Time (ms)", "measured");
    assert_column(table, 2, "Time (ms)", "published");
    assert_column(table, 3, "Speedup (×)", "measured");
    assert_column(table, 4, "Speedup (×)", "published");
    assert_cell(table, 0, 0, "Sequential", CELL_PLAIN);
    assert_cell(table, 0, 1, "3.000", CELL_PLAIN);
    assert_cell(table, 0, 2, "30.46", CELL_FAINT);
    assert_cell(table, 0, 4, "", CELL_FAINT);
    assert_cell(table, 1, 0, "2 threads", CELL_PLAIN);
    assert_cell(table, 1, 3, "1.88", CELL_PLAIN);
    assert_cell(table, 1, 4, "2.442", CELL_FAINT);
    assert_cell(table, 2, 1, "0.8000", CELL_STRONG);
    assert_true(table_at(table, 2, 1)->number == 0.8);
}

TEST(test_notes_of_cells) {
    RELEASED_BY(release) Built built;
    build(&built);
    const DocTable *table = find_table(&built.document, "table-1");
    /* 0.8 ± 1.96 · 0.03 / sqrt(9) */
    assert_string_equal(
        table_at(table, 2, 1)->note,
        "95% in this run: 0.7804 to 0.8196 ms; omp, threads:4, 4 threads, 9 samples, "
        "batches of 8");
    assert_string_equal(table_at(table, 2, 2)->note, "Table 1: Processor P");
    table = find_table(&built.document, "table-2");
    assert_string_equal(table_at(table, 1, 1)->note, "seq, 12 samples, answer not verified");
}

TEST(test_what_is_missing_says_so) {
    RELEASED_BY(release) Built built;
    build(&built);
    const DocTable *table = find_table(&built.document, "table-2");
    assert_column(table, 3, "CUDA (µs)", "measured");
    assert_cell(table, 0, 3, "not run here", CELL_MISSING);
    assert_string_equal(table_at(table, 0, 3)->note, "no CUDA device");
    assert_cell(table, 0, 4, "71.5", CELL_FAINT);
    assert_cell(table, 0, 5, "—", CELL_MISSING);
    assert_cell(table, 2, 1, "not run here", CELL_MISSING);
    assert_cell(table, 2, 2, "478.6", CELL_FAINT);
    assert_cell(table, 2, 4, "", CELL_FAINT);
}

/* Times of several sizes have no best; a column without published numbers has no place for them. */
TEST(test_tables_are_collapsed) {
    RELEASED_BY(release) Built built;
    build(&built);
    const DocTable *table = find_table(&built.document, "threads-hd");
    assert_true(table->collapsed);
    assert_int_equal(table->column_count, 2);
    assert_column(table, 1, NULL, "Time (ms)");
    assert_cell(table, 1, 1, "failed", CELL_BAD);
    assert_string_equal(table_at(table, 1, 1)->note, "the answer is wrong in 3 places");
    const DocTable *sizes = find_table(&built.document, "table-2");
    assert_true(sizes->collapsed);
    assert_cell(sizes, 0, 1, "3.000", CELL_PLAIN);
}

/* Over sizes the best is that of the row. */
TEST(test_the_best_is_among_times_of_the_same_work) {
    RELEASED_BY(release) Built built;
    build(&built);
    const DocTable *table = find_table(&built.document, "versions");
    assert_cell(table, 0, 1, "2.800", CELL_PLAIN);
    assert_cell(table, 0, 2, "1.500", CELL_STRONG);
    assert_cell(table, 1, 1, "26.00", CELL_PLAIN);
    assert_cell(table, 1, 2, "14.00", CELL_STRONG);
}

/* What each version is measured by may differ, as kernel and kernel with download; what is better
 * is asked across, in one unit. Parts of one run meet their own kind. */
TEST(test_the_best_of_a_row_meets_all_kinds_of_time) {
    static const char records[] = "variant,size,kernel_ms_min,resident_ms_min\n"
                                  "seq,4,8,\ncuda,4,3,5\nseq,8,9,\ncuda,8,9,20\n";
    ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main run\ntable t Kinds\n from main\n"
                       " row {size} size=4,8\ncolumn CPU us kernel_ms_min variant=seq\n"
                       "column GPU ms resident_ms_min variant=cuda\n",
                       NULL, records);
    scratch_study_make(&scratch);
    const TableResult *table = &scratch.result.tables[0];
    assert_false(study_time_is_best(table, study_value(table, 0, 0)));
    assert_true(study_time_is_best(table, study_value(table, 0, 1)));
    assert_true(study_time_is_best(table, study_value(table, 1, 0)));
    assert_false(study_time_is_best(table, study_value(table, 1, 1)));
    scratch_study_close(&scratch);

    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main run\ntable t Kinds\n from main\n"
                       " where size=4\n row seq variant=seq\n row cuda variant=cuda\n"
                       "column Kernel ms kernel_ms_min\ncolumn Whole ms resident_ms_min\n",
                       NULL, records);
    scratch_study_make(&scratch);
    table = &scratch.result.tables[0];
    assert_true(study_time_is_best(table, study_value(table, 1, 0)));
    assert_false(study_time_is_best(table, study_value(table, 1, 1))); /* has no rival */
    scratch_study_close(&scratch);
}

/* The least time and those not shown to differ from it: by intervals, or within 10% without them.
 */
TEST(test_times_not_told_apart_are_best_together) {
    static const char study[] = "study test\ntitle Test\nstep main run\ntable t Ties\n from main\n"
                                " where size=4\n row {variant} variant=a,b,c\n"
                                "column Kernel ms kernel_ms_median\n"
                                "column Whole s with_alloc_ms\n";
    static const char records[] =
        "variant,size,kernel_ms_median,kernel_ms_ci_low,kernel_ms_ci_high,with_alloc_ms\n"
        "a,4,3,2.8,3.2,1000\nb,4,3.3,3.1,3.5,1090\nc,4,4,3.9,4.1,1110\n";
    static const bool best[] = {true, true, true, true, false, false};
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch, study, NULL, records);
    scratch_study_make(&scratch);
    const TableResult *table = &scratch.result.tables[0];
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(study_time_is_best(table, study_value(table, i / 2, i % 2)), best[i]);
    }
}

/* Of a single row the best is that of the row. */
TEST(test_a_single_row_has_its_best) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main run\ntable t One\n from main\n"
                       " row only size=4\ncolumn A ms kernel_ms_min variant=a\n"
                       "column B ms kernel_ms_min variant=b\n",
                       NULL, "variant,size,kernel_ms_min\na,4,8\nb,4,3\n");
    scratch_study_make(&scratch);
    const TableResult *table = &scratch.result.tables[0];
    assert_false(study_time_is_best(table, study_value(table, 0, 0)));
    assert_true(study_time_is_best(table, study_value(table, 0, 1)));
}

/* Numbers of one list are told together, columns of one unknown kind once. */
TEST(test_the_note_tells_columns_of_a_kind_together) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main run\n"
                       "table t Parts\n extra\n from main\n row a size=4\n"
                       "column Sort ms stages_ms:sort\ncolumn \"A, B\" ms stages_ms:ab\n"
                       "table u Counts\n extra\n from main\n row a size=4\n"
                       "column w - found\ncolumn x - found\ncolumn y - found\ncolumn z - found\n",
                       NULL, "size,stages_ms,found\n4,\"sort:1,ab:2\",7\n");
    scratch_study_make(&scratch);
    RELEASED_BY(document_release) Document document;
    document_open(&document, "notes");
    static const char *const parts[] = {
        " Sort (sort), “A, B” (ab) are from the list stages_ms (parts of the kernel timed apart",
        " Each column is “found” in the step's file."};
    for (size_t i = 0; i < 2; i++) {
        const char *note = study_table_note(&scratch.result, &scratch.result.tables[i],
                                            DIFFERENCES_HERE, &document);
        assert_non_null(note);
        assert_says(note, parts[i]);
    }
}

/* The range stands in the cell, the number alone in files; the note says of how many seeds. */
TEST(test_ranges_over_seeds_stand_in_the_cell) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main match\n --seeds 20\n"
                       "table t Counts\n extra\n from main\n row a method=a\n"
                       "column Inliers - inliers\ncolumn Matches - mutual\n",
                       NULL,
                       "method,mutual,inliers,seeds,inliers_low,inliers_high\n"
                       "a,779,519,20,518,522\n");
    scratch_study_make(&scratch);
    RELEASED_BY(document_release) Document document;
    document_open(&document, "ranges");
    const DocTable *table =
        study_table_add(&scratch.result, &scratch.result.tables[0], DIFFERENCES_HERE, &document);
    assert_non_null(table);
    assert_cell(table, 0, 1, "519 (518–522)", CELL_PLAIN);
    assert_float_equal(table_at(table, 0, 1)->number, 519, 0);
    assert_string_equal(table_at(table, 0, 1)->note, "20 seeds: 518 to 522");
    assert_cell(table, 0, 2, "779", CELL_PLAIN);
    assert_says(table->note, " Medians of 20 seeds; in brackets the least and the greatest.");
}

/* A count of two records is an error of the study; that of one is a number like others. */
TEST(test_an_error_of_the_study_is_seen) {
    RELEASED_BY(release) Built built;
    build(&built);
    const DocTable *table = find_table(&built.document, "versions");
    assert_cell(table, 0, 3, "no number", CELL_BAD);
    assert_string_equal(table_at(table, 0, 3)->note, "2 records match");
    assert_cell(table, 1, 3, "9", CELL_PLAIN);
}

TEST(test_what_quick_leaves_out) {
    RELEASED_BY(release) Built built;
    StepOutcome *outcome = study_fixture_open(&built.fixture, "unused");
    built.fixture.settings.quick = true;
    build_from(&built, outcome);
    const DocTable *table = find_table(&built.document, "table-2");
    assert_cell(table, 2, 1, "not with --quick", CELL_MISSING);
    assert_cell(table, 0, 3, "not run here", CELL_MISSING);
}

/* As a matrix each side is whole. */
TEST(test_a_shaded_table_stands_by_sides) {
    RELEASED_BY(release) Built built;
    build(&built);
    const DocTable *seen = find_table(&built.document, "seen");
    assert_true(seen->shaded);
    assert_int_equal(seen->column_count, 4);
    assert_column(seen, 1, "measured", "Width");
    assert_column(seen, 2, "measured", "Height");
    assert_column(seen, 3, "published", "Width");
    assert_cell(seen, 0, 1, "480", CELL_PLAIN);
    assert_cell(seen, 0, 3, "481", CELL_FAINT);
    /* No times: how the paper took its times is beside the point. */
    assert_says(seen->note, "Published: machine not named. Measured: on Ex");
}

TEST(test_the_note_has_both_conventions_and_machines) {
    RELEASED_BY(release) Built built;
    build(&built);
    assert_string_equal(
        find_table(&built.document, "table-1")->note,
        "Published: mean of 15 runs, on Processor P. Measured: 9 samples each, on Example CPU (4 "
        "processors). Time is kernel_ms_mean (kernel time, arithmetic mean). Speedup is Time of "
        "Sequential ÷ Time of the row. Intervals: 95% in this run, of one launch. The hardware "
        "differs, and 2 other things: see "
        "\"What is compared with what\".");
    const char *note = find_table(&built.document, "table-2")->note;
    assert_says(note, "Processor P; Graphics card G; Processor P and graphics card G");
    assert_says(note, "Sequential, CUDA are kernel_ms_mean");
    assert_says(note, "Measured: 9 to 12 samples, on");
    /* There is nothing to compare with. */
    assert_string_equal(find_table(&built.document, "threads-hd")->note,
                        "The paper has no such table. Measured: 9 samples each, on Example CPU (4 "
                        "processors). Time is kernel_ms_min (kernel time, shortest sample).");
}
