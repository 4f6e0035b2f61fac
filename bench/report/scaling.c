/* How variants scale over GPUs or threads: lines of charts, and the section of a report. */

#include "report_internal.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "algorithm.h"
#include "axis.h"
#include "status.h"
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
    char size[OVERVIEW_TEXT_SIZE];
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

/* What grows: "rows", "images", "keypoints". */
static const char *growing(const Row *row) {
    const char *axis = row->algorithm->weak_axis;
    return axis != NULL ? axis : row->images > 0 ? "images" : "rows";
}

const char *scaling_words(Document *document, const Scaling *scaling) {
    const Row *row = scaling->rows[0];
    const char *axis = row_scaling_axis(row);
    return row->weak ? document_text(document, "weak scaling: N %s have %s times the %s of one",
                                     workers_noun(axis, 2),
                                     row->algorithm->weak_power == 2 ? "√N" : "N", growing(row))
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
    const Summary *summary = row_summary(row, kind);
    const double seconds = row_seconds(one, kind) * (row->weak ? row_workers(row) : 1);
    return (Ratio){.value = seconds / row_seconds(row, kind),
                   .low = seconds / summary->ci_high,
                   .high = seconds / summary->ci_low};
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

/* Names every number of workers, ascending. */
static void name_workers(Document *document, DocChart *chart, const ScalingLine *lines,
                         size_t count) {
    for (int last = 0, next = 0; next < INT_MAX; last = next) {
        next = INT_MAX;
        for (size_t i = 0; i < count; i++) {
            const Scaling *scaling = lines[i].scaling;
            for (size_t j = 0; j < scaling->count; j++) {
                const int workers = row_workers(scaling->rows[j]);
                next = workers > last && workers < next ? workers : next;
            }
        }
        if (next < INT_MAX) {
            chart_tick(document, &chart->x, next, document_text(document, "%d", next));
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

/* === Section of a report ====================================================================== */

/* What one table and its charts show: the largest question of each variant. */
typedef struct ScalingPart {
    const Overview *overview;
    const char *axis;
    const char *title, *slug; /* of the rows */
    const Scaling *list[VARIANTS_MAX];
    size_t count;
    bool devices; /* end to end is another time than the kernel's */
    TimeUnit units[TIME_KINDS];
} ScalingPart;

static void find_part(Document *document, const RunGroup *rows, ScalingPart *part) {
    const Variant *variants[VARIANTS_MAX];
    Scaling *list;
    TimeRange ranges[TIME_KINDS] = {{.count = 0}};
    const size_t all = scalings_find(document, rows, part->axis, &list);
    const size_t count = run_variants(rows, variants);
    for (size_t i = 0; i < count; i++) {
        const Scaling *largest = NULL;
        for (size_t j = 0; j < all; j++) {
            largest = list[j].rows[0]->variant == variants[i] ? &list[j] : largest;
        }
        if (largest != NULL) {
            part->list[part->count++] = largest;
            part->devices |= !variant_is_on_cpu(variants[i]);
            for (size_t j = 0; j < largest->count; j++) {
                for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
                    time_range_add(&ranges[kind], row_seconds(largest->rows[j], kind));
                }
            }
        }
    }
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
        part->units[kind] = time_unit(&ranges[kind]);
    }
}

/* --- Table ------------------------------------------------------------------------------------ */

static void speedup_cell(Document *document, DocTable *table, const Row *row, TimeKind kind) {
    const Ratio ratio = row_over_one(row, kind);
    char text[SIGNIFICANT_SIZE];
    times_text(ratio.value, text);
    table_cell(document, table,
               &(DocCell){.text = text,
                          .number = ratio.value,
                          .kind = ratio.value < 1 ? CELL_BAD : CELL_PLAIN});
}

/* "94.1 (92.5 to 94.8)", in percent. */
static void efficiency_cell(Document *document, DocTable *table, const Row *row, TimeKind kind) {
    static const double least = 1e-6;
    const Ratio ratio = row_efficiency(row, kind);
    char text[SIGNIFICANT_SIZE], ends[OVERVIEW_TEXT_SIZE];
    significant_text(100 * ratio.value, OVERVIEW_DIGITS, text);
    interval_text(100 * ratio.low, 100 * ratio.high, ends);
    const bool shown = ratio.high - ratio.low > least * ratio.value;
    table_value(document, table, shown ? document_text(document, "%s (%s)", text, ends) : text,
                ratio.value);
}

static void add_times(Document *document, DocTable *table, const Scaling *scaling, const Row *row,
                      TimeKind kind, const TimeUnit *unit) {
    time_cell(document, table, row, kind, unit);
    for (size_t i = row->weak ? 1 : 0; i < 2; i++) {
        if (scaling->one == NULL) {
            missing_cell(
                document, table,
                document_text(document, "none on 1 %s", workers_noun(row_scaling_axis(row), 1)));
        } else if (i == 0) {
            speedup_cell(document, table, row, kind);
        } else {
            efficiency_cell(document, table, row, kind);
        }
    }
}

static void add_columns(const ScalingPart *part, DocTable *table) {
    Document *document = part->overview->document;
    const Row *first = part->list[0]->rows[0];
    const char *groups[] = {"kernel", "end to end"};
    group_columns(part->overview, table);
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "size"});
    if (first->weak && first->algorithm->weak_axis != NULL) {
        table_column(document, table,
                     &(DocColumn){.title = first->algorithm->weak_axis, .numeric = true});
    }
    table_column(document, table,
                 &(DocColumn){.title = workers_noun(part->axis, 2), .numeric = true});
    for (size_t i = 0; i < (part->devices ? 2 : 1); i++) {
        const char *group = part->devices ? groups[i] : NULL;
        const char *time = document_text(document, "time (%s)", part->units[i].name);
        table_column(document, table, &(DocColumn){.title = time, .group = group, .numeric = true});
        if (!first->weak) {
            table_column(document, table,
                         &(DocColumn){.title = "speedup", .group = group, .numeric = true});
        }
        table_column(document, table,
                     &(DocColumn){.title = "efficiency (%)", .group = group, .numeric = true});
    }
    table_column(
        document, table,
        &(DocColumn){.title = document_text(document, "%ss/s per %s", first->algorithm->item,
                                            workers_noun(part->axis, 1)),
                     .numeric = true});
}

