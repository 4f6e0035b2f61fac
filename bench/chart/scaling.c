/* How variants scale over GPUs or threads, and the charts of it. */

#include "builder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "algorithm.h"
#include "axis.h"
#include "judge.h"
#include "variant.h"

/* === Scalings ================================================================================= */

/* Whether the fastest of all their rows is one of the first. */
static bool is_faster(const Scaling *first, const Scaling *second) {
    Rival rivals[RIVALS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < first->count && count < RIVALS_MAX; i++) {
        rivals[count++] = row_rival(first->rows[i], TIME_KERNEL);
    }
    const size_t others = count;
    for (size_t i = 0; i < second->count && count < RIVALS_MAX; i++) {
        rivals[count++] = row_rival(second->rows[i], TIME_KERNEL);
    }
    return winner_least(rivals, count) < others;
}

/* Of its smallest number of workers: with --weak sizes of other numbers are larger. */
static double size_of(const Scaling *scaling) {
    const Row *row = scaling->rows[0];
    return row_size(row) / (row->weak && row->algorithm->weak_axis == NULL ? row_workers(row) : 1);
}

/* The value of Algorithm.weak_axis that one worker has; 0 without --weak. */
static double share_of(const Scaling *scaling) {
    const Row *row = scaling->rows[0];
    const char *axis = row->algorithm->weak_axis;
    return row->weak && axis != NULL ? round((double)point_integer(&row->answer, axis, 0) /
                                             weak_factor(row->algorithm, row_workers(row)))
                                     : 0;
}

/* Whether both answer the same question of one worker, with other tunings. */
static bool same_question(const Scaling *a, const Scaling *b) {
    return a->rows[0]->variant == b->rows[0]->variant && size_of(a) == size_of(b) &&
           share_of(a) == share_of(b) &&
           (a->rows[0]->weak || point_equal(&a->rows[0]->answer, &b->rows[0]->answer));
}

static bool is_before(const Scaling *a, const Scaling *b) {
    return size_of(a) < size_of(b) || (size_of(a) == size_of(b) && share_of(a) < share_of(b));
}

static void insert_row(Scaling *scaling, const Row *row) {
    size_t at = scaling->count++;
    while (at > 0 && row_workers(scaling->rows[at - 1]) > row_workers(row)) {
        scaling->rows[at] = scaling->rows[at - 1];
        at--;
    }
    scaling->rows[at] = row;
    scaling->one = row_workers(row) == 1 ? row : scaling->one;
}

/* Those of one variant and question: the fastest tuning stays. */
static size_t keep_fastest(Scaling *list, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        while (same < kept && !same_question(&list[same], &list[i])) {
            same++;
        }
        if (list[i].count < 2) {
            continue;
        }
        if (same == kept) {
            list[kept++] = list[i];
        } else if (!is_faster(&list[same], &list[i])) {
            list[same] = list[i];
        }
    }
    return kept;
}

static void sort_sizes(Scaling *list, size_t count) {
    for (size_t i = 1; i < count; i++) {
        const Scaling scaling = list[i];
        size_t at = i;
        for (; at > 0 && is_before(&scaling, &list[at - 1]); at--) {
            list[at] = list[at - 1];
        }
        list[at] = scaling;
    }
}

size_t scalings_find(Document *document, const RunGroup *rows, const char *axis, Scaling **list) {
    size_t count = 0;
    *list = document_allocate(document, (rows->count + 1) * sizeof **list);
    for (size_t i = 0; *list != NULL && i < rows->count; i++) {
        const Row *row = rows->rows[i];
        const char *own = row_scaling_axis(row);
        if (own == NULL || strcmp(own, axis) != 0 || !isfinite(row_seconds(row, TIME_KERNEL))) {
            continue;
        }
        size_t at = 0;
        while (at < count && !row_same_scaling((*list)[at].rows[0], row)) {
            at++;
        }
        if (at == count) {
            (*list)[count] = (Scaling){
                .rows = document_allocate(document, (rows->count + 1) * sizeof(const Row *))};
            if ((*list)[count++].rows == NULL) {
                return 0;
            }
        }
        insert_row(&(*list)[at], row);
    }
    count = keep_fastest(*list, count);
    sort_sizes(*list, count);
    return count;
}

