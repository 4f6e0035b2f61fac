/* The charts of a run: which there are, what they are called, what they show. */

#include "report_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "axis.h"
#include "backend.h"
#include "base.h"
#include "fnv.h"
#include "results.h"
#include "status.h"
#include "utf8.h"
#include "variant.h"

/* === Which there are ========================================================================== */

enum {
    ANSWERS_MAX = 8,   /* of so many answer points each has charts of its own */
    TOGETHER_MAX = 64, /* so many have charts together */
    PANELS_MAX = 6,    /* of which the first are shown */
    SWEEP_MIN = RUN_CHART_VALUES,
    POINT_TEXT_SIZE = POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE
};

/* The end of a chart's name. */
static const char *const words_of[] = {[RUN_SPEEDUP] = "speedup",
                                       [RUN_SPEEDUP_BEST_CPU] = "speedup-best-cpu",
                                       [RUN_TIME] = "time",
                                       [RUN_ROOFLINE] = "roofline",
                                       [RUN_STAGES] = "stages",
                                       [RUN_TUNING] = "",
                                       [RUN_ANSWERS_SPEEDUP] = "answers-speedup",
                                       [RUN_ANSWERS_SPEEDUP_ALLOC] = "answers-speedup-with-alloc",
                                       [RUN_ANSWERS_TIME] = "answers-time",
                                       [RUN_ANSWERS_TIME_ALLOC] = "answers-time-with-alloc",
                                       [RUN_ANSWERS_FASTEST] = "answers-fastest",
                                       [RUN_ANSWER_SWEEP] = "time"};

static bool is_of_answers(RunChartKind kind) {
    return kind >= RUN_ANSWERS_SPEEDUP && kind <= RUN_ANSWERS_FASTEST;
}

static bool of_same_input(const Row *a, const Row *b) {
    return a->algorithm == b->algorithm && strcmp(a->input, b->input) == 0;
}

/* Nothing but digits. */
static bool is_whole(const AxisValue *value) {
    return value != NULL && value->text[0] != '\0' &&
           strspn(value->text, "0123456789") == strlen(value->text);
}

static bool begins_with_digit(const AxisValue *value) {
    return value != NULL && value->text[0] >= '0' && value->text[0] <= '9';
}

static double number_of(const AxisValue *value) {
    return strtod(value->text, NULL);
}

/* The answer point without one axis. */
static Point point_without(const Point *point, const Axis *axis) {
    Point rest = {.count = 0};
    for (size_t i = 0; i < point->count; i++) {
        if (point->axes[i] != axis) {
            rest.axes[rest.count] = point->axes[i];
            rest.values[rest.count++] = point->values[i];
        }
    }
    return rest;
}

/* Whether a row with a verified time is one of those that the chart shows. */
static bool has_row(const RunChart *chart, const Row *row) {
    if (row->status != CELL_OK || !of_same_input(chart->row, row)) {
        return false;
    }
    if (is_of_answers(chart->kind)) {
        return true;
    }
    if (chart->kind != RUN_ANSWER_SWEEP) {
        return point_equal(&chart->row->answer, &row->answer) &&
               (chart->kind != RUN_TUNING ||
                (chart->row->variant == row->variant &&
                 begins_with_digit(point_value(&row->tuning, chart->axis->name))));
    }
    const Point first = point_without(&chart->row->answer, chart->axis);
    const Point second = point_without(&row->answer, chart->axis);
    return strcmp(chart->row->size_name, row->size_name) == 0 &&
           is_whole(point_value(&row->answer, chart->axis->name)) && point_equal(&first, &second);
}

/* The chart of the list that the row belongs in; NULL: none yet. */
static RunChart *find_chart(const RunChartList *list, RunChartKind kind, const Axis *axis,
                            const Row *row) {
    for (size_t i = 0; i < list->count; i++) {
        RunChart *chart = &list->charts[i];
        if (chart->kind == kind && chart->axis == axis && has_row(chart, row)) {
            return chart;
        }
    }
    return NULL;
}

static Status add_chart(RunChartList *list, RunChartKind kind, const Axis *axis, const Row *row) {
    if (find_chart(list, kind, axis, row) != NULL) {
        return status_ok();
    }
    STATUS_TRY(LIST_ROOM(NULL, list->charts, list->count, list->capacity, "charts"));
    list->charts[list->count++] = (RunChart){.kind = kind, .axis = axis, .row = row};
    return status_ok();
}

/* Charts of all answer points together, from the second one on. */
static Status add_answers(RunChartList *list, const Row *row) {
    for (size_t i = 0; i < list->count; i++) {
        const RunChart *chart = &list->charts[i];
        if (chart->kind == RUN_TIME && of_same_input(chart->row, row) &&
            !point_equal(&chart->row->answer, &row->answer)) {
            for (RunChartKind kind = RUN_ANSWERS_SPEEDUP; kind <= RUN_ANSWERS_FASTEST; kind++) {
                STATUS_TRY(add_chart(list, kind, NULL, row));
            }
            return status_ok();
        }
    }
    return status_ok();
}

static void note_value(RunChart *chart, double value) {
    for (size_t i = 0; i < chart->value_count; i++) {
        if (chart->values[i] == value) {
            return;
        }
    }
    if (chart->value_count < SWEEP_MIN) {
        chart->values[chart->value_count++] = value;
    }
}

static Status add_answer_sweeps(RunChartList *list, const Row *row) {
    for (size_t i = 0; i < row->answer.count; i++) {
        const Axis *axis = row->answer.axes[i];
        if (is_whole(&row->answer.values[i])) {
            STATUS_TRY(add_chart(list, RUN_ANSWER_SWEEP, axis, row));
            note_value(find_chart(list, RUN_ANSWER_SWEEP, axis, row),
                       number_of(&row->answer.values[i]));
        }
    }
    return status_ok();
}

static bool has_stages(const Row *row) {
    for (size_t i = 0; i < variant_stage_count(row->variant); i++) {
        if (isfinite(row->stage_seconds[i])) {
            return true;
        }
    }
    return false;
}

static Status add_row(RunChartList *list, const Row *row) {
    if (row->status != CELL_OK) {
        return status_ok();
    }
    for (RunChartKind kind = RUN_SPEEDUP; kind <= RUN_TIME; kind++) {
        STATUS_TRY(add_chart(list, kind, NULL, row));
    }
    STATUS_TRY(add_answers(list, row));
    if (row->cost.operations > 0 && isfinite(row->ceiling_bandwidth) &&
        isfinite(row->ceiling_operations)) {
        STATUS_TRY(add_chart(list, RUN_ROOFLINE, NULL, row));
    }
    if (has_stages(row)) {
        STATUS_TRY(add_chart(list, RUN_STAGES, NULL, row));
    }
    STATUS_TRY(add_answer_sweeps(list, row));
    for (size_t i = 0; i < row->tuning.count; i++) {
        if (begins_with_digit(&row->tuning.values[i])) {
            STATUS_TRY(add_chart(list, RUN_TUNING, row->tuning.axes[i], row));
        }
    }
    return status_ok();
}

