/* The report of a study as a document: its blocks and tables. */
#include "bench/study_fixture.h"
#include "document.h"
#include "scratch_study.h"
#include "table.h"
#include "test.h"

static size_t index_of(const Document *document, const Block *wanted) {
    assert_non_null(wanted);
    return (size_t)(wanted - document->blocks);
}

TEST(test_the_sections_in_their_order) {
    static const char *const headings[] = {"Figure 1",       "Here beside the paper",
                                           "Figures",        "Figure 2",
                                           "Figure 3",       "Tables",
                                           "Table 1",        "Table 2",
                                           "Seen",           "What is compared with what",
                                           "How it was run", "Machine and build"};
    RELEASED_BY(release) Built built;
    build(&built);
    assert_string_equal(built.document.title, "Patterns on two devices: measured again");
    size_t before = 0;
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        const size_t place =
            index_of(&built.document, find_text(&built.document, BLOCK_HEADING, headings[i]));
        assert_true(place > before);
        before = place;
    }
}

TEST(test_the_start_says_what_was_done) {
    RELEASED_BY(release) Built built;
    build(&built);
    assert_non_null(find_text(&built.document, BLOCK_PARAGRAPH, "Journal of Examples 1, 2024"));
    assert_non_null(find_text(&built.document, BLOCK_PARAGRAPH, "Local binary patterns with"));
    /* Published: 5 in table-1, 6 in table-2, 1 in `seen`. Measured of them: 5, 2 of Sequential, 1.
     * Besides: the speedup of Sequential over itself, and the height. */
    assert_non_null(
        find_text(&built.document, BLOCK_PARAGRAPH,
                  "3 tables of the paper with 12 published numbers. Measured here: 8 of "
                  "these, and 2 more numbers that the paper does not print."));
    /* The verdict comes first, then where and when, warnings, the first figure, and the citation.
     */
    const Block *verdict = find_text(&built.document, BLOCK_PARAGRAPH,
                                     "2 of 2 tested claims of the paper hold here; 2 more cannot "
                                     "be tested here.");
    assert_int_equal(index_of(&built.document, verdict), 0);
    static const char *const chips[] = {"Example, 4 processors", "2026-01-02"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(
            index_of(&built.document, find_text(&built.document, BLOCK_CHIP, chips[i])), 1 + i);
    }
    assert_int_equal(built.document.blocks[5].kind, BLOCK_CHART);
}

TEST(test_warnings_of_a_run_without_gpu) {
    RELEASED_BY(release) Built built;
    build(&built);
    assert_non_null(find_text(&built.document, BLOCK_WARNING,
                              "CUDA columns were not run here: no CUDA device."));
    assert_null(find_text(&built.document, BLOCK_WARNING, "--quick"));
    assert_null(find_text(&built.document, BLOCK_WARNING, "Step cpu"));
}

TEST(test_warnings_of_steps) {
    RELEASED_BY(release) Built built;
    StepOutcome *outcome = study_fixture_open(&built.fixture, "unused");
    built.fixture.settings.quick = true;
    outcome->state = STEP_FAILED;
    outcome->code = 3;
    outcome->stand_in = true;
    snprintf(outcome->why, sizeof outcome->why, "the disk is full");
    build_from(&built, outcome);
    assert_non_null(find_text(&built.document, BLOCK_WARNING, "with --quick"));
    assert_non_null(
        find_text(&built.document, BLOCK_WARNING, "Step cpu failed: the disk is full."));
    assert_non_null(find_text(&built.document, BLOCK_WARNING, "--synthetic texture"));
    const DocTable *steps = find_table(&built.document, "steps");
    assert_cell(steps, 0, 1, "failed", CELL_BAD);
    assert_cell(steps, 0, 2, "3", CELL_PLAIN);
    assert_non_null(find_text(&built.document, BLOCK_CODE, "bench study example-2024 --quick"));
    /* Rows of 4K were not asked for, rows of 1080p are there. */
    const DocTable *sizes = find_table(&built.document, "table-2");
    assert_cell(sizes, 1, 1, "27.00", CELL_PLAIN);
    assert_cell(sizes, 2, 1, "step failed", CELL_BAD);
}

