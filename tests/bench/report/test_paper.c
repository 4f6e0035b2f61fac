/* `bench figure`: the numbers of its lines, its names, what it refuses, and its files. */
#include "builder.h"
#include "document.h"
#include "layout.h"
#include "look.h"
#include "needs.h"
#include "report.h"
#include "report_diff_fixture.h"
#include "rows.h"
#include "status_checks.h"
#include "stored_run.h"
#include "test.h"
#include "variant.h"

static const PaperRequest usual = {.type = &chart_types[SUBJECT_SPEEDUP],
                                   .measure = PAPER_KERNEL,
                                   .style = {.width = 85,
                                             .font_size = 8,
                                             .formats = FIGURE_SVG,
                                             .x_range = {NAN, NAN},
                                             .y_range = {NAN, NAN}}};

typedef struct Drawn {
    StoredRun runs[2];
    Document document;
    PaperFigure figure;
    Status status;
} Drawn;

/* Takes the runs; `second` NULL: there is one. */
static Drawn figure_of(const PaperRequest *request, StoredRun first, const StoredRun *second) {
    Drawn drawn = {.runs = {first}};
    ReportRun views[2] = {{.name = "one"}, {.name = "two"}};
    if (second != NULL) {
        drawn.runs[1] = *second;
    }
    for (size_t i = 0; i < 2; i++) {
        views[i].stored = &drawn.runs[i];
    }
    document_open(&drawn.document, "");
    drawn.status =
        paper_build(request, views, second != NULL ? 2 : 1, &drawn.document, &drawn.figure);
    return drawn;
}

static void release_drawn(Drawn *drawn) {
    document_release(&drawn->document);
    stored_run_release(&drawn->runs[0]);
    stored_run_release(&drawn->runs[1]);
}

static void expect_drawn(const Drawn *drawn) {
    assert_ok(drawn->status);
}

static void expect_series(const Drawn *drawn, const char *name, double first, double last) {
    expect_drawn(drawn);
    const ChartSeries *series = find_series(drawn->figure.chart, name);
    if (series == NULL) {
        fail_msg("there is no series %s", name);
        return;
    }
    assert_near(series->points[0].y, first, 1e-9);
    assert_near(series->points[series->count - 1].y, last, 1e-9);
}

static void expect_refused(const PaperRequest *request, StoredRun run, const char *fragment) {
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(request, run, NULL);
    assert_int_equal(drawn.status.code, STATUS_USAGE);
    assert_says(drawn.status.why, fragment);
}

/* seq: 1 ms and 100 ms; the device 10 ms at both sizes, and twice that end to end. */
static StoredRun h200(void) {
    return plain_run("NVIDIA H200", 10);
}

TEST(speedups_are_ratios_of_the_medians) {
    PaperRequest request = usual;
    Drawn drawn = figure_of(&request, h200(), NULL);
    expect_series(&drawn, "cuda_fast", 0.1, 10);
    assert_int_equal(drawn.figure.chart->count, 1); /* the baseline is the line at 1 */
    assert_true(drawn.figure.chart->reference == 1);
    assert_string_equal(drawn.figure.chart->y.title, "speedup over best CPU");
    assert_string_equal(drawn.figure.name, "figure-lbp-texture-speedup");
    release_drawn(&drawn);
    request.measure = PAPER_BOTH;
    request.over = PAPER_OVER_SEQ;
    drawn = figure_of(&request, h200(), NULL);
    expect_series(&drawn, "cuda_fast", 0.1, 10);
    expect_series(&drawn, "cuda_fast, with copies", 0.1, 10); /* 2 ms over 20 */
    assert_int_equal(drawn.figure.chart->series[1].style, SERIES_SECONDARY);
    assert_non_null(drawn.figure.chart->series[0].of);
    assert_ptr_equal(drawn.figure.chart->series[1].of, drawn.figure.chart->series[0].of);
    assert_null(drawn.figure.chart->y.unit);
    release_drawn(&drawn);
    request.type = &chart_types[SUBJECT_TIME];
    request.measure = PAPER_KERNEL;
    drawn = figure_of(&request, h200(), NULL);
    expect_series(&drawn, "seq", 1, 100);
    expect_series(&drawn, "cuda_fast", 10, 10);
    assert_string_equal(drawn.figure.chart->y.title, "kernel time (ms)");
    assert_string_equal(drawn.figure.chart->y.unit, "ms");
    release_drawn(&drawn);
    request.measure = PAPER_END_TO_END;
    request.variants = "cuda_fast,seq";
    drawn = figure_of(&request, h200(), NULL);
    expect_series(&drawn, "cuda_fast", 20, 20);
    assert_string_equal(drawn.figure.chart->series[1].name, "seq"); /* in this order */
    release_drawn(&drawn);
}

/* The CSV is what the script draws: 1 ms / 10 ms, 100 ms / 10 ms. */
TEST(the_csv_has_the_ratios) {
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&usual, h200(), NULL);
    expect_drawn(&drawn);
    assert_ok(chart_csv_write(drawn.figure.chart, test_path("figure.csv")));
    char *text = test_read("figure.csv");
    const char *rows = strstr(text, "x,y,low,high,");
    assert_non_null(rows);
    assert_memory_equal(strchr(rows, '\n') + 1, "100,0.1,,,", strlen("100,0.1,,,"));
    assert_says(rows, "\n10000,10,,,");
}

