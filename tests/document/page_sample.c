/* usage: page_sample PAGE.html SMALL.html
 * Writes a page with every kind of block: charts with every style of series, tables long, wide,
 * grouped, shaded and collapsed, and texts that are no harmless words; and one with a table and a
 * chart. */
#include <math.h>
#include <stdio.h>

#include "document.h"
#include "report.h"
#include "status.h"
#include "table.h"

enum { SIZES = 7 };

static const char *const size_names[SIZES] = {"128", "256", "512", "HD", "2K", "4K", "8K"};
static const double size_pixels[SIZES] = {16384, 65536, 262144, 921600, 2211840, 8847360, 33177600};

static void add_series(Document *document, DocChart *chart, const char *name, SeriesStyle style,
                       int colour, const double values[SIZES], double spread) {
    ChartSeries *series = chart_series(document, chart, name, style, colour);
    for (int i = 0; i < SIZES; i++) {
        const bool ends = spread > 0;
        chart_point(document, series,
                    &(ChartPoint){.x = size_pixels[i],
                                  .y = values[i],
                                  .low = ends ? values[i] / (1 + spread) : NAN,
                                  .high = ends ? values[i] * (1 + spread) : NAN,
                                  .label = size_names[i]});
    }
}

static void name_sizes(Document *document, ChartAxis *axis) {
    *axis = (ChartAxis){.title = "image size (pixels)", .log = true};
    for (int i = 0; i < SIZES; i++) {
        chart_tick(document, axis, size_pixels[i], size_names[i]);
    }
}

static const double seq_ms[SIZES] = {0.11, 0.44, 1.77, 6.31, 15.2, 60.4, 227};
static const double omp_ms[SIZES] = {0.062, 0.071, 0.151, 0.44, 1.02, 4.03, 15.1};
static const double naive_ms[SIZES] = {0.0051, 0.0059, 0.0087, 0.0193, 0.0401, 0.149, 0.551};
static const double fast_ms[SIZES] = {0.0043, 0.0045, 0.0052, 0.0071, 0.0108, 0.0309, 0.1042};
static const double end_to_end_ms[SIZES] = {0.031, 0.043, 0.092, 0.234, 0.51, 1.92, 7.11};
static const double published_ms[SIZES] = {NAN, NAN, 0.091, 0.301, 0.66, 2.31, NAN};

static void add_time_chart(Document *document) {
    DocChart *chart = document_chart(document, "sample-time", "Kernel time over image size");
    chart->description = "Kernel time in milliseconds of four variants at seven sizes, both axes "
                         "logarithmic; the CUDA variants are flat up to 512 and linear beyond.";
    name_sizes(document, &chart->x);
    chart->y = (ChartAxis){.title = "kernel time (ms)", .log = true};
    add_series(document, chart, "seq", SERIES_MEASURED, 1, seq_ms, 0.05);
    add_series(document, chart, "omp", SERIES_MEASURED, 4, omp_ms, 0.35);
    add_series(document, chart, "cuda_naive", SERIES_MEASURED, 5, naive_ms, 0.02);
    add_series(document, chart, "cuda_fast", SERIES_MEASURED, 0, fast_ms, 0.014);
    add_series(document, chart, "cuda_fast, end to end", SERIES_SECONDARY, 0, end_to_end_ms, 0.08);
    add_series(document, chart, "published, GTX 1080", SERIES_PUBLISHED, 2, published_ms, 0);
}

static void add_speedup_chart(Document *document) {
    DocChart *chart = document_chart(document, "sample-speedup", "Speedup over seq");
    chart->description = "Speedup over seq on a linear axis; the line at 1 is seq itself.";
    name_sizes(document, &chart->x);
    chart->y = (ChartAxis){.title = "speedup over seq (×)"};
    chart->reference = 1;
    double ratio[SIZES];
    for (int i = 0; i < SIZES; i++) {
        ratio[i] = seq_ms[i] / omp_ms[i];
    }
    add_series(document, chart, "omp", SERIES_MEASURED, 4, ratio, 0.2);
    for (int i = 0; i < SIZES; i++) {
        ratio[i] = seq_ms[i] / end_to_end_ms[i];
    }
    add_series(document, chart, "cuda_fast, end to end", SERIES_SECONDARY, 0, ratio, 0.1);
}