const char *scaling_name(Document *document, const Scaling *scaling) {
    const Row *row = scaling->one != NULL ? scaling->one : scaling->rows[0];
    const int workers = row_workers(row);
    char size[REPORT_TEXT_SIZE];
    if (row->weak && row->algorithm->weak_axis != NULL) {
        return document_text(document, "%s %g", row->algorithm->weak_axis, share_of(scaling));
    }
    if (row_is_image(row) && row->weak && workers > 1) {
        return document_text(document, "%" PRId32 "×%" PRId32, row->width, row->height / workers);
    }
    if (!row_is_image(row)) {
        return document_text(document, "%g %s", size_of(scaling), row_size_unit(row));
    }
    size_short(row, size);
    return document_text(document, "%s", size);
}

const char *scaling_grows(const Row *row) {
    const char *axis = row->algorithm->weak_axis;
    return axis != NULL ? axis : row->images > 0 ? "images" : "rows";
}

const char *scaling_words(Document *document, const Scaling *scaling) {
    const Row *row = scaling->rows[0];
    const char *axis = row_scaling_axis(row);
    return row->weak
               ? document_text(document, "weak scaling: N %s have %s times the %s of one",
                               workers_noun(axis, 2), row->algorithm->weak_power == 2 ? "√N" : "N",
                               scaling_grows(row))
               : "";
}

const char *scaling_lack(Document *document, const Scaling *scaling) {
    const Row *row = scaling->rows[0];
    const char *axis = row_scaling_axis(row);
    return document_text(document, "%s was not measured on one %s", row->variant->name,
                         workers_noun(axis, 1));
}

/* === Charts =================================================================================== */

/* From launches or samples where these are stored, else from the medians: a CSV file of an earlier
 * version has no efficiencies. */
static Ratio over_one(const Row *one, const Row *row, TimeKind kind) {
    const Ratio known = row_over_one(row, kind);
    if (isfinite(known.value) || one == NULL) {
        return known;
    }
    return summary_rate(row_summary(row, kind),
                        row_seconds(one, kind) * (row->weak ? row_workers(row) : 1));
}

static ChartPoint point_of(const ScalingLine *line, const Row *row, ScalingMeasure measure) {
    const Ratio ratio = over_one(line->scaling->one, row, line->kind);
    const double factor = measure == SCALING_SPEEDUP ? 1 : 100.0 / row_workers(row);
    const bool bars = !line->six || row_summary(row, line->kind)->launches >= MEDIAN_INTERVAL_MIN;
    return (ChartPoint){.x = row_workers(row),
                        .y = factor * ratio.value,
                        .low = bars ? factor * ratio.low : (double)NAN,
                        .high = bars ? factor * ratio.high : (double)NAN};
}

/* Whether the numbers double, or their range is wide. */
static bool is_logarithmic(const ChartAxis *axis) {
    static const double log_from = 8;
    bool doubles = true;
    for (size_t i = 0; i < axis->count; i++) {
        doubles &= exp2(round(log2(axis->ticks[i].value))) == axis->ticks[i].value;
    }
    return axis->count > 0 &&
           (doubles || axis->ticks[axis->count - 1].value >= log_from * axis->ticks[0].value);
}

/* Names every number of workers. */
static void name_workers(Document *document, DocChart *chart, const ScalingLine *lines,
                         size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < lines[i].scaling->count; j++) {
            const int workers = row_workers(lines[i].scaling->rows[j]);
            chart_mark(document, &chart->x, workers, document_text(document, "%d", workers));
        }
    }
    chart->x.log = is_logarithmic(&chart->x);
}

