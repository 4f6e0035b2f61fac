/*
 * Training: a strong classifier for each digit, by a variant of the algorithm adaboost, one digit
 * against the rest.
 *
 * What is done is kept in a checkpoint beside the model, so that a training that was killed goes on
 * from there and gives the same bytes as one that was not. The checkpoint is removed once the model
 * is written.
 */
#ifndef BENCH_TRAINING_H
#define BENCH_TRAINING_H

#include <stdio.h>

#include "recogniser.h"

typedef struct TrainRequest {
    const char *digits; /* list; NULL: all that labels have */
    /* Values of adaboost's axes; NULL: their defaults. */
    const char *rounds, *candidates, *min_side, *threshold;
    const char *variant; /* NULL: the best CPU variant */
    const char *threads; /* value of the variant's axis; NULL: its default, all */
    const char *model;   /* file */
    bool fresh;          /* a checkpoint is not looked at */
    bool quiet;
    FILE *notes; /* progress, and from where a training goes on */
} TrainRequest;

/*
 * Trains, with the variant held against the oracle on a small set first, and writes the model.
 * `workload` is a labelled set. STATUS_USAGE for labels that are missing, axis values that are
 * none, and a checkpoint of another training; STATUS_NO_MATCH when a digit cannot be told from the
 * rest at all; STATUS_INTERRUPTED after interrupt_requested(), with the checkpoint written.
 * Release with recogniser_release, whatever was returned.
 */
Status train(const TrainRequest *request, const Workload *workload, Recogniser *recogniser);

/* What was trained on, and a line for each digit: stumps, training error, misses, false alarms. */
Status training_print(FILE *stream, const Recogniser *recogniser);

#endif