/* The page of the first launches says that others follow. */
TEST(test_warning_of_a_study_that_goes_on) {
    for (int so_far = 0; so_far < 2; so_far++) {
        RELEASED_BY(release) Built built;
        StepOutcome *outcome = study_fixture_open(&built.fixture, "unused");
        built.fixture.settings.so_far = so_far == 1;
        built.fixture.settings.budget = 90;
        build_from(&built, outcome);
        assert_int_equal(
            find_text(&built.document, BLOCK_WARNING, "So far: the study goes on") != NULL, so_far);
        assert_non_null(
            find_text(&built.document, BLOCK_CODE, "bench study example-2024 --budget 90s"));
    }
}

/* A table without a measured number is named in the report, and whole in its files. */
static void expect_table_1_elsewhere(const Built *built, const char *text, const char *why) {
    assert_null(find_table(&built->document, "table-1"));
    assert_non_null(find_text(&built->document, BLOCK_PARAGRAPH,
                              "Without a number measured here, and so left out: Table 1, Table 2, "
                              "Seen, Versions. The files in tables/ have them"));
    RELEASED_BY(document_release) Document document;
    document_open(&document, "");
    const DocTable *table = study_table_add(
        &built->fixture.result, &built->fixture.result.tables[0], DIFFERENCES_HERE, &document);
    assert_cell(table, 0, 1, text, CELL_MISSING);
    assert_string_equal(table_at(table, 0, 1)->note, why);
    assert_says(table->note, "Measured: nothing.");
}

/* Without anything to stand in, a step whose data is not there is left out. */
TEST(test_a_step_that_was_left_out) {
    RELEASED_BY(release) Built built;
    StepOutcome *outcome = study_fixture_open(&built.fixture, "unused");
    outcome->state = STEP_LEFT_OUT;
    outcome->stand_in = true;
    outcome->command[0] = '\0';
    snprintf(outcome->csv, sizeof outcome->csv, "%s/nothing.csv", example_folder);
    snprintf(outcome->why, sizeof outcome->why, "data/a.png is not there");
    build_from(&built, outcome);
    assert_non_null(find_text(&built.document, BLOCK_WARNING,
                              "Step cpu was left out: data/a.png is not there."));
    assert_null(find_text(&built.document, BLOCK_WARNING, "stand-in"));
    expect_table_1_elsewhere(&built, "left out", "data/a.png is not there");
    const DocTable *steps = find_table(&built.document, "steps");
    assert_cell(steps, 0, 1, "left out", CELL_MISSING);
    assert_cell(steps, 0, 3, "", CELL_PLAIN);
    assert_cell(find_table(&built.document, "machines"), 4, 1, "nothing was run", CELL_MISSING);
    assert_non_null(find_text(&built.document, BLOCK_CODE, "# cpu: data/a.png is not there"));
    assert_null(find_table(&built.document, "skipped"));
}

/* The name of the step is said once; its time is shown where it is known. */
TEST(test_a_step_that_was_not_run) {
    RELEASED_BY(release) Built built;
    StepOutcome *outcome = study_fixture_open(&built.fixture, "unused");
    outcome->state = STEP_NOT_RUN;
    outcome->command[0] = '\0';
    snprintf(outcome->csv, sizeof outcome->csv, "%s/nothing.csv", example_folder);
    snprintf(outcome->why, sizeof outcome->why, "no run of it is in the study's folder");
    build_from(&built, outcome);
    assert_non_null(find_text(&built.document, BLOCK_WARNING,
                              "Step cpu was not run: no run of it is in the study's folder."));
    expect_table_1_elsewhere(&built, "not reached", "the step 'cpu' was not run");
    assert_int_equal(find_table(&built.document, "steps")->column_count, 8);
}

static void check_time(double seconds, const char *text) {
    RELEASED_BY(release) Built built;
    StepOutcome *outcome = study_fixture_open(&built.fixture, "unused");
    outcome->elapsed_s = seconds;
    build_from(&built, outcome);
    const DocTable *steps = find_table(&built.document, "steps");
    assert_column(steps, 8, NULL, "Took (s)");
    assert_cell(steps, 0, 8, text, CELL_PLAIN);
}

TEST(test_steps_tell_their_time) {
    check_time(12.34, "12.3");
    check_time(1234.5, "1234");
}