static void add_line(Document *document, DocChart *chart, const char *name, int colour,
                     const ChartPoint ends[2]) {
    ChartSeries *series = chart_series(document, chart, name, SERIES_CEILING, colour);
    chart_point(document, series, &ends[0]);
    chart_point(document, series, &ends[1]);
}

static void add_roofline(Document *document) {
    DocChart *chart = document_chart(document, "sample-roofline", "Roofline");
    chart->x = (ChartAxis){.title = "operations per byte", .log = true};
    chart->y = (ChartAxis){.title = "throughput (Gop/s)", .log = true};
    add_line(document, chart, "HBM, 4 TB/s", 9,
             (ChartPoint[]){{.x = 0.1, .y = 400}, {.x = 12.5, .y = 50000}});
    add_line(document, chart, "int32, 50 Top/s", 9,
             (ChartPoint[]){{.x = 12.5, .y = 50000}, {.x = 100, .y = 50000}});
    add_line(document, chart, "fp64, 30 Top/s", 9,
             (ChartPoint[]){{.x = 7.5, .y = 30000}, {.x = 100, .y = 30000}});
    ChartSeries *series = chart_series(document, chart, "cuda_fast", SERIES_MEASURED, 0);
    chart_point(document, series, &(ChartPoint){.x = 1.4, .y = 3900, .low = 3700, .high = 4100});
    series = chart_series(document, chart, "seq", SERIES_MEASURED, 1);
    chart_point(document, series, &(ChartPoint){.x = 1.4, .y = 2.1, .low = 1.9, .high = 2.4});
}

/* Missing values, values a logarithmic axis cannot show, more points than can be distinguished. */
static void add_corner_charts(Document *document) {
    DocChart *empty = document_chart(document, "sample-empty", "A chart without a number");
    empty->y.log = true;
    ChartSeries *series = chart_series(document, empty, "all missing", SERIES_MEASURED, 3);
    chart_point(document, series, &(ChartPoint){.x = 1, .y = NAN, .low = NAN, .high = NAN});
    chart_point(document, series, &(ChartPoint){.x = 2, .y = -1, .low = NAN, .high = NAN});
    DocChart *dense = document_chart(document, "sample-dense", "A curve of 400 points");
    dense->x.title = "recall";
    dense->y.title = "precision";
    series = chart_series(document, dense, "<b>&amp; \"all\"</b>", SERIES_MEASURED, 7);
    for (int i = 0; i < 400; i++) {
        const double x = i / 399.0;
        chart_point(
            document, series,
            &(ChartPoint){
                .x = x, .y = i % 57 == 56 ? NAN : 1 - pow(x, 6) * 0.7, .low = NAN, .high = NAN});
    }
}

static void number_with_note(Document *document, DocTable *table, double number, CellKind kind) {
    const char *text = document_text(document, "%.4g", number);
    table_cell(document, table,
               &(DocCell){.text = text,
                          .number = number,
                          .kind = kind,
                          .note = document_text(document, "95 %% interval %.3g to %.3g, 30 samples",
                                                0.97 * number, 1.03 * number)});
}

static void missing(Document *document, DocTable *table, const char *text, const char *why) {
    table_cell(document, table,
               &(DocCell){.text = text, .number = NAN, .note = why, .kind = CELL_MISSING});
}

static void add_summary(Document *document) {
    DocTable *table = document_table(document, "table-1", "Kernel time and speedup by image size");
    table->sortable = true;
    table->note = "Times are medians of 30 samples. A dotted line below a number: its interval is "
                  "shown on hover and focus. Published: GTX 1080, CUDA 9.";
    table_column(document, table, &(DocColumn){.title = "size"});
    static const char *const variants[] = {"seq", "omp", "cuda_naive", "cuda_fast"};
    for (int i = 0; i < 4; i++) {
        table_column(document, table,
                     &(DocColumn){.title = variants[i], .group = "time (ms)", .numeric = true});
    }
    table_column(document, table,
                 &(DocColumn){.title = "kernel", .group = "speedup of cuda_fast", .numeric = true});
    table_column(
        document, table,
        &(DocColumn){.title = "end to end", .group = "speedup of cuda_fast", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "published (ms)", .numeric = true});
    for (int i = 0; i < SIZES; i++) {
        table_cell(document, table, &(DocCell){.text = size_names[i], .number = size_pixels[i]});
        number_with_note(document, table, seq_ms[i], CELL_PLAIN);
        number_with_note(document, table, omp_ms[i], i == 0 ? CELL_BAD : CELL_PLAIN);
        number_with_note(document, table, naive_ms[i], CELL_PLAIN);
        number_with_note(document, table, fast_ms[i], CELL_STRONG);
        number_with_note(document, table, seq_ms[i] / fast_ms[i], CELL_PLAIN);
        number_with_note(document, table, seq_ms[i] / end_to_end_ms[i], CELL_PLAIN);
        if (isnan(published_ms[i])) {
            missing(document, table, "not published", "the paper has no such size");
        } else {
            table_cell(document, table,
                       &(DocCell){.text = document_text(document, "%.3g", published_ms[i]),
                                  .number = published_ms[i],
                                  .kind = CELL_FAINT});
        }
    }
}

