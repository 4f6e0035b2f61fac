/* What a person sees of scaling: the section of a report, the charts of a run, figures, and the
 * sentence of the verdict. Every number is worked out by hand. */
#include "algorithm.h"
#include "builder.h"
#include "command_line.h"
#include "csv.h"
#include "document.h"
#include "registry.h"
#include "report.h"
#include "report_diff_fixture.h"
#include "report_internal.h"
#include "results_internal.h"
#include "stored_run.h"
#include "test.h"
#include "variant.h"

/* --- Runs made by hand ------------------------------------------------------------------------ */

static StoredRun empty_run(void) {
    StoredRun run = {.complete = true, .started = "2026-01-02T03:04:05Z"};
    bool open;
    command_line_split("--algo lbp", &run.arguments, &open);
    add_fact(&run.machine, "cpu_model", "Test CPU");
    add_fact(&run.machine, "gpu_model", "Test GPU");
    return run;
}

static void set_axis(Point *point, const Axis *axis, int value) {
    point->count = 1;
    point->axes[0] = axis;
    point->values[0].number = value;
    snprintf(point->values[0].text, AXIS_TEXT_SIZE, "%d", value);
}

/* One launch each of 0.98, 1.00, … 1.08 times the milliseconds, in which all rows are alike slow.
 * `workers` are GPUs of cuda_multi or threads of omp; 0: there is no such axis. */
static Row scaled_row(const char *variant, int workers, int width, int height, int launches,
                      double kernel, double whole) {
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = row.converged = true;
    row.width = width;
    row.height = height;
    snprintf(row.size_name, sizeof row.size_name, "%dx%d", width, height);
    row.cost = (Cost){.bytes = 2000, .operations = 8000, .items = (double)width * height};
    row.threads = variant_is_on_cpu(row.variant) ? (workers > 0 ? workers : 1) : 0;
    if (workers > 0) {
        set_axis(&row.tuning, row.variant->tuning[0], workers);
    }
    for (int launch = 0; launch < launches; launch++) {
        const double drift = 1e-3 * (0.98 + 0.02 * launch);
        row.kernel.origin = row.end_to_end.origin = (SampleOrigin){(uint32_t)launch, 0};
        for (int i = 0; i < 3; i++) {
            assert_ok(samples_add(&row.kernel, drift * kernel));
            assert_ok(samples_add(&row.end_to_end, drift * whole));
        }
    }
    return row;
}

enum { LAUNCHES = 6, WIDTH = 1000, HEIGHT = 100 };

static void add_multi(StoredRun *run, int gpus, int height, double kernel, double whole) {
    add(run, scaled_row("cuda_multi", gpus, WIDTH, height, LAUNCHES, kernel, whole));
}

/* 8 ms on one GPU, 4.3 on two and 2.5 on four; end to end 12, 10 and 9.6. seq takes 80, omp 40 on
 * one thread and 25 on two. */
static StoredRun strong_run(void) {
    StoredRun run = empty_run();
    add(&run, scaled_row("seq", 0, WIDTH, HEIGHT, LAUNCHES, 80, 80));
    add(&run, scaled_row("omp", 1, WIDTH, HEIGHT, LAUNCHES, 40, 40));
    add(&run, scaled_row("omp", 2, WIDTH, HEIGHT, LAUNCHES, 25, 25));
    add_multi(&run, 1, HEIGHT, 8, 12);
    add_multi(&run, 2, HEIGHT, 4.3, 10);
    add_multi(&run, 4, HEIGHT, 2.5, 9.6);
    results_derive(&run.results, 1);
    return run;
}

static void add_weak(StoredRun *run, int gpus, double kernel, double whole) {
    add(run, scaled_row("seq", 0, WIDTH, gpus * HEIGHT, LAUNCHES, 80 * gpus, 80 * gpus));
    Row row = scaled_row("cuda_multi", gpus, WIDTH, gpus * HEIGHT, LAUNCHES, kernel, whole);
    row.weak = true;
    add(run, row);
}

