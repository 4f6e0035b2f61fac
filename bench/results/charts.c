/* Charts of a run's CSV: which there are, and drawing them. */

#include "results_internal.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base.h"
#include "files.h"
#include "fnv.h"
#include "status.h"

/* === Chart list =============================================================================== */

typedef struct ChartKind {
    const char *script, *word;
} ChartKind;

/* Charts that every algorithm, input and answer point with verified times has. */
static const ChartKind size_charts[] = {
    {"speedup.gp", "speedup"},
    {"speedup_best_cpu.gp", "speedup-best-cpu"},
    {"time.gp", "time"},
};

/* Charts of all answer points together, where an algorithm and input has several. */
static const ChartKind answer_charts[] = {
    {"answers_speedup.gp", "answers-speedup"},
    {"answers_speedup_with_alloc.gp", "answers-speedup-with-alloc"},
    {"answers_time.gp", "answers-time"},
    {"answers_time_with_alloc.gp", "answers-time-with-alloc"},
    {"answers_fastest.gp", "answers-fastest"},
};

enum {
    COLUMN_ALGORITHM,
    COLUMN_VARIANT,
    COLUMN_INPUT,
    COLUMN_ANSWER,
    COLUMN_TUNING,
    COLUMN_STATUS,
    COLUMN_REQUIRED, /* files without the columns from here on have fewer charts */
    COLUMN_SIZE = COLUMN_REQUIRED,
    COLUMN_STAGES,
    COLUMN_OPERATIONS,
    COLUMN_CEILING_BANDWIDTH,
    COLUMN_CEILING_OPERATIONS
};

static const char *const column_names[] = {
    [COLUMN_ALGORITHM] = "algorithm",
    [COLUMN_VARIANT] = "variant",
    [COLUMN_INPUT] = "input",
    [COLUMN_ANSWER] = "answer",
    [COLUMN_TUNING] = "tuning",
    [COLUMN_STATUS] = "status",
    [COLUMN_SIZE] = "size",
    [COLUMN_STAGES] = "stages_ms",
    [COLUMN_OPERATIONS] = "operations",
    [COLUMN_CEILING_BANDWIDTH] = "ceiling_gb_s",
    [COLUMN_CEILING_OPERATIONS] = "ceiling_gop_s",
};

enum { COLUMN_COUNT = sizeof column_names / sizeof column_names[0] };

static bool same_chart(const Chart *a, const Chart *b) {
    return strcmp(a->word, b->word) == 0 && strcmp(a->algorithm, b->algorithm) == 0 &&
           strcmp(a->input, b->input) == 0 && strcmp(a->answer, b->answer) == 0 &&
           strcmp(a->variant, b->variant) == 0 && strcmp(a->axis, b->axis) == 0 &&
           strcmp(a->size, b->size) == 0 && strcmp(a->rest, b->rest) == 0;
}

static Chart *find_chart(const ChartList *list, const Chart *chart) {
    for (size_t i = 0; i < list->count; i++) {
        if (same_chart(&list->charts[i], chart)) {
            return &list->charts[i];
        }
    }
    return NULL;
}

static Status add_chart(ChartList *list, const Chart *chart) {
    if (find_chart(list, chart) != NULL) {
        return status_ok();
    }
    STATUS_TRY(LIST_ROOM(NULL, list->charts, list->count, list->capacity, "charts"));
    list->charts[list->count++] = *chart;
    return status_ok();
}

static Status add_kinds(ChartList *list, Chart chart, const ChartKind *kinds, size_t count) {
    for (size_t i = 0; i < count; i++) {
        chart.script = kinds[i].script;
        chart.word = kinds[i].word;
        STATUS_TRY(add_chart(list, &chart));
    }
    return status_ok();
}

/* Whether the list has charts of the same algorithm and input at another answer point. */
static bool has_other_answer(const ChartList *list, const Chart *of_row) {
    for (size_t i = 0; i < list->count; i++) {
        const Chart *chart = &list->charts[i];
        if (strcmp(chart->word, size_charts[0].word) == 0 &&
            strcmp(chart->algorithm, of_row->algorithm) == 0 &&
            strcmp(chart->input, of_row->input) == 0 &&
            strcmp(chart->answer, of_row->answer) != 0) {
            return true;
        }
    }
    return false;
}

static Status add_answers(ChartList *list, const Chart *of_row) {
    Chart chart = *of_row;
    chart.answer = "";
    return has_other_answer(list, of_row)
               ? add_kinds(list, chart, answer_charts,
                           sizeof answer_charts / sizeof answer_charts[0])
               : status_ok();
}