/* --- What is too many or too little ----------------------------------------------------------- */

/* Answer points of the algorithm and input, in the order of the run, and the place of the chart's.
 */
static size_t count_answers(const RunChartList *list, const RunChart *of_chart, size_t *place) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const RunChart *chart = &list->charts[i];
        if (chart->kind == RUN_TIME && of_same_input(chart->row, of_chart->row)) {
            *place = point_equal(&chart->row->answer, &of_chart->row->answer) ? count : *place;
            count++;
        }
    }
    return count;
}

static bool is_kept(const RunChartList *list, const RunChart *chart) {
    size_t place = 0;
    if (chart->kind == RUN_ANSWER_SWEEP) {
        return chart->value_count >= SWEEP_MIN;
    }
    const size_t answers = count_answers(list, chart, &place);
    if (is_of_answers(chart->kind)) {
        return answers <= TOGETHER_MAX;
    }
    return answers <= ANSWERS_MAX || place == 0 || place == answers / 2 || place == answers - 1;
}

/* The copy is measured with every algorithm, as its roof; it has charts when it was asked for by
 * itself. */
static bool is_roof(const RunChartList *list, const RunChart *chart) {
    bool alone = true;
    for (size_t i = 0; i < list->count; i++) {
        alone &= strcmp(list->charts[i].row->algorithm->name, "copy") == 0;
    }
    return !alone && strcmp(chart->row->algorithm->name, "copy") == 0;
}

/* Judged by the whole list, then taken out. */
static Status drop_surplus(RunChartList *list) {
    bool *kept = calloc(list->count + 1, sizeof *kept);
    if (kept == NULL) {
        return status_no_memory("for the list of charts");
    }
    for (size_t i = 0; i < list->count; i++) {
        kept[i] = is_kept(list, &list->charts[i]) && !is_roof(list, &list->charts[i]);
    }
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (kept[i]) {
            list->charts[count++] = list->charts[i];
        }
    }
    list->count = count;
    free(kept);
    return status_ok();
}

/* --- Names ------------------------------------------------------------------------------------ */

/* What makes charts differ, as it stands in their names. */
typedef struct NameParts {
    const char *algorithm, *size, *variant, *axis, *word;
    char input[CSV_VALUE_SIZE], answer[POINT_TEXT_SIZE], rest[POINT_TEXT_SIZE];
} NameParts;

static NameParts parts_of(const RunChart *chart) {
    const Row *row = chart->row;
    const bool sweep = chart->kind == RUN_ANSWER_SWEEP;
    NameParts parts = {.algorithm = row->algorithm->name,
                       .size = sweep ? row->size_name : "",
                       .variant = chart->kind == RUN_TUNING ? row->variant->name : "",
                       .axis = chart->axis != NULL ? chart->axis->name : "",
                       .word = words_of[chart->kind]};
    text_visible(row->input, parts.input, sizeof parts.input); /* as it stands in the CSV */
    if (sweep) {
        const Point rest = point_without(&row->answer, chart->axis);
        point_format(&rest, parts.rest, sizeof parts.rest);
    } else if (!is_of_answers(chart->kind)) {
        point_format(&row->answer, parts.answer, sizeof parts.answer);
    }
    return parts;
}

/* Whether the list has the sweep at other values of the other answer axes too. */
static bool has_other_rest(const RunChartList *list, const RunChart *of_chart) {
    const Point rest = point_without(&of_chart->row->answer, of_chart->axis);
    for (size_t i = 0; of_chart->kind == RUN_ANSWER_SWEEP && i < list->count; i++) {
        const RunChart *chart = &list->charts[i];
        const Point other = point_without(&chart->row->answer, of_chart->axis);
        if (chart->kind == RUN_ANSWER_SWEEP && chart->axis == of_chart->axis &&
            of_same_input(chart->row, of_chart->row) &&
            strcmp(chart->row->size_name, of_chart->row->size_name) == 0 &&
            !point_equal(&other, &rest)) {
            return true;
        }
    }
    return false;
}

/* <algorithm>-<input>[-<answer>]-speedup, <algorithm>-<input>[-<answer>]-<variant>-<axis>,
 * <algorithm>-<input>-answers-speedup, <algorithm>-<input>-<size>[-<other axes>]-<axis>-time */
static void name_rows(const NameParts *parts, bool with_rest, char name[CHART_NAME_SIZE]) {
    name[0] = '\0';
    chart_name_append(name, parts->algorithm);
    chart_name_append(name, parts->input);
    chart_name_append(name, parts->size);
    chart_name_append(name, parts->answer);
    chart_name_append(name, with_rest ? parts->rest : "");
    chart_name_append(name, parts->variant);
    chart_name_append(name, parts->axis);
}

static uint64_t hash_of(const NameParts *parts) {
    const char *const texts[] = {parts->algorithm, parts->input,   parts->size, parts->answer,
                                 parts->rest,      parts->variant, parts->axis, parts->word};
    uint64_t hash = FNV_START;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        hash = fnv_bytes(hash, texts[i], strlen(texts[i]) + 1);
    }
    return hash;
}

/* For a chart whose name another one has too: a hash of all that makes it differ, before the word.
 */
static void name_apart(const RunChartList *list, RunChart *chart) {
    char hash[16];
    const NameParts parts = parts_of(chart);
    snprintf(hash, sizeof hash, "%08" PRIx32, (uint32_t)hash_of(&parts));
    const size_t room = strlen(hash) + strlen(parts.word) + 2;
    name_rows(&parts, has_other_rest(list, chart), chart->name);
    if (strlen(chart->name) + room >= CHART_NAME_SIZE) {
        chart->name[CHART_NAME_SIZE - 1 - room] = '\0';
    }
    chart_name_append(chart->name, hash);
    chart_name_append(chart->name, parts.word);
}

/* File names leave out and cut some of what makes charts differ. */
static void name_charts(RunChartList *list) {
    for (size_t i = 0; i < list->count; i++) {
        RunChart *chart = &list->charts[i];
        const NameParts parts = parts_of(chart);
        name_rows(&parts, has_other_rest(list, chart), chart->name);
        chart_name_append(chart->name, parts.word);
        for (size_t j = 0; j < i; j++) {
            if (strcmp(chart->name, list->charts[j].name) == 0) {
                chart->shared = list->charts[j].shared = true;
            }
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->charts[i].shared) {
            name_apart(list, &list->charts[i]);
        }
    }
}