/* The rows of two GPUs are twice as many: 8.4 ms instead of 8, end to end 16 instead of 12. */
static StoredRun weak_run(void) {
    StoredRun run = empty_run();
    add_weak(&run, 1, 8, 12);
    add_weak(&run, 2, 8.4, 16);
    add_weak(&run, 4, 10, 24);
    results_derive(&run.results, 1);
    return run;
}

static Report report_of(StoredRun run) {
    Report report = {.stored = run};
    build(&report);
    return report;
}

/* --- Section of a report ---------------------------------------------------------------------- */

static void check_text(const DocTable *table, size_t row, const char *group, const char *title,
                       const char *want) {
    assert_string_equal(cell(table, row, group, title)->text, want);
}

/* 8/4.3 = 1.8605, half of that 93.02%; 12/9.6 = 1.25, a quarter 31.25%. Items: 100000 in 4.3 ms
 * times the middle of the drift, 1.03, by two GPUs: 11.29 million a second. */
TEST(the_table_has_speedup_and_efficiency) {
    RELEASED_BY(release) Report report = report_of(strong_run());
    const DocTable *table = table_of(&report, "scaling-lbp-texture-gpus", 3);
    check_text(table, 0, NULL, "GPUs", "1");
    check_text(table, 0, "kernel", "efficiency (%)", "100");
    check_text(table, 1, NULL, "variant", "cuda_multi");
    check_text(table, 1, NULL, "GPUs", "2");
    check_text(table, 1, "kernel", "time (ms)", "4.43");
    check_text(table, 1, "kernel", "speedup", "1.86×");
    check_text(table, 1, "kernel", "efficiency (%)", "93.0");
    check_text(table, 1, NULL, "pixels/s per GPU", "11.3 M");
    check_text(table, 2, "with copies", "speedup", "1.25×");
    assert_near(cell(table, 2, "with copies", "efficiency (%)")->number, 0.3125, 1e-9);
    const DocTable *threads = table_of(&report, "scaling-lbp-texture-threads", 2);
    check_text(threads, 1, NULL, "speedup", "1.60×");
    assert_near(cell(threads, 1, NULL, "efficiency (%)")->number, 0.8, 1e-9);
}

/* In each launch 1% slower than in the one before: 40/25 = 1.6 over 1, 1.01, … 1.05. The median is
 * the middle of 1.6/1.02 and 1.6/1.03, 1.5610; half of it 78.1%, from 76.2 to 80. */
TEST(the_table_has_intervals) {
    StoredRun run = empty_run();
    add(&run, scaled_row("omp", 1, WIDTH, HEIGHT, LAUNCHES, 40, 40));
    Row slower = scaled_row("omp", 2, WIDTH, HEIGHT, LAUNCHES, 25, 25);
    for (size_t i = 0; i < slower.kernel.count; i++) {
        slower.kernel.seconds[i] *= 1 + 0.01 * (double)(i / 3);
    }
    add(&run, slower);
    results_derive(&run.results, 1);
    RELEASED_BY(release) Report report = report_of(run);
    const DocTable *table = find_table(&report, "scaling-lbp-texture-threads");
    check_text(table, 0, NULL, "efficiency (%)", "100");
    check_text(table, 1, NULL, "efficiency (%)", "78.1 (76.2 to 80.0)");
    assert_says(table->note, "in parentheses 95% of 6 launches");
    const DocChart *chart = find_chart(&report, "lbp-texture-threads-efficiency");
    assert_near(find_series(chart, "omp")->points[1].low, 80 / 1.05, 1e-9);
    assert_near(find_series(chart, "omp")->points[1].high, 80, 1e-9);
    assert_string_equal(chart->note, "bars: 95% of 6 launches");
}

static void expect_line(const DocChart *chart, const char *name, size_t count,
                        const double (*points)[2]) {
    assert_non_null(chart);
    const ChartSeries *series = find_series(chart, name);
    assert_non_null(series);
    assert_int_equal(series->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_near(series->points[i].x, points[i][0], 1e-9);
        assert_near(series->points[i].y, points[i][1], 1e-9);
    }
}

