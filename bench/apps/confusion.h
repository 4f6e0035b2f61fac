/* Confusion matrix: how many samples of each actual class were recognised as which class, as lines
 * of CSV and as a heat map. */

#ifndef BENCH_APPS_CONFUSION_H
#define BENCH_APPS_CONFUSION_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "status.h"

/* The column_of_row of a class that no sample can be recognised as. */
#define CONFUSION_NO_COLUMN SIZE_MAX

/* A view: everything is borrowed. */
typedef struct ConfusionMatrix {
    size_t rows, columns; /* actual and predicted classes */
    const char *const *row_names;
    const char *const *column_names;
    const size_t *column_of_row; /* the class that would be right; or CONFUSION_NO_COLUMN */
    const uint64_t *counts;      /* rows × columns */
} ConfusionMatrix;

static inline uint64_t confusion_matrix_count(const ConfusionMatrix *matrix, size_t row,
                                              size_t column) {
    return matrix->counts[row * matrix->columns + column];
}

/* Samples of a class. */
uint64_t confusion_matrix_row_total(const ConfusionMatrix *matrix, size_t row);

/* Those recognised as their class. */
uint64_t confusion_matrix_row_correct(const ConfusionMatrix *matrix, size_t row);

/* Samples of all classes, and those recognised. */
uint64_t confusion_matrix_total(const ConfusionMatrix *matrix);

uint64_t confusion_matrix_correct(const ConfusionMatrix *matrix);

/* A line for each cell, zeros too: "actual,predicted,count", with `key` and a comma before it when
 * it is not NULL. */
void confusion_matrix_write_lines(FILE *stream, const ConfusionMatrix *matrix, const char *key);

/* Draws <name>.svg and <name>.png in a folder that exists. `name` is a file name without suffix, as
 * chart_name_append makes it. STATUS_SKIP when there is no gnuplot. */
Status confusion_matrix_draw(const ConfusionMatrix *matrix, const char *title, const char *folder,
                             const char *name);

#endif