Status run_charts_list(const Results *results, RunChartList *list) {
    *list = (RunChartList){.charts = NULL};
    Status status = status_ok();
    for (size_t i = 0; i < results->count && status_is_ok(&status); i++) {
        status = add_row(list, &results->rows[i]);
    }
    if (status_is_ok(&status)) {
        status = drop_surplus(list);
    }
    if (!status_is_ok(&status)) {
        run_charts_release(list);
        return status;
    }
    name_charts(list);
    return status_ok();
}

void run_charts_release(RunChartList *list) {
    free(list->charts);
    *list = (RunChartList){.charts = NULL};
}

/* === Rows of a chart ========================================================================== */

/* A chart that is being built, with its rows. */
typedef struct Builder {
    Document *document;
    const RunChart *of;
    RunGroup group; /* all rows of the chart */
    DocChart *chart;
    bool of_sets;    /* sizes are numbers of images */
    double per_size; /* pixels of a unit of size: of an image where all images are equal */
} Builder;

/* Where along an axis a row stands; NAN: nowhere. */
typedef double (*Place)(const Builder *builder, const Row *row);

static double pixels_of(const Row *row) {
    return row->algorithm->input == WORKLOAD_DESCRIPTORS
               ? row_size(row)
               : (double)row->width * row->height * (row->images > 0 ? row->images : 1);
}

static double size_place(const Builder *builder, const Row *row) {
    return pixels_of(row) / builder->per_size;
}

static double tuning_place(const Builder *builder, const Row *row) {
    const AxisValue *value = point_value(&row->tuning, builder->of->axis->name);
    return begins_with_digit(value) ? number_of(value) : (double)NAN;
}

static double answer_place(const Builder *builder, const Row *row) {
    const AxisValue *value = point_value(&row->answer, builder->of->axis->name);
    return is_whole(value) ? number_of(value) : (double)NAN;
}

/* Rows, ascending by place, each the fastest of its place. */
typedef struct RowLine {
    const Row **rows;
    size_t count;
} RowLine;

static void take_row(const Builder *builder, Place place, RowLine *line, const Row *row) {
    size_t at = 0;
    while (at < line->count && place(builder, line->rows[at]) < place(builder, row)) {
        at++;
    }
    if (at < line->count && place(builder, line->rows[at]) == place(builder, row)) {
        const bool faster =
            row_seconds(row, TIME_KERNEL) < row_seconds(line->rows[at], TIME_KERNEL);
        line->rows[at] = faster ? row : line->rows[at];
        return;
    }
    memmove(&line->rows[at + 1], &line->rows[at], (line->count - at) * sizeof *line->rows);
    line->rows[at] = row;
    line->count++;
}

/* Which rows make a line; all where a member is NULL. */
typedef struct Choice {
    const Variant *variant;
    const Point *answer;
    const Row *size; /* of the size of this row */
} Choice;

static bool is_chosen(const Builder *builder, const Choice *choice, const Row *row) {
    return (choice->variant == NULL || row->variant == choice->variant) &&
           (choice->answer == NULL || point_equal(&row->answer, choice->answer)) &&
           (choice->size == NULL ||
            size_place(builder, row) == size_place(builder, choice->size)) &&
           isfinite(row_seconds(row, TIME_KERNEL));
}

/* The rows are those of the document, for as long as it lives. */
static RowLine line_of(const Builder *builder, Place place, Choice choice) {
    RowLine line = {.rows = document_allocate(builder->document,
                                              (builder->group.count + 1) * sizeof(const Row *))};
    for (size_t i = 0; line.rows != NULL && i < builder->group.count; i++) {
        const Row *row = builder->group.rows[i];
        if (is_chosen(builder, &choice, row) && isfinite(place(builder, row))) {
            take_row(builder, place, &line, row);
        }
    }
    return line;
}

/* A point for each row at its place. */
typedef ChartPoint (*Value)(const Row *row, const void *context);

static ChartSeries *add_line(const Builder *builder, const RowLine *line, Place place, Value value,
                             const void *context, const char *name, int colour) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < line->count; i++) {
        ChartPoint point = value(line->rows[i], context);
        point.x = place(builder, line->rows[i]);
        if (isfinite(point.y)) {
            series = series != NULL ? series
                                    : chart_series(builder->document, builder->chart, name,
                                                   SERIES_MEASURED, colour);
            chart_point(builder->document, series, &point);
        }
    }
    return series;
}

/* === Words ==================================================================================== */

/* "pr 8:1, interp bilinear": the axes whose bit is set. */
static void point_words(const Point *point, unsigned axes, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < point->count; i++) {
        if ((axes >> i & 1) != 0) {
            text_append(text, size, "%s%s %s", text[0] != '\0' ? ", " : "", point->axes[i]->name,
                        point->values[i].text);
        }
    }
}

static const unsigned all_axes = ~0U;

/* "lbp on meadow.jpg" with `of` before " on", and a line of the axes of the answer in `axes`. */
static const char *title_of(const Builder *builder, const char *of, const Point *answer,
                            unsigned axes) {
    enum { INPUT_SIZE = 81 };
    char words[POINT_TEXT_SIZE];
    const char *input = builder->of->row->input;
    point_words(answer, axes, words, sizeof words);
    return document_text(builder->document, "%s%s on %.*s%s%s", builder->of->row->algorithm->name,
                         of, (int)utf8_cut(input, INPUT_SIZE), input, words[0] != '\0' ? "\n" : "",
                         words);
}

/* "4K", "60000 images": a size by itself. */
static void size_name(const Builder *builder, const Row *row, char text[OVERVIEW_TEXT_SIZE]) {
    size_short(row, text);
    if (!row_is_picture(row)) {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%s%s", row->size_name,
                 builder->of_sets && strspn(row->size_name, "0123456789") == strlen(row->size_name)
                     ? " images"
                     : "");
    }
}

/* "omp (best threads)" where several tuning points were measured, "omp (threads:4)" for one. */
static const char *variant_words(const Builder *builder, const Variant *variant) {
    const Row *first = NULL;
    bool many = false;
    for (size_t i = 0; i < builder->group.count; i++) {
        const Row *row = builder->group.rows[i];
        if (row->variant == variant) {
            first = first != NULL ? first : row;
            many |= !point_equal(&first->tuning, &row->tuning);
        }
    }
    char text[POINT_TEXT_SIZE];
    point_format(&first->tuning, text, sizeof text);
    if (text[0] == '\0') {
        return variant->name;
    }
    if (many) {
        snprintf(text, sizeof text, "best ");
        for (size_t i = 0; i < first->tuning.count; i++) {
            text_append(text, sizeof text, "%s%s", i > 0 ? ", " : "", first->tuning.axes[i]->name);
        }
    }
    return document_text(builder->document, "%s (%s)", variant->name, text);
}

