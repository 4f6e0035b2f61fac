/* Charts, crossovers and ceilings of two runs side by side. */
#include "ceilings.h"
#include "report_diff_fixture.h"
#include "test.h"

/* 10 and 5 ms against 1 ms at 10×10 and 100 ms at 100×100. */
TEST(crossovers_of_both_stand_side_by_side) {
    RELEASED_BY(release) Report report = build_two(plain_run("X1", 10), plain_run("X2", 5));
    const DocTable *table = table_of(&report, "diff-crossovers", 1);
    check_cell(table, 0, 0, "lbp, texture");
    check_cell(table, 0, 1, "cuda_fast");
    check_cell(table, 0, 2, "from 100×100 on");
    check_cell(table, 0, 3, "from 100×100 on");
    assert_string_equal(table->columns[2].group, "by kernel time");
    assert_string_equal(table->columns[2].title, "A");
    const DocTable *runs = table_of(&report, "diff-winner", 2);
    check_cell(runs, 0, 1, "seq");
    check_cell(runs, 1, 1, "cuda_fast");
    check_cell(runs, 1, 2, "at every size (10×10 to 100×100)");
}

TEST(charts_have_both_runs_on_the_same_axes) {
    RELEASED_BY(release) Report report = build_two(plain_run("X1", 10), plain_run("X2", 5));
    const DocChart *times = find_chart(&report, "diff-lbp-texture-time");
    assert_int_equal(times->count, 4);
    assert_true(times->x.log && times->y.log);
    assert_string_equal(times->series[2].name, "cuda_fast, old");
    assert_string_equal(times->series[3].name, "cuda_fast, new");
    assert_int_equal(times->series[2].style, SERIES_MEASURED);
    assert_int_equal(times->series[3].style, SERIES_SECONDARY);
    assert_int_equal(times->series[2].colour, times->series[3].colour);
    assert_int_not_equal(times->series[0].colour, times->series[2].colour);
    assert_true(times->series[3].points[1].x == 10000);
    assert_int_equal(times->x.count, 2);
    assert_string_equal(times->x.ticks[1].label, "100×100");
    const DocChart *speedups = find_chart(&report, "diff-lbp-texture-speedup-best-cpu");
    assert_int_equal(speedups->count, 2); /* devices alone */
    assert_true(speedups->reference == 1);
    assert_true(fabs(speedups->series[0].points[1].y - 10) < 1e-9);
    assert_true(fabs(speedups->series[1].points[1].y - 20) < 1e-9);
    const DocChart *ratios = find_chart(&report, "diff-lbp-texture-ratio");
    assert_int_equal(ratios->count, 2);
    assert_true(ratios->reference == 1);
    assert_true(fabs(ratios->series[1].points[0].y - 0.5) < 1e-9);
    assert_true(ratios->series[1].points[0].low < 0.5 && ratios->series[1].points[0].high > 0.5);
}

/* Ratios of runs that hardly differ have to differ in print: 1 and 1.01. */
TEST(lines_of_two_runs_are_never_one) {
    StoredRun a = plain_run("X1", 10), b = plain_run("X1", 10.1);
    RELEASED_BY(release) Report report = build_two(a, b);
    const DocChart *ratios = find_chart(&report, "diff-lbp-texture-ratio");
    assert_int_equal(ratios->count, 2);
    assert_int_equal(ratios->series[1].same_as, 0);
}

TEST(the_axis_has_the_sizes_of_both) {
    StoredRun a = plain_run("X1", 10);
    StoredRun b = plain_run("X2", 5);
    add(&a, timed_row("seq", 200, 400));
    add(&b, timed_row("seq", 50, 25));
    RELEASED_BY(release) Report report = build_two(a, b);
    const ChartAxis *axis = &find_chart(&report, "diff-lbp-texture-time")->x;
    assert_int_equal(axis->count, 4);
    static const double sizes[] = {100, 2500, 10000, 40000};
    for (size_t i = 0; i < 4; i++) {
        assert_true(axis->ticks[i].value == sizes[i]);
    }
    /* Only the sizes of both have a ratio. */
    assert_int_equal(find_chart(&report, "diff-lbp-texture-ratio")->series[0].count, 2);
}

TEST(one_size_is_no_chart) {
    StoredRun a = {.complete = true};
    StoredRun b = {.complete = true};
    add(&a, timed_row("seq", 10, 1));
    add(&b, timed_row("seq", 10, 2));
    RELEASED_BY(release) Report report = build_two(a, b);
    assert_null(find_chart(&report, "diff-lbp-texture-time"));
    assert_non_null(find_table(&report, "diff-lbp-texture-cells"));
    assert_non_null(find_table(&report, "diff-summary"));
}

TEST(ceilings_stand_side_by_side) {
    StoredRun a = plain_run("X1", 10);
    StoredRun b = plain_run("X2", 5);
    ceilings_add(&a.results.ceilings, "copy_dram", CEILING_BANDWIDTH, 1, 20e9, 0);
    ceilings_add(&a.results.ceilings, "copy_dram", CEILING_BANDWIDTH, 16, 100e9, 0);
    ceilings_add(&a.results.ceilings, "fp32", CEILING_OPERATIONS, 0, 1e12, 0);
    ceilings_add_on(&a.results.ceilings, 2, "fp32", CEILING_OPERATIONS, 0, 2e12, 0);
    ceilings_add_on(&a.results.ceilings, 4, "fp32", CEILING_OPERATIONS, 0, 4e12, 0);
    ceilings_add_on(&b.results.ceilings, 2, "fp32", CEILING_OPERATIONS, 0, 3e12, 0);
    ceilings_add(&b.results.ceilings, "copy_dram", CEILING_BANDWIDTH, 64, 400e9, 0);
    ceilings_add(&b.results.ceilings, "copy_dram", CEILING_BANDWIDTH, 1, 10e9, 0);
    Report report = build_two(a, b);
    const DocTable *table = table_of(&report, "diff-ceilings", 3);
    check_cell(table, 2, 1, "2 GPUs"); /* one and four are of A alone */
    check_cell(table, 2, 4, "1.50");
    check_cell(table, 0, 1, "one thread");
    check_cell(table, 0, 4, "0.500");
    check_cell(table, 1, 1, "all threads");
    check_cell(table, 1, 2, "100.0 GB/s");
    check_cell(table, 1, 3, "400.0 GB/s");
    check_cell(table, 1, 4, "4.00");
    assert_false(table->collapsed);
    release(&report);
    RELEASED_BY(release) Report without = build_two(plain_run("X1", 10), plain_run("X2", 5));
    assert_null(find_table(&without, "diff-ceilings"));
}
