/* Charts against an axis of the tuning or of the answer, at one size. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart_parts.h"
#include "group_charts.h"

enum { VARIANTS_MAX = 64, TICKS_MAX = 20, ANSWER_VALUES_MIN = 3, TUNING_VALUES_MIN = 2 };
static const double log_from = 8; /* largest value by smallest, from which on an axis is that */

/* Rows of one size that differ in an axis, and the places of its values along x. */
typedef struct Sweep {
    const char *axis;
    bool tuning; /* an axis of the tuning, not of the answer */
    const Row **rows;
    size_t count;
    const AxisValue **values; /* each once */
    double *places;           /* of the values */
    size_t value_count;
} Sweep;

static const AxisValue *value_of(const Sweep *sweep, const Row *row) {
    const Point *point = sweep->tuning ? &row->tuning : &row->answer;
    for (size_t i = 0; i < point->count; i++) {
        if (strcmp(point->axes[i]->name, sweep->axis) == 0) {
            return &point->values[i];
        }
    }
    return NULL;
}

static size_t place_of(const Sweep *sweep, const Row *row) {
    const AxisValue *value = value_of(sweep, row);
    size_t i = 0;
    while (value != NULL && i < sweep->value_count &&
           strcmp(sweep->values[i]->text, value->text) != 0) {
        i++;
    }
    return value != NULL ? i : SIZE_MAX;
}

/* What the text begins with, "8" of "8:1"; NAN where that is no number. */
static double leading_number(const char *text) {
    char *end;
    const double number = strtod(text, &end);
    return end != text ? number : (double)NAN;
}

/* Values stand at their numbers, or one after the other where these do not tell them apart. */
static void place_values(Sweep *sweep) {
    bool numbers = true;
    for (size_t i = 0; i < sweep->value_count; i++) {
        sweep->places[i] = leading_number(sweep->values[i]->text);
        numbers &= isfinite(sweep->places[i]);
        for (size_t j = 0; numbers && j < i; j++) {
            numbers &= sweep->places[i] != sweep->places[j];
        }
    }
    for (size_t i = 0; !numbers && i < sweep->value_count; i++) {
        sweep->places[i] = (double)i + 1;
    }
}

static void sweep_close(Sweep *sweep) {
    free(sweep->rows);
    free(sweep->values);
    free(sweep->places);
    *sweep = (Sweep){.axis = NULL};
}

static bool sweep_open(const Overview *overview, size_t capacity, Sweep *sweep) {
    sweep->rows = calloc(capacity + 1, sizeof(const Row *));
    sweep->values = calloc(capacity + 1, sizeof(const AxisValue *));
    sweep->places = calloc(capacity + 1, sizeof(double));
    if (sweep->rows == NULL || sweep->values == NULL || sweep->places == NULL) {
        sweep_close(sweep);
        return overview_check(overview, status_fail("no memory left for the rows of a chart"));
    }
    return true;
}

/* Takes the rows of the group that have the size, a time and the axis. */
static void take_rows(Sweep *sweep, const RunGroup *group, double size) {
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

/* --- Drawing ------------------------------------------------------------------------------------
 */

static void name_axis(Document *document, DocChart *chart, const Sweep *sweep) {
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

/* Of a value the fastest row. */
static const Row *fastest_at(const Sweep *sweep, const Line *line, size_t value) {
    const Row *best = NULL;
    for (size_t i = 0; i < sweep->count; i++) {
        const Row *row = sweep->rows[i];
        if (row->variant == line->variant && place_of(sweep, row) == value &&
            isfinite(row_seconds(row, line->kind)) &&
            (best == NULL || row_seconds(row, line->kind) < row_seconds(best, line->kind))) {
            best = row;
        }
    }
    return best;
}

static int by_x(const void *a, const void *b) {
    const double x = ((const ChartPoint *)a)->x;
    const double y = ((const ChartPoint *)b)->x;
    return (x > y) - (x < y);
}

static void add_line(Document *document, DocChart *chart, const Sweep *sweep, const Line *line) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < sweep->value_count; i++) {
        const Row *row = fastest_at(sweep, line, i);
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
    if (series != NULL && series->count > 1) {
        qsort(series->points, series->count, sizeof *series->points, by_x);
    }
}

static void add_lines(Document *document, DocChart *chart, const Sweep *sweep, Line line) {
    const RunGroup rows = {.rows = sweep->rows, .count = sweep->count};
    const Variant *variants[VARIANTS_MAX];
    const size_t count = run_variants(&rows, variants, VARIANTS_MAX);
    for (size_t i = 0; i < count; i++) {
        line.variant = variants[i];
        line.kind = TIME_KERNEL;
        add_line(document, chart, sweep, &line);
        line.kind = TIME_END_TO_END;
        if (line.measure != CHART_TIME && variants[i]->backend != &cpu_backend) {
            add_line(document, chart, sweep, &line);
        }
    }
}

/* `slug` and `title` are those of what is drawn, without the axis. */
static void draw(const Overview *overview, const Sweep *sweep, ChartMeasure measure,
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
    Sweep sweep = {.axis = axis, .tuning = true};
    if (!sweep_open(overview, group->count, &sweep)) {
        return;
    }
    take_rows(&sweep, group, size);
    if (sweep.value_count >= TUNING_VALUES_MIN && budget_takes(budget)) {
        place_values(&sweep);
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

void tuning_charts(const Overview *overview, const Family *family, const RunGroup *group,
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

/* "lbp_riu, texture, interp bilinear": the family and the other axes that it varies. */
static const char *title_without(Document *document, const Family *family, const RunGroup *group,
                                 size_t axis) {
    char words[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    answer_words_without(family, group, axis, words, sizeof words);
    return document_text(document, "%s, %s%s%s", family->head->algorithm->name, family->head->input,
                         words[0] != '\0' ? ", " : "", words);
}

static void answer_sweep(const Overview *overview, const Family *family, size_t first, size_t axis,
                         ChartBudget *budget) {
    const RunGroup *group = family->groups[first];
    size_t capacity = 0;
    double size = 0.0;
    for (size_t i = first; i < family->count; i++) {
        const Row *largest = group_largest(family->groups[i]);
        if (same_but_for(family->groups[i], group, axis) && largest != NULL) {
            capacity += family->groups[i]->count;
            size = fmax(size, row_size(largest));
        }
    }
    Sweep sweep = {.axis = group->rows[0]->answer.axes[axis]->name};
    if (!sweep_open(overview, capacity, &sweep)) {
        return;
    }
    for (size_t i = first; i < family->count; i++) {
        if (same_but_for(family->groups[i], group, axis)) {
            take_rows(&sweep, family->groups[i], size);
        }
    }
    if (sweep.value_count >= ANSWER_VALUES_MIN) {
        place_values(&sweep);
        const char *title = title_without(overview->document, family, group, axis);
        if (budget_takes(budget)) {
            draw(overview, &sweep, CHART_TIME, group->slug, title);
        }
        if (budget_takes(budget)) {
            draw(overview, &sweep, CHART_OVER_BEST_CPU, group->slug, title);
        }
    }
    sweep_close(&sweep);
}

void answer_charts(const Overview *overview, const Family *family, ChartBudget *budget) {
    const size_t axes = family->head->answer.count;
    for (size_t axis = 0; family->count >= ANSWER_VALUES_MIN && axis < axes; axis++) {
        for (size_t i = 0; i < family->count; i++) {
            if (is_first_of_its_kind(family, i, axis)) {
                answer_sweep(overview, family, i, axis, budget);
            }
        }
    }
}
