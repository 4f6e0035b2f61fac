#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chart_files.h"
#include "chart_list.h"
#include "chart_table.h"
#include "csv_columns.h"
#include "fnv.h"
#include "gnuplot.h"
#include "reporters.h"

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