/* The same question on two machines: a line of the best variant each, in the machine's colour. */
TEST(machines_have_their_best_line_and_a_colour_each) {
    PaperRequest request = usual;
    request.measure = PAPER_BOTH;
    const StoredRun other = plain_run("NVIDIA A100-SXM4-80GB", 20);
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, h200(), &other);
    expect_series(&drawn, "H200", 0.1, 10);
    expect_series(&drawn, "A100", 0.05, 5);
    assert_int_equal(drawn.figure.chart->count, 4);
    const ChartSeries *kernel = find_series(drawn.figure.chart, "A100");
    const ChartSeries *whole = find_series(drawn.figure.chart, "A100, with copies");
    assert_non_null(whole);
    assert_int_equal(whole->style, SERIES_SECONDARY); /* dashed */
    assert_int_equal(kernel->colour, whole->colour);
    assert_int_not_equal(kernel->colour, find_series(drawn.figure.chart, "H200")->colour);
    assert_says(drawn.figure.caption, "The best GPU variant of A100 is cuda_fast.");
}

/* A machine without a GPU has no line of GPU variants: whoever draws it is told so. */
TEST(a_machine_without_a_line_is_named) {
    PaperRequest request = usual;
    request.type = &chart_types[SUBJECT_TIME];
    request.variants = "cuda_fast";
    StoredRun other = plain_run("", 20);
    for (; other.results.count > 2; other.results.count--) {
        row_release(&other.results.rows[other.results.count - 1]);
    }
    Drawn drawn = figure_of(&request, h200(), &other);
    expect_drawn(&drawn);
    assert_string_equal(drawn.figure.absent, "nothing of two is in the figure: no variant there "
                                             "has such a time; --variants names others");
    release_drawn(&drawn);
    other = plain_run("NVIDIA A100-SXM4-80GB", 20);
    drawn = figure_of(&request, h200(), &other);
    expect_drawn(&drawn);
    assert_null(drawn.figure.absent);
    release_drawn(&drawn);
}

/* Neighbours in lightness are 15 L* apart, so that a grey print tells four machines from each
 * other; their marks differ in any case. */
TEST(machines_differ_in_grey_print) {
    double light[4];
    for (size_t i = 0; i < 4; i++) {
        const Look look = look_numbered(machine_look_number(i, false));
        unsigned rgb[3];
        assert_int_equal(sscanf(look.colour, "#%2x%2x%2x", &rgb[0], &rgb[1], &rgb[2]), 3);
        double y = 0;
        for (size_t j = 0; j < 3; j++) {
            const double share[] = {0.2126729, 0.7151522, 0.0721750};
            const double c = rgb[j] / 255.0;
            y += share[j] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
        }
        light[i] = y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
        for (size_t j = 0; j < i; j++) {
            if (fabs(light[i] - light[j]) < 15) {
                fail_msg("machines %zu and %zu: L* %g and %g", j, i, light[j], light[i]);
            }
        }
        for (size_t j = 0; j < i && j < MARKER_COUNT; j++) {
            assert_int_not_equal(look.marker, look_numbered(machine_look_number(j, false)).marker);
        }
        assert_true(look_numbered(machine_look_number(i, true)).hollow);
    }
}

/* Lines of one variant have the names, marks and colours of machines: the axis says whose they are.
 */
TEST(runs_are_told_apart_by_machine) {
    PaperRequest request = usual;
    static const char *const renames[] = {"cuda_fast=Ours", "A100=Old"};
    request.variants = "cuda_fast";
    request.renames = renames;
    request.rename_count = 2;
    const StoredRun other = plain_run("NVIDIA A100-SXM4-80GB", 20);
    Drawn drawn = figure_of(&request, h200(), &other);
    expect_series(&drawn, "H200", 0.1, 10);
    expect_series(&drawn, "Old", 0.05, 5);
    assert_string_equal(drawn.figure.chart->y.title, "speedup of Ours over best CPU");
    const ChartSeries *series = drawn.figure.chart->series;
    assert_int_not_equal(series[0].colour, series[1].colour);
    assert_int_not_equal(figure_look(drawn.figure.chart, 0).marker,
                         figure_look(drawn.figure.chart, 1).marker);
    assert_int_equal(series[0].run, 0);
    assert_int_equal(series[1].run, 1);
    assert_says(drawn.figure.caption, "A100: GPU NVIDIA A100-SXM4-80GB");
    release_drawn(&drawn);
    const StoredRun alike = plain_run("NVIDIA H200", 20);
    request.rename_count = 0;
    drawn = figure_of(&request, h200(), &alike);
    expect_series(&drawn, "H200, run 2", 0.05, 5);
    release_drawn(&drawn);
    /* Several variants keep their names, and their marks in the machine's colour. */
    const StoredRun third = plain_run("NVIDIA A100-SXM4-80GB", 20);
    request.type = &chart_types[SUBJECT_TIME];
    request.variants = "seq,cuda_fast";
    drawn = figure_of(&request, h200(), &third);
    expect_series(&drawn, "cuda_fast, H200", 10, 10);
    expect_series(&drawn, "seq, A100", 1, 100);
    assert_string_equal(drawn.figure.chart->y.title, "kernel time (ms)");
    assert_int_equal(figure_look(drawn.figure.chart, 0).marker,
                     figure_look(drawn.figure.chart, 2).marker);
    release_drawn(&drawn);
}