/* === Axis of sizes ============================================================================ */

/* False where there are not two sizes. */
static bool name_sizes(Builder *builder) {
    Document *document = builder->document;
    const RowLine sizes = line_of(builder, size_place, (Choice){.variant = NULL});
    if (sizes.count < 2 || builder->chart == NULL) {
        return false;
    }
    builder->chart->x.log = true;
    builder->chart->x.title = builder->of->row->algorithm->input == WORKLOAD_DESCRIPTORS
                                  ? "rows of each set, logarithmic"
                              : !builder->of_sets        ? "image size (pixels, logarithmic)"
                              : builder->per_size != 1.0 ? "number of images, logarithmic"
                                                         : "pixels of all images, logarithmic";
    for (size_t i = 0; i < sizes.count; i++) {
        char text[OVERVIEW_TEXT_SIZE];
        size_short(sizes.rows[i], text);
        chart_tick(document, &builder->chart->x, size_place(builder, sizes.rows[i]),
                   row_is_picture(sizes.rows[i]) ? text : sizes.rows[i]->size_name);
    }
    return true;
}

/* === Times and speedups against size ========================================================== */

/* What is drawn upwards, for a Value. */
typedef struct Measure {
    ChartMeasure measure;
    TimeKind kind;
    TimeUnit unit;
    bool with_alloc; /* allocation and transfers count on a device */
} Measure;

static ChartPoint measure_value(const Row *row, const void *context) {
    const Measure *of = context;
    if (!of->with_alloc || row_is_on_cpu(row)) {
        return measure_point(row, of->measure, of->kind, &of->unit);
    }
    return (ChartPoint){.y = of->measure == CHART_TIME ? row->with_alloc / of->unit.seconds
                                                       : row->base_seconds / row->with_alloc,
                        .low = NAN,
                        .high = NAN};
}

static TimeUnit unit_of(const Builder *builder) {
    TimeRange range = {.count = 0};
    for (size_t i = 0; i < builder->group.count; i++) {
        time_range_add(&range, row_seconds(builder->group.rows[i], TIME_KERNEL));
    }
    return time_unit(&range);
}

static size_t variants_of(const Builder *builder, const Variant *variants[VARIANTS_MAX]) {
    return run_variants(&builder->group, variants, VARIANTS_MAX);
}

static void add_variants(const Builder *builder, const Point *answer, Place place,
                         const Measure *measure, const Variant *left_out) {
    const Variant *variants[VARIANTS_MAX];
    const size_t count = variants_of(builder, variants);
    for (size_t i = 0; i < count; i++) {
        const RowLine line =
            line_of(builder, place, (Choice){.variant = variants[i], .answer = answer});
        if (variants[i] != left_out && line.count > 0) {
            add_line(builder, &line, place, measure_value, measure,
                     variant_words(builder, variants[i]), variant_colour(line.rows[0]));
        }
    }
}

/* The variant that speedups are over, and how it is called: "seq (1 thread)". NULL: none. */
static const Variant *base_of(const Builder *builder, const char **words) {
    for (size_t i = 0; i < builder->group.count; i++) {
        const Row *row = builder->group.rows[i];
        if (row->base[0] != '\0') {
            char name[RESULT_LABEL_SIZE];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(row->base, " "), row->base);
            *words = row->base;
            return registry_find_variant(row->algorithm, name);
        }
    }
    *words = NULL;
    return NULL;
}

/* "omp, simd": the variants that are the best CPU variant somewhere. */
static void best_cpu_names(const Builder *builder, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < builder->group.count; i++) {
        const char *label = builder->group.rows[i]->best_cpu;
        const size_t length = strcspn(label, "/");
        bool listed = length == 0;
        for (const char *word = text; !listed && *word != '\0'; word += strcspn(word, " ")) {
            word += *word == ' ';
            listed =
                strncmp(word, label, length) == 0 && (word[length] == ',' || word[length] == '\0');
        }
        if (!listed) {
            text_append(text, size, "%s%.*s", text[0] != '\0' ? ", " : "", (int)length, label);
        }
    }
}

static void add_speedup_panels(const Builder *builder, ChartMeasure measure,
                               const Variant *left_out) {
    static const char *const titles[] = {
        [TIME_KERNEL] = "speedup, kernel", [TIME_END_TO_END] = "speedup, end to end"};
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        ChartPanel *panel = chart_panel(builder->document, builder->chart, NULL);
        if (panel != NULL) {
            panel->y = (ChartAxis){.title = titles[kind], .log = true};
            panel->reference = 1.0;
        }
        const Measure of = {.measure = measure, .kind = kind};
        add_variants(builder, NULL, size_place, &of, left_out);
    }
}

static void build_speedup(Builder *builder) {
    const char *over;
    const Variant *base = base_of(builder, &over);
    if (over != NULL && name_sizes(builder)) {
        builder->chart->title = title_of(builder, "", &builder->of->row->answer, all_axes);
        builder->chart->note = document_text(builder->document, "speedup over %s", over);
        add_speedup_panels(builder, CHART_OVER_SEQ, base);
    }
}

static void build_speedup_best_cpu(Builder *builder) {
    char names[RESULT_LABEL_SIZE];
    best_cpu_names(builder, names, sizeof names);
    if (names[0] != '\0' && name_sizes(builder)) {
        builder->chart->title = title_of(builder, "", &builder->of->row->answer, all_axes);
        builder->chart->note =
            document_text(builder->document, "speedup over the best CPU variant (%s)", names);
        add_speedup_panels(builder, CHART_OVER_BEST_CPU, NULL);
    }
}

/* --- Time ------------------------------------------------------------------------------------- */

/* Kernel time against a place, for every variant. */
static void start_time(const Builder *builder, const Measure *measure) {
    builder->chart->y.log = true;
    builder->chart->y.title = document_text(
        builder->document, "%s (%s)", measure->with_alloc ? "time with allocation" : "kernel time",
        measure->unit.name);
}

/* Variants are shown with the exponent of their size, where the name stays short enough for half
 * the width of the key. */
static void name_exponents(const Builder *builder) {
    enum { SHORT_NAME = 21 };
    for (size_t i = 0; i < builder->chart->count; i++) {
        ChartSeries *series = &builder->chart->series[i];
        for (size_t j = builder->group.count; j > 0; j--) {
            const Row *row = builder->group.rows[j - 1];
            if (isfinite(row->exponent) &&
                strcmp(variant_words(builder, row->variant), series->name) == 0) {
                const char *name =
                    document_text(builder->document, "%s, n^%.2f", series->name, row->exponent);
                series->name = name != NULL && strlen(name) <= SHORT_NAME ? name : series->name;
                break;
            }
        }
    }
}

