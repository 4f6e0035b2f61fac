/* The charts that a run draws as files: which there are, their names and rows. */

#include "algorithm.h"
#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "results.h"
#include "row_winners.h"
#include "run_record.h"
#include "variant.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "axis.h"
#include "builder.h"
#include "csv.h"
#include "fnv.h"
#include "gnuplot.h"
#include "list.h"
#include "status.h"
#include "text.h"

enum {
    ANSWERS_MAX = 8, /* of so many answer points each has charts of its own */
    SWEEP_MIN = RUN_CHART_VALUES
};

/* === Which files a run has ==================================================================== */

/* Whether a tuning axis with this value is drawn. */
static bool begins_with_digit(const AxisValue *value) {
    return value != NULL && value->text[0] >= '0' && value->text[0] <= '9';
}

/* Nothing but digits: whether an answer axis with this value is drawn. */
static bool is_whole(const AxisValue *value) {
    return begins_with_digit(value) && strspn(value->text, "0123456789") == strlen(value->text);
}

/* Whether two rows differ in nothing but the answer axis, and what is measured. */
static bool same_rest(const Row *a, const Row *b, const Axis *axis) {
    return strcmp(a->size_name, b->size_name) == 0 &&
           point_equal_but(&a->answer, &b->answer, axis->name);
}

/* With --weak the answers of a scaling may differ in the axis that grows. */
static bool has_same_answer(const RunChart *chart, const Row *row) {
    const char *grows = row->algorithm->weak_axis;
    return point_equal(&chart->row->answer, &row->answer) ||
           (chart->subject == SUBJECT_TUNING && chart->row->weak && row->weak && grows != NULL &&
            point_equal_but(&chart->row->answer, &row->answer, grows));
}

/* Whether a row with a verified time is one of those that the chart shows. */
static bool has_row(const RunChart *chart, const Row *row) {
    if (row->status != CELL_OK || !row_same_input(chart->row, row)) {
        return false;
    }
    const bool same_answer = has_same_answer(chart, row);
    switch (chart_types[chart->subject].rows) {
    case ROWS_OF_INPUT: return true;
    case ROWS_OF_ANSWER: return same_answer;
    case ROWS_OF_VARIANT:
        return same_answer && chart->row->variant == row->variant &&
               begins_with_digit(point_value(&row->tuning, chart->axis->name));
    case ROWS_OF_SIZE:
    case ROWS_NONE: break;
    }
    return is_whole(point_value(&row->answer, chart->axis->name)) &&
           same_rest(chart->row, row, chart->axis);
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

/* The chart of the list that the row belongs in, or a new one. `value`: the row's value of the
 * axis, of which a sweep needs several; may be NULL. */
static Status add_chart(RunChartList *list, ChartSubject subject, const Axis *axis,
                        const AxisValue *value, const Row *row) {
    size_t i = 0;
    while (i < list->count && !(list->charts[i].subject == subject &&
                                list->charts[i].axis == axis && has_row(&list->charts[i], row))) {
        i++;
    }
    if (i == list->count) {
        LIST_ADD(NULL, list->charts, list->count, list->capacity, "charts",
                 (RunChart){.subject = subject, .axis = axis, .row = row});
    }
    if (value != NULL) {
        note_value(&list->charts[i], strtod(value->text, NULL));
    }
    return status_ok();
}

/* Answer points of the algorithm and input, in the order of the run, and the place of the row's. */
static size_t count_answers(const RunChartList *list, const Row *row, size_t *place) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const RunChart *chart = &list->charts[i];
        if (chart->subject == SUBJECT_TIME && row_same_input(chart->row, row)) {
            *place = point_equal(&chart->row->answer, &row->answer) ? count : *place;
            count++;
        }
    }
    return count;
}