TEST(the_page_draws_both) {
    RELEASED_BY(release) Report report = report_of(strong_run());
    const DocChart *speedup = find_chart(&report, "lbp-texture-gpus-speedup");
    expect_line(speedup, "cuda_multi", 3, (const double[][2]){{1, 1}, {2, 8 / 4.3}, {4, 3.2}});
    expect_line(speedup, "cuda_multi, with copies", 3,
                (const double[][2]){{1, 1}, {2, 1.2}, {4, 1.25}});
    expect_line(speedup, "ideal", 3, (const double[][2]){{1, 1}, {2, 2}, {4, 4}});
    assert_int_equal(find_series(speedup, "cuda_multi, with copies")->style, SERIES_SECONDARY);
    assert_true(speedup->x.log && speedup->y.log && !speedup->ordered);
    assert_string_equal(speedup->y.title, "speedup over 1 GPU"); /* lines say whose */
    assert_int_equal(speedup->panel_count, 0);
    const DocChart *efficiency = find_chart(&report, "lbp-texture-gpus-efficiency");
    expect_line(efficiency, "cuda_multi", 3,
                (const double[][2]){{1, 100}, {2, 400 / 4.3}, {4, 80}});
    assert_null(find_series(efficiency, "ideal"));
    assert_true(efficiency->reference == 100 && efficiency->y.from_zero);
    expect_line(find_chart(&report, "lbp-texture-threads-efficiency"), "omp", 2,
                (const double[][2]){{1, 100}, {2, 80}});
}

/* 8/8.4 = 95.24%; the speedup of more work is none. */
TEST(weak_scaling_has_an_efficiency_alone) {
    RELEASED_BY(release) Report report = report_of(weak_run());
    const DocTable *table = table_of(&report, "scaling-lbp-on-texture-gpus", 3);
    assert_true(find_column(table, "kernel", "speedup") == SIZE_MAX);
    check_text(table, 1, NULL, "size", "1000×200");
    check_text(table, 1, "kernel", "efficiency (%)", "95.2");
    assert_near(cell(table, 2, "with copies", "efficiency (%)")->number, 0.5, 1e-9);
    assert_says(table->note, "N GPUs have N times the rows of one");
    assert_null(find_chart(&report, "lbp-on-texture-gpus-speedup"));
    expect_line(find_chart(&report, "lbp-on-texture-gpus-efficiency"), "cuda_multi", 3,
                (const double[][2]){{1, 100}, {2, 800 / 8.4}, {4, 80}});
    assert_true(isnan(report.stored.results.rows[1].exponent)); /* time does not grow with size */
}

TEST(without_one_gpu_the_section_says_why) {
    StoredRun run = empty_run();
    add_multi(&run, 2, HEIGHT, 4, 10);
    add_multi(&run, 4, HEIGHT, 2, 9);
    results_derive(&run.results, 1);
    RELEASED_BY(release) Report report = report_of(run);
    const DocTable *table = find_table(&report, "scaling-lbp-texture-gpus");
    assert_non_null(table);
    const DocCell *lacking = cell(table, 0, "kernel", "efficiency (%)");
    assert_int_equal(lacking->kind, CELL_MISSING);
    assert_string_equal(lacking->text, "none on 1 GPU");
    assert_says(table->note, "cuda_multi was not measured on one GPU, so there is no efficiency.");
    assert_null(find_chart(&report, "lbp-texture-gpus-speedup"));
}

TEST(a_run_on_one_gpu_has_no_section) {
    StoredRun run = empty_run();
    add_multi(&run, 1, HEIGHT, 8, 12);
    results_derive(&run.results, 1);
    RELEASED_BY(release) Report report = report_of(run);
    assert_null(find_table(&report, "scaling-lbp-texture-gpus"));
    assert_false(says(&report, "Scaling"));
}

/* --- Charts of a run -------------------------------------------------------------------------- */

static const RunChart *find_listed(const RunChartList *list, const char *name) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->charts[i].name, name) == 0) {
            return &list->charts[i];
        }
    }
    fail_msg("there is no chart %s", name);
    return NULL;
}