/* "copy/omp/threads:16" was measured beside the cells, "copy_dram/threads:16" is a ceiling. */
static const char *roof_words(const Builder *builder, const char *label) {
    const char *slash = strchr(label, '/');
    const size_t length = strcspn(label, "/");
    if (strncmp(label, "copy", length) == 0 && length == 4 && slash != NULL) {
        return document_text(builder->document, "roof: copy, %.*s", (int)strcspn(slash + 1, "/"),
                             slash + 1);
    }
    return document_text(builder->document, "roof: %.*s", (int)length, label);
}

/* The row of the least time that a measured ceiling allows at a size, on one side; NULL: none. */
static const Row *roof_at(const Builder *builder, const Row *size, bool cpu) {
    const Row *best = NULL;
    for (size_t i = 0; i < builder->group.count; i++) {
        const Row *row = builder->group.rows[i];
        if (row_is_on_cpu(row) == cpu && isfinite(row->roof_seconds) &&
            size_place(builder, row) == size_place(builder, size) &&
            (best == NULL || row->roof_seconds < best->roof_seconds)) {
            best = row;
        }
    }
    return best;
}

/* One roof for each side, named after the ceiling at the largest size. */
static void add_roofs(const Builder *builder, const TimeUnit *unit) {
    const RowLine sizes = line_of(builder, size_place, (Choice){.variant = NULL});
    const char *first = NULL;
    for (int side = 0; side < 2; side++) {
        const char *label = NULL;
        for (size_t i = 0; i < sizes.count; i++) {
            const Row *roof = roof_at(builder, sizes.rows[i], side == 0);
            label = roof != NULL ? roof->roof : label;
        }
        if (label == NULL) {
            continue;
        }
        const char *name = roof_words(builder, label);
        if (first != NULL && name != NULL && strcmp(first, name) == 0) {
            /* Two roofs of one name are told apart by whose they are. */
            builder->chart->series[builder->chart->count - 1].name =
                document_text(builder->document, "%s, CPU", name);
            name = document_text(builder->document, "%s, GPU", name);
        }
        first = name;
        ChartSeries *series =
            chart_series(builder->document, builder->chart, name, SERIES_CEILING, 0);
        for (size_t i = 0; i < sizes.count; i++) {
            const Row *roof = roof_at(builder, sizes.rows[i], side == 0);
            if (roof != NULL) {
                chart_point(builder->document, series,
                            &(ChartPoint){.x = size_place(builder, roof),
                                          .y = roof->roof_seconds / unit->seconds,
                                          .low = NAN,
                                          .high = NAN});
            }
        }
    }
}

static void build_time(Builder *builder) {
    const Measure measure = {.measure = CHART_TIME, .unit = unit_of(builder)};
    if (name_sizes(builder)) {
        builder->chart->title = title_of(builder, "", &builder->of->row->answer, all_axes);
        start_time(builder, &measure);
        add_variants(builder, NULL, size_place, &measure, NULL);
        name_exponents(builder);
        if (builder->chart->count > 0) {
            add_roofs(builder, &measure.unit);
        }
    }
}

/* === Several answer points ==================================================================== */

typedef struct Answers {
    const Point *points[PANELS_MAX];
    size_t count, left_out;
    unsigned shared; /* axes with the same value in all */
} Answers;

static bool is_listed(const Answers *answers, const Point *point) {
    for (size_t i = 0; i < answers->count; i++) {
        if (point_equal(answers->points[i], point)) {
            return true;
        }
    }
    return false;
}

static unsigned shared_axes(const Answers *answers) {
    unsigned shared = 0;
    const Point *first = answers->points[0];
    for (size_t axis = 0; axis < first->count; axis++) {
        bool same = true;
        for (size_t i = 1; i < answers->count; i++) {
            const AxisValue *value = point_value(answers->points[i], first->axes[axis]->name);
            same &= value != NULL && strcmp(value->text, first->values[axis].text) == 0;
        }
        shared |= (unsigned)same << axis;
    }
    return shared;
}

/* The first answer points; the rows of the others are taken out. */
static Answers take_answers(Builder *builder) {
    Answers answers = {.count = 0};
    RunGroup *group = &builder->group;
    size_t kept = 0;
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (!is_listed(&answers, &row->answer) && answers.count < PANELS_MAX) {
            answers.points[answers.count++] = &row->answer;
        }
        if (is_listed(&answers, &row->answer)) {
            group->rows[kept++] = row;
        } else {
            bool seen = false;
            for (size_t j = kept; j < kept + answers.left_out; j++) {
                seen |= point_equal(&group->rows[j]->answer, &row->answer);
            }
            if (!seen) { /* one row of each stands behind those that are kept */
                const Row *moved = group->rows[kept + answers.left_out];
                group->rows[kept + answers.left_out] = row;
                group->rows[i] = moved;
                answers.left_out++;
            }
        }
    }
    group->count = kept;
    answers.shared = answers.count > 0 ? shared_axes(&answers) : 0;
    return answers;
}

static const char *answer_words(const Builder *builder, const Answers *answers, size_t index) {
    char words[POINT_TEXT_SIZE];
    point_words(answers->points[index], ~answers->shared, words, sizeof words);
    return document_text(builder->document, "%s", words);
}

/* "speedup over seq (1 thread); 1 more answer point not shown" */
static void note_answers(const Builder *builder, const Answers *answers, const char *words) {
    if (answers->left_out > 0) {
        builder->chart->note = document_text(
            builder->document, "%s%s%zu more answer point%s not shown", words,
            words[0] != '\0' ? "; " : "", answers->left_out, answers->left_out > 1 ? "s" : "");
    } else {
        builder->chart->note = words[0] != '\0' ? words : NULL;
    }
}

static bool has_alloc(const Builder *builder) {
    for (size_t i = 0; i < builder->group.count; i++) {
        const Row *row = builder->group.rows[i];
        if (!row_is_on_cpu(row) && isfinite(row->with_alloc)) {
            return true;
        }
    }
    return false;
}

/* Times with allocation are those of allocation, upload, kernel and download on a GPU, of the run
 * alone on the CPU. */