static Status add_subject(RunChartList *list, ChartSubject subject, const Row *row) {
    const ChartType *type = &chart_types[subject];
    size_t place = 0;
    if (type->rows == ROWS_OF_ANSWER || type->rows == ROWS_OF_INPUT) {
        const bool drawn = type->rows == ROWS_OF_ANSWER ? type->needs == NULL || type->needs(row)
                                                        : count_answers(list, row, &place) > 1;
        return drawn ? add_chart(list, subject, NULL, NULL, row) : status_ok();
    }
    if (type->needs != NULL && !type->needs(row)) {
        return status_ok();
    }
    const bool tuning = type->rows == ROWS_OF_VARIANT;
    const Point *point = tuning ? &row->tuning : &row->answer;
    for (size_t i = 0; i < point->count; i++) {
        const AxisValue *value = &point->values[i];
        if (tuning ? begins_with_digit(value) : is_whole(value)) {
            STATUS_TRY(add_chart(list, subject, point->axes[i], tuning ? NULL : value, row));
        }
    }
    return status_ok();
}

/* --- What is too many or too little ----------------------------------------------------------- */

static bool is_kept(const RunChartList *list, const RunChart *chart) {
    size_t place = 0;
    const ChartRows rows = chart_types[chart->subject].rows;
    const size_t answers = count_answers(list, chart->row, &place);
    switch (rows) {
    case ROWS_OF_SIZE: return chart->value_count >= SWEEP_MIN;
    case ROWS_OF_INPUT: return answers <= TOGETHER_MAX;
    case ROWS_OF_ANSWER:
    case ROWS_OF_VARIANT:
    case ROWS_NONE: break;
    }
    return answers <= ANSWERS_MAX || place == 0 || place == answers / 2 || place == answers - 1;
}

static bool is_copy(const RunChart *chart) {
    return row_is_roof(chart->row);
}

/* Judged by the whole list, then removed. The copy is measured with every algorithm, as its roof;
 * it has charts when it was asked for by itself. */
static void drop_surplus(RunChartList *list) {
    bool alone = true;
    for (size_t i = 0; i < list->count; i++) {
        list->charts[i].kept = is_kept(list, &list->charts[i]);
        alone &= is_copy(&list->charts[i]);
    }
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->charts[i].kept && (alone || !is_copy(&list->charts[i]))) {
            list->charts[count++] = list->charts[i];
        }
    }
    list->count = count;
}

/* --- Names ------------------------------------------------------------------------------------ */

/* What makes charts differ, in the order of their names. */
enum NamePart {
    NAME_ALGORITHM,
    NAME_INPUT,
    NAME_SIZE,
    NAME_ANSWER,
    NAME_REST, /* the answer without the axis; named where the list has the sweep with another too
                */
    NAME_VARIANT,
    NAME_AXIS,
    NAME_WORD,
    NAME_PARTS
};

enum { NAME_PART_SIZE = CSV_VALUE_SIZE };

typedef char NameParts[NAME_PARTS][NAME_PART_SIZE];

static void split_name(const RunChart *chart, NameParts parts) {
    const Row *row = chart->row;
    const ChartType *type = &chart_types[chart->subject];
    memset(parts, 0, sizeof(NameParts));
    snprintf(parts[NAME_ALGORITHM], NAME_PART_SIZE, "%s", row->algorithm->name);
    text_visible(row->input, parts[NAME_INPUT], NAME_PART_SIZE); /* as it stands in the CSV */
    if (type->rows == ROWS_OF_SIZE) {
        const Point rest = point_without(&row->answer, chart->axis);
        snprintf(parts[NAME_SIZE], NAME_PART_SIZE, "%s", row->size_name);
        point_format(&rest, parts[NAME_REST], NAME_PART_SIZE);
    } else if (type->rows != ROWS_OF_INPUT) {
        point_format(&row->answer, parts[NAME_ANSWER], NAME_PART_SIZE);
    }
    if (type->rows == ROWS_OF_VARIANT) {
        snprintf(parts[NAME_VARIANT], NAME_PART_SIZE, "%s", row->variant->name);
    }
    if (chart->axis != NULL) {
        snprintf(parts[NAME_AXIS], NAME_PART_SIZE, "%s", chart->axis->name);
    }
    snprintf(parts[NAME_WORD], NAME_PART_SIZE, "%s", type->word);
}

