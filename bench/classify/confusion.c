#include "confusion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "likelihood.h"

typedef struct Scoring {
    const Models *models;
    const SampleSet *set;
    uint64_t *own;    /* model of the sample's own class without its cell */
    double *scores;   /* of each class at one scale */
    double *combined; /* sums over the scales */
} Scoring;

static Status no_memory(void) {
    return status_skip("no memory left for the confusion matrices");
}

/* --- Scores ----------------------------------------------------------------------------------- */

static void score(const Scoring *scoring, const Scale *scale, size_t sample, size_t own_class,
                  double *scores) {
    const uint64_t *histogram = sample_histograms(scoring->set, sample) + scale->offset;
    for (size_t i = 0; i < scoring->models->count; i++) {
        const uint64_t *model =
            i == own_class ? scoring->own : model_histograms(scoring->models, i);
        scores[i] = log_likelihood(histogram, model + scale->offset, scale->bins);
    }
}

static void test_sample(const Scoring *scoring, ModelKind kind, size_t sample,
                        Evaluation *evaluation) {
    const Models *models = scoring->models;
    const size_t row = scoring->set->list[sample].class_index;
    const size_t own_class = kind == MODEL_ALL ? row : models->count;
    if (kind == MODEL_ALL) {
        model_without_cell(models, scoring->set, sample, scoring->own);
    }
    memset(scoring->combined, 0, models->count * sizeof *scoring->combined);
    uint64_t *counts = NULL;
    for (size_t i = 0; i < models->scales.count; i++) {
        score(scoring, &models->scales.list[i], sample, own_class, scoring->scores);
        for (size_t class = 0; class < models->count; class ++) {
            scoring->combined[class] += scoring->scores[class];
        }
        counts = evaluation->matrices[i].counts + row * evaluation->columns;
        counts[most_likely(scoring->scores, models->count)]++;
    }
    if (models->scales.count > 1) {
        counts = evaluation->matrices[models->scales.count].counts + row * evaluation->columns;
        counts[most_likely(scoring->combined, models->count)]++;
    }
    evaluation->tested++;
}

/* ---------------------------------------------------------------------------------------------- */

static Status make_matrices(const Scales *scales, Evaluation *evaluation) {
    evaluation->column_of_row = calloc(evaluation->rows, sizeof *evaluation->column_of_row);
    evaluation->row_names = calloc(evaluation->rows, sizeof *evaluation->row_names);
    if (evaluation->column_of_row == NULL || evaluation->row_names == NULL) {
        return no_memory();
    }
    const size_t count = scales->count > 1 ? scales->count + 1 : 1;
    for (; evaluation->count < count; evaluation->count++) {
        Confusion *matrix = &evaluation->matrices[evaluation->count];
        matrix->scale =
            evaluation->count < scales->count ? scales->list[evaluation->count].pr : COMBINED_SCALE;
        matrix->counts = calloc(evaluation->rows * evaluation->columns, sizeof *matrix->counts);
        if (matrix->counts == NULL) {
            return no_memory();
        }
    }
    return status_ok();
}

static Status test_all(ModelKind kind, const SampleSet *set, const Models *models,
                       Evaluation *evaluation) {
    Scoring scoring = {.models = models, .set = set};
    scoring.own = calloc(models->scales.bins, sizeof *scoring.own);
    scoring.scores = calloc(models->count, sizeof *scoring.scores);
    scoring.combined = calloc(models->count, sizeof *scoring.combined);
    const bool fits = scoring.own != NULL && scoring.scores != NULL && scoring.combined != NULL;
    for (size_t i = 0; fits && i < set->count; i++) {
        if (model_allows_test(kind, set, i)) {
            test_sample(&scoring, kind, i, evaluation);
        }
    }
    free(scoring.own);
    free(scoring.scores);
    free(scoring.combined);
    return fits ? status_ok() : no_memory();
}

Status evaluation_make(ModelKind kind, const ClassTree *tree, const SampleSet *set,
                       const Models *models, Evaluation *evaluation) {
    *evaluation =
        (Evaluation){.rows = tree->count, .columns = models->count, .column_names = models->names};
    STATUS_TRY(models_cover(models, tree));
    STATUS_TRY(make_matrices(&models->scales, evaluation));
    for (size_t i = 0; i < tree->count; i++) {
        evaluation->row_names[i] = tree->classes[i].name;
        evaluation->column_of_row[i] = models_find(models, tree->classes[i].name);
    }
    return test_all(kind, set, models, evaluation);
}

void evaluation_release(Evaluation *evaluation) {
    for (size_t i = 0; i < CONFUSIONS_MAX; i++) {
        free(evaluation->matrices[i].counts);
    }
    free(evaluation->column_of_row);
    free((void *)evaluation->row_names);
    *evaluation = (Evaluation){.count = 0};
}

uint64_t confusion_row_total(const Evaluation *evaluation, size_t matrix, size_t row) {
    const ConfusionMatrix view = evaluation_matrix(evaluation, matrix);
    return confusion_matrix_row_total(&view, row);
}

uint64_t confusion_row_correct(const Evaluation *evaluation, size_t matrix, size_t row) {
    const ConfusionMatrix view = evaluation_matrix(evaluation, matrix);
    return confusion_matrix_row_correct(&view, row);
}

double confusion_accuracy(const Evaluation *evaluation, size_t matrix) {
    const ConfusionMatrix view = evaluation_matrix(evaluation, matrix);
    return evaluation->tested > 0
               ? (double)confusion_matrix_correct(&view) / (double)evaluation->tested
               : NAN;
}