static void build_answers(Builder *builder, ChartMeasure over, bool with_alloc) {
    const Answers answers = take_answers(builder);
    const Measure measure = {.measure = over, .unit = unit_of(builder), .with_alloc = with_alloc};
    const char *base_words = NULL;
    const Variant *base = over == CHART_TIME ? NULL : base_of(builder, &base_words);
    if ((over != CHART_TIME && base_words == NULL) || (with_alloc && !has_alloc(builder)) ||
        !name_sizes(builder)) {
        return;
    }
    static const char *const alloc_words = "CUDA: allocation, upload, kernel, download";
    builder->chart->title = title_of(builder, "", answers.points[0], answers.shared);
    start_time(builder, &measure);
    if (over != CHART_TIME) {
        builder->chart->y.title = with_alloc ? "speedup, with allocation" : "speedup, kernel";
        builder->chart->reference = 1.0;
    }
    const char *note = base_words == NULL
                           ? (with_alloc ? alloc_words : "")
                           : document_text(builder->document, "speedup over %s%s%s", base_words,
                                           with_alloc ? "; " : "", with_alloc ? alloc_words : "");
    note_answers(builder, &answers, note != NULL ? note : "");
    for (size_t i = 0; i < answers.count; i++) {
        chart_panel(builder->document, builder->chart, answer_words(builder, &answers, i));
        add_variants(builder, answers.points[i], size_place, &measure, base);
    }
}

/* --- Fastest ---------------------------------------------------------------------------------- */

/* Of one side the variant with the most answer points at the largest size, and of several the one
 * of the least time over all. NULL: none. */
static const Variant *fastest_variant(const Builder *builder, const Answers *answers, bool cpu,
                                      const Row *largest) {
    const Variant *variants[VARIANTS_MAX];
    const Variant *best = NULL;
    size_t most = 0;
    double least = INFINITY;
    const size_t count = variants_of(builder, variants);
    for (size_t i = 0; i < count; i++) {
        double seconds = 0;
        size_t cells = 0;
        for (size_t j = 0; variant_is_on_cpu(variants[i]) == cpu && j < answers->count; j++) {
            const RowLine line = line_of(
                builder, size_place,
                (Choice){.variant = variants[i], .answer = answers->points[j], .size = largest});
            seconds += line.count > 0 ? row_seconds(line.rows[0], TIME_KERNEL) : 0;
            cells += line.count;
        }
        if (cells > most || (cells == most && cells > 0 && seconds < least)) {
            best = variants[i];
            most = cells;
            least = seconds;
        }
    }
    return best;
}

/* How time grows with the answer point: a panel for the fastest CPU variant, one for the fastest
 * CUDA variant, a line for each answer point. */
static void build_fastest(Builder *builder) {
    const Answers answers = take_answers(builder);
    const Measure measure = {.measure = CHART_TIME, .unit = unit_of(builder)};
    if (!name_sizes(builder)) {
        return;
    }
    const RowLine sizes = line_of(builder, size_place, (Choice){.variant = NULL});
    builder->chart->title = title_of(builder, "", answers.points[0], answers.shared);
    builder->chart->ordered = true;
    start_time(builder, &measure);
    note_answers(builder, &answers, "");
    for (int side = 0; side < 2; side++) {
        const Variant *variant =
            fastest_variant(builder, &answers, side == 0, sizes.rows[sizes.count - 1]);
        if (variant == NULL) {
            continue;
        }
        chart_panel(builder->document, builder->chart, variant_words(builder, variant));
        for (size_t i = 0; i < answers.count; i++) {
            const RowLine line = line_of(builder, size_place,
                                         (Choice){.variant = variant, .answer = answers.points[i]});
            add_line(builder, &line, size_place, measure_value, &measure,
                     answer_words(builder, &answers, i), (int)i);
        }
    }
}

/* === Against an axis ========================================================================== */

/* Numbers along x: each has its name where they are few; logarithmic over a wide range. */
static void name_places(const Builder *builder, const RowLine *line, Place place,
                        const char *title) {
    enum { NAMES_MAX = 20 };
    static const double log_from = 8;
    const double least = place(builder, line->rows[0]);
    const double most = place(builder, line->rows[line->count - 1]);
    builder->chart->x.log = least > 0 && most >= log_from * least;
    builder->chart->x.title = document_text(builder->document, "%s%s", title,
                                            builder->chart->x.log ? ", logarithmic" : "");
    for (size_t i = 0; line->count <= NAMES_MAX && i < line->count; i++) {
        char number[32];
        number_text(place(builder, line->rows[i]), number, sizeof number);
        chart_tick(builder->document, &builder->chart->x, place(builder, line->rows[i]), number);
    }
}

static void build_answer_sweep(Builder *builder) {
    const Row *row = builder->of->row;
    const Measure measure = {.measure = CHART_TIME, .unit = unit_of(builder)};
    const RowLine places = line_of(builder, answer_place, (Choice){.variant = NULL});
    if (places.count < 2) {
        return;
    }
    const Point rest = point_without(&row->answer, builder->of->axis);
    char size[OVERVIEW_TEXT_SIZE];
    size_name(builder, row, size);
    builder->chart->title =
        title_of(builder, document_text(builder->document, " at %s", size), &rest, all_axes);
    name_places(builder, &places, answer_place,
                strcmp(builder->of->axis->name, "box") == 0 ? "box side (pixels)"
                                                            : builder->of->axis->name);
    start_time(builder, &measure);
    add_variants(builder, NULL, answer_place, &measure, NULL);
}

/* --- Tuning ----------------------------------------------------------------------------------- */

/* The speedup of a threaded variant over itself with one thread, `context`; the interval is that of
 * the row's own time. */
static ChartPoint thread_value(const Row *row, const void *context) {
    const Summary *summary = row_summary(row, TIME_KERNEL);
    const double one = row_seconds(context, TIME_KERNEL);
    return (ChartPoint){.y = one / row_seconds(row, TIME_KERNEL),
                        .low = one / summary->ci_high,
                        .high = one / summary->ci_low};
}

/* Marks at powers of two, from the least value to the most. */
static void name_powers(const Builder *builder) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < builder->chart->count; i++) {
        const ChartSeries *series = &builder->chart->series[i];
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
        chart_tick(builder->document, &builder->chart->y, ldexp(1, power), number);
    }
}