TEST(test_machines_are_told_once_with_their_tables) {
    RELEASED_BY(release) Built built;
    build(&built);
    const DocTable *machines = find_table(&built.document, "machines");
    assert_cell(machines, 0, 0, "Published", CELL_PLAIN);
    assert_cell(machines, 0, 1, "Processor P", CELL_PLAIN);
    assert_cell(machines, 0, 2, "Table 1, Table 2", CELL_PLAIN);
    assert_cell(machines, 1, 1, "Graphics card G", CELL_PLAIN);
    assert_cell(machines, 1, 2, "Table 2", CELL_PLAIN);
    assert_cell(machines, 4, 1, "Example CPU (4 processors), 8 GiB", CELL_PLAIN);
    assert_cell(machines, 5, 1, "no GPU", CELL_PLAIN);
    assert_cell(machines, 6, 1, "GNU 12.2.0 -O3; commit 0123456789abcdef", CELL_PLAIN);
    assert_non_null(find_text(&built.document, BLOCK_ITEM,
                              "The paper's pictures are photographs, ours are drawn."));
}

TEST(test_figures_say_what_they_compare) {
    RELEASED_BY(release) Built built;
    build(&built);
    assert_non_null(find_text(&built.document, BLOCK_PARAGRAPH,
                              "Drawn from Table 1 (Speedup). Published: mean of 15 runs, on "
                              "Processor P. Measured: 9 samples each, on Example CPU (4 "
                              "processors). The hardware differs, and 2 other things: see "
                              "\"What is compared with what\"."));
    assert_non_null(find_text(&built.document, BLOCK_PARAGRAPH,
                              "Drawn from Table 2 (Sequential, CUDA). Published: mean of 15 runs, "
                              "on Processor P; Graphics card G. Measured: 9 to 12 samples, on "));
    assert_non_null(
        find_text(&built.document, BLOCK_PARAGRAPH, "Drawn from Threads at 1920×1080 (Time)."));
}

/* All ratios of a table are one row. */
TEST(test_the_verdicts_of_all_tables) {
    static const char *const rows[][5] = {
        {"Table 1", "fastest", "4 threads: 2× faster than 2 threads, 3.75× than Sequential",
         "4 threads: 1.67× faster than 2 threads, 4.05× than Sequential", "holds"},
        {"Table 1", "the paper's order by Time", "all 3 pairs", "", "holds"},
        {"Table 1", "here over the paper",
         "Time 7.87 (2 threads) to 10.2 (Sequential); Speedup 0.768 (2 threads) to 0.928 (4 "
         "threads)",
         "", ""},
        {"Table 1", "Speedup, printed → by its numbers", "", "2 threads 2.442 → 2.417", ""}};
    RELEASED_BY(release) Built built;
    build(&built);
    const DocTable *table = find_table(&built.document, "verdicts");
    assert_int_equal(table->row_count, 13);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t j = 0; j < 5; j++) {
            assert_cell(table, i, j, rows[i][j], CELL_PLAIN);
        }
    }
    assert_true(table->collapsed);
}

/* Eight threads are slower than one here, and the other way round in the paper. */
TEST(test_differing_claims_are_named) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\n\nstep main run\n  --algo lbp\n\n"
                       "table t-1 Times\n from main\n row one threads=1\n row eight threads=8\n"
                       "column Time ms kernel_ms_mean\n",
                       "t-1,one,Time,8,ms,m,T\nt-1,eight,Time,2,ms,m,T\n",
                       "threads,kernel_ms_mean\n1,3\n8,4\n");
    scratch_study_make(&scratch);
    RELEASED_BY(document_release) Document document;
    document_open(&document, "verdicts");
    study_verdicts_add(&scratch.result, true, &document);
    assert_ok(document_status(&document));
    const DocTable *counts = find_table(&document, "verdict-counts");
    assert_cell(counts, 0, 0, "what is fastest", CELL_PLAIN);
    assert_cell(counts, 0, 1, "0", CELL_PLAIN);
    assert_cell(counts, 0, 2, "1", CELL_PLAIN);
    assert_cell(counts, 0, 5, "T 1", CELL_PLAIN);
    assert_cell(find_table(&document, "verdicts"), 0, 4, "differs", CELL_STRONG);
}

/* Three of four sizes are measured: the lead, the counts and the claims say the same of that. All
 * three agree with the paper in what is fastest, and contradict its order. */