/* A chart for each axis of "tile:8,threads:4" whose value is a number. */
static Status add_sweeps(ChartList *list, const Chart *of_row, const char *tuning) {
    while (*tuning != '\0') {
        const size_t length = strcspn(tuning, ",");
        const size_t name = strcspn(tuning, ":,");
        const char *value = tuning + name + 1;
        Chart chart = *of_row;
        if (name < length && name < sizeof chart.axis && *value >= '0' && *value <= '9') {
            snprintf(chart.axis, sizeof chart.axis, "%.*s", (int)name, tuning);
            chart.word = "";
            chart.script = strcmp(chart.axis, "threads") == 0 ? "threads.gp" : "tuning.gp";
            STATUS_TRY(add_chart(list, &chart));
        }
        tuning += length;
        tuning += *tuning == ',';
    }
    return status_ok();
}

/* The point without the axis at `part`, of `length` letters. */
static void write_rest(const char *answer, const char *part, size_t length, char *rest) {
    const size_t before = (size_t)(part - answer);
    const char *after = part + length;
    after += *after == ',';
    snprintf(rest, CHART_REST_SIZE, "%.*s%s", (int)before, answer, after);
    const size_t used = strlen(rest);
    if (*after == '\0' && used > 0 && rest[used - 1] == ',') {
        rest[used - 1] = '\0';
    }
}

static void note_value(Chart *chart, double value) {
    for (size_t i = 0; i < chart->value_count; i++) {
        if (chart->values[i] == value) {
            return;
        }
    }
    if (chart->value_count < CHART_SWEEP_MIN) {
        chart->values[chart->value_count++] = value;
    }
}

/* A chart for each axis of the answer point whose value is nothing but a number. */
static Status add_answer_sweeps(ChartList *list, const Chart *of_row) {
    for (const char *part = of_row->answer; *part != '\0';) {
        const size_t length = strcspn(part, ",");
        const size_t name = strcspn(part, ":,");
        const char *value = part + name + 1;
        Chart chart = *of_row;
        if (name + 1 < length && name < sizeof chart.axis && length < CHART_REST_SIZE &&
            strspn(value, "0123456789") == length - name - 1) {
            snprintf(chart.axis, sizeof chart.axis, "%.*s", (int)name, part);
            write_rest(of_row->answer, part, length, chart.rest);
            chart.answer = "";
            chart.script = "answer_sweep.gp";
            chart.word = "time";
            STATUS_TRY(add_chart(list, &chart));
            note_value(find_chart(list, &chart), strtod(value, NULL));
        }
        part += length;
        part += *part == ',';
    }
    return status_ok();
}

/* A roofline needs operations to count, and ceilings to hold them against. */
static bool has_roofline(const CsvRecord *record, const size_t *columns) {
    for (size_t i = COLUMN_OPERATIONS; i < COLUMN_COUNT; i++) {
        if (columns[i] == SIZE_MAX || csv_field(record, columns[i])[0] == '\0') {
            return false;
        }
    }
    return strcmp(csv_field(record, columns[COLUMN_OPERATIONS]), "0") != 0;
}

static bool has_stages(const CsvRecord *record, const size_t *columns) {
    return columns[COLUMN_STAGES] != SIZE_MAX &&
           csv_field(record, columns[COLUMN_STAGES])[0] != '\0';
}

static Status add_row(ChartList *list, const CsvRecord *record, const size_t *columns) {
    if (strcmp(csv_field(record, columns[COLUMN_STATUS]), "ok") != 0) {
        return status_ok();
    }
    Chart chart = {.algorithm = csv_field(record, columns[COLUMN_ALGORITHM]),
                   .input = csv_field(record, columns[COLUMN_INPUT]),
                   .answer = csv_field(record, columns[COLUMN_ANSWER]),
                   .variant = "",
                   .size = ""};
    STATUS_TRY(add_kinds(list, chart, size_charts, sizeof size_charts / sizeof size_charts[0]));
    STATUS_TRY(add_answers(list, &chart));
    if (has_roofline(record, columns)) {
        chart.script = "roofline.gp";
        chart.word = "roofline";
        STATUS_TRY(add_chart(list, &chart));
    }
    if (has_stages(record, columns)) {
        chart.script = "stages.gp";
        chart.word = "stages";
        STATUS_TRY(add_chart(list, &chart));
    }
    chart.size = csv_field(record, columns[COLUMN_SIZE]);
    STATUS_TRY(add_answer_sweeps(list, &chart));
    chart.size = "";
    chart.variant = csv_field(record, columns[COLUMN_VARIANT]);
    return add_sweeps(list, &chart, csv_field(record, columns[COLUMN_TUNING]));
}