/* Of the same device the day tells runs apart, then the time. */
TEST(runs_of_one_device_are_told_apart_by_day) {
    PaperRequest request = usual;
    StoredRun first = h200(), second = plain_run("NVIDIA H200", 20);
    snprintf(first.started, sizeof first.started, "2026-11-25T22:41:43Z");
    snprintf(second.started, sizeof second.started, "2026-11-26T08:00:00Z");
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, first, &second);
    expect_series(&drawn, "H200, 2026-11-26", 0.05, 5);
}

/* seq takes 1 ms for 100 pixels and 100 ms for 10000, the device 10 ms for both. */
TEST(a_crossover_is_marked_on_the_line) {
    PaperRequest request = usual;
    request.type = &chart_types[SUBJECT_CROSSOVER];
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, h200(), NULL);
    expect_series(&drawn, "best CPU", 1, 100);
    expect_series(&drawn, "best GPU", 10, 10);
    const ChartSeries *mark = find_series(drawn.figure.chart, "crossover");
    assert_non_null(mark);
    assert_int_equal(mark->count, 1);
    assert_near(mark->points[0].x, 1e4, 1e-9);
    assert_near(mark->points[0].y, 100, 1e-9);
    assert_string_equal(mark->points[0].label, "from 100×100");
    const Look cpu = look_numbered(find_series(drawn.figure.chart, "best CPU")->colour);
    const Look gpu = look_numbered(find_series(drawn.figure.chart, "best GPU")->colour);
    assert_string_not_equal(cpu.colour, gpu.colour);
    assert_true(cpu.hollow && !gpu.hollow);
    assert_says(drawn.figure.caption, "GPU ahead kernel only from 100×100 on");
}

/* Of several machines each crossing has a label that says whose it is; it lies within the picture
 * and on no mark. */
TEST(crossovers_of_machines_say_whose_they_are) {
    PaperRequest request = usual;
    request.type = &chart_types[SUBJECT_CROSSOVER];
    const StoredRun other = plain_run("NVIDIA A100-SXM4-80GB", 20);
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, h200(), &other);
    const ChartSeries *mark = find_series(drawn.figure.chart, "crossover, A100");
    assert_non_null(mark);
    assert_string_equal(mark->points[0].label, "A100 from 100×100");
    RELEASED_BY(figure_layout_release) FigureLayout layout;
    assert_ok(figure_lay_out(&request.style, drawn.figure.chart, &layout));
    const FigurePanel *panel = &layout.panels[0];
    assert_int_equal(panel->name_count, 2);
    for (size_t i = 0; i < panel->name_count; i++) {
        const FigureName *name = &panel->names[i];
        assert_true(name->x >= panel->left &&
                    name->x + figure_letters(&layout, name->label) <= layout.width);
    }
}

/* Of more than two machines each kind of time has a panel of its own, with its own crossings, and
 * the key has each machine once. */
TEST(crossovers_of_many_machines_have_a_panel_for_each_kind) {
    enum { RUNS = 3 };
    static const char *const devices[RUNS] = {"NVIDIA H200", "NVIDIA A100-SXM4-80GB",
                                              "NVIDIA L40S"};
    PaperRequest request = usual;
    StoredRun stored[RUNS];
    ReportRun runs[RUNS];
    Document document;
    PaperFigure figure;
    request.type = &chart_types[SUBJECT_CROSSOVER];
    request.measure = PAPER_BOTH;
    for (size_t i = 0; i < RUNS; i++) {
        stored[i] = plain_run(devices[i], 10 * (double)(i + 1));
        runs[i] = (ReportRun){.stored = &stored[i], .name = "run"};
    }
    document_open(&document, "");
    assert_ok(paper_build(&request, runs, RUNS, &document, &figure));
    assert_int_equal(figure.chart->panel_count, 2);
    assert_string_equal(figure.chart->panels[0].y.title, "kernel time (ms)");
    assert_string_equal(figure.chart->panels[1].y.title, "time, with copies (ms)");
    FigureLayout layout;
    assert_ok(figure_lay_out(&request.style, figure.chart, &layout));
    assert_int_equal(layout.entries, 2 * RUNS);
    for (size_t i = 0; i < layout.panels[0].name_count; i++) {
        assert_int_equal(layout.panels[0].names[i].series->panel, 0);
    }
    assert_true(layout.panels[0].name_count > 0 && layout.panels[1].name_count > 0);
    figure_layout_release(&layout);
    assert_ok(chart_csv_write(figure.chart, test_path("figure.csv")));
    char *csv = test_read("figure.csv");
    assert_says(csv, "kernel time (ms): H200");
    assert_says(csv, "time, with copies (ms): H200");
    document_release(&document);
    for (size_t i = 0; i < RUNS; i++) {
        stored_run_release(&stored[i]);
    }
}