static const ChartSeries *in_panel(const DocChart *chart, size_t panel, const char *name) {
    for (size_t i = 0; i < chart->count; i++) {
        if (chart->series[i].panel == panel && strcmp(chart->series[i].name, name) == 0) {
            return &chart->series[i];
        }
    }
    fail_msg("there is no series %s", name);
    return NULL;
}

TEST(a_run_draws_its_scaling) {
    RELEASED_BY(stored_run_release) StoredRun run = strong_run();
    RunChartList list;
    Document document;
    document_open(&document, "");
    assert_ok(run_charts_list(&run.results, &list));
    const DocChart *chart =
        run_chart_build(&run.results, find_listed(&list, "lbp-texture-cuda_multi-gpus"), &document);
    assert_int_equal(chart->panel_count, 2);
    assert_string_equal(chart->panels[0].y.title, "speedup of cuda_multi");
    assert_string_equal(chart->panels[1].y.title, "efficiency of cuda_multi (%)");
    assert_true(chart->panels[1].reference == 100);
    assert_near(in_panel(chart, 0, "1000×100")->points[1].y, 8 / 4.3, 1e-9);
    assert_near(in_panel(chart, 1, "1000×100, with copies")->points[2].y, 31.25, 1e-9);
    assert_near(in_panel(chart, 0, "ideal")->points[2].y, 4, 1e-9);
    chart = run_chart_build(&run.results, find_listed(&list, "lbp-texture-omp-threads"), &document);
    assert_near(in_panel(chart, 1, "1000×100")->points[1].y, 80, 1e-9);
    run_charts_release(&list);
    document_release(&document);
}

TEST(a_run_draws_weak_scaling_as_one_line) {
    RELEASED_BY(stored_run_release) StoredRun run = weak_run();
    RunChartList list;
    Document document;
    document_open(&document, "");
    assert_ok(run_charts_list(&run.results, &list));
    const DocChart *chart =
        run_chart_build(&run.results, find_listed(&list, "lbp-texture-cuda_multi-gpus"), &document);
    assert_int_equal(chart->panel_count, 0);
    assert_int_equal(chart->count, 2);
    assert_near(in_panel(chart, 0, "1000×100")->points[2].y, 80, 1e-9);
    assert_says(chart->note, "weak scaling: N GPUs have N times the rows of one");
    run_charts_release(&list);
    document_release(&document);
}

/* --- Figures ---------------------------------------------------------------------------------- */

static const PaperRequest usual = {.type = &chart_types[SUBJECT_SCALING],
                                   .measure = PAPER_BOTH,
                                   .style = {.width = 85,
                                             .font_size = 8,
                                             .formats = FIGURE_SVG,
                                             .x_range = {NAN, NAN},
                                             .y_range = {NAN, NAN}}};

typedef struct Drawn {
    StoredRun run;
    Document document;
    PaperFigure figure;
    Status status;
} Drawn;

static Drawn figure_of(const PaperRequest *request, StoredRun run) {
    Drawn drawn = {.run = run};
    const ReportRun view = {.stored = &drawn.run, .name = "one"};
    document_open(&drawn.document, "");
    drawn.status = paper_build(request, &view, 1, &drawn.document, &drawn.figure);
    return drawn;
}

static void release_drawn(Drawn *drawn) {
    document_release(&drawn->document);
    stored_run_release(&drawn->run);
}

TEST(a_figure_is_of_gpus_or_of_threads) {
    PaperRequest request = usual;
    Drawn drawn = figure_of(&request, strong_run());
    assert_ok(drawn.status);
    const DocChart *chart = drawn.figure.chart;
    assert_int_equal(chart->panel_count, 2);
    assert_string_equal(chart->x.title, "GPUs");
    assert_near(in_panel(chart, 0, "cuda_multi")->points[2].y, 3.2, 1e-9);
    assert_near(in_panel(chart, 1, "cuda_multi, with copies")->points[1].y, 60, 1e-9);
    /* of six launches */
    assert_near(in_panel(chart, 1, "cuda_multi")->points[1].low, 400 / 4.3, 1e-9);
    assert_says(drawn.figure.caption, "speedup over one, and efficiency, against gpus");
    release_drawn(&drawn);
    request.axis = "threads";
    drawn = figure_of(&request, strong_run());
    assert_ok(drawn.status);
    assert_string_equal(drawn.figure.chart->x.title, "threads");
    assert_near(in_panel(drawn.figure.chart, 1, "omp")->points[1].y, 80, 1e-9);
    release_drawn(&drawn);
}