static Status read_records(const char *csv_path, ChartList *list) {
    char *cursor = list->text;
    CsvRecord record;
    size_t columns[COLUMN_COUNT];
    if (!csv_next_record(&cursor, &record)) {
        return status_make(STATUS_FILE, "%s has no header line", csv_path);
    }
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        columns[i] = csv_field_index(&record, column_names[i]);
        if (i < COLUMN_REQUIRED && columns[i] == SIZE_MAX) {
            return status_make(STATUS_FILE, "%s has no column \"%s\"", csv_path, column_names[i]);
        }
    }
    while (csv_next_record(&cursor, &record)) {
        STATUS_TRY(add_row(list, &record, columns));
    }
    return status_ok();
}

/* --- What is too many or too little ------------------------------------------------------------
 */

static bool is_answer_sweep(const Chart *chart) {
    return chart->value_count > 0;
}

static bool of_same_input(const Chart *a, const Chart *b) {
    return strcmp(a->algorithm, b->algorithm) == 0 && strcmp(a->input, b->input) == 0;
}

/* Answer points of an algorithm and input, in the order of the file, and the place of one of them;
 * each has one chart of the first kind. */
static size_t count_answers(const ChartList *list, const Chart *of_chart, size_t *place) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const Chart *chart = &list->charts[i];
        if (strcmp(chart->word, size_charts[0].word) == 0 && of_same_input(chart, of_chart)) {
            *place = strcmp(chart->answer, of_chart->answer) == 0 ? count : *place;
            count++;
        }
    }
    return count;
}

static bool is_kept(const ChartList *list, const Chart *chart) {
    size_t place = 0;
    if (is_answer_sweep(chart)) {
        return chart->value_count >= CHART_SWEEP_MIN;
    }
    const size_t answers = count_answers(list, chart, &place);
    if (strncmp(chart->word, "answers-", 8) == 0) {
        return answers <= CHART_PANELS_MAX;
    }
    return answers <= CHART_ANSWERS_MAX || place == 0 || place == answers / 2 ||
           place == answers - 1;
}

/* Judged by the whole list, then taken out. */
static Status drop_surplus(ChartList *list) {
    bool *kept = calloc(list->count + 1, sizeof *kept);
    if (kept == NULL) {
        return status_skip("no memory left for the list of charts");
    }
    for (size_t i = 0; i < list->count; i++) {
        kept[i] = is_kept(list, &list->charts[i]);
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

/* The copy is measured with every algorithm, as its roof; it has charts when it was asked for by
 * itself. */
static void drop_roof(ChartList *list) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->charts[i].algorithm, "copy") != 0) {
            list->charts[kept++] = list->charts[i];
        }
    }
    list->count = kept > 0 ? kept : list->count;
}

Status chart_list_read(const char *csv_path, ChartList *list) {
    *list = (ChartList){.text = NULL};
    size_t length;
    STATUS_TRY(file_text_read(csv_path, CSV_FILE_WORDS, CSV_FILE_MOST, &list->text, &length));
    Status status = read_records(csv_path, list);
    if (status_is_ok(&status)) {
        status = drop_surplus(list);
    }
    if (!status_is_ok(&status)) {
        chart_list_release(list);
        return status;
    }
    drop_roof(list);
    return status;
}

void chart_list_release(ChartList *list) {
    free(list->charts);
    free(list->text);
    *list = (ChartList){.text = NULL};
}

/* === Report charts ============================================================================ */

/* Whether the list has the chart at other values of the other answer axes too. */
static bool has_other_rest(const ChartList *list, const Chart *of_chart) {
    for (size_t i = 0; i < list->count; i++) {
        const Chart *chart = &list->charts[i];
        if (strcmp(chart->rest, of_chart->rest) != 0 && strcmp(chart->axis, of_chart->axis) == 0 &&
            strcmp(chart->size, of_chart->size) == 0 &&
            strcmp(chart->input, of_chart->input) == 0 &&
            strcmp(chart->algorithm, of_chart->algorithm) == 0) {
            return true;
        }
    }
    return false;
}

/* <algorithm>-<input>[-<answer>]-speedup, <algorithm>-<input>[-<answer>]-<variant>-<axis>,
 * <algorithm>-<input>-answers-speedup, <algorithm>-<input>-<size>[-<other axes>]-<axis>-time */