static void build_threads(const Builder *builder, const RowLine *sizes, const RowLine *places) {
    const Variant *variant = builder->of->row->variant;
    builder->chart->y.title =
        document_text(builder->document, "speedup over %s with 1 thread", variant->name);
    builder->chart->y.log = builder->chart->x.log;
    for (size_t i = 0; i < sizes->count; i++) {
        const RowLine line = line_of(builder, tuning_place, (Choice){.size = sizes->rows[i]});
        char size[OVERVIEW_TEXT_SIZE];
        size_name(builder, sizes->rows[i], size);
        if (line.count > 0 && tuning_place(builder, line.rows[0]) == 1.0) {
            add_line(builder, &line, tuning_place, thread_value, line.rows[0], size, (int)i);
        }
    }
    if (builder->chart->count == 0) {
        return;
    }
    ChartSeries *ideal =
        chart_series(builder->document, builder->chart, "ideal", SERIES_CEILING, 0);
    for (size_t i = 0; i < places->count; i++) {
        const double threads = tuning_place(builder, places->rows[i]);
        chart_point(builder->document, ideal,
                    &(ChartPoint){.x = threads, .y = threads, .low = NAN, .high = NAN});
    }
    if (builder->chart->y.log) {
        name_powers(builder);
    }
}

/* Against a tuning axis of one variant, a line for each size: kernel time, or how threads scale. */
static void build_tuning(Builder *builder) {
    const Row *row = builder->of->row;
    const char *axis = builder->of->axis->name;
    const RowLine sizes = line_of(builder, size_place, (Choice){.variant = NULL});
    const RowLine places = line_of(builder, tuning_place, (Choice){.variant = NULL});
    const bool threads = strcmp(axis, "threads") == 0;
    if (places.count < 2 || (threads && tuning_place(builder, places.rows[0]) != 1.0)) {
        return;
    }
    const char *title = threads ? "threads"
                        : strcmp(axis, "tile") == 0
                            ? "tile width (pixels)"
                            : document_text(builder->document, "%s: %s", row->variant->name, axis);
    builder->chart->title =
        title_of(builder, document_text(builder->document, ", %s", row->variant->name),
                 &row->answer, all_axes);
    builder->chart->ordered = true;
    name_places(builder, &places, tuning_place, title);
    if (threads) {
        build_threads(builder, &sizes, &places);
        return;
    }
    const Measure measure = {.measure = CHART_TIME, .unit = unit_of(builder)};
    start_time(builder, &measure);
    for (size_t i = 0; i < sizes.count; i++) {
        const RowLine line = line_of(builder, tuning_place, (Choice){.size = sizes.rows[i]});
        char size[OVERVIEW_TEXT_SIZE];
        size_name(builder, sizes.rows[i], size);
        add_line(builder, &line, tuning_place, measure_value, &measure, size, (int)i);
    }
}

/* === Stages =================================================================================== */

/* Grey parts of a bar, as style.gp numbers them. */
typedef enum Grey { GREY_UPLOAD, GREY_WHOLE, GREY_OVERLAPPED, GREY_DOWNLOAD, GREYS } Grey;

enum { STAGE_NAMES_MAX = 64 };

/* Names of stages over all bars, in the order they come up. */
typedef struct StageNames {
    const char *names[STAGE_NAMES_MAX];
    size_t count;
} StageNames;

typedef struct Bar {
    const Row *row;
    bool staged, overlapped;
    double grey[GREYS]; /* seconds; 0: no such part */
    double total;
} Bar;

static double or_zero(double number) {
    return isfinite(number) && number > 0 ? number : 0;
}

/* Kernels without stages are one part; where transfers and kernel overlap so that together they
 * take clearly less than their sum, that time is one part: copies from ordinary memory take now
 * more, now less time, so that a little less is no overlap. */
static Bar bar_of(const Row *row) {
    static const double clearly_less = 0.8;
    Bar bar = {.row = row, .staged = has_stages(row)};
    const double up = or_zero(row->upload), down = or_zero(row->download);
    const double kernel = row_seconds(row, TIME_KERNEL);
    const double whole = or_zero(row->end_to_end_summary.median);
    bar.overlapped = whole > 0 && whole < clearly_less * (up + kernel + down);
    if (bar.overlapped) {
        bar.staged = false;
        bar.grey[GREY_OVERLAPPED] = whole;
    } else {
        bar.grey[GREY_UPLOAD] = up;
        bar.grey[GREY_WHOLE] = bar.staged ? 0 : kernel;
        bar.grey[GREY_DOWNLOAD] = down;
    }
    for (size_t i = 0; i < GREYS; i++) {
        bar.total += bar.grey[i];
    }
    for (size_t i = 0; bar.staged && i < variant_stage_count(row->variant); i++) {
        bar.total += or_zero(row->stage_seconds[i]);
    }
    return bar;
}

static void note_stages(StageNames *stages, const Bar *bar) {
    const Variant *variant = bar->row->variant;
    for (size_t i = 0; bar->staged && i < variant_stage_count(variant); i++) {
        bool listed = !(or_zero(bar->row->stage_seconds[i]) > 0);
        for (size_t j = 0; j < stages->count; j++) {
            listed |= strcmp(stages->names[j], variant->stages[i].name) == 0;
        }
        if (!listed && stages->count < STAGE_NAMES_MAX) {
            stages->names[stages->count++] = variant->stages[i].name;
        }
    }
}

static double stage_seconds(const Bar *bar, const char *name) {
    const Variant *variant = bar->row->variant;
    for (size_t i = 0; bar->staged && i < variant_stage_count(variant); i++) {
        if (strcmp(variant->stages[i].name, name) == 0) {
            return or_zero(bar->row->stage_seconds[i]);
        }
    }
    return 0;
}

typedef struct Bars {
    Bar list[VARIANTS_MAX];
    size_t count;
    double ends[VARIANTS_MAX]; /* where the next part of a bar begins */
    bool shares;               /* all bars are equally long */
    TimeUnit unit;
} Bars;

/* A part of every bar that has it: that stage, or, for `stage` NULL, that grey one. */
static void add_part(const Builder *builder, Bars *bars, const char *stage, Grey grey,
                     const char *name, int colour) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < bars->count; i++) {
        const Bar *bar = &bars->list[i];
        const double seconds = stage != NULL ? stage_seconds(bar, stage) : bar->grey[grey];
        if (!(seconds > 0)) {
            continue;
        }
        const double share = 100.0 * seconds / bar->total;
        const double length = bars->shares ? share : seconds / bars->unit.seconds;
        series = series != NULL
                     ? series
                     : chart_series(builder->document, builder->chart, name,
                                    stage != NULL ? SERIES_MEASURED : SERIES_SECONDARY, colour);
        const ChartPoint point = {
            .x = (double)i,
            .y = length,
            .low = bars->ends[i],
            .high = bars->ends[i] + length,
            .label = share < 99.5 ? document_text(builder->document, "%.0f%%", share) : NULL};
        chart_point(builder->document, series, &point);
        bars->ends[i] = point.high;
    }
}