static void add_line(Document *document, DocChart *chart, const ScalingLine *line,
                     ScalingMeasure measure) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < line->scaling->count; i++) {
        char label[16];
        const Row *row = line->scaling->rows[i];
        ChartPoint point = point_of(line, row, measure);
        if (!isfinite(point.y)) {
            continue;
        }
        if (series == NULL) {
            series = chart_series(document, chart, line->name,
                                  line->dashed ? SERIES_SECONDARY : SERIES_MEASURED, line->colour);
            if (series != NULL) {
                series->run = line->run;
            }
        }
        snprintf(label, sizeof label, "%d", row_workers(row));
        point.label = label;
        chart_point(document, series, &point);
    }
}

/* As much faster as there are workers. */
static void add_ideal(Document *document, DocChart *chart) {
    ChartSeries *ideal = chart_series(document, chart, "ideal", SERIES_CEILING, 0);
    for (size_t i = 0; i < chart->x.count; i++) {
        const double workers = chart->x.ticks[i].value;
        chart_point(document, ideal,
                    &(ChartPoint){.x = workers, .y = workers, .low = NAN, .high = NAN});
    }
}

/* Marks at powers of two, from the least value to the most. */
static void name_powers(Document *document, const DocChart *chart, ChartAxis *y) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            least = fmin(least, fmin(series->points[j].y, series->points[j].low));
            most = fmax(most, fmax(series->points[j].y, series->points[j].high));
        }
    }
    if (!(least > 0) || !isfinite(most)) {
        return;
    }
    const int last = (int)ceil(log2(most));
    for (int power = (int)floor(log2(least)); power <= last; power++) {
        char number[32];
        number_text(ldexp(1, power), number, sizeof number);
        chart_tick(document, y, ldexp(1, power), number);
    }
}

/* Into the chart, or into its next panel. */
static void add_measure(Document *document, DocChart *chart, const ScalingLine *lines, size_t count,
                        ScalingMeasure measure, ChartAxis axis, bool panel) {
    const double reference = measure == SCALING_EFFICIENCY ? 100 : (double)NAN;
    axis.log = measure == SCALING_SPEEDUP && chart->x.log;
    ChartPanel *made = panel ? chart_panel(document, chart, NULL) : NULL;
    for (size_t i = 0; i < count; i++) {
        add_line(document, chart, &lines[i], measure);
    }
    if (measure == SCALING_SPEEDUP && chart->count > 0) {
        add_ideal(document, chart);
        if (axis.log) {
            name_powers(document, chart, &axis);
        }
    }
    if (made != NULL) {
        made->y = axis;
        made->reference = reference;
    } else {
        chart->y = axis;
        chart->reference = reference;
    }
}

void scaling_chart(Document *document, DocChart *chart, const ScalingLine *lines, size_t count,
                   const char *whose, unsigned measures) {
    const Row *first = count > 0 ? lines[0].scaling->rows[0] : NULL;
    if (first == NULL) {
        return;
    }
    const char *axis = row_scaling_axis(first);
    const char *one = workers_noun(axis, 1);
    const unsigned shown = first->weak ? SCALING_EFFICIENCY : measures;
    const bool panels = shown == SCALING_BOTH;
    name_workers(document, chart, lines, count);
    chart->x.title = workers_noun(axis, 2);
    if ((shown & SCALING_SPEEDUP) != 0) {
        const char *title = whose == NULL ? document_text(document, "speedup over 1 %s", one)
                            : panels
                                ? document_text(document, "speedup of %s", whose)
                                : document_text(document, "speedup over %s with 1 %s", whose, one);
        add_measure(document, chart, lines, count, SCALING_SPEEDUP, (ChartAxis){.title = title},
                    panels);
    }
    if ((shown & SCALING_EFFICIENCY) != 0) {
        const char *title = whose != NULL ? document_text(document, "efficiency of %s (%%)", whose)
                                          : "efficiency (%)";
        add_measure(document, chart, lines, count, SCALING_EFFICIENCY,
                    (ChartAxis){.title = title, .from_zero = true}, panels);
    }
}
