/* Reports of runs of several launches: what their intervals, bars, crossovers and ratios are. */
#include "report_diff_fixture.h"
#include "results.h"
#include "table.h"
#include "test.h"

/* In each launch the machine is so many times slower than at its best; what a launch compares does
 * not feel it. */
static const double slowness[] = {1, 2, 1, 3, 1, 2};
/* Milliseconds of the device, at any size. */
static const double device_times[] = {12, 10, 15, 13, 11, 14};

/* A cell of side × side pixels with five equal samples in each launch: the device takes as long
 * anywhere, seq 1 ms for every 100 pixels. */
static Row launched_row(const char *variant, int side, size_t launches, double factor) {
    const bool device = strncmp(variant, "cuda", 4) == 0;
    Row row = timed_row(variant, side, 1);
    samples_release(&row.kernel);
    samples_release(&row.end_to_end);
    row.kernel_summary = row.end_to_end_summary = summary_none();
    for (uint32_t launch = 0; launch < launches; launch++) {
        const double milliseconds = device ? factor * device_times[launch] : side * side / 100.0;
        row.kernel.origin.launch = row.end_to_end.origin.launch = launch;
        for (int i = 0; i < 5; i++) {
            const double seconds = slowness[launch] * milliseconds * 1e-3;
            assert_ok(samples_add(&row.kernel, seconds));
            assert_ok(samples_add(&row.end_to_end, seconds));
        }
    }
    return row;
}

static StoredRun launched_run(size_t launches, double factor) {
    StoredRun run = {.complete = true, .started = "2026-01-02T03:04:05Z"};
    add(&run, launched_row("seq", 10, launches, factor));
    add(&run, launched_row("seq", 100, launches, factor));
    add(&run, launched_row("cuda_fast", 10, launches, factor));
    add(&run, launched_row("cuda_fast", 100, launches, factor));
    results_derive(&run.results, 1);
    return run;
}

static Report report_of(size_t launches) {
    Report report = {.stored = launched_run(launches, 1)};
    build(&report);
    return report;
}

static void check_note(const Report *report, const char *table, const char *words) {
    const DocTable *found = find_table(report, table);
    assert_non_null(found);
    assert_says(found->note, words);
}

/* The device is ahead at 100×100 in every launch, and at 10×10 in none. */
TEST(a_crossover_is_that_of_the_sides) {
    for (size_t launches = 3; launches <= 6; launches += 3) {
        RELEASED_BY(release) Report report = report_of(launches);
        const DocTable *table = find_table(&report, "crossover");
        assert_non_null(table);
        check_cell(table, 0, 1, "from 100×100 on");
        check_note(&report, "crossover", "by its side at each place measured");
    }
}

static const ChartPoint *last_point(const Report *report, const char *chart, const char *series) {
    const DocChart *found = find_chart(report, chart);
    assert_non_null(found);
    const ChartSeries *line = find_series(found, series);
    return &line->points[line->count - 1];
}

/* 100 ms times 1 to 3, and 100 ms over 10 to 15. */
TEST(bars_are_those_of_the_launches) {
    for (size_t launches = 3; launches <= 6; launches += 3) {
        RELEASED_BY(release) Report report = report_of(launches);
        const char *words =
            launches == 6 ? "bars: 95% of 6 launches" : "bars: least to greatest of 3 launches";
        const ChartPoint *time = last_point(&report, "lbp-texture-time", "seq");
        assert_near(time->low, 100, 1e-9);
        assert_near(time->high, launches == 6 ? 300 : 200, 1e-9);
        const ChartPoint *ratio = last_point(&report, "lbp-texture-speedup-seq", "cuda_fast");
        assert_near(ratio->low, 100.0 / 15, 1e-9);
        assert_near(ratio->high, 10, 1e-9);
        assert_string_equal(find_chart(&report, "lbp-texture-time")->note, words);
        check_note(&report, "method", "A launch is one process");
        check_note(&report, "fastest", words + strlen("bars: "));
    }
}

/* B's device is four times as fast in every launch. Of six and six launches the 6th of the 36
 * ratios in their order and the 31st end the interval; its times are 12, 20, 15, 39, 11 and 28. */
TEST(two_runs_are_compared_by_their_launches) {
    Report report = build_two(launched_run(6, 1), launched_run(6, 0.25));
    const DocTable *table = find_table(&report, "diff-lbp-texture-cells");
    assert_near(table_at(table, 2, 4)->number, 0.25, 1e-12);
    check_cell(table, 2, 4, "0.2500");
    check_cell(table, 2, 5, "4.00× faster (2.05 to 7.80)");
    check_note(&report, "diff-lbp-texture-cells", "Mann-Whitney");
    check_note(&report, "diff-lbp-texture-cells", "A: 95% of 6 launches, B: 95% of 6 launches");
    release(&report);
    report = build_two(launched_run(6, 1), launched_run(3, 0.25));
    check_cell(find_table(&report, "diff-lbp-texture-cells"), 2, 5, "undecided");
    check_note(&report, "fastest", "A: 95% of 6 launches, B: least to greatest of 3 launches");
    release(&report);
}
