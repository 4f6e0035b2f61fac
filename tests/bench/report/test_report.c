/* The report of a recorded run of lbp, whose numbers README's table has. */
#include "document.h"
#include "report.h"
#include "report_fixture.h"
#include "table.h"
#include "test.h"

TEST(the_summary_of_lbp_has_the_numbers_of_readme) {
    RELEASED_BY(release) Report report = recorded("lbp");
    const DocTable *table = table_of(&report, "fastest", 7);
    assert_string_equal(cell(table, 6, NULL, "size")->text, "16K");
    assert_string_equal(cell(table, 6, "kernel", "fastest")->text, "cuda_fast");
    assert_near(cell(table, 6, "kernel", "time (µs)")->number, 0.0888e-3, 0.005);
    assert_string_equal(cell(table, 6, "kernel", "time (µs)")->text, "88.8");
    assert_near(cell(table, 6, "kernel", "over seq")->number, 11400, 0.005);
    assert_near(cell(table, 6, "GPU is", "kernel")->number, 38, 0.02);
    assert_int_equal(cell(table, 6, "GPU is", "kernel")->kind, CELL_PLAIN);
    assert_string_equal(cell(table, 6, "with copies", "fastest")->text, "omp");
    assert_string_equal(cell(table, 6, "with copies", "fastest")->note, "threads:16");
    assert_string_equal(cell(table, 6, "kernel", "over seq")->text,
                        "11400× faster (10300 to 20500)");
    assert_near(cell(table, 6, "with copies", "time (µs)")->number, 3.36e-3, 0.005);
    assert_string_equal(cell(table, 6, "with copies", "best GPU")->text, "cuda_streamed");
    const DocCell *loss = cell(table, 6, "GPU is", "with copies");
    assert_near(loss->number, 0.68, 0.01);
    assert_int_equal(loss->kind, CELL_PLAIN); /* being slower is no failure */
    assert_says(loss->note, "cuda_streamed over omp/threads:16, 95% of 6 launches: ");
}

/* The finding is the title; machine, baseline and date, two charts and a table of five columns come
 * first, and all else is folded. */
TEST(the_first_screen_has_the_finding) {
    RELEASED_BY(release) Report report = recorded("lbp");
    const ReportRun run = {.stored = &report.stored, .name = "lbp"};
    assert_string_equal(report_finding(&run, 1, &report.document),
                        "lbp at 16K: the GPU is 37.9× faster than 16 CPU threads (kernel only); "
                        "with copies 1.46× slower");
    static const char *const chips[] = {
        "NVIDIA H200", "Intel Xeon, 16 processors",  "over the best CPU variant, omp", "2026-11-23",
        "6 launches",  "175 of 175 answers verified"};
    const Block *blocks = report.document.blocks;
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(blocks[i].kind, BLOCK_CHIP);
        assert_string_equal(blocks[i].text, chips[i]);
    }
    assert_int_equal(blocks[6].kind, BLOCK_CHART);
    assert_int_equal(blocks[7].kind, BLOCK_CHART);
    assert_non_null(find_series(blocks[6].chart, "best GPU, with copies"));
    assert_int_equal(blocks[8].kind, BLOCK_TABLE);
    assert_int_equal(report.document.folded, 9);
    const DocTable *table = blocks[8].table;
    assert_string_equal(table->name, "summary");
    assert_int_equal(table->column_count, 5);
    assert_int_equal(table->row_count, 7);
    assert_string_equal(cell(table, 6, NULL, "kernel only")->text, "37.9× faster (35.8 to 39.6)");
    assert_string_equal(cell(table, 6, NULL, "with copies")->text, "1.46× slower (1.41 to 1.56)");
}

/* The answer stands before every other table, and the second column of the summary says it again.
 */
TEST(a_report_begins_with_its_verdict) {
    RELEASED_BY(release) Report report = recorded("lbp");
    const Block *blocks = report.document.blocks + report.document.folded;
    assert_string_equal(blocks[0].text, "Verdict");
    assert_says(blocks[1].text, "Kernel only, the GPU (cuda_fast) is 37.9× faster (35.8 to 39.6)");
    assert_says(blocks[2].text, "1.46× slower (1.41 to 1.56)");
    assert_says(blocks[3].text, "At 16K cuda_fast reaches 70% of its roof");
    assert_says(blocks[4].text, "Measured 2026-11-23 on NVIDIA H200");
    assert_string_equal(blocks[5].text, "Summary");
    const DocTable *table = find_table(&report, "fastest");
    assert_int_equal(find_column(table, "GPU is", "kernel"), 1);
    assert_says(cell(table, 6, "GPU is", "kernel")->text, "37.9× faster (");
    assert_says(cell(table, 6, "GPU is", "with copies")->text, "1.46× slower (");
}

TEST(what_was_measured_of_lbp_is_a_row) {
    RELEASED_BY(release) Report report = recorded("lbp");
    const DocTable *table = table_of(&report, "measured", 1);
    assert_string_equal(cell(table, 0, NULL, "input")->text, "meadow.jpg");
    assert_string_equal(cell(table, 0, NULL, "sizes")->text,
                        "7, 360p (480×360) to 16K (15360×8640)");
    assert_string_equal(cell(table, 0, "CPU", "variants")->text, "seq, simd, omp");
    assert_says(table->note, "GPU: NVIDIA H200");
    const DocTable *verified = table_of(&report, "verification", 1);
    assert_string_equal(cell(verified, 0, NULL, "verified against the answer of")->text, "seq");
    assert_string_equal(cell(verified, 0, NULL, "equal in all elements")->text, "175");
}