static void name_rows(const ChartList *list, const Chart *chart, char name[CHART_NAME_SIZE]) {
    name[0] = '\0';
    chart_name_append(name, chart->algorithm);
    chart_name_append(name, chart->input);
    chart_name_append(name, chart->size);
    chart_name_append(name, chart->answer);
    chart_name_append(name, has_other_rest(list, chart) ? chart->rest : "");
    chart_name_append(name, chart->variant);
    chart_name_append(name, chart->axis);
}

static uint64_t chart_hash(const Chart *chart) {
    const char *const texts[] = {chart->algorithm, chart->input,   chart->size, chart->answer,
                                 chart->rest,      chart->variant, chart->axis, chart->word};
    uint64_t hash = FNV_START;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        hash = fnv_bytes(hash, texts[i], strlen(texts[i]) + 1);
    }
    return hash;
}

typedef struct ChartName {
    char text[CHART_NAME_SIZE];
    bool shared; /* with another chart of the list */
} ChartName;

/* For a chart whose name another one has too: a hash of all that makes it differ, before the word.
 */
static void name_apart(const ChartList *list, const Chart *chart, char name[CHART_NAME_SIZE]) {
    char hash[16];
    snprintf(hash, sizeof hash, "%08" PRIx32, (uint32_t)chart_hash(chart));
    const size_t room = strlen(hash) + strlen(chart->word) + 2;
    name_rows(list, chart, name);
    if (strlen(name) + room >= CHART_NAME_SIZE) {
        name[CHART_NAME_SIZE - 1 - room] = '\0';
    }
    chart_name_append(name, hash);
    chart_name_append(name, chart->word);
}

/* File names leave out and cut some of what makes charts differ. */
static void name_charts(const ChartList *list, ChartName *names) {
    for (size_t i = 0; i < list->count; i++) {
        names[i].shared = false;
        name_rows(list, &list->charts[i], names[i].text);
        chart_name_append(names[i].text, list->charts[i].word);
        for (size_t j = 0; j < i; j++) {
            if (strcmp(names[i].text, names[j].text) == 0) {
                names[i].shared = names[j].shared = true;
            }
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        if (names[i].shared) {
            name_apart(list, &list->charts[i], names[i].text);
        }
    }
}

static Status draw(const Chart *chart, const char *name, const char *scripts, const char *table,
                   const char *folder) {
    enum { ALGORITHM, INPUT, ANSWER, VARIANT, AXIS, SIZE, FIELDS };
    const char *const given[FIELDS] = {[ALGORITHM] = chart->algorithm,
                                       [INPUT] = chart->input,
                                       [ANSWER] =
                                           chart->answer[0] != '\0' ? chart->answer : chart->rest,
                                       [VARIANT] = chart->variant,
                                       [AXIS] = chart->axis,
                                       [SIZE] = chart->size};
    char fields[FIELDS][CSV_VALUE_SIZE];
    /* As they stand in the table, where the script looks for them. */
    for (size_t i = 0; i < FIELDS; i++) {
        chart_table_field(given[i], fields[i], sizeof fields[i]);
    }
    const ChartDrawing drawing = {.script = chart->script,
                                  .table = table,
                                  .algorithm = fields[ALGORITHM],
                                  .input = fields[INPUT],
                                  .answer = fields[ANSWER],
                                  .variant = fields[VARIANT],
                                  .axis = fields[AXIS],
                                  .size = fields[SIZE]};
    return chart_files_draw(&drawing, scripts, folder, name);
}

static Status draw_all(const ChartList *list, const ChartName *names, const char *scripts,
                       const char *csv_path, const char *folder) {
    char table[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(chart_path(folder, "charts", "tsv", table));
    STATUS_TRY(chart_table_write(csv_path, table));
    Status status = status_ok();
    for (size_t i = 0; i < list->count && status_is_ok(&status); i++) {
        status = draw(&list->charts[i], names[i].text, scripts, table, folder);
    }
    unlink(table);
    return status;
}

Status report_charts(const char *csv_path, const char *folder) {
    char scripts[GNUPLOT_PATH_SIZE];
    STATUS_TRY(chart_folder_check(folder));
    STATUS_TRY(gnuplot_script_folder(scripts, sizeof scripts));
    ChartList list;
    STATUS_TRY(chart_list_read(csv_path, &list));
    ChartName *names = calloc(list.count + 1, sizeof *names);
    Status status = status_skip("no memory left for the names of %zu charts", list.count);
    if (names != NULL) {
        name_charts(&list, names);
        status = draw_all(&list, names, scripts, csv_path, folder);
    }
    free(names);
    chart_list_release(&list);
    return status;
}
