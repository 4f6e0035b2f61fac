#include "document_memory.h"

#include <math.h>

DocChart *document_chart(Document *document, const char *name, const char *title) {
    DocChart *chart = document_allocate(document, sizeof *chart);
    if (chart != NULL) {
        chart->name = document_name(document, BLOCK_CHART, name);
        chart->title = document_copy(document, title);
        chart->reference = NAN;
        document_block(document, &(Block){.kind = BLOCK_CHART, .chart = chart});
    }
    return chart;
}

ChartSeries *chart_series(Document *document, DocChart *chart, const char *name, SeriesStyle style,
                          int colour) {
    if (chart == NULL) {
        return NULL;
    }
    ChartSeries *series =
        document_grow(document, chart->series, chart->count, &chart->capacity, sizeof *series);
    if (series == NULL) {
        return NULL;
    }
    chart->series = series;
    series += chart->count++;
    *series = (ChartSeries){
        .name = document_copy(document, name), .style = style, .colour = colour < 0 ? 0 : colour};
    return series;
}

void chart_point(Document *document, ChartSeries *series, const ChartPoint *point) {
    if (series == NULL) {
        return;
    }
    ChartPoint *points =
        document_grow(document, series->points, series->count, &series->capacity, sizeof *points);
    if (points != NULL) {
        series->points = points;
        points[series->count] = *point;
        points[series->count++].label = document_copy(document, point->label);
    }
}

void chart_tick(Document *document, ChartAxis *axis, double value, const char *label) {
    if (axis == NULL) {
        return;
    }
    ChartTick *ticks =
        document_grow(document, axis->ticks, axis->count, &axis->capacity, sizeof *ticks);
    if (ticks != NULL) {
        axis->ticks = ticks;
        ticks[axis->count++] = (ChartTick){.value = value, .label = document_copy(document, label)};
    }
}