/* Whether the list has the sweep at other values of the other answer axes too. */
static bool has_other_rest(const RunChartList *list, const RunChart *of_chart) {
    const bool sweep = chart_types[of_chart->subject].rows == ROWS_OF_SIZE;
    for (size_t i = 0; sweep && i < list->count; i++) {
        const RunChart *chart = &list->charts[i];
        if (chart->subject == of_chart->subject && chart->axis == of_chart->axis &&
            row_same_input(chart->row, of_chart->row) &&
            strcmp(chart->row->size_name, of_chart->row->size_name) == 0 &&
            !same_rest(chart->row, of_chart->row, chart->axis)) {
            return true;
        }
    }
    return false;
}

/* <algorithm>-<input>[-<answer>]-speedup, <algorithm>-<input>[-<answer>]-<variant>-<axis>,
 * <algorithm>-<input>-answers-speedup, <algorithm>-<input>-<size>[-<other axes>]-<axis>-time; with
 * a hash of all the parts before the word where another chart has the same name. */
static void name_chart(const RunChartList *list, RunChart *chart, bool hashed) {
    NameParts parts;
    char hash[16];
    uint64_t sum = FNV_START;
    const bool with_rest = has_other_rest(list, chart);
    split_name(chart, parts);
    chart->name[0] = '\0';
    for (size_t i = 0; i < NAME_PARTS; i++) {
        sum = fnv_bytes(sum, parts[i], strlen(parts[i]) + 1);
        if (i != NAME_WORD && (i != NAME_REST || with_rest)) {
            chart_name_append(chart->name, parts[i]);
        }
    }
    if (hashed) {
        snprintf(hash, sizeof hash, "%08" PRIx32, (uint32_t)sum);
        const size_t room = strlen(hash) + strlen(parts[NAME_WORD]) + 2;
        if (strlen(chart->name) + room >= CHART_NAME_SIZE) {
            chart->name[CHART_NAME_SIZE - 1 - room] = '\0';
        }
        chart_name_append(chart->name, hash);
    }
    chart_name_append(chart->name, parts[NAME_WORD]);
}

/* File names leave out and cut some of what makes charts differ. */
static void name_charts(RunChartList *list) {
    for (size_t i = 0; i < list->count; i++) {
        RunChart *chart = &list->charts[i];
        name_chart(list, chart, false);
        for (size_t j = 0; j < i; j++) {
            if (strcmp(chart->name, list->charts[j].name) == 0) {
                chart->shared = list->charts[j].shared = true;
            }
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->charts[i].shared) {
            name_chart(list, &list->charts[i], true);
        }
    }
}

static Status list_rows(const Results *results, RunChartList *list) {
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        for (size_t subject = 0; row->status == CELL_OK && subject < CHART_SUBJECTS; subject++) {
            if (chart_types[subject].is_file) {
                STATUS_TRY(add_subject(list, (ChartSubject)subject, row));
            }
        }
    }
    return status_ok();
}

Status run_charts_list(const Results *results, RunChartList *list) {
    *list = (RunChartList){.charts = NULL};
    const Status status = list_rows(results, list);
    if (!status_is_ok(&status)) {
        run_charts_release(list);
        return status;
    }
    drop_surplus(list);
    name_charts(list);
    return status_ok();
}

void run_charts_release(RunChartList *list) {
    free(list->charts);
    *list = (RunChartList){.charts = NULL};
}

/* === Drawing files ============================================================================ */

/* The rows of the chart, and what lies along its x axis. */
static void find_rows(const RunChart *file, const Results *results, Builder *builder) {
    RunGroup *rows = &builder->runs[0];
    builder->alone = true;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        builder->alone &= row->status != CELL_OK || !row_same_input(file->row, row) ||
                          point_equal(&file->row->answer, &row->answer);
        if (has_row(file, row)) {
            group_add(builder->document, rows, row);
        }
    }
    builder->axis.pixels = group_has_other_images(rows);
    if (file->axis != NULL) {
        builder->axis = row_axis(builder->document, rows, builder->type->rows == ROWS_OF_VARIANT,
                                 file->axis->name);
    }
}