/* Of sizes those of one GPU count, whatever the others have grown to. */
TEST(a_figure_of_weak_scaling_has_the_efficiency) {
    PaperRequest request = usual;
    request.sizes = "1000x100";
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, weak_run());
    assert_ok(drawn.status);
    const DocChart *chart = drawn.figure.chart;
    assert_int_equal(chart->panel_count, 0);
    assert_string_equal(chart->y.title, "efficiency of cuda_multi (%)");
    assert_near(in_panel(chart, 0, "cuda_multi")->points[1].y, 800 / 8.4, 1e-9);
    assert_says(drawn.figure.caption,
                "efficiency of weak scaling: N GPUs have N times the rows of one");
}

TEST(a_figure_needs_one_and_several) {
    StoredRun run = empty_run();
    add_multi(&run, 2, HEIGHT, 4, 10);
    add_multi(&run, 4, HEIGHT, 2, 9);
    results_derive(&run.results, 1);
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&usual, run);
    assert_int_equal(drawn.status.code, STATUS_USAGE);
    assert_string_equal(
        drawn.status.why,
        "figure: --kind scaling needs a variant on 1 GPU or thread and on more, and "
        "one has none for lbp on texture; cuda_multi was not measured on one GPU");
}

/* --- Answers that grow ------------------------------------------------------------------------ */

/* Each GPU has 1000 keypoints, or 3000: 5 ms on one and 6.25 on two, or 20 and 25. */
static StoredRun keypoints_run(void) {
    StoredRun run = empty_run();
    const Algorithm *algorithm = registry_find_algorithm("hashsift");
    for (int each = 1000; each <= 3000; each += 2000) {
        for (int gpus = 1; gpus <= 2; gpus++) {
            const double milliseconds = (each == 1000 ? 5 : 20) * (gpus == 1 ? 1 : 1.25);
            Row row =
                scaled_row("cuda_multi", gpus, WIDTH, HEIGHT, LAUNCHES, milliseconds, milliseconds);
            row.algorithm = algorithm;
            row.variant = registry_find_variant(algorithm, "cuda_multi");
            row.tuning.axes[0] = row.variant->tuning[0];
            set_axis(&row.answer, axis_in_list(algorithm->answer, "keypoints"), gpus * each);
            row.weak = true;
            add(&run, row);
        }
    }
    results_derive(&run.results, 1);
    return run;
}

/* In the section the most of one GPU, in a chart of the run and in a figure a line for each. */
TEST(axes_that_grow_make_lines) {
    Report report = report_of(keypoints_run());
    const DocTable *table = table_of(&report, "scaling-hashsift-on-texture-gpus", 2);
    check_text(table, 0, NULL, "keypoints", "3000");
    check_text(table, 1, NULL, "keypoints", "6000");
    check_text(table, 1, "kernel", "efficiency (%)", "80.0");
    assert_says(table->note, "N GPUs have N times the keypoints of one");
    RunChartList list;
    assert_ok(run_charts_list(&report.stored.results, &list));
    const DocChart *chart = run_chart_build(
        &report.stored.results,
        find_listed(&list, "hashsift-texture-keypoints-1000-cuda_multi-gpus"), &report.document);
    assert_near(in_panel(chart, 0, "keypoints 1000")->points[1].y, 80, 1e-9);
    assert_near(in_panel(chart, 0, "keypoints 3000")->points[1].y, 80, 1e-9);
    run_charts_release(&list);
    release(&report);
    PaperRequest request = usual;
    request.measure = PAPER_KERNEL;
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, keypoints_run());
    assert_ok(drawn.status);
    assert_near(in_panel(drawn.figure.chart, 0, "keypoints 3000")->points[1].y, 80, 1e-9);
}

