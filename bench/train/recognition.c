#include "recognition.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "haar_features.h"
#include "thread_team.h"

static Status no_memory(void) {
    return status_skip("no memory left for the scores of the pictures");
}

/* --- Scores ----------------------------------------------------------------------------------- */

static void score_picture(const Recognition *of, int32_t index, int32_t *integral) {
    const ImageSet *set = &of->set->set;
    double *scores = of->scores + (size_t)index * of->recogniser->count;
    haar_integral(workload_picture(of->set, index), set->width, set->height, integral);
    recogniser_scores(of->recogniser, of->rounds, integral, scores);
    of->predicted[index] = recogniser_decide(of->recogniser, scores);
}

static Status score_pictures(Recognition *of) {
    const ImageSet *set = &of->set->set;
    const size_t entries = ((size_t)set->width + 1) * ((size_t)set->height + 1);
    bool fits = true;
#pragma omp parallel num_threads(thread_team_default()) reduction(&& : fits)
    {
        int32_t *integral = malloc(entries * sizeof *integral);
        fits = integral != NULL;
#pragma omp for schedule(static)
        for (int32_t i = 0; i < set->count; i++) {
            if (fits) {
                score_picture(of, i, integral);
            }
        }
        free(integral);
    }
    return fits ? status_ok() : no_memory();
}

/* --- Against labels --------------------------------------------------------------------------- */

/* Rows are the labels that occur, in order. */
static Status make_matrix(Recognition *of, size_t row_of_label[RECOGNISER_DIGITS_MAX]) {
    const Recogniser *recogniser = of->recogniser;
    bool there[RECOGNISER_DIGITS_MAX] = {false};
    size_t rows = 0;
    for (int32_t i = 0; i < of->set->set.count; i++) {
        there[of->set->set.labels[i]] = true;
    }
    of->names = calloc(RECOGNISER_DIGITS_MAX, sizeof *of->names);
    of->row_names = calloc(RECOGNISER_DIGITS_MAX, sizeof *of->row_names);
    of->column_names = calloc(recogniser->count, sizeof *of->column_names);
    of->column_of_row = calloc(RECOGNISER_DIGITS_MAX, sizeof *of->column_of_row);
    of->counts = calloc(RECOGNISER_DIGITS_MAX * recogniser->count, sizeof *of->counts);
    if (of->names == NULL || of->row_names == NULL || of->column_names == NULL ||
        of->column_of_row == NULL || of->counts == NULL) {
        return no_memory();
    }
    for (int label = 0; label < RECOGNISER_DIGITS_MAX; label++) {
        snprintf(of->names[label], sizeof of->names[label], "%d", label);
        if (there[label]) {
            row_of_label[label] = rows;
            of->column_of_row[rows] = CONFUSION_NO_COLUMN;
            of->row_names[rows++] = of->names[label];
        }
    }
    for (size_t i = 0; i < recogniser->count; i++) {
        const int32_t digit = recogniser->classifiers[i].digit;
        of->column_names[i] = of->names[digit];
        if (there[digit]) {
            of->column_of_row[row_of_label[digit]] = i;
        }
    }
    of->confusion = (ConfusionMatrix){.rows = rows,
                                      .columns = recogniser->count,
                                      .row_names = of->row_names,
                                      .column_names = of->column_names,
                                      .column_of_row = of->column_of_row,
                                      .counts = of->counts};
    return status_ok();
}

static void count_picture(Recognition *of, int32_t index, size_t row) {
    const Recogniser *recogniser = of->recogniser;
    const double *scores = of->scores + (size_t)index * recogniser->count;
    of->counts[row * recogniser->count + of->predicted[index]]++;
    of->unknown += of->column_of_row[row] == CONFUSION_NO_COLUMN;
    for (size_t i = 0; i < recogniser->count; i++) {
        OneAgainstRest *each = &of->each[i];
        if (recogniser->classifiers[i].digit == of->set->set.labels[index]) {
            each->digits++;
            each->misses += scores[i] < 0;
        } else {
            each->others++;
            each->false_alarms += scores[i] >= 0;
        }
    }
}

static Status count_pictures(Recognition *of) {
    size_t row_of_label[RECOGNISER_DIGITS_MAX] = {0};
    STATUS_TRY(make_matrix(of, row_of_label));
    of->each = calloc(of->recogniser->count, sizeof *of->each);
    if (of->each == NULL) {
        return no_memory();
    }
    for (int32_t i = 0; i < of->set->set.count; i++) {
        count_picture(of, i, row_of_label[of->set->set.labels[i]]);
    }
    return status_ok();
}

/* ---------------------------------------------------------------------------------------------- */

Status recognise(const Recogniser *recogniser, const Workload *set, size_t rounds,
                 Recognition *recognition) {
    const TrainingFacts *facts = &recogniser->facts;
    *recognition = (Recognition){.recogniser = recogniser, .set = set, .rounds = rounds};
    if (set->set.width != facts->width || set->set.height != facts->height) {
        return status_make(STATUS_USAGE,
                           "the pictures of %.100s are %" PRId32 "×%" PRId32
                           ", and the model is for pictures of %" PRId32 "×%" PRId32,
                           set->input, set->set.width, set->set.height, facts->width,
                           facts->height);
    }
    const size_t count = (size_t)set->set.count;
    recognition->scores = calloc(count * recogniser->count, sizeof *recognition->scores);
    recognition->predicted = calloc(count, sizeof *recognition->predicted);
    if (recognition->scores == NULL || recognition->predicted == NULL) {
        return no_memory();
    }
    STATUS_TRY(score_pictures(recognition));
    return set->set.labels != NULL ? count_pictures(recognition) : status_ok();
}

void recognition_release(Recognition *recognition) {
    free(recognition->scores);
    free(recognition->predicted);
    free(recognition->each);
    free(recognition->names);
    free((void *)recognition->row_names);
    free((void *)recognition->column_names);
    free(recognition->column_of_row);
    free(recognition->counts);
    *recognition = (Recognition){.rounds = 0};
}
