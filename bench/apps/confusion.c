/* Confusion matrices: counts, CSV lines, chart. */

#include "confusion.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "csv.h"
#include "harness.h"
#include "status.h"

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

/* A row for each actual class, a column for each predicted one. */
Status confusion_matrix_draw(const ConfusionMatrix *matrix, const char *title, const char *folder,
                             const char *name) {
    return count_chart_draw(&(CountChart){.title = title,
                                          .x_title = "Predicted class",
                                          .y_title = "Actual class",
                                          .rows = matrix->rows,
                                          .columns = matrix->columns,
                                          .row_names = matrix->row_names,
                                          .column_names = matrix->column_names,
                                          .counts = matrix->counts},
                            folder, name);
}