/* A name that makes the title of the y axis longer than the axis is refused. */
TEST(a_title_longer_than_its_axis_is_refused) {
    PaperRequest request = usual;
    static const char *const renames[] = {
        "cuda_fast=a name that goes on for much longer than any axis of a column is high"};
    request.variants = "cuda_fast";
    request.renames = renames;
    request.rename_count = 1;
    const StoredRun other = plain_run("NVIDIA A100-SXM4-80GB", 20);
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, h200(), &other);
    expect_drawn(&drawn);
    RELEASED_BY(figure_layout_release) FigureLayout layout;
    assert_status(figure_lay_out(&request.style, drawn.figure.chart, &layout), STATUS_USAGE,
                  "is longer than the y axis; a shorter name (--rename)");
}

/* Without a kind: both times of the fastest of each side. */
TEST(the_usual_figure_is_a_crossover) {
    PaperRequest request = usual;
    request.type = NULL;
    request.measure = PAPER_MEASURE_USUAL;
    Drawn drawn = figure_of(&request, h200(), NULL);
    expect_series(&drawn, "best GPU, with copies", 20, 20);
    assert_string_equal(drawn.figure.name, "figure-lbp-texture-crossover");
    release_drawn(&drawn);
    request.variants = "cuda_fast";
    drawn = figure_of(&request, h200(), NULL);
    assert_string_equal(drawn.figure.name, "figure-lbp-texture-speedup");
    release_drawn(&drawn);
}

/* 8 ms with one thread, 4 with two, 2.5 with four. */
TEST(threads_are_over_one_thread) {
    static const double times[] = {8, 4, 2.5};
    PaperRequest request = usual;
    StoredRun run = {.complete = true, .started = "2026-01-02T03:04:05Z"};
    for (int i = 0; i < 3; i++) {
        Row row = timed_row("omp", 10, times[i]);
        set_threads(&row, 1 << i);
        add(&run, row);
    }
    results_derive(&run.results, 1);
    request.type = &chart_types[SUBJECT_THREADS];
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, run, NULL);
    expect_series(&drawn, "omp", 1, 3.2);
    assert_near(find_series(drawn.figure.chart, "omp")->points[1].y, 2, 1e-9);
    expect_series(&drawn, "ideal", 1, 4);
}

/* Equal samples in each launch, of which each is 1 ms longer than the one before. */
static StoredRun launched(uint32_t launches) {
    StoredRun run = {.complete = true, .started = "2026-01-02T03:04:05Z"};
    for (int side = 10; side <= 100; side *= 10) {
        Row row = timed_row("seq", side, 1);
        samples_release(&row.kernel);
        row.kernel_summary = summary_none();
        for (uint32_t launch = 0; launch < launches; launch++) {
            row.kernel.origin.launch = launch;
            for (int i = 0; i < 3; i++) {
                assert_ok(samples_add(&row.kernel, (launch + 1) * 1e-3));
            }
        }
        add(&run, row);
    }
    results_derive(&run.results, 1);
    return run;
}

/* 1 to 6 ms: the interval of six launches is their range. */
TEST(intervals_are_of_six_launches_or_more) {
    PaperRequest request = usual;
    request.type = &chart_types[SUBJECT_TIME];
    Drawn drawn = figure_of(&request, launched(6), NULL);
    expect_series(&drawn, "seq", 3.5, 3.5);
    assert_near(drawn.figure.chart->series[0].points[0].low, 1, 1e-9);
    assert_near(drawn.figure.chart->series[0].points[0].high, 6, 1e-9);
    assert_says(drawn.figure.caption, "18 samples from 6 launches; bars: 95% of 6");
    release_drawn(&drawn);
    drawn = figure_of(&request, launched(5), NULL);
    expect_series(&drawn, "seq", 3, 3);
    assert_true(isnan(drawn.figure.chart->series[0].points[0].low));
    assert_says(drawn.figure.caption, "5 launches; too few launches for an interval.");
    release_drawn(&drawn);
}

static StoredRun one_size(void) {
    StoredRun run = {.complete = true, .started = "2026-01-02T03:04:05Z"};
    add(&run, timed_row("seq", 10, 1));
    results_derive(&run.results, 1);
    return run;
}

/* The points of a roofline are drawn without intervals, and so its note has none. */
static StoredRun roofline_run(const char *gpu) {
    StoredRun run = plain_run(gpu, 10);
    for (size_t i = 0; i < run.results.count; i++) {
        Row *row = &run.results.rows[i];
        row->cost = (Cost){.bytes = 1e6, .operations = 1e7};
        row->ceiling_bandwidth = 1e11;
        row->ceiling_operations = 1e12;
    }
    return run;
}

TEST(a_roofline_speaks_of_no_bars) {
    PaperRequest request = usual;
    request.type = &chart_types[SUBJECT_ROOFLINE];
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, roofline_run("NVIDIA H200"), NULL);
    expect_drawn(&drawn);
    assert_non_null(find_series(drawn.figure.chart, "cuda_fast"));
    assert_null(drawn.figure.chart->note);
}

