/* Confusion matrices: how often each class was assigned to each. */

#include "textures_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "files.h"
#include "report.h"
#include "status.h"

/* === Confusion ================================================================================ */

/* The name of all scales together. */
#define COMBINED_SCALE "combined"

typedef struct Scoring {
    const Models *models;
    const SampleSet *set;
    uint64_t *own;    /* model of the sample's own class without its cell */
    double *scores;   /* of each class at one scale */
    double *combined; /* sums over the scales */
} Scoring;

static Status no_memory(void) {
    return status_no_memory("for the confusion matrices");
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

/* === Confusion csv ============================================================================ */

Status evaluation_write_csv(const char *path, const Evaluation *evaluation) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("scale,actual,predicted,count\n", file.stream);
    for (size_t i = 0; i < evaluation->count; i++) {
        const ConfusionMatrix matrix = evaluation_matrix(evaluation, i);
        confusion_matrix_write_lines(file.stream, &matrix, evaluation->matrices[i].scale);
    }
    return atomic_file_commit(&file);
}

/* === Confusion plot =========================================================================== */

enum { TITLE_SIZE = 160 };

static void make_title(const Evaluation *evaluation, size_t matrix, char title[TITLE_SIZE]) {
    const char *scale = evaluation->matrices[matrix].scale;
    char percent[64] = "nothing tested";
    if (evaluation->tested > 0) {
        char accuracy[SIGNIFICANT_SIZE];
        percent_text(confusion_accuracy(evaluation, matrix), 1, accuracy);
        snprintf(percent, sizeof percent, "%.15s of %zu right", accuracy, evaluation->tested);
    }
    if (strcmp(scale, COMBINED_SCALE) == 0) {
        snprintf(title, TITLE_SIZE, "Scales combined: %s", percent);
    } else {
        snprintf(title, TITLE_SIZE, "(P, R) = (%.*s, %s): %s", (int)strcspn(scale, ":"), scale,
                 scale + strcspn(scale, ":") + 1, percent);
    }
}

static Status draw_matrix(const Evaluation *evaluation, size_t index, const char *folder) {
    char name[CHART_NAME_SIZE] = "", title[TITLE_SIZE];
    const ConfusionMatrix matrix = evaluation_matrix(evaluation, index);
    chart_name_append(name, "confusion");
    chart_name_append(name, evaluation->matrices[index].scale);
    make_title(evaluation, index, title);
    return confusion_matrix_draw(&matrix, title, folder, name);
}

Status evaluation_draw(const char *folder, const Evaluation *evaluation) {
    for (size_t i = 0; i < evaluation->count; i++) {
        STATUS_TRY(draw_matrix(evaluation, i, folder));
    }
    return status_ok();
}

/* === Confusion print ========================================================================== */

/* "20/21  95.2%"; "-" for a class of which nothing was tested. */
static void accuracy_text(uint64_t correct, uint64_t total, char *text, size_t size) {
    if (total == 0) {
        snprintf(text, size, "-");
        return;
    }
    char percent[SIGNIFICANT_SIZE];
    percent_text((double)correct / (double)total, 1, percent);
    text[0] = '\0';
    text_append(text, size, "%" PRIu64 "/%" PRIu64 " %6s", correct, total, percent);
}

static void put_accuracy(TextTable *table, uint64_t correct, uint64_t total) {
    char text[64];
    accuracy_text(correct, total, text, sizeof text);
    text_table_put(table, "%s", text);
}

static void add_row(TextTable *table, const Evaluation *evaluation, size_t row) {
    text_table_put(table, "%s", evaluation->row_names[row]);
    for (size_t i = 0; i < evaluation->count; i++) {
        put_accuracy(table, confusion_row_correct(evaluation, i, row),
                     confusion_row_total(evaluation, i, row));
    }
}

static void add_sum(TextTable *table, const Evaluation *evaluation) {
    text_table_put(table, "all");
    for (size_t i = 0; i < evaluation->count; i++) {
        uint64_t correct = 0;
        for (size_t row = 0; row < evaluation->rows; row++) {
            correct += confusion_row_correct(evaluation, i, row);
        }
        put_accuracy(table, correct, evaluation->tested);
    }
}

Status evaluation_print(FILE *stream, const Evaluation *evaluation) {
    DocColumn columns[CONFUSIONS_MAX + 1] = {{.title = "class"}};
    for (size_t i = 0; i < evaluation->count; i++) {
        columns[i + 1] = (DocColumn){.title = evaluation->matrices[i].scale, .numeric = true};
    }
    TextTable table = text_table_start(columns, evaluation->count + 1);
    for (size_t row = 0; row < evaluation->rows; row++) {
        add_row(&table, evaluation, row);
    }
    add_sum(&table, evaluation);
    return text_table_end(&table, stream, table_print);
}