TEST(test_a_part_is_counted_and_named_as_one) {
    static const char *const counts[][5] = {{"what is fastest", "0", "0", "0", "1"},
                                            {"from where on it is faster", "0", "0", "0", "1"},
                                            {"how it rises or falls", "0", "0", "0", "1"},
                                            {"the order of the rows", "0", "1", "0", "0"}};
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(
        &scratch,
        "study test\ntitle Test\n\nstep main run\n  --algo lbp\n\n"
        "table t-1 Times\n from main\n row small size=360p\n row HD size=720p\n"
        " row 4K size=4K\n row 8K size=8K\n"
        "column A ms kernel_ms_mean variant=a\ncolumn B ms kernel_ms_mean variant=b\n"
        "column Ratio x ratio A B\n",
        "t-1,small,A,10,ms,m,T\nt-1,HD,A,20,ms,m,T\nt-1,4K,A,40,ms,m,T\nt-1,8K,A,100,ms,m,T\n"
        "t-1,small,B,5,ms,m,T\nt-1,HD,B,8,ms,m,T\nt-1,4K,B,10,ms,m,T\nt-1,8K,B,20,ms,m,T\n"
        "t-1,small,Ratio,2,x,m,T\nt-1,HD,Ratio,2.5,x,m,T\nt-1,4K,Ratio,4,x,m,T\n"
        "t-1,8K,Ratio,5,x,m,T\n",
        "variant,size,kernel_ms_mean\na,360p,9\na,720p,12\na,4K,16\na,8K,150\n"
        "b,360p,1\nb,720p,2\nb,4K,5\n");
    scratch_study_make(&scratch);
    RELEASED_BY(document_release) Document document;
    study_report_build(&scratch.result, &(StudyRuns){.count = 0}, &document);
    assert_ok(document_status(&document));
    assert_non_null(find_text(&document, BLOCK_PARAGRAPH,
                              "0 of 1 tested claim of the paper holds here; 3 more cannot be "
                              "tested here."));
    const DocTable *table = find_table(&document, "verdict-counts");
    assert_int_equal(table->row_count, 4);
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 5; j++) {
            assert_cell(table, i, j, counts[i][j], CELL_PLAIN);
        }
    }
    table = find_table(&document, "verdicts");
    assert_cell(table, 0, 1, "fastest", CELL_PLAIN);
    assert_cell(table, 0, 4, "measured in part", CELL_MISSING);
    assert_cell(table, 3, 1, "the paper's order by Ratio", CELL_PLAIN);
    assert_cell(table, 3, 4, "differs", CELL_STRONG);
}

TEST(test_steps_count_their_cells) {
    RELEASED_BY(release) Built built;
    build(&built);
    const DocTable *steps = find_table(&built.document, "steps");
    static const char *const row[] = {"cpu", "done", "0", "5", "4", "1", "2", "1"};
    static const CellKind kinds[] = {CELL_PLAIN, CELL_PLAIN, CELL_PLAIN, CELL_PLAIN,
                                     CELL_PLAIN, CELL_BAD,   CELL_PLAIN, CELL_BAD};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assert_cell(steps, 0, i, row[i], kinds[i]);
    }
    assert_non_null(
        find_text(&built.document, BLOCK_CODE, "# cpu\nbench run --algo lbp --sizes 360p,1080p"));
    const DocTable *skipped = find_table(&built.document, "skipped");
    assert_true(skipped->collapsed);
    assert_cell(skipped, 0, 0, "no CUDA device", CELL_PLAIN);
    assert_cell(skipped, 0, 1, "cuda_tiled", CELL_PLAIN);
    assert_cell(skipped, 0, 2, "2", CELL_PLAIN);
    assert_cell(skipped, 1, 0, "the answer is wrong in 3 places", CELL_PLAIN);
}

/* An answer that was right once is not that of a cell that failed later. */
TEST(test_cells_that_failed_are_not_counted_as_verified) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    RELEASED_BY(document_release) Document document;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main run\ntable t T\n from main\n"
                       " row a variant=a\ncolumn A ms kernel_ms_median\n",
                       NULL, "variant,status,verified,kernel_ms_median\na,ok,yes,1\nb,fail,yes,\n");
    scratch_study_make(&scratch);
    study_report_build(&scratch.result, &(StudyRuns){.count = 0}, &document);
    const DocTable *steps = find_table(&document, "steps");
    static const char *const row[] = {"1", "1", "0", "0", "1"};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assert_string_equal(table_at(steps, 0, 3 + i)->text, row[i]);
    }
}

TEST(test_facts_and_warnings_of_the_machine) {
    RELEASED_BY(release) Built built;
    build(&built);
    const DocTable *facts = find_table(&built.document, "machine");
    assert_true(facts->collapsed);
    assert_int_equal(facts->row_count, 7);
    assert_cell(facts, 0, 0, "cpu_model", CELL_PLAIN);
    assert_cell(facts, 0, 1, "Example CPU", CELL_PLAIN);
    assert_non_null(find_text(&built.document, BLOCK_ITEM,
                              "Warning of the runs (cpu): other programs were running"));
}