/* Of one launch the odd turns choose, here cuda_naive; other people's code is on no side. */
TEST(a_roofline_of_machines_has_the_best_that_the_judge_chooses) {
    PaperRequest request = usual;
    request.type = &chart_types[SUBJECT_ROOFLINE];
    StoredRun runs[] = {roofline_run("NVIDIA H200"), roofline_run("NVIDIA H100")};
    for (size_t i = 0; i < 2; i++) {
        Row naive = timed_row("cuda_naive", 100, 11), peer = timed_row("cuda_tiled", 100, 1);
        naive.cost = peer.cost = (Cost){.bytes = 1e6, .operations = 1e7};
        peer.peer = true;
        add(&runs[i], naive);
        add(&runs[i], peer);
        for (size_t j = 0; j < runs[i].results.count; j++) {
            Row *row = &runs[i].results.rows[j];
            const bool chosen = strcmp(row->variant->name, "cuda_naive") == 0;
            row->threads = row_is_on_cpu(row) ? 1 : 0;
            row->odd_median = row->kernel_summary.median * (chosen ? 0.8 : 1);
            row->even_median = row->kernel_summary.median;
        }
    }
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, runs[0], &runs[1]);
    expect_drawn(&drawn);
    size_t points = 0;
    for (size_t i = 0; i < drawn.figure.chart->count; i++) {
        const ChartSeries *series = &drawn.figure.chart->series[i];
        const bool cpu = series->name != NULL && strstr(series->name, "best CPU") != NULL;
        if (series->style == SERIES_MEASURED) {
            assert_near(series->points[0].y, 1e7 / (cpu ? 100e-3 : 11e-3) / 1e9, 1e-9);
            points++;
        }
    }
    assert_int_equal(points, 4);
}

TEST(what_a_run_does_not_have_is_refused) {
    static const struct {
        ChartSubject subject;
        const char *fragment;
    } cases[] = {{SUBJECT_SPEEDUP, "needs two sizes"},     {SUBJECT_CROSSOVER, "needs two sizes"},
                 {SUBJECT_ROOFLINE, "has no roofline of"}, {SUBJECT_THREADS, "--threads 1,2,4"},
                 {SUBJECT_TUNING, "--tile 8,16"},          {SUBJECT_STAGES, "has stages"},
                 {SUBJECT_SWEEP, "--box 4,8,16"}};
    PaperRequest request = usual;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        request.type = &chart_types[cases[i].subject];
        expect_refused(&request, one_size(), cases[i].fragment);
    }
    request.type = &chart_types[SUBJECT_EFFICIENCY];
    expect_refused(&request, h200(), "ceilings were not measured");
    request = usual;
    request.variants = "cuda_fats";
    expect_refused(&request, h200(), "did you mean 'cuda_fast'?");
    request.variants = NULL;
    request.sizes = "10x11";
    expect_refused(&request, h200(), "did you mean '10x10'?");
    request.sizes = NULL;
    request.algorithm = "haar";
    expect_refused(&request, h200(), "one has no verified rows of that");
    request.algorithm = NULL;
    static const char *const rename = "cuda_fats=Ours";
    request.renames = &rename;
    request.rename_count = 1;
    expect_refused(&request, h200(), "did you mean 'cuda_fast'?");
}

/* Other people's code has no line of time, so a figure of it alone has nothing to show. */
TEST(a_figure_of_times_lacks_times) {
    PaperRequest request = usual;
    StoredRun run = h200();
    for (size_t i = 0; i < run.results.count; i++) {
        Row *row = &run.results.rows[i];
        row->peer = strcmp(row->variant->name, "cuda_fast") == 0;
    }
    request.type = &chart_types[SUBJECT_TIME];
    request.variants = "cuda_fast";
    expect_refused(&request, run,
                   "figure: one has nothing for --kind time of lbp on texture: no variant that is "
                   "shown has such a time");
}

TEST(stages_are_of_one_run) {
    PaperRequest request = usual;
    const StoredRun other = h200();
    request.type = &chart_types[SUBJECT_STAGES];
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, h200(), &other);
    assert_status(drawn.status, STATUS_USAGE, "figure: --kind stages is of one run; name one");
}

TEST(runs_of_other_inputs_are_refused) {
    StoredRun other = plain_run("NVIDIA A100", 20);
    for (size_t i = 0; i < other.results.count; i++) {
        other.results.rows[i].input_hash++;
    }
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&usual, h200(), &other);
    assert_int_equal(drawn.status.code, STATUS_USAGE);
    assert_says(drawn.status.why, "different inputs of the name texture");
}

/* --- Files ------------------------------------------------------------------------------------ */

static const char nasty[] = "It's `touch ran` $(touch ran) \"x\" @y \\ {b} 50%\n<|touch ran";

static Drawn nasty_figure(PaperRequest *request) {
    static char rename[256];
    static const char *const renames[] = {rename};
    snprintf(rename, sizeof rename, "cuda_fast=%s", nasty);
    request->renames = renames;
    request->rename_count = 1;
    request->title = nasty;
    return figure_of(request, h200(), NULL);
}

/* Skips the test without gnuplot. */
static void write_figure(const PaperRequest *request, const Drawn *drawn, const char *name) {
    expect_drawn(drawn);
    FILE *listing = fopen(test_path("listing"), "w");
    assert_non_null(listing);
    const Status status =
        chart_publish(&request->style, drawn->figure.chart, test_folder, name, listing);
    fclose(listing);
    if (status.code == STATUS_SKIP) {
        skip_needing(NEEDS_GNUPLOT, status.why);
    }
    assert_ok(status);
}

