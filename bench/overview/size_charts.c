/* Charts against the size of the input. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart_parts.h"
#include "group_charts.h"
#include "size_best.h"

static void add_series(const Overview *overview, DocChart *chart, const RunGroup *group,
                       const Variant *variant, ChartMeasure measure, TimeKind kind,
                       const TimeUnit *unit) {
    CurvePoint *curve;
    const Row **rows;
    size_t count;
    ChartSeries *series = NULL;
    if (!overview_check(overview, run_curve(group, variant, kind, &curve, &rows, &count))) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        ChartPoint point = measure_point(rows[i], measure, kind, unit);
        point.x = row_size(rows[i]);
        char label[OVERVIEW_TEXT_SIZE];
        size_short(rows[i], label);
        point.label = label;
        if (isfinite(point.y)) {
            series =
                series != NULL ? series : measure_series(overview->document, chart, rows[i], kind);
            chart_point(overview->document, series, &point);
        }
    }
    free(curve);
    free(rows);
}

static void name_sizes(const Overview *overview, DocChart *chart, const SizeBest *sizes,
                       size_t count) {
    const Row *any = sizes[0].fastest[TIME_KERNEL];
    chart->x.log = true;
    chart->x.title =
        document_text(overview->document, "size (%s)",
                      row_is_picture(any) ? "by number of pixels" : row_size_unit(any));
    for (size_t i = 0; i < count; i++) {
        char label[OVERVIEW_TEXT_SIZE];
        size_short(sizes[i].fastest[TIME_KERNEL], label);
        chart_tick(overview->document, &chart->x, sizes[i].size, label);
    }
}

static void add_chart(const Overview *overview, const RunGroup *group, const char *title,
                      ChartMeasure measure, const SizeBest *sizes, size_t count) {
    Document *document = overview->document;
    TimeRange range = {.count = 0};
    for (size_t i = 0; i < group->count; i++) {
        time_range_add(&range, row_seconds(group->rows[i], TIME_KERNEL));
    }
    const TimeUnit unit = time_unit(&range);
    DocChart *chart = measure_chart(
        document, document_text(document, "%s-%s", group->slug, measure_slug(measure)),
        document_text(document, "%s: %s against size", title, measure_words(measure)), measure,
        &unit);
    if (chart == NULL) {
        return;
    }
    name_sizes(overview, chart, sizes, count);
    const Variant *variants[VARIANTS_MAX];
    const size_t variant_count = run_variants(group, variants, VARIANTS_MAX);
    for (size_t i = 0; i < variant_count; i++) {
        add_series(overview, chart, group, variants[i], measure, TIME_KERNEL, &unit);
        if (measure != CHART_TIME && !variant_is_on_cpu(variants[i])) {
            add_series(overview, chart, group, variants[i], measure, TIME_END_TO_END, &unit);
        }
    }
    describe_chart(document, chart, "size");
}

/* Whether some row has that ratio; of CPU variants over the best of them only a run without a GPU
 * would have a chart, which its speedup over seq shows as well. */
static bool has_measure(const RunGroup *group, ChartMeasure measure) {
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (!isfinite(row_seconds(row, TIME_KERNEL))) {
            continue;
        }
        if (measure == CHART_TIME || (measure == CHART_OVER_SEQ && isfinite(row->speedup)) ||
            (measure == CHART_OVER_BEST_CPU && !row_is_on_cpu(row) &&
             isfinite(row->speedup_vs_best_cpu))) {
            return true;
        }
    }
    return false;
}

void size_charts(const Overview *overview, const Family *family, const RunGroup *group,
                 ChartBudget *budget) {
    static const ChartMeasure measures[] = {CHART_TIME, CHART_OVER_BEST_CPU, CHART_OVER_SEQ};
    SizeBest *sizes;
    size_t count;
    if (!overview_check(overview, size_best_find(group, &sizes, &count))) {
        return;
    }
    for (size_t i = 0; count > 1 && i < sizeof measures / sizeof measures[0]; i++) {
        if (has_measure(group, measures[i]) && budget_takes(budget)) {
            add_chart(overview, group, group_title(overview, family, group), measures[i], sizes,
                      count);
        }
    }
    free(sizes);
}
