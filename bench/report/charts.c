/* The sections of charts. */

#include "report_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "base.h"
#include "results.h"
#include "status.h"
#include "variant.h"

/* === Chart budget ============================================================================= */

/* How many charts a reader gets: too many are as bad as none. */

typedef struct ChartBudget {
    Document *document;
    bool introduced; /* the document says how to read the charts */
    size_t left, drawn, left_out;
} ChartBudget;

/* Before the first chart of the report. */
static void introduce(Document *document) {
    document_add(document, BLOCK_PARAGRAPH,
                 "Each variant at its fastest tuning. Whiskers are 95%% intervals; where none are "
                 "seen they are smaller than the mark. Solid lines count the kernel alone, dashed "
                 "ones the whole way with upload and download. A variant has the same colour in "
                 "every chart.");
}

/* Whether there is room for one more chart, which is counted either way and added next. */
static bool budget_takes(ChartBudget *budget) {
    const bool room = budget->left > 0;
    if (room && !budget->introduced) {
        introduce(budget->document);
        budget->introduced = true;
    }
    budget->left -= room;
    budget->drawn += room;
    budget->left_out += !room;
    return room;
}

/* === Chart parts ============================================================================== */

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

/* The series of a variant: solid for the kernel, dashed and named "…, end to end" otherwise. */
static ChartSeries *measure_series(Document *document, DocChart *chart, const Row *row,
                                   TimeKind kind) {
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

/* Sets the description from what is in the chart: against what, how many lines, and who is lowest
 * and highest at the right end. */
static void describe_chart(Document *document, DocChart *chart, const char *against) {
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

/* === Size charts ============================================================================== */

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

void chart_size_axis(Document *document, DocChart *chart, const SizeBest *sizes, size_t count) {
    if (count == 0) {
        return;
    }
    const Row *any = sizes[0].fastest[TIME_KERNEL];
    chart->x.log = true;
    chart->x.title = document_text(
        document, "size (%s)", row_is_picture(any) ? "by number of pixels" : row_size_unit(any));
    for (size_t i = 0; i < count; i++) {
        char label[OVERVIEW_TEXT_SIZE];
        size_short(sizes[i].fastest[TIME_KERNEL], label);
        chart_tick(document, &chart->x, sizes[i].size, label);
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
    chart_size_axis(document, chart, sizes, count);
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

/* Against size: kernel time, speedup over the best CPU variant and over seq; where there are two
 * sizes. */
static void size_charts(const Overview *overview, const Family *family, const RunGroup *group,
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

/* === Axis sweep =============================================================================== */

/* Sweeps: rows of one size that differ in an axis of the tuning or of the answer. */

typedef struct AxisSweep {
    const char *axis;
    bool tuning; /* an axis of the tuning, not of the answer */
    const Row **rows;
    size_t count;
    const AxisValue **values; /* each once, in the order of their places */
    double *places;           /* of the values along x */
    size_t value_count;
    bool numbers; /* the values are numbers, and these are their places */
} AxisSweep;

/* The answer points of a family that differ in nothing but one axis, at their largest size. */
typedef struct AnswerSweep {
    AxisSweep sweep;
    const RunGroup *first; /* its first group */
    size_t axis;           /* place of the axis in the answer point */
} AnswerSweep;

static void sweep_close(AxisSweep *sweep);

enum { VALUES_ENOUGH = 3, VALUES_LEAST = 2 };

static const AxisValue *value_of(const AxisSweep *sweep, const Row *row) {
    const Point *point = sweep->tuning ? &row->tuning : &row->answer;
    for (size_t i = 0; i < point->count; i++) {
        if (strcmp(point->axes[i]->name, sweep->axis) == 0) {
            return &point->values[i];
        }
    }
    return NULL;
}

static size_t place_of(const AxisSweep *sweep, const Row *row) {
    const AxisValue *value = value_of(sweep, row);
    size_t i = 0;
    while (value != NULL && i < sweep->value_count &&
           strcmp(sweep->values[i]->text, value->text) != 0) {
        i++;
    }
    return value != NULL ? i : SIZE_MAX;
}

/* Room for so many rows; `axis` and `tuning` are set by the caller. Without memory it is false and
 * the document has failed. */
static bool sweep_open(const Overview *overview, size_t capacity, AxisSweep *sweep) {
    sweep->rows = calloc(capacity + 1, sizeof(const Row *));
    sweep->values = calloc(capacity + 1, sizeof(const AxisValue *));
    sweep->places = calloc(capacity + 1, sizeof(double));
    if (sweep->rows == NULL || sweep->values == NULL || sweep->places == NULL) {
        sweep_close(sweep);
        return overview_check(overview, status_no_memory("for the rows of a sweep"));
    }
    return true;
}

static void sweep_close(AxisSweep *sweep) {
    free(sweep->rows);
    free(sweep->values);
    free(sweep->places);
    *sweep = (AxisSweep){.axis = NULL};
}

/* Takes the rows of the group that have the size, a time and the axis. */
static void sweep_take(AxisSweep *sweep, const RunGroup *group, double size) {
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        const size_t place = place_of(sweep, row);
        if (place == SIZE_MAX || row_size(row) != size ||
            !isfinite(row_seconds(row, TIME_KERNEL))) {
            continue;
        }
        if (place == sweep->value_count) {
            sweep->values[sweep->value_count++] = value_of(sweep, row);
        }
        sweep->rows[sweep->count++] = row;
    }
}

/* What the text begins with; NAN where that is no number. `all`: whether it is nothing else. */
static double leading_number(const char *text, bool *all) {
    char *end;
    const double number = strtod(text, &end);
    *all = end != text && *end == '\0';
    return end != text ? number : (double)NAN;
}

static void sort_values(AxisSweep *sweep) {
    for (size_t i = 1; i < sweep->value_count; i++) {
        const AxisValue *value = sweep->values[i];
        const double place = sweep->places[i];
        size_t at = i;
        for (; at > 0 && sweep->places[at - 1] > place; at--) {
            sweep->values[at] = sweep->values[at - 1];
            sweep->places[at] = sweep->places[at - 1];
        }
        sweep->values[at] = value;
        sweep->places[at] = place;
    }
}

/* When all rows are taken: values stand at the numbers that they begin with ("8" of "8:1"), or one
 * after the other where these do not tell them apart. */
static void sweep_place(AxisSweep *sweep) {
    bool apart = true;
    sweep->numbers = true;
    for (size_t i = 0; i < sweep->value_count; i++) {
        bool all;
        sweep->places[i] = leading_number(sweep->values[i]->text, &all);
        sweep->numbers &= all;
        apart &= isfinite(sweep->places[i]);
        for (size_t j = 0; apart && j < i; j++) {
            apart &= sweep->places[i] != sweep->places[j];
        }
    }
    sweep->numbers &= apart;
    for (size_t i = 0; !apart && i < sweep->value_count; i++) {
        sweep->places[i] = (double)i + 1;
    }
    sort_values(sweep);
}

/* Of a value, given by its index, the fastest row of a variant (NULL: of all on the CPU); NULL when
 * there is none. */
static const Row *sweep_fastest(const AxisSweep *sweep, const Variant *variant, TimeKind kind,
                                size_t value) {
    const Row *best = NULL;
    for (size_t i = 0; i < sweep->count; i++) {
        const Row *row = sweep->rows[i];
        const bool asked_for = variant != NULL ? row->variant == variant : row_is_on_cpu(row);
        if (asked_for && place_of(sweep, row) == value && isfinite(row_seconds(row, kind)) &&
            (best == NULL || row_seconds(row, kind) < row_seconds(best, kind))) {
            best = row;
        }
    }
    return best;
}

/* --- Answers ------------------------------------------------------------------------------------
 */

/* Whether two answer points differ in nothing but, perhaps, the axis. */
static bool same_but_for(const RunGroup *a, const RunGroup *b, size_t axis) {
    const Point *first = &a->rows[0]->answer;
    const Point *second = &b->rows[0]->answer;
    for (size_t i = 0; i < first->count; i++) {
        if (i != axis && strcmp(first->values[i].text, second->values[i].text) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_first_of_its_kind(const Family *family, size_t group, size_t axis) {
    for (size_t i = 0; i < group; i++) {
        if (same_but_for(family->groups[i], family->groups[group], axis)) {
            return false;
        }
    }
    return true;
}

static bool has_one_size(const Family *family) {
    double size = NAN;
    for (size_t i = 0; i < family->count; i++) {
        for (size_t j = 0; j < family->groups[i]->count; j++) {
            const Row *row = family->groups[i]->rows[j];
            if (!isfinite(row_seconds(row, TIME_KERNEL))) {
                continue;
            }
            if (isfinite(size) && row_size(row) != size) {
                return false;
            }
            size = row_size(row);
        }
    }
    return true;
}

/* Values of an axis in a row of groups that differ in nothing else. */
static size_t count_values(const Family *family, size_t first, size_t axis) {
    size_t count = 0;
    for (size_t i = first; i < family->count; i++) {
        count += same_but_for(family->groups[i], family->groups[first], axis);
    }
    return count;
}

/* How many values a sweep of numbers has at least. */
static size_t values_min(const Family *family) {
    bool enough = !has_one_size(family);
    for (size_t axis = 0; !enough && axis < family->head->answer.count; axis++) {
        for (size_t i = 0; i < family->count; i++) {
            enough |= is_first_of_its_kind(family, i, axis) &&
                      count_values(family, i, axis) >= VALUES_ENOUGH;
        }
    }
    return enough ? VALUES_ENOUGH : VALUES_LEAST;
}

/* Opens the sweep of the groups that are like the first but for the axis. */
static bool take_answers(const Overview *overview, const Family *family, size_t first,
                         AnswerSweep *answers) {
    size_t capacity = 0;
    double size = 0.0;
    answers->first = family->groups[first];
    answers->sweep.axis = answers->first->rows[0]->answer.axes[answers->axis]->name;
    for (size_t i = first; i < family->count; i++) {
        const Row *largest = group_largest(family->groups[i]);
        if (same_but_for(family->groups[i], answers->first, answers->axis) && largest != NULL) {
            capacity += family->groups[i]->count;
            size = fmax(size, row_size(largest));
        }
    }
    if (!sweep_open(overview, capacity, &answers->sweep)) {
        return false;
    }
    for (size_t i = first; i < family->count; i++) {
        if (same_but_for(family->groups[i], answers->first, answers->axis)) {
            sweep_take(&answers->sweep, family->groups[i], size);
        }
    }
    sweep_place(&answers->sweep);
    return true;
}

/* Calls `use` for each sweep of the family's answer axes that has three values or more; where the
 * family has one size and no such axis, so that there is nothing else to compare, also for those of
 * two numbers. */
static void answer_sweeps(const Overview *overview, const Family *family,
                          void (*use)(const Overview *overview, const Family *family,
                                      const AnswerSweep *sweep, void *context),
                          void *context) {
    const size_t least = values_min(family);
    for (size_t axis = 0; family->count >= least && axis < family->head->answer.count; axis++) {
        for (size_t i = 0; i < family->count; i++) {
            AnswerSweep answers = {.axis = axis};
            if (!is_first_of_its_kind(family, i, axis) ||
                !take_answers(overview, family, i, &answers)) {
                continue;
            }
            /* A line between two points needs an axis that has something between them. */
            const size_t needed = answers.sweep.numbers ? least : VALUES_ENOUGH;
            if (answers.sweep.value_count >= needed) {
                use(overview, family, &answers, context);
            }
            sweep_close(&answers.sweep);
        }
    }
}

/* === Axis charts ============================================================================== */

enum { TICKS_MAX = 20, TUNING_VALUES_MIN = 2 };

static const double log_from = 8; /* largest value by smallest, from which on an axis is that */

/* --- Drawing ------------------------------------------------------------------------------------
 */

static void name_axis(Document *document, DocChart *chart, const AxisSweep *sweep) {
    double least = INFINITY;
    double most = -INFINITY;
    for (size_t i = 0; i < sweep->value_count; i++) {
        least = fmin(least, sweep->places[i]);
        most = fmax(most, sweep->places[i]);
        if (sweep->value_count <= TICKS_MAX) {
            chart_tick(document, &chart->x, sweep->places[i], sweep->values[i]->text);
        }
    }
    chart->x.title = sweep->axis;
    chart->x.log = least > 0 && most >= log_from * least;
}

typedef struct Line {
    const Variant *variant;
    ChartMeasure measure;
    TimeKind kind;
    TimeUnit unit;
} Line;

static void add_line(Document *document, DocChart *chart, const AxisSweep *sweep,
                     const Line *line) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < sweep->value_count; i++) {
        const Row *row = sweep_fastest(sweep, line->variant, line->kind, i);
        if (row == NULL) {
            continue;
        }
        ChartPoint point = measure_point(row, line->measure, line->kind, &line->unit);
        point.x = sweep->places[i];
        point.label = sweep->values[i]->text;
        if (isfinite(point.y)) {
            series = series != NULL ? series : measure_series(document, chart, row, line->kind);
            chart_point(document, series, &point);
        }
    }
}

static void add_lines(Document *document, DocChart *chart, const AxisSweep *sweep, Line line) {
    const RunGroup rows = {.rows = sweep->rows, .count = sweep->count};
    const Variant *variants[VARIANTS_MAX];
    const size_t count = run_variants(&rows, variants, VARIANTS_MAX);
    for (size_t i = 0; i < count; i++) {
        line.variant = variants[i];
        line.kind = TIME_KERNEL;
        add_line(document, chart, sweep, &line);
        line.kind = TIME_END_TO_END;
        if (line.measure != CHART_TIME && !variant_is_on_cpu(variants[i])) {
            add_line(document, chart, sweep, &line);
        }
    }
}

/* `slug` and `title` are those of what is drawn, without the axis. */
static void draw(const Overview *overview, const AxisSweep *sweep, ChartMeasure measure,
                 const char *slug, const char *title) {
    Document *document = overview->document;
    TimeRange range = {.count = 0};
    for (size_t i = 0; i < sweep->count; i++) {
        time_range_add(&range, row_seconds(sweep->rows[i], TIME_KERNEL));
    }
    const Line line = {.measure = measure, .unit = time_unit(&range)};
    char size[OVERVIEW_TEXT_SIZE];
    size_words(sweep->rows[0], size);
    DocChart *chart = measure_chart(
        document, document_text(document, "%s-%s-%s", slug, sweep->axis, measure_slug(measure)),
        document_text(document, "%s at %s: %s against %s", title, size, measure_words(measure),
                      sweep->axis),
        measure, &line.unit);
    if (chart == NULL) {
        return;
    }
    name_axis(document, chart, sweep);
    add_lines(document, chart, sweep, line);
    describe_chart(document, chart, sweep->axis);
}

/* --- Tuning -------------------------------------------------------------------------------------
 */

static void tuning_chart(const Overview *overview, const Family *family, const RunGroup *group,
                         const char *axis, double size, ChartBudget *budget) {
    AxisSweep sweep = {.axis = axis, .tuning = true};
    if (!sweep_open(overview, group->count, &sweep)) {
        return;
    }
    sweep_take(&sweep, group, size);
    if (sweep.value_count >= TUNING_VALUES_MIN && budget_takes(budget)) {
        sweep_place(&sweep);
        draw(overview, &sweep, CHART_TIME, group->slug, group_title(overview, family, group));
    }
    sweep_close(&sweep);
}

static bool is_listed(const char *const *list, size_t count, const char *word) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* Against each tuning axis of two values or more: kernel time at the largest size. */
static void tuning_charts(const Overview *overview, const Family *family, const RunGroup *group,
                          ChartBudget *budget) {
    enum { AXES_MAX = 32 };
    const char *axes[AXES_MAX];
    size_t count = 0;
    const Row *largest = group_largest(group);
    for (size_t i = 0; largest != NULL && i < group->count; i++) {
        const Point *tuning = &group->rows[i]->tuning;
        for (size_t j = 0; j < tuning->count && count < AXES_MAX; j++) {
            if (!is_listed(axes, count, tuning->axes[j]->name)) {
                axes[count++] = tuning->axes[j]->name;
                tuning_chart(overview, family, group, axes[count - 1], row_size(largest), budget);
            }
        }
    }
}

/* --- Answers ------------------------------------------------------------------------------------
 */

/* "lbp_riu, texture, interp bilinear": the family and the other axes that it varies. */
static const char *title_without(Document *document, const Family *family, const RunGroup *group,
                                 size_t axis) {
    char words[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    answer_words_without(family, group, axis, words, sizeof words);
    return document_text(document, "%s, %s%s%s", family->head->algorithm->name, family->head->input,
                         words[0] != '\0' ? ", " : "", words);
}

static void draw_answers(const Overview *overview, const Family *family, const AnswerSweep *answers,
                         void *context) {
    ChartBudget *budget = context;
    const char *title = title_without(overview->document, family, answers->first, answers->axis);
    if (budget_takes(budget)) {
        draw(overview, &answers->sweep, CHART_TIME, answers->first->slug, title);
    }
    if (budget_takes(budget)) {
        draw(overview, &answers->sweep, CHART_OVER_BEST_CPU, answers->first->slug, title);
    }
}

/* Against each axis of the answer that has enough values (axis_sweep.h): kernel time and speedup
 * over the best CPU variant at the largest size. */
static void answer_charts(const Overview *overview, const Family *family, ChartBudget *budget) {
    answer_sweeps(overview, family, draw_answers, budget);
}

/* === Axis crossovers ========================================================================== */

enum { PHRASE_SIZE = 320 };

/* The points are in the order of their values, which is ascending. */
static size_t curve_of(const AxisSweep *sweep, const Variant *variant, TimeKind kind,
                       CurvePoint *points) {
    size_t count = 0;
    for (size_t i = 0; i < sweep->value_count; i++) {
        const Row *row = sweep_fastest(sweep, variant, kind, i);
        if (row != NULL) {
            const Summary *summary = row_summary(row, kind);
            points[count++] = (CurvePoint){.x = sweep->places[i],
                                           .value = row_seconds(row, kind),
                                           .low = summary->ci_low,
                                           .high = summary->ci_high};
        }
    }
    return count;
}

static Crossover compare(const Overview *overview, const AxisSweep *sweep, const Variant *device,
                         TimeKind kind) {
    Crossover crossover = {.kind = CROSSOVER_UNKNOWN, .x = NAN};
    CurvePoint *points = calloc(2 * sweep->value_count + 1, sizeof *points);
    if (points == NULL) {
        overview_check(overview, status_no_memory("for a curve"));
        return crossover;
    }
    CurvePoint *champion = points + sweep->value_count;
    const size_t device_count = curve_of(sweep, device, kind, points);
    const size_t cpu_count = curve_of(sweep, NULL, kind, champion);
    crossover = crossover_find(points, device_count, champion, cpu_count);
    free(points);
    return crossover;
}

static void value_text(double value, char *text, size_t size) {
    char number[SIGNIFICANT_SIZE];
    if (value == floor(value) && value < 1e9) {
        snprintf(text, size, "%.0f", value);
    } else {
        significant_text(value, OVERVIEW_DIGITS, number);
        snprintf(text, size, "%s", number);
    }
}

static void phrase_cell(const Overview *overview, DocTable *table, const AxisSweep *sweep,
                        const Variant *variant, TimeKind kind) {
    char text[PHRASE_SIZE] = "";
    const Crossover crossover = compare(overview, sweep, variant, kind);
    if (crossover.points > 0) {
        crossover_words(&crossover, value_text, text, sizeof text);
    }
    crossover_cell(overview->document, table, text);
}

typedef struct Target {
    DocTable *table; /* of the axis that is named; NULL: none yet */
    size_t axis;
    bool many; /* the family varies other axes too */
} Target;

static void open_table(const Overview *overview, const Family *family, const AnswerSweep *answers,
                       Target *target) {
    Document *document = overview->document;
    const char *axis = answers->sweep.axis;
    char name[256];
    char slug[64];
    char size[OVERVIEW_TEXT_SIZE];
    char others[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    family_name(family, name, sizeof name);
    document_slug(name, slug, sizeof slug);
    size_words(answers->sweep.rows[0], size);
    answer_words_without(family, answers->first, answers->axis, others, sizeof others);
    target->axis = answers->axis;
    target->many = others[0] != '\0';
    target->table = document_table(
        document, document_text(document, "crossover-%s-%s", slug, axis),
        document_text(document,
                      "%s at %s: for which %s each GPU variant is faster than the fastest CPU "
                      "variant",
                      name, size, axis));
    if (target->many) {
        table_column(document, target->table, &(DocColumn){.title = "answer"});
    }
    table_column(document, target->table, &(DocColumn){.title = "variant"});
    const char *group = document_text(document, "ahead, by %s", axis);
    table_column(document, target->table, &(DocColumn){.title = "kernel time", .group = group});
    table_column(document, target->table, &(DocColumn){.title = "end to end", .group = group});
    if (target->table != NULL) {
        target->table->sortable = true;
        target->table->note = document_text(
            document,
            "Each variant at its fastest tuning. Places between two values of %s are interpolated "
            "on logarithmic axes; in parentheses, where the 95%% intervals of the times put them. "
            "Outside the values measured nothing is claimed.",
            axis);
    }
}

static void add_sweep(const Overview *overview, const Family *family, const AnswerSweep *answers,
                      void *context) {
    Target *target = context;
    const AxisSweep *sweep = &answers->sweep;
    const RunGroup rows = {.rows = sweep->rows, .count = sweep->count};
    const Variant *variants[VARIANTS_MAX];
    const size_t count = run_variants(&rows, variants, VARIANTS_MAX);
    if (!sweep->numbers) {
        return;
    }
    if (target->table == NULL || target->axis != answers->axis) {
        open_table(overview, family, answers, target);
    }
    for (size_t i = 0; i < count; i++) {
        if (variant_is_on_cpu(variants[i])) {
            continue;
        }
        if (target->many) {
            char others[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
            answer_words_without(family, answers->first, answers->axis, others, sizeof others);
            table_words(overview->document, target->table, others);
        }
        table_words(overview->document, target->table, variants[i]->name);
        phrase_cell(overview, target->table, sweep, variants[i], TIME_KERNEL);
        phrase_cell(overview, target->table, sweep, variants[i], TIME_END_TO_END);
    }
}

void answer_crossovers(const Overview *overview, const Family *family) {
    Target target = {.table = NULL};
    answer_sweeps(overview, family, add_sweep, &target);
}

/* === Overview charts ========================================================================== */

enum { CHARTS_MAX = 24 };

/* Returns whether the charts are introduced now. */
static bool family_charts(const Overview *overview, const Family *family, bool introduced) {
    Document *document = overview->document;
    ChartBudget budget = {.document = document, .introduced = introduced, .left = CHARTS_MAX};
    if (overview->count > 1) {
        char name[256];
        family_name(family, name, sizeof name);
        document_heading(document, 3, document_text(document, "Charts of %s", name));
    }
    answer_charts(overview, family, &budget);
    for (size_t i = 0; i < family->count; i++) {
        if (family_shows(family, i)) {
            size_charts(overview, family, family->groups[i], &budget);
            tuning_charts(overview, family, family->groups[i], &budget);
        }
    }
    if (budget.drawn == 0) {
        document_add(document, BLOCK_PARAGRAPH,
                     "There is nothing to draw a line through: one size, one tuning and one answer "
                     "point have a verified time. The tables have the numbers.");
    }
    if (budget.left_out > 0) {
        document_add(document, BLOCK_PARAGRAPH,
                     "%zu more charts are left out; the table of all cells has their numbers.",
                     budget.left_out);
    }
    return budget.introduced;
}

void overview_charts(const Overview *overview) {
    bool introduced = false;
    document_heading(overview->document, 2, "Charts");
    for (size_t i = 0; i < overview->count; i++) {
        introduced = family_charts(overview, &overview->families[i], introduced);
    }
}

/* === Overview rooflines ======================================================================= */

/* Ceilings are grey, as they belong to no variant. */
enum { ROOFS_MAX = 3, CEILING_COLOUR = 9 };

/* Room for the slopes to the left of points and ridges, and for the flat parts to the right. */
static const double room_left = 25, room_right = 12;

/* The variants of a group, each at its fastest tuning, at the largest size. */
typedef struct Fastest {
    const Row *rows[VARIANTS_MAX];
    size_t count;
} Fastest;

static Fastest fastest_of(const Overview *overview, const RunGroup *group) {
    Fastest fastest = {.count = 0};
    const Variant *variants[VARIANTS_MAX];
    const Row *largest = group_largest(group);
    const size_t count = largest != NULL ? run_variants(group, variants, VARIANTS_MAX) : 0;
    for (size_t i = 0; i < count; i++) {
        CurvePoint *curve;
        const Row **rows;
        size_t sizes;
        if (!overview_check(overview,
                            run_curve(group, variants[i], TIME_KERNEL, &curve, &rows, &sizes))) {
            break;
        }
        if (sizes > 0 && row_size(rows[sizes - 1]) == row_size(largest)) {
            fastest.rows[fastest.count++] = rows[sizes - 1];
        }
        free(curve);
        free(rows);
    }
    return fastest;
}

static bool has_roof(const Row *row) {
    return isfinite(row->ceiling_bandwidth) && isfinite(row->ceiling_operations);
}

static bool has_place(const Row *row) {
    return row->cost.operations > 0 && row->cost.bytes > 0;
}

/* What one thread, the most threads, or the device can do at best with these bytes. */
typedef struct Roof {
    int threads; /* 0: the device */
    double bandwidth, operations;
} Roof;

static void take_roof(Roof *roofs, size_t *count, const Row *row) {
    size_t i = 0;
    while (i < *count && roofs[i].threads != row->threads) {
        i++;
    }
    if (i == *count && *count < ROOFS_MAX) {
        roofs[(*count)++] = (Roof){.threads = row->threads};
    }
    if (i < *count) {
        roofs[i].bandwidth = fmax(roofs[i].bandwidth, row->ceiling_bandwidth);
        roofs[i].operations = fmax(roofs[i].operations, row->ceiling_operations);
    }
}

static size_t find_roofs(const RunGroup *group, const Fastest *fastest, Roof roofs[ROOFS_MAX]) {
    int most_threads = 0;
    size_t count = 0;
    const double size = row_size(fastest->rows[0]);
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (row_size(row) == size && has_roof(row) && row->threads > most_threads) {
            most_threads = row->threads;
        }
    }
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (row_size(row) == size && has_roof(row) &&
            (row->threads <= 1 || row->threads == most_threads)) {
            take_roof(roofs, &count, row);
        }
    }
    return count;
}

static const char *roof_name(Document *document, const Roof *roof, double value, const char *unit) {
    char amount[OVERVIEW_TEXT_SIZE];
    amount_text(value, unit, amount, sizeof amount);
    if (roof->threads == 0) {
        return document_text(document, "GPU, %s", amount);
    }
    return document_text(document, "%d thread%s, %s", roof->threads, roof->threads == 1 ? "" : "s",
                         amount);
}

static void add_roof(Document *document, DocChart *chart, const Roof *roof, double from,
                     double to) {
    const double giga = 1e9;
    const double ridge = roof->operations / roof->bandwidth;
    ChartSeries *slope =
        chart_series(document, chart, roof_name(document, roof, roof->bandwidth, "B/s"),
                     SERIES_CEILING, CEILING_COLOUR);
    chart_point(
        document, slope,
        &(ChartPoint){.x = from, .y = from * roof->bandwidth / giga, .low = NAN, .high = NAN});
    chart_point(document, slope,
                &(ChartPoint){.x = ridge, .y = roof->operations / giga, .low = NAN, .high = NAN});
    ChartSeries *flat =
        chart_series(document, chart, roof_name(document, roof, roof->operations, "op/s"),
                     SERIES_CEILING, CEILING_COLOUR);
    chart_point(document, flat,
                &(ChartPoint){.x = ridge, .y = roof->operations / giga, .low = NAN, .high = NAN});
    chart_point(document, flat,
                &(ChartPoint){.x = to, .y = roof->operations / giga, .low = NAN, .high = NAN});
}

static void add_point(Document *document, DocChart *chart, const Row *row) {
    const double giga = row->cost.operations * 1e-9;
    const Summary *summary = &row->kernel_summary;
    ChartSeries *series =
        chart_series(document, chart, row->variant->name, SERIES_MEASURED, variant_colour(row));
    chart_point(document, series,
                &(ChartPoint){.x = row->cost.operations / row->cost.bytes,
                              .y = giga / summary->median,
                              .low = giga / summary->ci_high,
                              .high = giga / summary->ci_low});
}

static bool any_has(const Fastest *fastest, bool (*has)(const Row *row)) {
    for (size_t i = 0; i < fastest->count; i++) {
        if (has(fastest->rows[i])) {
            return true;
        }
    }
    return false;
}

/* Returns the number of roofs. */
static size_t fill_roofline(Document *document, DocChart *chart, const RunGroup *group,
                            const Fastest *fastest) {
    Roof roofs[ROOFS_MAX] = {{.threads = 0}};
    const size_t count = find_roofs(group, fastest, roofs);
    double least = INFINITY;
    double most = 0.0;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, roofs[i].operations / roofs[i].bandwidth);
        most = fmax(most, roofs[i].operations / roofs[i].bandwidth);
    }
    chart->x.title = "least operations per byte";
    chart->y.title = "operations a second (Gop/s)";
    chart->x.log = chart->y.log = true;
    chart->reference = NAN;
    chart->ceilings_named = true;
    for (size_t i = 0; i < fastest->count; i++) {
        if (has_place(fastest->rows[i])) {
            const double place = fastest->rows[i]->cost.operations / fastest->rows[i]->cost.bytes;
            add_point(document, chart, fastest->rows[i]);
            least = fmin(least, place);
            most = fmax(most, place);
        }
    }
    for (size_t i = 0; i < count; i++) {
        add_roof(document, chart, &roofs[i], least / room_left, most * room_right);
    }
    return count;
}

void roofline_fill(Document *document, DocChart *chart, const RunGroup *group) {
    const Overview overview = {.document = document};
    const Fastest fastest = fastest_of(&overview, group);
    if (any_has(&fastest, has_roof) && any_has(&fastest, has_place)) {
        fill_roofline(document, chart, group, &fastest);
    }
}

static void draw_roofline(const Overview *overview, const RunGroup *group, const char *title,
                          const Fastest *fastest) {
    Document *document = overview->document;
    char size[OVERVIEW_TEXT_SIZE];
    size_words(fastest->rows[0], size);
    DocChart *chart = document_chart(
        document, document_text(document, "%s-roofline", group->slug),
        document_text(document, "%s at %s: operations a second against operations per byte", title,
                      size));
    if (chart == NULL) {
        return;
    }
    const size_t count = fill_roofline(document, chart, group, fastest);
    chart->description = document_text(
        document,
        "Roofline chart, both axes logarithmic: %zu variants as points at the least operations "
        "per byte that the algorithm needs, below the measured bandwidths (slopes) and peak rates "
        "(flat lines) of %zu processor%s. The table below has each variant's share of its roof.",
        fastest->count, count, count == 1 ? "" : "s or thread counts");
}

/* --- Table --------------------------------------------------------------------------------------
 */

static bool has_operations(const Row *row) {
    return row->cost.operations > 0;
}

static DocTable *open_roofline_table(const Overview *overview, const RunGroup *group,
                                     const char *title, const Fastest *fastest) {
    Document *document = overview->document;
    char size[OVERVIEW_TEXT_SIZE];
    size_words(fastest->rows[0], size);
    DocTable *table = document_table(
        document, document_text(document, "%s-roof", group->slug),
        document_text(document, "%s at %s: share of what the machine allows", title, size));
    const bool operations = any_has(fastest, has_operations);
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "roof (%)", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "bound by"});
    table_column(document, table, &(DocColumn){.title = "held against"});
    table_column(document, table, &(DocColumn){.title = "bytes (MB)", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "GB/s", .numeric = true});
    if (operations) {
        table_column(document, table, &(DocColumn){.title = "operations (M)", .numeric = true});
        table_column(document, table, &(DocColumn){.title = "Gop/s", .numeric = true});
    }
    if (table != NULL) {
        table->sortable = true;
        table->note = document_text(
            document,
            "%s the least that any implementation needs, so that a variant which moves more has a "
            "smaller share. A share above 102%% says that the cost model or a ceiling is wrong.",
            operations ? "Bytes and operations are" : "Operations are not counted; bytes are");
    }
    return table;
}

static void add_share(Document *document, DocTable *table, const Row *row) {
    char text[SIGNIFICANT_SIZE];
    significant_text(100.0 * row->roof_fraction, OVERVIEW_DIGITS, text);
    if (!isfinite(row->roof_fraction)) {
        missing_cell(document, table, "not known");
        return;
    }
    table_cell(document, table,
               &(DocCell){.text = text,
                          .number = 100.0 * row->roof_fraction,
                          .note = row->over_roof ? "over its roof: the cost model or a ceiling is "
                                                   "wrong"
                                                 : NULL,
                          .kind = row->over_roof ? CELL_BAD : CELL_PLAIN});
}

static void add_table(const Overview *overview, const RunGroup *group, const char *title,
                      const Fastest *fastest) {
    Document *document = overview->document;
    const bool operations = any_has(fastest, has_operations);
    DocTable *table = open_roofline_table(overview, group, title, fastest);
    for (size_t i = 0; i < fastest->count; i++) {
        const Row *row = fastest->rows[i];
        label_cell(document, table, row);
        add_share(document, table, row);
        table_words(document, table, row->bound);
        table_words(document, table, row->roof);
        table_number(document, table, row->cost.bytes * 1e-6, OVERVIEW_DIGITS);
        table_number(document, table, row->bytes_per_second * 1e-9, OVERVIEW_DIGITS);
        if (operations) {
            table_number(document, table, row->cost.operations * 1e-6, OVERVIEW_DIGITS);
            table_number(document, table, row->cost.operations * 1e-9 / row->kernel_summary.median,
                         OVERVIEW_DIGITS);
        }
    }
}

static bool has_share(const Row *row) {
    return isfinite(row->roof_fraction);
}

/* Whether there was something to tell. */
static bool add_group(const Overview *overview, const Family *family, const RunGroup *group) {
    const char *title = group_title(overview, family, group);
    const Fastest fastest = fastest_of(overview, group);
    const bool drawn = any_has(&fastest, has_roof) && any_has(&fastest, has_place);
    const bool told = any_has(&fastest, has_share);
    if (drawn) {
        draw_roofline(overview, group, title, &fastest);
    }
    if (told) {
        add_table(overview, group, title, &fastest);
    }
    return drawn || told;
}

void overview_rooflines(const Overview *overview) {
    bool any = false;
    document_heading(overview->document, 2, "Roofline");
    for (size_t i = 0; i < overview->count; i++) {
        const Family *family = &overview->families[i];
        for (size_t j = 0; j < family->count; j++) {
            if (family_shows(family, j)) {
                any |= add_group(overview, family, family->groups[j]);
            }
        }
    }
    if (!any) {
        document_add(overview->document, BLOCK_PARAGRAPH,
                     "No ceilings were measured with this run, so its times are not held against "
                     "what the machine can do.");
    }
}