static void add_row(const ScalingPart *part, DocTable *table, const Scaling *scaling,
                    const Row *row) {
    Document *document = part->overview->document;
    char rate[OVERVIEW_TEXT_SIZE];
    const double each = row->items_per_second / row_workers(row);
    group_cells(part->overview, table, row);
    table_words(document, table, row->variant->name);
    size_cell(document, table, row);
    if (row->weak && row->algorithm->weak_axis != NULL) {
        table_words(document, table, point_text(&row->answer, row->algorithm->weak_axis));
    }
    table_count(document, table, (size_t)row_workers(row));
    for (TimeKind kind = TIME_KERNEL; kind <= (part->devices ? TIME_END_TO_END : TIME_KERNEL);
         kind++) {
        add_times(document, table, scaling, row, kind, &part->units[kind]);
    }
    amount_text(each, "", rate, sizeof rate);
    table_value(document, table, rate, each);
}

/* Why some efficiency is missing; "" where none is. */
static const char *lack_words(const ScalingPart *part) {
    const char *words = "";
    for (size_t i = 0; i < part->count && words != NULL; i++) {
        if (part->list[i]->one == NULL) {
            words = document_text(part->overview->document, "%s %s, so there is no efficiency.",
                                  words, scaling_lack(part->overview->document, part->list[i]));
        }
    }
    return words != NULL ? words : "";
}

static void draw_table(const ScalingPart *part) {
    Document *document = part->overview->document;
    const Row *first = part->list[0]->rows[0];
    const char *many = workers_noun(part->axis, 2);
    DocTable *table =
        document_table(document, document_text(document, "scaling-%s-%s", part->slug, part->axis),
                       document_text(document, "%s: scaling over %s", part->title, many));
    add_columns(part, table);
    for (size_t i = 0; i < part->count; i++) {
        for (size_t j = 0; j < part->list[i]->count; j++) {
            add_row(part, table, part->list[i], part->list[i]->rows[j]);
        }
    }
    if (table != NULL) {
        table->note = document_text(
            document, "%s; in parentheses %s.%s%s",
            first->weak
                ? document_text(document,
                                "Weak scaling: N %s have N times the %s of one, and the efficiency "
                                "is the time of one %s divided by theirs",
                                many, growing(first), workers_noun(part->axis, 1))
                : document_text(document,
                                "The efficiency is the speedup over one %s divided by "
                                "their number",
                                workers_noun(part->axis, 1)),
            run_interval_words(part->overview),
            part->devices ? " End to end is upload, kernel and download." : "", lack_words(part));
    }
}

/* --- Charts ----------------------------------------------------------------------------------- */

static size_t part_lines(const ScalingPart *part, ScalingLine *lines) {
    Document *document = part->overview->document;
    size_t count = 0;
    for (size_t i = 0; i < part->count; i++) {
        const Scaling *scaling = part->list[i];
        const Variant *variant = scaling->rows[0]->variant;
        if (scaling->one == NULL) {
            continue;
        }
        const int colour = variant_look_number(variant->name);
        lines[count++] = (ScalingLine){.scaling = scaling, .name = variant->name, .colour = colour};
        if (!variant_is_on_cpu(variant)) {
            lines[count++] =
                (ScalingLine){.scaling = scaling,
                              .name = document_text(document, "%s, end to end", variant->name),
                              .colour = colour,
                              .dashed = true,
                              .kind = TIME_END_TO_END};
        }
    }
    return count;
}