static void add_totals(const Builder *builder, const Bars *bars) {
    ChartSeries *totals = chart_series(builder->document, builder->chart,
                                       bars->shares ? "total" : NULL, SERIES_WORDS, 0);
    for (size_t i = 0; i < bars->count; i++) {
        const Row *row = bars->list[i].row;
        char total[NUMBER_WORDS_SIZE];
        char tuning[POINT_TEXT_SIZE];
        seconds_text(bars->list[i].total, total);
        point_format(&row->tuning, tuning, sizeof tuning);
        chart_point(
            builder->document, totals,
            &(ChartPoint){
                .x = (double)i, .y = bars->ends[i], .low = NAN, .high = NAN, .label = total});
        chart_tick(builder->document, &builder->chart->x, (double)i,
                   document_text(builder->document, "%s\n%s", row->variant->name, tuning));
    }
}

/* The variants at their fastest tuning and the largest size that has stages. */
static void take_bars(const Builder *builder, const Row *largest, Bars *bars, StageNames *stages) {
    const Variant *variants[VARIANTS_MAX];
    const size_t count = variants_of(builder, variants);
    double least = INFINITY, most = 0;
    TimeRange range = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        const RowLine line =
            line_of(builder, size_place, (Choice){.variant = variants[i], .size = largest});
        if (line.count > 0) {
            Bar *bar = &bars->list[bars->count++];
            *bar = bar_of(line.rows[0]);
            note_stages(stages, bar);
            time_range_add(&range, bar->total);
            least = fmin(least, bar->total);
            most = fmax(most, bar->total);
        }
    }
    static const double far_apart = 20;
    bars->shares = most > far_apart * least;
    bars->unit = time_unit(&range);
}

/* Where the time goes: for each variant at the largest size a bar of its upload, the stages of its
 * kernel and its download. */
static void build_stages(Builder *builder) {
    Bars *bars = document_allocate(builder->document, sizeof *bars);
    const RowLine sizes = line_of(builder, size_place, (Choice){.variant = NULL});
    StageNames stages = {.count = 0};
    if (bars == NULL || sizes.count == 0) {
        return;
    }
    const Row *largest = sizes.rows[sizes.count - 1];
    take_bars(builder, largest, bars, &stages);
    if (stages.count == 0) {
        return;
    }
    char size[OVERVIEW_TEXT_SIZE];
    size_name(builder, largest, size);
    builder->chart->kind = CHART_BARS;
    builder->chart->title = title_of(builder, document_text(builder->document, " at %s", size),
                                     &builder->of->row->answer, all_axes);
    builder->chart->y.title = bars->shares
                                  ? "share of the time (%)"
                                  : document_text(builder->document, "time (%s)", bars->unit.name);
    add_part(builder, bars, NULL, GREY_UPLOAD, "upload", GREY_UPLOAD);
    for (size_t i = 0; i < stages.count; i++) {
        add_part(builder, bars, stages.names[i], GREY_WHOLE, stages.names[i], (int)i);
    }
    add_part(builder, bars, NULL, GREY_WHOLE, "whole kernel", GREY_WHOLE);
    add_part(builder, bars, NULL, GREY_OVERLAPPED, "overlapped", GREY_OVERLAPPED);
    add_part(builder, bars, NULL, GREY_DOWNLOAD, "download", GREY_DOWNLOAD);
    add_totals(builder, bars);
}

static void build_roofline(Builder *builder) {
    const RowLine sizes = line_of(builder, size_place, (Choice){.variant = NULL});
    if (sizes.count > 0) {
        char size[OVERVIEW_TEXT_SIZE];
        size_name(builder, sizes.rows[sizes.count - 1], size);
        roofline_fill(builder->document, builder->chart, &builder->group);
        builder->chart->title = title_of(builder, document_text(builder->document, " at %s", size),
                                         &builder->of->row->answer, all_axes);
    }
}

/* === Drawing ================================================================================== */

static void build(Builder *builder) {
    switch (builder->of->kind) {
    case RUN_SPEEDUP: build_speedup(builder); break;
    case RUN_SPEEDUP_BEST_CPU: build_speedup_best_cpu(builder); break;
    case RUN_TIME: build_time(builder); break;
    case RUN_ROOFLINE: build_roofline(builder); break;
    case RUN_STAGES: build_stages(builder); break;
    case RUN_TUNING: build_tuning(builder); break;
    case RUN_ANSWERS_SPEEDUP: build_answers(builder, CHART_OVER_SEQ, false); break;
    case RUN_ANSWERS_SPEEDUP_ALLOC: build_answers(builder, CHART_OVER_SEQ, true); break;
    case RUN_ANSWERS_TIME: build_answers(builder, CHART_TIME, false); break;
    case RUN_ANSWERS_TIME_ALLOC: build_answers(builder, CHART_TIME, true); break;
    case RUN_ANSWERS_FASTEST: build_fastest(builder); break;
    case RUN_ANSWER_SWEEP: build_answer_sweep(builder); break;
    }
}

/* The rows, and what their sizes are counted in. */
static void take_rows(Builder *builder, const Results *results) {
    builder->group.rows =
        document_allocate(builder->document, (results->count + 1) * sizeof(const Row *));
    double side = NAN;
    bool equal = true;
    for (size_t i = 0; builder->group.rows != NULL && i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (has_row(builder->of, row)) {
            const double image = (double)row->width * row->height;
            equal &= isnan(side) || image == side;
            side = image;
            builder->of_sets |= row->images > 0;
            builder->group.rows[builder->group.count++] = row;
        }
    }
    builder->per_size = builder->of_sets && equal && side > 0 ? side : 1.0;
}

DocChart *run_chart_build(const Results *results, const RunChart *chart, Document *document) {
    Builder builder = {.document = document, .of = chart};
    builder.chart = document_chart(document, chart->name, "");
    take_rows(&builder, results);
    if (builder.chart == NULL || document->failed) {
        return NULL;
    }
    builder.chart->name = chart->name;
    build(&builder);
    return builder.chart;
}

static Status draw(const Results *results, const RunChart *chart, const char *folder) {
    Document document;
    document_open(&document, "");
    const DocChart *built = run_chart_build(results, chart, &document);
    Status status = document_status(&document);
    if (status_is_ok(&status) && built->count > 0) {
        status = chart_draw(built, folder);
    }
    document_release(&document);
    return status;
}

Status run_charts_draw(const Results *results, const char *folder) {
    RunChartList list;
    char scripts[GNUPLOT_PATH_SIZE];
    STATUS_TRY(chart_folder_check(folder));
    STATUS_TRY(gnuplot_script_folder(scripts, sizeof scripts));
    STATUS_TRY(run_charts_list(results, &list));
    Status status = status_ok();
    for (size_t i = 0; i < list.count && status_is_ok(&status); i++) {
        status = draw(results, &list.charts[i], folder);
    }
    run_charts_release(&list);
    return status;
}