static void add_long_table(Document *document) {
    DocTable *table = document_table(document, "table-2", "Every cell");
    table->sortable = true;
    table->collapsed = true;
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "tuning"});
    table_column(document, table, &(DocColumn){.title = "median (ms)", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "status"});
    for (int i = 0; i < 40; i++) {
        table_words(document, table, document_text(document, "cuda_%d", i % 12));
        table_words(document, table, document_text(document, "block:%d,items:%d", 32 << i % 6, i));
        if (i % 9 == 8) {
            missing(document, table, "not run", "no device that CUDA can use");
        } else {
            table_number(document, table, 0.3 + (i * 37 % 41) * 0.21, 3);
        }
        table_words(document, table, i % 9 == 8 ? "skip" : "ok");
    }
}

static void add_confusion(Document *document) {
    DocTable *table = document_table(document, "table-3", "Share of the stages of each run");
    table->shaded = true;
    table_column(document, table, &(DocColumn){.title = "run"});
    for (int i = 0; i < 12; i++) {
        table_column(
            document, table,
            &(DocColumn){.title = document_text(document, "stage %d", i + 1), .numeric = true});
    }
    for (int row = 0; row < 4; row++) {
        table_words(document, table, document_text(document, "run %d", row + 1));
        for (int i = 0; i < 12; i++) {
            table_number(document, table, i == 3 * row ? 41.5 : i % (row + 2), 3);
        }
    }
}

static void add_empty_table(Document *document) {
    DocTable *table = document_table(document, "table-4", "A table without a row");
    table->sortable = true;
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "why"});
}

static void build(Document *document) {
    document_add(document, BLOCK_PARAGRAPH,
                 "cuda_fast is the fastest variant at every size: 25.6 times as fast as seq at 128 "
                 "and 2180 times at 8K, kernel against kernel. With the copies to and from the "
                 "device the factor is 3.5 to 31.9.");
    document_add(document, BLOCK_WARNING, "The clock of the device was not pinned.");
    document_heading(document, 2, "Summary");
    add_summary(document);
    add_time_chart(document);
    add_speedup_chart(document);
    document_heading(document, 2, "Roofline");
    document_add(document, BLOCK_PARAGRAPH, "Ceilings were measured on the same machine.");
    add_roofline(document);
    document_heading(document, 2, "Cells & <corners>");
    document_heading(document, 3, "Every cell");
    add_long_table(document);
    document_heading(document, 3, "Stages");
    add_confusion(document);
    document_heading(document, 3, "Corners");
    add_empty_table(document);
    add_corner_charts(document);
    document_heading(document, 2, "How it was measured");
    document_add(document, BLOCK_ITEM, "Each sample is a launch timed by device events.");
    document_add(document, BLOCK_ITEM,
                 "Harmless: <script>alert(1)</script> & \"it's\" \x01\x7f\xff.");
    document_add(
        document, BLOCK_CODE,
        "bench --algo lbp --sizes 128,256,512 --variants all --reps 30 --out "
        "a-folder-with-a-long-name/results\nbench report a-folder-with-a-long-name/results");
}

static void build_small(Document *document) {
    document_heading(document, 2, "Summary");
    add_summary(document);
    add_time_chart(document);
}

static int write_page(const char *path, void (*fill)(Document *document)) {
    Document document;
    document_open(&document, "Local binary patterns: CPU & GPU");
    fill(&document);
    const Status status = html_write(&document, path);
    document_release(&document);
    if (!status_is_ok(&status)) {
        fprintf(stderr, "%s\n", status.why);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: page_sample PAGE.html SMALL.html\n");
        return 2;
    }
    return write_page(argv[1], build) | write_page(argv[2], build_small);
}
