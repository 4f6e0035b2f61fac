#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "chart_files.h"
#include "chart_list.h"
#include "chart_table.h"
#include "csv_columns.h"
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
static void chart_file_name(const ChartList *list, const Chart *chart, char name[CHART_NAME_SIZE]) {
    name[0] = '\0';
    chart_name_append(name, chart->algorithm);
    chart_name_append(name, chart->input);
    chart_name_append(name, chart->size);
    chart_name_append(name, chart->answer);
    chart_name_append(name, has_other_rest(list, chart) ? chart->rest : "");
    chart_name_append(name, chart->variant);
    chart_name_append(name, chart->axis);
    chart_name_append(name, chart->word);
}

static Status draw(const ChartList *list, const Chart *chart, const char *scripts,
                   const char *table, const char *folder) {
    enum { ALGORITHM, INPUT, ANSWER, VARIANT, AXIS, SIZE, FIELDS };
    const char *const given[FIELDS] = {[ALGORITHM] = chart->algorithm,
                                       [INPUT] = chart->input,
                                       [ANSWER] =
                                           chart->answer[0] != '\0' ? chart->answer : chart->rest,
                                       [VARIANT] = chart->variant,
                                       [AXIS] = chart->axis,
                                       [SIZE] = chart->size};
    char name[CHART_NAME_SIZE], fields[FIELDS][CSV_VALUE_SIZE];
    chart_file_name(list, chart, name);
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

static Status draw_all(const ChartList *list, const char *scripts, const char *csv_path,
                       const char *folder) {
    char table[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(chart_path(folder, "charts", "tsv", table));
    STATUS_TRY(chart_table_write(csv_path, table));
    Status status = status_ok();
    for (size_t i = 0; i < list->count && status_is_ok(&status); i++) {
        status = draw(list, &list->charts[i], scripts, table, folder);
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
    const Status status = draw_all(&list, scripts, csv_path, folder);
    chart_list_release(&list);
    return status;
}
