/* Charts that applications draw, and the histogram of an answer. */

#include <math.h>
#include <stdlib.h>

#include "builder.h"
#include "chart.h"
#include "document.h"
#include "harness.h"

struct LineChart {
    Document document;
    const char *title;
    Curves curves;
    size_t capacity, panel_capacity;
};

LineChart *line_chart_open(const char *title, const char *x_title, bool doubling) {
    LineChart *chart = malloc(sizeof *chart);
    if (chart != NULL) {
        *chart = (LineChart){.title = title, .curves = {.x = {.title = x_title, .log = doubling}}};
        document_open(&chart->document, "");
    }
    return chart;
}

void line_chart_panel(LineChart *chart, const char *y_title, bool log) {
    if (chart != NULL && DOCUMENT_ROOM(&chart->document, chart->curves.panels,
                                       chart->curves.panel_count, chart->panel_capacity)) {
        chart->curves.panels[chart->curves.panel_count++] =
            (ChartAxis){.title = y_title, .log = log};
    }
}

void line_chart_line(LineChart *chart, const char *name, int number) {
    if (chart != NULL && DOCUMENT_ROOM(&chart->document, chart->curves.lines, chart->curves.count,
                                       chart->capacity)) {
        chart->curves.lines[chart->curves.count++] =
            (ChartSeries){.name = name, .colour = number, .panel = chart->curves.panel_count - 1};
    }
}

void line_chart_point(LineChart *chart, double x, double y) {
    if (chart != NULL && chart->curves.count > 0) {
        chart_dot(&chart->document, &chart->curves.lines[chart->curves.count - 1], x, y, NULL);
    }
}

/* Draws the only chart of a document, which is released. */
static Status draw(Builder *builder, const char *title, const char *folder, const char *name) {
    builder->place = PLACE_FILE;
    const DocChart *chart = chart_build(builder, name, title, "");
    Status status = document_status(builder->document);
    if (status_is_ok(&status) && chart != NULL) {
        status = chart_draw(chart, folder);
    }
    document_release(builder->document);
    return status;
}

Status line_chart_draw(LineChart *chart, const char *folder, const char *name) {
    STATUS_MEMORY(chart, "for the chart");
    Builder builder = {.document = &chart->document,
                       .type = &chart_types[SUBJECT_CURVES],
                       .curves = &chart->curves};
    const Status status = draw(&builder, chart->title, folder, name);
    free(chart);
    return status;
}

static Status draw_counts(ChartSubject subject, const CountChart *counts, const char *folder,
                          const char *name) {
    Document document;
    Builder builder = {.document = &document, .type = &chart_types[subject], .counts = counts};
    document_open(&document, "");
    return draw(&builder, counts->title, folder, name);
}

Status count_chart_draw(const CountChart *chart, const char *folder, const char *name) {
    return draw_counts(SUBJECT_COUNTS, chart, folder, name);
}

Status histogram_draw(const char *folder, const char *name, const uint64_t *counts, size_t bins) {
    const CountChart histogram = {
        .title = name, .x_title = "bin", .y_title = "count", .columns = bins, .counts = counts};
    return draw_counts(SUBJECT_HISTOGRAM, &histogram, folder, name);
}