/* The script needs nothing of this program, and texts in it do nothing. */
TEST(the_script_draws_the_same_again) {
    PaperRequest request = usual;
    request.style.formats = FIGURE_SVG | FIGURE_PGF;
    request.style.width = 250;
    RELEASED_BY(release_drawn) Drawn drawn = nasty_figure(&request);
    write_figure(&request, &drawn, "|it's");
    char *first = test_read("|it's.svg");
    char *latex = test_read("|it's.pgf");
    assert_says(first, "It's `touch ran` $(touch ran) \"x\" @y \\ {b} 50%<");
    assert_says(first, ">&lt;|touch ran<"); /* the second line of the title */
    assert_says(latex, "\\$(touch ran)");
    assert_says(latex, "\\{b\\} 50\\%");
    char command[1024];
    snprintf(command, sizeof command,
             "cd '%s' && rm -- '|it'\\''s.svg' && cp -- '|it'\\''s.gp' a.gp && gnuplot a.gp",
             test_folder);
    assert_int_equal(system(command), 0);
    char *again = test_read("|it's.svg");
    assert_string_equal(first, again);
    assert_int_equal(access(test_path("ran"), F_OK), -1);
    /* Nor in those of the other programs: the texts are strings, and LaTeX reads no CSV with such.
     */
    snprintf(command, sizeof command,
             "cd '%s' && mv -- '|it'\\''s.py' a.py && { ! command -v python3 >/dev/null || python3 "
             "-c 'compile(open(\"a.py\").read(), \"a.py\", \"exec\")'; }",
             test_folder);
    assert_int_equal(system(command), 0);
    char *pgf = test_read("|it's.tex");
    assert_says(pgf, "\\$(touch ran)");
    assert_null(strstr(pgf, ".csv"));
    assert_null(strstr(pgf, "\n$"));
}

/* Three programs draw the same: the same lines of the CSV in the same colours, marks and dashes. */
TEST(three_programs_draw_the_same) {
    PaperRequest request = usual;
    request.type = &chart_types[SUBJECT_CROSSOVER];
    request.measure = PAPER_BOTH;
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, h200(), NULL);
    write_figure(&request, &drawn, "figure");
    char *gnuplot = test_read("figure.gp");
    char *python = test_read("figure.py");
    char *pgf = test_read("figure.tex");
    /* best CPU, best GPU, the mark of the crossover, best GPU with copies: two points, but one of
     * the mark. */
    assert_says(gnuplot, "csv every ::3::4 using 1:2 with linespoints linecolor rgb "
                         "'#0072B2' linewidth 1.5 dashtype solid");
    assert_says(python, "plot(ax, 2, 4, \"#0072B2\", \"o\", False, \"-\", 1.12)");
    assert_says(pgf, "{\\coordindex}{2:3}] {figure.csv}");
    assert_says(python, "(0, [d / 2 for d in (7, 4)])");
    assert_says(pgf, "dash pattern=on 3.85pt off 2.2pt");
    assert_says(python, "\"both from 100×100\"");
    assert_says(pgf, "{both from 100$\\times$100}");
}

TEST(only_the_files_that_are_listed_are_left) {
    PaperRequest request = usual;
    request.style.formats = FIGURE_SVG | FIGURE_PDF | FIGURE_PNG | FIGURE_CAIROLATEX;
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, h200(), NULL);
    write_figure(&request, &drawn, "figure");
    static const char *const names[] = {"figure.csv", "figure.gp",        "figure.py",
                                        "figure.tex", "figure.pdf",       "figure.svg",
                                        "figure.png", "figure-latex.tex", "figure-latex.pdf"};
    char *listing = test_read("listing");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(access(test_path(names[i]), R_OK), 0);
        assert_says(listing, names[i]);
    }
    assert_int_equal(scratch_count(test_folder), 10); /* and the listing */
}

/* Each place of a legend can be drawn, and names that leave no room are refused. */
TEST(legends_have_room_or_are_refused) {
    PaperRequest request = usual;
    static const FigureLegend legends[] = {FIGURE_LEGEND_BELOW, FIGURE_LEGEND_INSIDE,
                                           FIGURE_LEGEND_DIRECT, FIGURE_LEGEND_NONE};
    for (size_t i = 0; i < 4; i++) {
        request.style.legend = legends[i];
        RELEASED_BY(release_drawn) Drawn drawn = figure_of(&request, h200(), NULL);
        write_figure(&request, &drawn, "figure");
        char *svg = test_read("figure.svg");
        assert_int_equal(strstr(svg, ">cuda_fast<") != NULL, legends[i] != FIGURE_LEGEND_NONE);
    }
    request.style.legend = FIGURE_LEGEND_DIRECT;
    RELEASED_BY(release_drawn) Drawn drawn = nasty_figure(&request);
    assert_status(chart_publish(&request.style, drawn.figure.chart, test_folder, "figure", stdout),
                  STATUS_USAGE, "--legend below");
}