TEST(every_cell_of_lbp_is_listed) {
    RELEASED_BY(release) Report report = recorded("lbp");
    const DocTable *table = table_of(&report, "cells", 175);
    assert_true(table->sortable && table->collapsed);
    /* The copies that are roofs are cells too. */
    assert_true(find_row(table, "algorithm", "copy") != SIZE_MAX);
    assert_true(find_column(table, NULL, "status") == SIZE_MAX); /* all are ok */
    for (size_t i = 0; i < table->row_count; i++) {
        if (strcmp(cell(table, i, NULL, "algorithm")->text, "lbp") == 0 &&
            strcmp(cell(table, i, NULL, "variant")->text, "cuda_fast") == 0 &&
            strcmp(cell(table, i, NULL, "size")->text, "16K") == 0) {
            assert_near(cell(table, i, "with copies", "over best CPU")->number, 0.157, 0.03);
            assert_int_equal(cell(table, i, "with copies", "over best CPU")->kind, CELL_PLAIN);
            assert_near(cell(table, i, "kernel", "roof (%)")->number, 0.70, 0.01);
        }
    }
}

TEST(the_charts_of_lbp_have_its_variants_in_their_colours) {
    RELEASED_BY(release) Report report = recorded("lbp");
    const DocChart *time = find_chart(&report, "lbp-meadow.jpg-time");
    const DocChart *ratio = find_chart(&report, "lbp-meadow.jpg-speedup-best-cpu");
    const DocChart *seq = find_chart(&report, "lbp-meadow.jpg-speedup-seq");
    assert_non_null(time);
    assert_non_null(ratio);
    assert_non_null(seq);
    assert_non_null(find_chart(&report, "lbp-meadow.jpg-tile-time"));
    assert_non_null(find_chart(&report, "lbp-meadow.jpg-threads-time"));
    assert_int_equal(time->count, 8);
    assert_true(time->x.log && time->y.log && isnan(time->reference));
    assert_int_equal(time->x.count, 7);
    assert_string_equal(time->x.ticks[6].label, "16K");
    assert_true(ratio->reference == 1.0);
    const ChartSeries *fast = find_series(time, "cuda_fast");
    const ChartSeries *whole = find_series(ratio, "cuda_fast, with copies");
    assert_non_null(fast);
    assert_non_null(whole);
    assert_int_equal(fast->style, SERIES_MEASURED);
    assert_int_equal(whole->style, SERIES_SECONDARY);
    assert_int_equal(fast->colour, whole->colour);
    assert_int_not_equal(fast->colour, find_series(time, "omp")->colour);
    assert_int_equal(fast->count, 7);
    assert_near(fast->points[6].y, 88.8, 0.005); /* µs */
    assert_true(fast->points[6].low <= fast->points[6].y &&
                fast->points[6].y <= fast->points[6].high);
    assert_true(fast->points[6].x == 15360.0 * 8640.0);
    assert_near(whole->points[6].y, 0.157, 0.03);
    /* Of the CPU the best variant alone, and only this chart has the GPU's sides. */
    assert_non_null(find_series(ratio, "omp"));
    assert_null(find_series(ratio, "seq"));
    assert_null(find_series(ratio, "simd"));
    assert_non_null(find_series(seq, "simd"));
    assert_string_equal(ratio->above, "GPU faster");
    assert_string_equal(ratio->below, "GPU slower");
    assert_null(seq->above);
    assert_null(find_series(ratio, "omp, with copies")); /* nothing is copied on the CPU */
    assert_says(time->description, " cuda_fast: least ");
    assert_says(time->description, ", greatest 88.8");
}

TEST(the_roofline_of_lbp_has_ceilings_and_shares) {
    RELEASED_BY(release) Report report = recorded("lbp");
    const DocChart *chart = find_chart(&report, "lbp-meadow.jpg-roofline");
    assert_non_null(chart);
    size_t ceilings = 0;
    for (size_t i = 0; i < chart->count; i++) {
        if (chart->series[i].style == SERIES_CEILING) {
            assert_int_equal(chart->series[i].count, 2);
            ceilings++;
        }
    }
    assert_int_equal(ceilings, 6); /* slope and flat of one thread, all threads, the GPU */
    assert_non_null(find_series(chart, "GPU, 4.27 TB/s"));
    assert_non_null(find_series(chart, "GPU, 32.2 Top/s"));
    const DocTable *table = find_table(&report, "lbp-meadow.jpg-roof");
    assert_non_null(table);
    assert_near(cell(table, find_row(table, "variant", "cuda_fast"), NULL, "roof (%)")->number, 70,
                0.01);
    assert_near(cell(table, find_row(table, "variant", "omp/threads:16"), NULL, "roof (%)")->number,
                40, 0.02);
}

TEST(crossovers_are_told_for_each_gpu_variant) {
    RELEASED_BY(release) Report report = recorded("lbp");
    const DocTable *table = find_table(&report, "crossover");
    assert_non_null(table);
    assert_int_equal(table->row_count, 3); /* the fastest; variants of the same words are one row */
    for (size_t i = 0; i < table->row_count; i++) {
        assert_string_equal(cell(table, i, NULL, "with copies")->text, "at no size (360p to 16K)");
    }
    assert_string_equal(cell(table, 2, NULL, "variant")->text,
                        "cuda_tiled, cuda_texture, cuda_fast, cuda_streamed");
    const size_t naive = find_row(table, "variant", "cuda_naive");
    assert_string_equal(cell(table, naive, NULL, "by kernel time")->text, "up to 1080p");
    assert_true(find_row(table, "variant", "fastest GPU variant") == 0);
}