/* "cuda_multi 1.87 on 2 GPUs": each line at its right end. */
static const char *describe(Document *document, const ScalingPart *part, const DocChart *chart) {
    const char *text =
        document_text(document, "Line chart: %s against %s. Ideal is %s.", chart->y.title,
                      chart->x.title, isnan(chart->reference) ? "the number itself" : "100");
    for (size_t i = 0; i < chart->count && text != NULL; i++) {
        const ChartSeries *series = &chart->series[i];
        char value[SIGNIFICANT_SIZE];
        if (series->style == SERIES_CEILING || series->count == 0) {
            continue;
        }
        const ChartPoint *end = &series->points[series->count - 1];
        significant_text(end->y, OVERVIEW_DIGITS, value);
        text = document_text(document, "%s %s reaches %s on %s %s.", text, series->name, value,
                             end->label, workers_noun(part->axis, (int)end->x));
    }
    return text;
}

static void draw_chart(const ScalingPart *part, const ScalingLine *lines, size_t count,
                       ScalingMeasure measure) {
    Document *document = part->overview->document;
    const char *word = measure == SCALING_SPEEDUP ? "speedup" : "efficiency";
    char size[OVERVIEW_TEXT_SIZE];
    size_words(part->list[0]->rows[0], size);
    DocChart *chart =
        document_chart(document, document_text(document, "%s-%s-%s", part->slug, part->axis, word),
                       measure == SCALING_SPEEDUP
                           ? document_text(document, "%s: speedup over one %s, at %s", part->title,
                                           workers_noun(part->axis, 1), size)
                           : document_text(document, "%s: efficiency of several %s, %s %s",
                                           part->title, workers_noun(part->axis, 2),
                                           part->list[0]->rows[0]->weak ? "each with" : "at",
                                           scaling_name(document, part->list[0])));
    if (chart == NULL) {
        return;
    }
    scaling_chart(document, chart, lines, count, NULL, (unsigned)measure);
    if (chart->count == 0) {
        document_drop_chart(document);
        return;
    }
    const char *words = scaling_words(document, part->list[0]);
    chart->note = words != NULL && words[0] != '\0' ? words : NULL;
    chart_mark_equal(chart);
    chart_note_intervals(document, chart, run_interval_words(part->overview));
    chart->description = describe(document, part, chart);
}

static void draw_part(const Overview *overview, const RunGroup *rows, const char *axis,
                      const char *title, const char *slug, bool *headed) {
    Document *document = overview->document;
    ScalingPart *part = document_allocate(document, sizeof *part);
    ScalingLine *lines = document_allocate(document, 2 * VARIANTS_MAX * sizeof *lines);
    if (part == NULL || lines == NULL) {
        return;
    }
    *part = (ScalingPart){.overview = overview, .axis = axis, .title = title, .slug = slug};
    find_part(document, rows, part);
    if (part->count == 0) {
        return;
    }
    if (!*headed) {
        document_heading(document, 2, "Scaling");
        *headed = true;
    }
    draw_table(part);
    const size_t count = part_lines(part, lines);
    if (count > 0 && !part->list[0]->rows[0]->weak) {
        draw_chart(part, lines, count, SCALING_SPEEDUP);
    }
    if (count > 0) {
        draw_chart(part, lines, count, SCALING_EFFICIENCY);
    }
}

/* The rows of a family's groups that were measured by --weak: their answers may have grown. */
static RunGroup weak_rows(Document *document, const Family *family) {
    RunGroup rows = {.rows = NULL};
    for (size_t i = 0; i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        for (size_t j = 0; j < group->count; j++) {
            if (group->rows[j]->weak &&
                DOCUMENT_ROOM(document, rows.rows, rows.count, rows.capacity)) {
                rows.rows[rows.count++] = group->rows[j];
            }
        }
    }
    return rows;
}

static void family_scaling(const Overview *overview, const Family *family, bool *headed) {
    static const char *const axes[] = {"gpus", "threads"};
    Document *document = overview->document;
    const RunGroup weak = weak_rows(document, family);
    if (weak.count > 0) {
        draw_part(
            overview, &weak, axes[0],
            document_text(document, "%s, %s", family->head->algorithm->name, family->head->input),
            family_slug(document, family), headed);
    }
    for (size_t i = 0; i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        for (size_t j = weak.count > 0 ? 1 : 0; family_shows(family, i) && j < 2; j++) {
            draw_part(overview, group, axes[j], group_title(overview, family, group), group->slug,
                      headed);
        }
    }
}

void overview_scaling(const Overview *overview) {
    bool headed = false;
    for (size_t i = 0; i < overview->count; i++) {
        family_scaling(overview, &overview->families[i], &headed);
    }
}