/* --- Verdict ---------------------------------------------------------------------------------- */

static void check_verdict(StoredRun run, const char *want) {
    RunVerdict verdict;
    assert_ok(verdict_of(&run.results, &run.results.rows[0], &verdict));
    assert_true(verdict.count > 0);
    assert_string_equal(verdict.sentences[verdict.count - 1].text, want);
    stored_run_release(&run);
}

/* In every launch alike, so that no interval is told. */
TEST(the_verdict_ends_with_the_most_gpus) {
    check_verdict(strong_run(), "On 4 GPUs cuda_multi is 3.20× faster than on one (80% of ideal), "
                                "with copies 1.25× faster (31%), at 1000x100.");
    check_verdict(weak_run(), "On 4 GPUs cuda_multi takes 1.25× the time of one with its share of "
                              "the work (80% of ideal), with copies 2.00× (50%), at 1000x400.");
}

TEST(the_verdict_says_that_more_gpus_are_slower) {
    StoredRun run = empty_run();
    add_multi(&run, 1, HEIGHT, 8, 12);
    add_multi(&run, 2, HEIGHT, 10, 30);
    results_derive(&run.results, 1);
    check_verdict(run, "On 2 GPUs cuda_multi is 1.25× slower than on one (40% of ideal), with "
                       "copies 2.50× slower (20%), at 1000x100.");
    run = empty_run();
    add_multi(&run, 2, HEIGHT, 10, 30);
    results_derive(&run.results, 1);
    check_verdict(run, "On 2 GPUs cuda_multi has no efficiency at 1000x100: it was not measured on "
                       "one.");
}

/* --- Exchange as a stage ---------------------------------------------------------------------- */

static Status no_stage(void *stage_state) {
    (void)stage_state;
    return status_ok();
}

static const Stage exchanging[] = {{"boost", no_stage}, {"exchange", no_stage}, {NULL, NULL}};
static const Axis fake_gpus = {
    .name = "gpus", .defaults = "1", .kind = AXIS_INTEGER, .minimum = 1, .maximum = 16};
static const Axis *const fake_tuning[] = {&fake_gpus, NULL};
static const Variant fake_variants[] = {{.name = "seq", .backend = &cpu_backend},
                                        {.name = "cuda_multi",
                                         .backend = &cuda_multi_backend,
                                         .tuning = fake_tuning,
                                         .stages = exchanging}};
static const Algorithm fake_algorithm = {
    .name = "boosting", .item = "sample", .cpu = {.rows = fake_variants, .count = 2}};

/* Stages are what a variant names them, in bars, tables and columns. */
TEST(exchange_is_a_stage_like_others) {
    StoredRun run = empty_run();
    Row row = scaled_row("cuda_multi", 2, WIDTH, HEIGHT, 1, 8, 12);
    row.algorithm = &fake_algorithm;
    row.variant = &fake_variants[1];
    row.tuning.axes[0] = &fake_gpus;
    row.upload = row.download = 1e-3;
    row.stage_seconds[0] = 6e-3;
    row.stage_seconds[1] = 2e-3;
    add(&run, row);
    results_derive(&run.results, 1);
    size_t count;
    char value[CSV_VALUE_SIZE] = "";
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i].name, "stages_ms") == 0) {
            csv_column_value(&columns[i], &run.results.rows[0], value, sizeof value);
        }
    }
    assert_string_equal(value, "boost:6,exchange:2");
    RELEASED_BY(release) Report report = report_of(run);
    const DocTable *table = find_table(&report, "stages-boosting-on-texture");
    assert_non_null(table);
    assert_near(cell(table, 0, "time (ms)", "exchange")->number, 2e-3, 1e-9);
    const Row *bars[] = {&report.stored.results.rows[0]};
    const RunGroup rows = {.rows = bars, .count = 1};
    Builder builder = page_builder(&report.document, SUBJECT_STAGES, &rows, &along_size);
    const DocChart *chart = chart_build(&builder, "stages", "", "");
    assert_non_null(chart);
    assert_near(find_series(chart, "exchange")->points[0].y, 2, 1e-9);
}