/* Lines leave the corners below free, but the line at 1 goes through them. */
TEST(a_legend_inside_lies_on_no_reference) {
    RELEASED_BY(document_release) Document document;
    RELEASED_BY(figure_layout_release) FigureLayout layout;
    FigureStyle style = usual.style;
    style.legend = FIGURE_LEGEND_INSIDE;
    document_open(&document, "");
    DocChart *chart = document_chart(&document, "flat", NULL);
    chart->y.log = true;
    chart->reference = 1;
    for (int i = 0; i < 3; i++) {
        ChartSeries *series = chart_series(&document, chart, document_text(&document, "line %d", i),
                                           SERIES_MEASURED, i);
        for (int x = 1; x < 5; x++) {
            chart_point(&document, series,
                        &(ChartPoint){.x = x, .y = 20 + 5 * i, .low = NAN, .high = NAN});
        }
    }
    assert_ok(figure_lay_out(&style, chart, &layout));
    assert_int_equal(layout.legend, FIGURE_LEGEND_INSIDE);
    const FigurePanel *panel = &layout.panels[0];
    const double reference = panel->bottom + figure_place(&panel->y, 1) * panel->high;
    for (size_t i = 0; i < layout.entries; i++) {
        assert_true(fabs(layout.key[i].y - reference) > 0.5 * layout.font);
    }
}

/* More lines than a column has room for are refused with what to leave out: nothing is cut. */
TEST(a_legend_that_does_not_fit_is_refused) {
    enum { LINES = 22 };
    RELEASED_BY(document_release) Document document;
    document_open(&document, "");
    DocChart *chart = document_chart(&document, "many", NULL);
    for (int i = 0; i < LINES; i++) {
        ChartSeries *series = chart_series(
            &document, chart, document_text(&document, "cuda_streamed %d, H100, with copies", i),
            SERIES_MEASURED, i);
        for (int x = 1; x < 3; x++) {
            chart_point(&document, series,
                        &(ChartPoint){.x = x, .y = i + x, .low = NAN, .high = NAN});
        }
    }
    FigureStyle style = usual.style;
    Status status = chart_publish(&style, chart, test_folder, "many", stdout);
    assert_int_equal(status.code, STATUS_USAGE);
    assert_says(status.why, "a legend of 22 names");
    assert_says(status.why, "--variants");
    assert_int_equal(scratch_count(test_folder), 0);
    /* A run's own chart grows instead, and has them all. */
    style.legend = FIGURE_LEGEND_USUAL;
    FILE *listing = fopen(test_path("listing"), "w");
    status = chart_publish(&style, chart, test_folder, "many", listing);
    fclose(listing);
    if (status.code == STATUS_SKIP) {
        skip_needing(NEEDS_GNUPLOT, status.why);
    }
    char *svg = test_read("many.svg");
    for (int i = 0; i < LINES; i++) {
        char name[64];
        snprintf(name, sizeof name, "cuda_streamed %d, H100", i);
        assert_says(svg, name);
    }
}

static ChartSeries *add_line(Document *document, DocChart *chart, const char *name,
                             SeriesStyle style, int colour) {
    ChartSeries *series = chart_series(document, chart, name, style, colour);
    for (int x = 1; x < 5; x++) {
        chart_point(document, series,
                    &(ChartPoint){.x = x, .y = x + colour, .low = NAN, .high = NAN});
    }
    return series;
}

/* Every name stands in the key once; what is dashed has one entry together, where there are two. */
TEST(times_with_copies_have_one_entry_in_the_key) {
    for (int lines = 1; lines <= 2; lines++) {
        static const char *const names[] = {"cuda_naive", "cuda_fast"};
        RELEASED_BY(document_release) Document document;
        FigureLayout layout;
        document_open(&document, "");
        DocChart *chart = document_chart(&document, "both", NULL);
        /* Nobody's copies, though the second is called so. */
        add_line(&document, chart, "a run", SERIES_MEASURED, 7);
        add_line(&document, chart, "a run, with copies", SERIES_SECONDARY, 7);
        for (int i = 0; i < lines; i++) {
            add_line(&document, chart, names[i], SERIES_MEASURED, i)->of = names[i];
            add_line(&document, chart, document_text(&document, "whole of %s", names[i]),
                     SERIES_SECONDARY, i)
                ->of = names[i];
        }
        assert_ok(figure_lay_out(&usual.style, chart, &layout));
        assert_int_equal(layout.entries, lines == 1 ? 4 : 5);
        assert_ok(figure_python_write(&layout, test_path("both.py"), "both"));
        char *python = test_read("both.py");
        const char *key = strstr(python, "and the key.");
        assert_says(key, "\"a run, with copies\"");
        assert_int_equal(strstr(key, "\"with copies\"") != NULL, lines == 2);
        assert_int_equal(strstr(key, "\"whole of cuda_naive\"") != NULL, lines == 1);
        figure_layout_release(&layout);
        /* At the ends of lines each has its own name. */
        FigureStyle direct = usual.style;
        direct.legend = FIGURE_LEGEND_DIRECT;
        direct.width = 140;
        assert_ok(figure_lay_out(&direct, chart, &layout));
        assert_int_equal(layout.panels[0].name_count, 2 + 2 * (size_t)lines);
        figure_layout_release(&layout);
    }
}

