/* Charts that applications draw. */

#include <math.h>
#include <stdlib.h>

#include "chart.h"
#include "document.h"
#include "harness.h"

struct LineChart {
    Document document;
    DocChart *chart;
    ChartSeries *line;
    double first, last; /* the least and the greatest x */
    bool doubling;
};

LineChart *line_chart_open(const char *title, const char *x_title, bool doubling) {
    LineChart *chart = malloc(sizeof *chart);
    if (chart == NULL) {
        return NULL;
    }
    *chart = (LineChart){.first = INFINITY, .last = -INFINITY, .doubling = doubling};
    document_open(&chart->document, "");
    chart->chart = document_chart(&chart->document, "", title);
    if (chart->chart != NULL) {
        chart->chart->x.title = x_title;
        chart->chart->x.log = doubling;
    }
    return chart;
}

void line_chart_panel(LineChart *chart, const char *y_title, bool log) {
    if (chart == NULL || chart->chart == NULL) {
        return;
    }
    ChartPanel *panel = chart_panel(&chart->document, chart->chart, NULL);
    if (panel != NULL) {
        panel->y = (ChartAxis){.title = y_title, .log = log};
    }
}

void line_chart_line(LineChart *chart, const char *name, int number) {
    if (chart != NULL && chart->chart != NULL) {
        chart->line = chart_series(&chart->document, chart->chart, name, SERIES_MEASURED, number);
    }
}

void line_chart_point(LineChart *chart, double x, double y) {
    if (chart == NULL || chart->line == NULL) {
        return;
    }
    chart->first = fmin(chart->first, x);
    chart->last = fmax(chart->last, x);
    chart_point(&chart->document, chart->line,
                &(ChartPoint){.x = x, .y = y, .low = NAN, .high = NAN});
}

/* Marks at powers of two, of which about nine have a name. */
static void mark_doublings(LineChart *chart) {
    if (!(chart->first > 0 && chart->first < chart->last)) {
        return;
    }
    const int most = (int)floor(log2(chart->last));
    const int between = (int)fmax(1.0, ceil(log2(chart->last / chart->first) / 9.0));
    for (int power = (int)ceil(log2(chart->first)); power <= most; power++) {
        chart_tick(&chart->document, &chart->chart->x, ldexp(1, power),
                   power % between == 0 ? document_text(&chart->document, "%.0f", ldexp(1, power))
                                        : "");
    }
}

Status line_chart_draw(LineChart *chart, const char *folder, const char *name) {
    if (chart == NULL) {
        return status_no_memory("for the chart");
    }
    if (chart->chart != NULL) {
        chart->chart->name = name;
        if (chart->doubling) {
            mark_doublings(chart);
        }
    }
    Status status = document_status(&chart->document);
    if (status_is_ok(&status)) {
        status = chart_draw(chart->chart, folder);
    }
    document_release(&chart->document);
    free(chart);
    return status;
}

static void fill_counts(Document *document, DocChart *chart, const void *content) {
    const CountChart *counts = content;
    chart->kind = CHART_HEAT;
    chart->x.title = counts->x_title;
    chart->y.title = counts->y_title;
    for (size_t column = 0; column < counts->columns; column++) {
        chart_tick(document, &chart->x, (double)column, counts->column_names[column]);
    }
    for (size_t row = 0; row < counts->rows; row++) {
        ChartSeries *series =
            chart_series(document, chart, counts->row_names[row], SERIES_MEASURED, 0);
        for (size_t column = 0; column < counts->columns; column++) {
            const uint64_t count = counts->counts[row * counts->columns + column];
            chart_point(
                document, series,
                &(ChartPoint){.x = (double)column, .y = (double)count, .low = NAN, .high = NAN});
        }
    }
}

Status count_chart_draw(const CountChart *chart, const char *folder, const char *name) {
    return chart_draw_alone(folder, name, chart->title, fill_counts, chart);
}
