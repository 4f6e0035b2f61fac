/* Confusion matrices: counts, CSV lines, chart. */

#include "report_internal.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "base.h"
#include "files.h"
#include "status.h"

/* === Confusion matrix ========================================================================= */

uint64_t confusion_matrix_row_total(const ConfusionMatrix *matrix, size_t row) {
    uint64_t total = 0;
    for (size_t column = 0; column < matrix->columns; column++) {
        total += confusion_matrix_count(matrix, row, column);
    }
    return total;
}

uint64_t confusion_matrix_row_correct(const ConfusionMatrix *matrix, size_t row) {
    const size_t column = matrix->column_of_row[row];
    return column == CONFUSION_NO_COLUMN ? 0 : confusion_matrix_count(matrix, row, column);
}

uint64_t confusion_matrix_total(const ConfusionMatrix *matrix) {
    uint64_t total = 0;
    for (size_t row = 0; row < matrix->rows; row++) {
        total += confusion_matrix_row_total(matrix, row);
    }
    return total;
}

uint64_t confusion_matrix_correct(const ConfusionMatrix *matrix) {
    uint64_t correct = 0;
    for (size_t row = 0; row < matrix->rows; row++) {
        correct += confusion_matrix_row_correct(matrix, row);
    }
    return correct;
}

void confusion_matrix_write_lines(FILE *stream, const ConfusionMatrix *matrix, const char *key) {
    for (size_t row = 0; row < matrix->rows; row++) {
        for (size_t column = 0; column < matrix->columns; column++) {
            if (key != NULL) {
                csv_write_field(stream, key);
                fputc(',', stream);
            }
            csv_write_field(stream, matrix->row_names[row]);
            fputc(',', stream);
            csv_write_field(stream, matrix->column_names[column]);
            fprintf(stream, ",%" PRIu64 "\n", confusion_matrix_count(matrix, row, column));
        }
    }
}

/* === Confusion matrix plot ==================================================================== */

/* Share of a class that was taken for another one; 0 where nothing was tested. */
static double share_of(uint64_t count, uint64_t total) {
    return total > 0 ? (double)count / (double)total : 0;
}

static void write_row(FILE *stream, const ConfusionMatrix *matrix, size_t row) {
    const uint64_t total = confusion_matrix_row_total(matrix, row);
    for (size_t column = 0; column < matrix->columns; column++) {
        const uint64_t count = confusion_matrix_count(matrix, row, column);
        fprintf(stream, "%zu\t%zu\t%" PRIu64 "\t%.6f\t", row, column, count,
                share_of(count, total));
        chart_table_put(stream, matrix->row_names[row]);
        fputc('\t', stream);
        chart_table_put(stream, matrix->column_names[column]);
        fputc('\n', stream);
    }
}

static Status write_table(const char *path, const ConfusionMatrix *matrix) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("row\tcolumn\tcount\tshare\tactual\tpredicted\n", file.stream);
    for (size_t row = 0; row < matrix->rows; row++) {
        write_row(file.stream, matrix, row);
    }
    return atomic_file_commit(&file);
}

Status confusion_matrix_draw(const ConfusionMatrix *matrix, const char *title, const char *folder,
                             const char *name) {
    char scripts[GNUPLOT_PATH_SIZE], table[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(chart_folder_check(folder));
    STATUS_TRY(gnuplot_script_folder(scripts, sizeof scripts));
    STATUS_TRY(chart_path(folder, name, "tsv", table));
    STATUS_TRY(write_table(table, matrix));
    const ChartDrawing drawing = {.script = "confusion.gp", .table = table, .algorithm = title};
    const Status status = chart_files_draw(&drawing, scripts, folder, name);
    unlink(table);
    return status;
}