/* Every size is named, or the figure is refused: names at the ends of lines take room. */
TEST(no_size_loses_its_name) {
    static const struct {
        double width;
        FigureLegend legend;
        bool fits;
    } cases[] = {{85, FIGURE_LEGEND_BELOW, true},
                 {85, FIGURE_LEGEND_DIRECT, false},
                 {170, FIGURE_LEGEND_DIRECT, true}};
    RELEASED_BY(document_release) Document document;
    document_open(&document, "");
    DocChart *chart = document_chart(&document, "sizes", NULL);
    ChartSeries *series = chart_series(&document, chart, "best of all", SERIES_MEASURED, 0);
    for (int i = 0; i < 16; i++) {
        chart_tick(&document, &chart->x, i, document_text(&document, "%d000p", i));
        chart_point(&document, series, &(ChartPoint){.x = i, .y = 1 + i, .low = NAN, .high = NAN});
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RELEASED_BY(figure_layout_release) FigureLayout layout;
        FigureStyle style = usual.style;
        style.width = cases[i].width;
        style.legend = cases[i].legend;
        const Status status = figure_lay_out(&style, chart, &layout);
        assert_int_equal(status.code, cases[i].fits ? STATUS_OK : STATUS_USAGE);
        assert_int_equal(strstr(status.why, "of 16 names below the axis; --legend below") != NULL,
                         !cases[i].fits);
    }
}

/* LaTeX takes what stands behind a percent sign for a comment, also in the CSV. */
TEST(latex_reads_no_csv_with_a_percent_sign) {
    static const char *const titles[] = {"efficiency (percent)", "efficiency (%)"};
    for (size_t i = 0; i < 2; i++) {
        RELEASED_BY(document_release) Document document;
        RELEASED_BY(figure_layout_release) FigureLayout layout;
        document_open(&document, "");
        DocChart *chart = document_chart(&document, "panels", NULL);
        ChartPanel *panel = chart_panel(&document, chart, NULL);
        panel->y = (ChartAxis){.title = titles[i]};
        panel->reference = NAN;
        add_line(&document, chart, "cuda_multi", SERIES_MEASURED, 4); /* with a triangle */
        assert_ok(figure_lay_out(&usual.style, chart, &layout));
        assert_ok(figure_pgfplots_write(&layout, test_path("panels.tex"), "panels"));
        char *tex = test_read("panels.tex");
        assert_int_equal(strstr(tex, "{panels.csv}") != NULL, i == 0);
        assert_int_equal(strstr(tex, "coordinates {(1,5) (2,6)") != NULL, i == 1);
        assert_int_equal(figure_look(chart, 0).marker, MARKER_TRIANGLE_DOWN);
        assert_says(tex, "mark options={solid, line width=0.7pt, rotate=180, draw=");
    }
}

/* Points of a roofline are on no line, so the key shows their marks alone. */
TEST(the_key_of_a_roofline_has_marks_alone) {
    PaperRequest request = usual;
    for (size_t i = 0; i < 2; i++) {
        request.type = &chart_types[i == 0 ? SUBJECT_ROOFLINE : SUBJECT_SPEEDUP];
        RELEASED_BY(release_drawn)
        Drawn drawn = figure_of(&request, i == 0 ? roofline_run("NVIDIA H200") : h200(), NULL);
        expect_drawn(&drawn);
        RELEASED_BY(figure_layout_release) FigureLayout layout;
        assert_ok(figure_lay_out(&request.style, drawn.figure.chart, &layout));
        const char *script = test_path("one.py");
        assert_ok(figure_python_write(&layout, script, "one"));
        char *python = test_read("one.py");
        const char *key = strstr(python, "and the key.");
        assert_non_null(key);
        assert_int_equal(strstr(key, "linestyle=\"none\"") != NULL, i == 0);
    }
}

/* Two machines in a roofline: their names are in the key, none lies in the plot. */
TEST(rooflines_of_machines_have_their_names_in_the_key) {
    PaperRequest request = usual;
    request.type = &chart_types[SUBJECT_ROOFLINE];
    const StoredRun other = roofline_run("NVIDIA A100-SXM4-80GB");
    RELEASED_BY(release_drawn)
    Drawn drawn = figure_of(&request, roofline_run("NVIDIA H200"), &other);
    expect_drawn(&drawn);
    RELEASED_BY(figure_layout_release) FigureLayout layout;
    assert_ok(figure_lay_out(&request.style, drawn.figure.chart, &layout));
    assert_int_equal(layout.panels[0].name_count, 0);
    assert_int_equal(layout.entries, 2);
}

TEST(a_caption_is_text_or_latex) {
    FILE *stream = fopen(test_path("caption"), "w");
    assert_non_null(stream);
    paper_caption_print(stream, "a_b: 50% of \033[1m", false);
    paper_caption_print(stream, "a_b: 50%", true);
    fclose(stream);
    char *text = test_read("caption");
    assert_string_equal(text, "a_b: 50% of \\x1b[1m\na\\_b: 50\\%\n");
    RELEASED_BY(release_drawn) Drawn drawn = figure_of(&usual, h200(), NULL);
    static const char *const said[] = {"speedup over the best CPU variant (seq)",
                                       "kernel time alone",
                                       "Input: texture",
                                       "GPU NVIDIA H200",
                                       "CPU Test CPU",
                                       "9 samples from 1 launch",
                                       "measured 2026-01-02"};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        assert_says(drawn.figure.caption, said[i]);
    }
}
