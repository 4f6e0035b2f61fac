#include "chart_parts.h"

#include <math.h>
#include <stdio.h>

#include "significant.h"

const char *measure_slug(ChartMeasure measure) {
    switch (measure) {
    case CHART_OVER_BEST_CPU: return "speedup-best-cpu";
    case CHART_OVER_SEQ: return "speedup-seq";
    case CHART_TIME: break;
    }
    return "time";
}

const char *measure_words(ChartMeasure measure) {
    switch (measure) {
    case CHART_OVER_BEST_CPU: return "speedup over the best CPU variant";
    case CHART_OVER_SEQ: return "speedup over seq";
    case CHART_TIME: break;
    }
    return "kernel time";
}

DocChart *measure_chart(Document *document, const char *name, const char *title,
                        ChartMeasure measure, const TimeUnit *unit) {
    DocChart *chart = document_chart(document, name, title);
    if (chart != NULL) {
        chart->y.log = true;
        chart->y.title = measure == CHART_TIME ? document_text(document, "%s (%s)",
                                                               measure_words(measure), unit->name)
                                               : measure_words(measure);
        chart->reference = measure == CHART_TIME ? (double)NAN : 1.0;
    }
    return chart;
}

ChartPoint measure_point(const Row *row, ChartMeasure measure, TimeKind kind,
                         const TimeUnit *unit) {
    if (measure == CHART_TIME) {
        const Summary *summary = row_summary(row, kind);
        return (ChartPoint){.y = row_seconds(row, kind) / unit->seconds,
                            .low = summary->ci_low / unit->seconds,
                            .high = summary->ci_high / unit->seconds};
    }
    const Ratio ratio = row_ratio(row, measure == CHART_OVER_SEQ ? OVER_SEQ : OVER_BEST_CPU, kind);
    return (ChartPoint){.y = ratio.value, .low = ratio.low, .high = ratio.high};
}

ChartSeries *measure_series(Document *document, DocChart *chart, const Row *row, TimeKind kind) {
    const char *name = row->variant->name;
    return kind == TIME_KERNEL
               ? chart_series(document, chart, name, SERIES_MEASURED, variant_colour(row))
               : chart_series(document, chart, document_text(document, "%s, end to end", name),
                              SERIES_SECONDARY, variant_colour(row));
}

static double rightmost(const DocChart *chart) {
    double x = NAN;
    for (size_t i = 0; i < chart->count; i++) {
        for (size_t j = 0; j < chart->series[i].count; j++) {
            x = fmax(x, chart->series[i].points[j].x);
        }
    }
    return x;
}

static const ChartPoint *point_at(const ChartSeries *series, double x) {
    for (size_t i = 0; i < series->count; i++) {
        if (series->points[i].x == x && isfinite(series->points[i].y)) {
            return &series->points[i];
        }
    }
    return NULL;
}

/* "size 16K": the place at the right end. */
static const char *end_words(Document *document, const ChartPoint *point, const char *against) {
    char number[SIGNIFICANT_SIZE];
    significant_text(point->x, OVERVIEW_DIGITS, number);
    return document_text(document, "%s %s", against, point->label != NULL ? point->label : number);
}

void describe_chart(Document *document, DocChart *chart, const char *against) {
    const ChartSeries *least = NULL;
    const ChartSeries *most = NULL;
    if (chart == NULL) {
        return;
    }
    const double x = rightmost(chart);
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        const ChartPoint *point = point_at(series, x);
        if (point != NULL && (least == NULL || point->y < point_at(least, x)->y)) {
            least = series;
        }
        if (point != NULL && (most == NULL || point->y > point_at(most, x)->y)) {
            most = series;
        }
    }
    if (least == NULL) {
        chart->description = document_text(document, "%s against %s.", chart->title, against);
        return;
    }
    char low[SIGNIFICANT_SIZE];
    char high[SIGNIFICANT_SIZE];
    const char *end = end_words(document, point_at(least, x), against);
    if (chart->count == 1) {
        significant_text(least->points[0].y, OVERVIEW_DIGITS, low);
        significant_text(point_at(least, x)->y, OVERVIEW_DIGITS, high);
        chart->description = document_text(
            document,
            "Line chart, logarithmic: %s of %s against %s, from %s at the left end to %s "
            "at %s.",
            chart->y.title, least->name, against, low, high, end);
        return;
    }
    significant_text(point_at(least, x)->y, OVERVIEW_DIGITS, low);
    significant_text(point_at(most, x)->y, OVERVIEW_DIGITS, high);
    chart->description = document_text(
        document,
        "Line chart, logarithmic: %s against %s, %zu lines. At %s, the right end, %s is "
        "lowest with %s and %s is highest with %s.",
        chart->y.title, against, chart->count, end, least->name, low, most->name, high);
}
