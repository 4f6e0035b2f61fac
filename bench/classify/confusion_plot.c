#include "confusion_report.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "atomic_file.h"
#include "chart_files.h"
#include "chart_table.h"
#include "gnuplot.h"

enum { TITLE_SIZE = 160, FIELD_SIZE = 300 };

/* Share of a class that was taken for another one; 0 where nothing was tested. */
static double share_of(uint64_t count, uint64_t total) {
    return total > 0 ? (double)count / (double)total : 0;
}

static void write_row(FILE *stream, const Evaluation *evaluation, size_t matrix, size_t row) {
    char actual[FIELD_SIZE], predicted[FIELD_SIZE];
    const uint64_t total = confusion_row_total(evaluation, matrix, row);
    chart_table_field(evaluation->row_names[row], actual, sizeof actual);
    for (size_t column = 0; column < evaluation->columns; column++) {
        const uint64_t count = confusion_count(evaluation, matrix, row, column);
        chart_table_field(evaluation->column_names[column], predicted, sizeof predicted);
        fprintf(stream, "%zu\t%zu\t%" PRIu64 "\t%.6f\t%s\t%s\n", row, column, count,
                share_of(count, total), actual, predicted);
    }
}

static Status write_table(const char *path, const Evaluation *evaluation, size_t matrix) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("row\tcolumn\tcount\tshare\tactual\tpredicted\n", file.stream);
    for (size_t row = 0; row < evaluation->rows; row++) {
        write_row(file.stream, evaluation, matrix, row);
    }
    return atomic_file_commit(&file);
}

static void make_title(const Evaluation *evaluation, size_t matrix, char title[TITLE_SIZE]) {
    const char *scale = evaluation->matrices[matrix].scale;
    char percent[64] = "nothing tested";
    if (evaluation->tested > 0) {
        char accuracy[16];
        snprintf(accuracy, sizeof accuracy, "%.1f%%", 100 * confusion_accuracy(evaluation, matrix));
        snprintf(percent, sizeof percent, "%s of %zu right", accuracy, evaluation->tested);
    }
    if (strcmp(scale, COMBINED_SCALE) == 0) {
        snprintf(title, TITLE_SIZE, "Scales combined: %s", percent);
    } else {
        snprintf(title, TITLE_SIZE, "(P, R) = (%.*s, %s): %s", (int)strcspn(scale, ":"), scale,
                 scale + strcspn(scale, ":") + 1, percent);
    }
}

static Status draw_matrix(const Evaluation *evaluation, size_t matrix, const char *scripts,
                          const char *folder) {
    char name[CHART_NAME_SIZE] = "", title[TITLE_SIZE], table[ATOMIC_FILE_PATH_SIZE];
    chart_name_append(name, "confusion");
    chart_name_append(name, evaluation->matrices[matrix].scale);
    make_title(evaluation, matrix, title);
    STATUS_TRY(chart_path(folder, name, "tsv", table));
    STATUS_TRY(write_table(table, evaluation, matrix));
    const ChartDrawing drawing = {.script = "confusion.gp", .table = table, .algorithm = title};
    const Status status = chart_files_draw(&drawing, scripts, folder, name);
    unlink(table);
    return status;
}

Status evaluation_draw(const char *folder, const Evaluation *evaluation) {
    char scripts[GNUPLOT_PATH_SIZE];
    STATUS_TRY(chart_folder_check(folder));
    STATUS_TRY(gnuplot_script_folder(scripts, sizeof scripts));
    for (size_t i = 0; i < evaluation->count; i++) {
        STATUS_TRY(draw_matrix(evaluation, i, scripts, folder));
    }
    return status_ok();
}
