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
static const char combined_scale[] = "combined";

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

/* Counts a sample for the class that is most likely by `scores`. */
static void count_sample(const Evaluation *evaluation, size_t matrix, size_t row,
                         const double *scores) {
    const ConfusionMatrix *of = &evaluation->matrices[matrix];
    const size_t cells = of->rows * of->columns;
    evaluation->counts[matrix * cells + row * of->columns + most_likely(scores, of->columns)]++;
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
    for (size_t i = 0; i < models->scales.count; i++) {
        score(scoring, &models->scales.list[i], sample, own_class, scoring->scores);
        for (size_t class = 0; class < models->count; class ++) {
            scoring->combined[class] += scoring->scores[class];
        }
        count_sample(evaluation, i, row, scoring->scores);
    }
    if (models->scales.count > 1) {
        count_sample(evaluation, models->scales.count, row, scoring->combined);
    }
    evaluation->tested++;
}

/* ---------------------------------------------------------------------------------------------- */

static Status make_matrices(const ClassTree *tree, const Models *models, Evaluation *evaluation) {
    const Scales *scales = &models->scales;
    const size_t cells = tree->count * models->count;
    evaluation->count = scales->count > 1 ? scales->count + 1 : 1;
    evaluation->row_names = calloc(tree->count, sizeof *evaluation->row_names);
    evaluation->column_of_row = calloc(tree->count, sizeof *evaluation->column_of_row);
    evaluation->counts = calloc(evaluation->count * cells, sizeof *evaluation->counts);
    if (evaluation->row_names == NULL || evaluation->column_of_row == NULL ||
        evaluation->counts == NULL) {
        return no_memory();
    }
    for (size_t i = 0; i < tree->count; i++) {
        evaluation->row_names[i] = tree->classes[i].name;
        evaluation->column_of_row[i] = models_find(models, tree->classes[i].name);
    }
    for (size_t i = 0; i < evaluation->count; i++) {
        evaluation->scales[i] = i < scales->count ? scales->list[i].pr : combined_scale;
        evaluation->matrices[i] =
            (ConfusionMatrix){.rows = tree->count,
                              .columns = models->count,
                              .row_names = evaluation->row_names,
                              .column_names = (const char *const *)models->names,
                              .column_of_row = evaluation->column_of_row,
                              .counts = evaluation->counts + i * cells};
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
    *evaluation = (Evaluation){.count = 0};
    STATUS_TRY(models_cover(models, tree));
    STATUS_TRY(make_matrices(tree, models, evaluation));
    return test_all(kind, set, models, evaluation);
}

void evaluation_release(Evaluation *evaluation) {
    free(evaluation->counts);
    free(evaluation->column_of_row);
    free((void *)evaluation->row_names);
    *evaluation = (Evaluation){.count = 0};
}

/* === Confusion csv ============================================================================ */

Status evaluation_write_csv(const char *path, const Evaluation *evaluation) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("scale,actual,predicted,count\n", file.stream);
    for (size_t i = 0; i < evaluation->count; i++) {
        confusion_matrix_write_lines(file.stream, &evaluation->matrices[i], evaluation->scales[i]);
    }
    return atomic_file_commit(&file);
}

/* === Confusion plot =========================================================================== */

enum { TITLE_SIZE = 160 };

static void make_title(const Evaluation *evaluation, size_t matrix, char title[TITLE_SIZE]) {
    const char *scale = evaluation->scales[matrix];
    const uint64_t correct = confusion_matrix_correct(&evaluation->matrices[matrix]);
    char percent[64] = "nothing tested";
    if (evaluation->tested > 0) {
        char accuracy[SIGNIFICANT_SIZE];
        percent_text((double)correct / (double)evaluation->tested, 1, accuracy);
        snprintf(percent, sizeof percent, "%.15s of %zu right", accuracy, evaluation->tested);
    }
    if (scale == combined_scale) {
        snprintf(title, TITLE_SIZE, "Scales combined: %s", percent);
    } else {
        snprintf(title, TITLE_SIZE, "(P, R) = (%.*s, %s): %s", (int)strcspn(scale, ":"), scale,
                 scale + strcspn(scale, ":") + 1, percent);
    }
}

static Status draw_matrix(const Evaluation *evaluation, size_t index, const char *folder) {
    char name[CHART_NAME_SIZE] = "", title[TITLE_SIZE];
    chart_name_append(name, "confusion");
    chart_name_append(name, evaluation->scales[index]);
    make_title(evaluation, index, title);
    return confusion_matrix_draw(&evaluation->matrices[index], title, folder, name);
}

Status evaluation_draw(const char *folder, const Evaluation *evaluation) {
    for (size_t i = 0; i < evaluation->count; i++) {
        STATUS_TRY(draw_matrix(evaluation, i, folder));
    }
    return status_ok();
}

/* === Confusion print ========================================================================== */

/* "20/21  95.2%"; "-" for a class of which nothing was tested. */
static void put_accuracy(TextTable *table, uint64_t correct, uint64_t total) {
    char percent[SIGNIFICANT_SIZE];
    if (total == 0) {
        text_table_put(table, "-");
        return;
    }
    percent_text((double)correct / (double)total, 1, percent);
    text_table_put(table, "%" PRIu64 "/%" PRIu64 " %6s", correct, total, percent);
}

Status evaluation_print(FILE *stream, const Evaluation *evaluation) {
    DocColumn columns[CONFUSIONS_MAX + 1] = {{.title = "class"}};
    for (size_t i = 0; i < evaluation->count; i++) {
        columns[i + 1] = (DocColumn){.title = evaluation->scales[i], .numeric = true};
    }
    TextTable table = text_table_start(columns, evaluation->count + 1);
    const ConfusionMatrix *matrices = evaluation->matrices;
    for (size_t row = 0; row < matrices->rows; row++) {
        text_table_put(&table, "%s", matrices->row_names[row]);
        for (size_t i = 0; i < evaluation->count; i++) {
            put_accuracy(&table, confusion_matrix_row_correct(&matrices[i], row),
                         confusion_matrix_row_total(&matrices[i], row));
        }
    }
    text_table_put(&table, "all");
    for (size_t i = 0; i < evaluation->count; i++) {
        put_accuracy(&table, confusion_matrix_correct(&matrices[i]), evaluation->tested);
    }
    return text_table_end(&table, stream, table_print);
}
