/* How variants scale over GPUs or threads, and the charts of it. */

#include "scaling.h"
#include "algorithm.h"
#include "builder.h"
#include "document.h"
#include "variant.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "look.h"
#include "ratio.h"
#include "samples.h"
#include "text.h"
#include "variant.h"
#include "winners.h"

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
        if (own == NULL || strcmp(own, axis) != 0 || !row_is_timed(row)) {
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
        return document_text(document, "%g %s", size_of(scaling),
                             size_unit_words(row_size_unit(row)));
    }
    size_short(row, size);
    return document_text(document, "%s", size);
}

const char *scaling_grows(const Row *row) {
    const char *axis = row->algorithm->weak_axis;
    return axis != NULL ? axis : row->images > 0 ? "images" : "rows";
}

/* "weak scaling: N GPUs have N times the rows of one"; "" without --weak. */
static const char *scaling_words(Document *document, const Scaling *scaling) {
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

/* A line of a chart. */
typedef struct ScalingLine {
    const Scaling *scaling;
    TimeKind kind;
    LineLook look;
} ScalingLine;

typedef struct ScalingLines {
    ScalingLine *list;
    size_t count, room;
} ScalingLines;

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

/* A paper has bars of six launches or more alone. */
static ChartPoint point_of(const Builder *builder, const ScalingLine *line, const Row *row,
                           ScalingMeasure measure) {
    const Ratio ratio = over_one(line->scaling->one, row, line->kind);
    const double factor = measure == SCALING_SPEEDUP ? 1 : 100.0 / row_workers(row);
    const bool bars = builder->place != PLACE_PAPER ||
                      row_summary(row, line->kind)->launches >= MEDIAN_INTERVAL_MIN;
    return (ChartPoint){.x = row_workers(row),
                        .y = factor * ratio.value,
                        .low = bars ? factor * ratio.low : (double)NAN,
                        .high = bars ? factor * ratio.high : (double)NAN,
                        .label = document_text(builder->document, "%d", row_workers(row))};
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
static void name_workers(const Builder *builder, const ScalingLines *lines) {
    ChartAxis *x = &builder->chart->x;
    for (size_t i = 0; i < lines->count; i++) {
        const Scaling *scaling = lines->list[i].scaling;
        for (size_t j = 0; j < scaling->count; j++) {
            const int workers = row_workers(scaling->rows[j]);
            chart_mark(builder->document, x, workers,
                       document_text(builder->document, "%d", workers));
        }
    }
    x->log = is_logarithmic(x);
}

/* As much faster as there are workers. */
static void add_ideal(Document *document, DocChart *chart) {
    ChartSeries *ideal = chart_series(document, chart, "ideal", SERIES_CEILING, 0);
    for (size_t i = 0; i < chart->x.count; i++) {
        chart_dot(document, ideal, chart->x.ticks[i].value, chart->x.ticks[i].value, NULL);
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
static void add_measure(const Builder *builder, const ScalingLines *lines, ScalingMeasure measure,
                        ChartAxis axis, bool panel) {
    Document *document = builder->document;
    DocChart *chart = builder->chart;
    const double reference = measure == SCALING_EFFICIENCY ? 100 : (double)NAN;
    axis.log = measure == SCALING_SPEEDUP && chart->x.log;
    ChartPanel *made = panel ? chart_panel(document, chart, NULL) : NULL;
    for (size_t i = 0; i < lines->count; i++) {
        const ScalingLine *line = &lines->list[i];
        ChartSeries *series = NULL;
        for (size_t j = 0; j < line->scaling->count; j++) {
            builder_add_at(builder, point_of(builder, line, line->scaling->rows[j], measure),
                           line->look, &series);
        }
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

/* Speedup over one worker with the ideal line, efficiency, or each in a panel of its own. With
 * --weak there is the efficiency alone. `whose`: the variant of all lines; NULL: several. */
static void add_measures(const Builder *builder, const ScalingLines *lines, const char *whose,
                         unsigned measures) {
    Document *document = builder->document;
    const Row *first = lines->list[0].scaling->rows[0];
    const char *axis = row_scaling_axis(first);
    const char *one = workers_noun(axis, 1);
    const unsigned shown = first->weak ? SCALING_EFFICIENCY : measures;
    const bool panels = shown == SCALING_BOTH;
    name_workers(builder, lines);
    builder->chart->x.title = workers_noun(axis, 2);
    if ((shown & SCALING_SPEEDUP) != 0) {
        const char *title = whose == NULL ? document_text(document, "speedup over 1 %s", one)
                            : panels
                                ? document_text(document, "speedup of %s", whose)
                                : document_text(document, "speedup over %s with 1 %s", whose, one);
        add_measure(builder, lines, SCALING_SPEEDUP, (ChartAxis){.title = title}, panels);
    }
    if ((shown & SCALING_EFFICIENCY) != 0) {
        const char *title = whose != NULL ? document_text(document, "efficiency of %s (%%)", whose)
                                          : "efficiency (%)";
        add_measure(builder, lines, SCALING_EFFICIENCY,
                    (ChartAxis){.title = title, .unit = "%", .from_zero = true}, panels);
    }
}

/* === Lines ==================================================================================== */

/* GPUs where the first run has several numbers of them, else threads. */
static const char *scaling_axis(const Builder *builder) {
    const RunGroup rows = builder_rows(builder, 0, NULL);
    Scaling *list;
    return builder->axis.name != NULL                                         ? builder->axis.name
           : scalings_find(builder->document, &rows, scaling_gpus, &list) > 0 ? scaling_gpus
                                                                              : scaling_threads;
}

/* With --weak sizes are those of one worker. */
static bool is_of_sizes(const Builder *builder, const Scaling *scaling) {
    return scaling->one != NULL && list_has(builder->sizes, scaling->one->size_name);
}

/* Called "4K" where the axis's title says whose it is, else "cuda_multi, 4K"; `size` NULL: there is
 * one. */
static LineLook scaling_look(const Builder *builder, const Scaling *scaling, const char *size,
                             TimeKind kind, int colour, size_t run) {
    if (builder->only == NULL || size == NULL) {
        return builder_look(builder, scaling, scaling->rows[0]->variant->name, size, kind, colour,
                            run);
    }
    const bool whole = builder_is_beside_kernel(builder, kind);
    return (LineLook){.name =
                          whole ? document_text(builder->document, "%s, with copies", size) : size,
                      .style = whole ? SERIES_SECONDARY : SERIES_MEASURED,
                      .colour = colour,
                      .run = run,
                      .of = scaling};
}

/* A scaling of the variant, and its place among all of the rows. */
typedef struct VariantScaling {
    const Scaling *scaling;
    size_t place;
} VariantScaling;

/* Those of the variant at the sizes that are shown: all, or the largest. A file, which shows the
 * times end to end of devices as well, has room for three sizes of these. */
static size_t variant_scalings(const Builder *builder, const RunGroup *rows, const Variant *variant,
                               bool by_size, VariantScaling **list) {
    enum { SIZES_MAX = 3 };
    Document *document = builder->document;
    Scaling *all;
    const size_t count = scalings_find(document, rows, scaling_axis(builder), &all);
    const bool few =
        builder->place == PLACE_FILE && !variant_is_on_cpu(variant) && count > SIZES_MAX;
    size_t kept = 0;
    *list = document_allocate(document, (count + 1) * sizeof **list);
    for (size_t i = 0; *list != NULL && i < count; i++) {
        if (all[i].rows[0]->variant == variant && is_of_sizes(builder, &all[i]) &&
            (!few || i == 0 || i == count / 2 || i == count - 1)) {
            (*list)[kept] = (VariantScaling){&all[i], builder->place == PLACE_FILE ? i : kept};
            kept++;
        }
    }
    if (!by_size && kept > 1) {
        (*list)[0] = (VariantScaling){(*list)[kept - 1].scaling, 0};
        kept = 1;
    }
    return kept;
}

/* The lines of a run: one for each size of the only variant of the only run, or of all where sizes
 * were asked for; else of each variant at its largest. On a CPU both kinds of time are one. */
static void add_run(const Builder *builder, size_t run, bool by_size, ScalingLines *lines) {
    const RunGroup rows = builder_rows(builder, run, NULL);
    const Variant *variants[VARIANTS_MAX];
    const size_t variant_count = builder_variants(builder, &rows, variants);
    for (size_t i = 0; i < variant_count; i++) {
        VariantScaling *list;
        const Variant *variant = variants[i];
        const size_t sizes = variant_scalings(builder, &rows, variant, by_size, &list);
        const bool once = builder->kinds == BOTH_KINDS && variant_is_on_cpu(variant);
        for (size_t j = 0; j < sizes; j++) {
            const char *size = sizes > 1 || builder->place == PLACE_FILE || builder->run_count > 1
                                   ? scaling_name(builder->document, list[j].scaling)
                                   : NULL;
            for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END && lines->count < lines->room;
                 kind++) {
                if (!builder_has_kind(builder, kind) || (once && kind == TIME_END_TO_END)) {
                    continue;
                }
                lines->list[lines->count++] = (ScalingLine){
                    list[j].scaling, kind,
                    scaling_look(
                        builder, list[j].scaling, size, kind,
                        builder->only != NULL ? (int)list[j].place : variant_colour(variant), run)};
            }
        }
    }
}

/* The only variant that scales over the axis in all runs; NULL: there are several. */
static const Variant *only_scaling(const Builder *builder) {
    const Variant *only = NULL;
    for (size_t run = 0; run < builder->run_count; run++) {
        const RunGroup rows = builder_rows(builder, run, NULL);
        Scaling *list;
        const size_t count = scalings_find(builder->document, &rows, scaling_axis(builder), &list);
        for (size_t i = 0; i < count; i++) {
            const Variant *variant = list[i].rows[0]->variant;
            if (list[i].one != NULL && only != NULL && only != variant) {
                return NULL;
            }
            only = list[i].one != NULL ? variant : only;
        }
    }
    return only;
}

static void note_sizes(const Builder *builder, const ScalingLines *lines) {
    Scaling *list;
    const size_t all =
        scalings_find(builder->document, &builder->runs[0], builder->axis.name, &list);
    size_t sizes = 0;
    for (size_t i = 0; i < lines->count; i++) {
        sizes += lines->list[i].kind == TIME_KERNEL;
    }
    if (sizes < all) {
        builder_note(builder,
                     document_text(builder->document, "%zu of %zu sizes are shown", sizes, all));
    }
}

/* The lines of all runs. */
static void find_lines(const Builder *builder, bool by_size, ScalingLines *lines) {
    lines->count = 0;
    for (size_t run = 0; run < builder->run_count; run++) {
        add_run(builder, run, by_size, lines);
    }
}

/* The size that all lines have; NULL: they differ. */
static const char *common_size(const Builder *builder, const ScalingLines *lines) {
    const char *size = NULL;
    for (size_t i = 0; i < lines->count; i++) {
        const char *other = scaling_name(builder->document, lines->list[i].scaling);
        if (other == NULL || (size != NULL && strcmp(other, size) != 0)) {
            return NULL;
        }
        size = other;
    }
    return size;
}

void build_scaling(Builder *builder) {
    enum { LINES_MAX = CHART_RUNS_MAX * VARIANTS_MAX };
    const Variant *only = only_scaling(builder);
    const bool single = builder->place != PLACE_PAGE && builder->run_count == 1;
    const bool by_size = builder->sizes != NULL || (only != NULL && single);
    ScalingLines lines = {.list =
                              document_allocate(builder->document, LINES_MAX * sizeof *lines.list),
                          .room = LINES_MAX};
    if (lines.list == NULL) {
        return;
    }
    builder->only = single ? only : NULL;
    builder->common = builder->run_count > 1 ? only : NULL;
    find_lines(builder, by_size, &lines);
    if (builder->run_count > 1) { /* names are shorter without what all lines have */
        builder->common_size = common_size(builder, &lines);
        find_lines(builder, by_size, &lines);
    }
    builder->axis = (RowAxis){.name = scaling_axis(builder), .tuning = true};
    if (lines.count == 0) {
        return;
    }
    const Variant *whose = builder->only != NULL ? builder->only : builder->common;
    builder->chart->ordered = builder->only != NULL;
    builder->weak = scaling_words(builder->document, lines.list[0].scaling);
    add_measures(builder, &lines, whose != NULL ? builder_renamed(builder, whose->name) : NULL,
                 builder->scaling != 0 ? builder->scaling : SCALING_BOTH);
    builder_name_common_size(builder);
    if (builder->place != PLACE_PAPER) {
        builder_note(builder, builder->weak);
    }
    if (builder->place == PLACE_FILE) {
        note_sizes(builder, &lines);
    }
}
