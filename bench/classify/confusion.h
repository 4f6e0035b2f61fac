/*
 * Confusion: how many samples of each class were taken for which class, at each scale and at all
 * scales together.
 */
#ifndef BENCH_CONFUSION_H
#define BENCH_CONFUSION_H

#include <stdint.h>

#include "confusion_matrix.h"
#include "model.h"

enum { CONFUSIONS_MAX = SCALES_MAX + 1 };

/* What a scale is called when it is all of them. */
#define COMBINED_SCALE "combined"

typedef struct Confusion {
    const char *scale; /* "8:1"; COMBINED_SCALE */
    uint64_t *counts;  /* rows × columns: of the actual class, the predicted one; owned */
} Confusion;

typedef struct Evaluation {
    size_t rows, columns;      /* actual classes, those of the models */
    const char **row_names;    /* owned list of borrowed names */
    char *const *column_names; /* borrowed */
    size_t *column_of_row;     /* the class that would be right; owned */
    size_t tested;             /* samples */
    size_t count;              /* matrices; the last one is of all scales when there are several */
    Confusion matrices[CONFUSIONS_MAX];
} Evaluation;

/*
 * Tests every sample that may be tested. Names and scales are borrowed from tree and models, which
 * outlive the evaluation. STATUS_NO_MATCH as models_cover says. Released with evaluation_release,
 * whatever was returned.
 */
Status evaluation_make(ModelKind kind, const ClassTree *tree, const SampleSet *set,
                       const Models *models, Evaluation *evaluation);
void evaluation_release(Evaluation *evaluation);

/* One of its matrices, which borrows from it. */
static inline ConfusionMatrix evaluation_matrix(const Evaluation *evaluation, size_t index) {
    return (ConfusionMatrix){.rows = evaluation->rows,
                             .columns = evaluation->columns,
                             .row_names = evaluation->row_names,
                             .column_names = (const char *const *)evaluation->column_names,
                             .column_of_row = evaluation->column_of_row,
                             .counts = evaluation->matrices[index].counts};
}

/* Samples of a class that were tested. */
uint64_t confusion_row_total(const Evaluation *evaluation, size_t matrix, size_t row);
/* Those of them that were recognised. */
uint64_t confusion_row_correct(const Evaluation *evaluation, size_t matrix, size_t row);
/* Recognised samples of all classes by all tested ones; NAN when none was tested. */
double confusion_accuracy(const Evaluation *evaluation, size_t matrix);

#endif