DocChart *run_chart_build(const Results *results, const RunChart *chart, Document *document) {
    Builder builder = {.document = document,
                       .type = &chart_types[chart->subject],
                       .place = PLACE_FILE,
                       .head = chart->row,
                       .file_axis = chart->axis,
                       .run_count = 1,
                       .kinds = KERNEL_ALONE};
    find_rows(chart, results, &builder);
    DocChart *built = document->failed
                          ? NULL
                          : chart_build(&builder, chart->name, "",
                                        group_interval_words(document, &builder.runs[0]));
    if (built != NULL && results->measured[0] != '\0') {
        built->made = document_text(document, "%s", results->measured);
    }
    return built;
}

/* How well a chart shows the answer: it is of the algorithm whose table the summary has, and over
 * the best CPU, or without a GPU over seq. */
static int chart_rank(const RunChart *chart, bool own, bool devices) {
    const ChartType *type = &chart_types[chart->subject];
    const ChartMeasure wanted = devices ? CHART_OVER_BEST_CPU : CHART_OVER_SEQ;
    return 1 + 2 * own + (type->measure == wanted && !type->with_alloc);
}

/* Of those that show it alike the first by name is the best. */
static RunCharts drawn_charts(const RunChartList *list, const Results *results, const char *only) {
    RunCharts drawn = {.count = 0};
    const bool devices = results_have_side(results, SIDE_DEVICE);
    int best = 0;
    for (size_t i = 0; i < list->count; i++) {
        const RunChart *chart = &list->charts[i];
        if (!chart->drawn) {
            continue;
        }
        const char *name = chart->row->algorithm->name;
        only = only != NULL ? only : name;
        const int rank = chart_rank(chart, strcmp(name, only) == 0, devices);
        if (rank > best || (rank == best && strcmp(chart->name, drawn.best) < 0)) {
            best = rank;
            snprintf(drawn.best, sizeof drawn.best, "%s", chart->name);
        }
        drawn.count++;
    }
    return drawn;
}

void run_charts_find(const Results *results, const char *folder, const char *only,
                     RunCharts *charts) {
    RunChartList list;
    const Status status = run_charts_list(results, &list);
    *charts = (RunCharts){.count = 0};
    if (!status_is_ok(&status)) {
        return;
    }
    for (size_t i = 0; i < list.count; i++) {
        char path[ATOMIC_FILE_PATH_SIZE];
        const Status named = chart_path(folder, list.charts[i].name, "svg", path);
        list.charts[i].drawn = status_is_ok(&named) && access(path, F_OK) == 0;
    }
    *charts = drawn_charts(&list, results, only);
    run_charts_release(&list);
}

static Status draw_file(const Results *results, RunChart *chart, const char *folder) {
    Document document;
    document_open(&document, "");
    const DocChart *built = run_chart_build(results, chart, &document);
    Status status = document_status(&document);
    if (status_is_ok(&status) && built != NULL && chart_is_drawable(built)) {
        status = chart_draw(built, folder);
        chart->drawn = status_is_ok(&status);
    }
    document_release(&document);
    return status;
}

Status run_charts_draw(const Results *results, const char *folder, RunCharts *charts) {
    RunChartList list;
    char scripts[GNUPLOT_PATH_SIZE];
    *charts = (RunCharts){.count = 0};
    STATUS_TRY(chart_folder_check(folder));
    STATUS_TRY(gnuplot_script_folder(scripts, sizeof scripts));
    STATUS_TRY(run_charts_list(results, &list));
    Status status = status_ok();
    for (size_t i = 0; i < list.count && status_is_ok(&status); i++) {
        status = draw_file(results, &list.charts[i], folder);
    }
    *charts = drawn_charts(&list, results, NULL);
    run_charts_release(&list);
    return status;
}
