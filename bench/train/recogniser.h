/*
 * Recogniser: a strong classifier for each digit, made of decision stumps on Haar-like features,
 * and what it was trained on.
 *
 * A stump takes a picture for its digit when (value ≥ threshold) == (polarity == 1), where value is
 * that of its feature in the picture. The score of a digit is Σ ±alpha over its stumps, + for those
 * that take the picture for it; the digit's own classifier says yes when the score is at least 0.
 */
#ifndef BENCH_RECOGNISER_H
#define BENCH_RECOGNISER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "axis.h"
#include "status.h"
#include "workload.h"

enum {
    RECOGNISER_SIDE_MAX = 255,
    RECOGNISER_DIGITS_MAX = 256,
    RECOGNISER_ROUNDS_MAX = 100000,
    RECOGNISER_CANDIDATES_MAX = 1000000
};

typedef struct Stump {
    uint64_t candidate;       /* index among those of the training */
    int32_t type, x, y, w, h; /* the feature: type as HaarType numbers them, and pixels */
    int32_t threshold;
    int32_t polarity; /* 1: values from the threshold on are the digit; 0: those below */
    double alpha;     /* above 0 */
    uint64_t error;   /* weighted, in units of 2^-40, less than one half */
    /* Training pictures that the classifier up to this stump gets wrong. */
    uint64_t misses, false_alarms;
} Stump;

typedef struct Classifier {
    int32_t digit;
    size_t count, room;
    Stump *stumps; /* owned, in the order they were taken */
} Classifier;

/* What a training began with: two that agree in all of it give the same recogniser. */
typedef struct TrainingFacts {
    int32_t width, height;          /* of each picture, pixels */
    char input[WORKLOAD_NAME_SIZE]; /* file name without folders, or the synthetic kind */
    uint64_t hash;                  /* of pixels and labels */
    int32_t images;
    uint64_t seed;
    int32_t rounds, candidates, min_side, threshold;
    char variant[AXIS_TEXT_SIZE];
    size_t digit_count;
    uint8_t digits[RECOGNISER_DIGITS_MAX]; /* that were asked for, in the order of their training */
} TrainingFacts;

typedef struct Recogniser {
    TrainingFacts facts;
    size_t count; /* classifiers: facts.digit_count, or fewer while the training is not done */
    Classifier classifiers[RECOGNISER_DIGITS_MAX]; /* of facts.digits, in this order */
} Recogniser;

/* Appends. STATUS_SKIP when memory runs out. */
Status classifier_add(Classifier *classifier, const Stump *stump);
void recogniser_release(Recogniser *recogniser);

/* The strong classifier's ½ ln((1 − e) / e) of an error in units of 2^-40; 0 is taken for half a
 * unit. */
double stump_alpha(uint64_t error);

/* Scores of a picture for each classifier, by their first `rounds` stumps (0: all). `integral` is
 * the picture's integral image, whose rows are width + 1 entries apart. */
void recogniser_scores(const Recogniser *recogniser, size_t rounds, const int32_t *integral,
                       double *scores);

/* The classifier that a picture of these scores goes to: the one of the largest score; of equal
 * ones that of the lowest digit. */
size_t recogniser_decide(const Recogniser *recogniser, const double *scores);

#endif
