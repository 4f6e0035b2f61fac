/* Charts against an axis of the tuning or of the answer, at one size. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axis_sweep.h"
#include "chart_parts.h"
#include "group_charts.h"

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

void answer_charts(const Overview *overview, const Family *family, ChartBudget *budget) {
    answer_sweeps(overview, family, draw_answers, budget);
}
