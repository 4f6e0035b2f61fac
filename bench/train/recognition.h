/*
 * Recognition: what a recogniser takes the pictures of a set for, and how often it is right.
 *
 * A picture goes to the digit of the largest score, Σ ±alpha; of equal ones to the lowest digit. A
 * score estimates half the logarithm of the odds for its digit (J. Friedman, T. Hastie, R.
 * Tibshirani, 2000), so that scores of different classifiers can be held against each other as they
 * are.
 */
#ifndef BENCH_RECOGNITION_H
#define BENCH_RECOGNITION_H

#include "confusion_matrix.h"
#include "recogniser.h"

/* One digit's own classifier against the labels. */
typedef struct OneAgainstRest {
    uint64_t digits, others;       /* pictures of the digit and of the rest */
    uint64_t misses, false_alarms; /* wrong answers for either */
} OneAgainstRest;

typedef struct Recognition {
    const Recogniser *recogniser; /* borrowed, as the set */
    const Workload *set;
    size_t rounds;     /* stumps used of each classifier; 0: all */
    double *scores;    /* set.count × recogniser->count; owned, as all below */
    size_t *predicted; /* index of the classifier, for each picture */

    /* With labels: */
    OneAgainstRest *each;      /* for each classifier */
    ConfusionMatrix confusion; /* a row for each label there is; count 0 without labels */
    uint64_t unknown;          /* pictures of labels that no classifier is for */
    char (*names)[4];          /* "0" … "255": of rows and columns */
    const char **row_names, **column_names;
    size_t *column_of_row;
    uint64_t *counts;
} Recognition;

/* Recogniser and set outlive the recognition. STATUS_USAGE when the pictures have other sides than
 * those the recogniser was trained on, STATUS_SKIP when memory runs out. Release with
 * recognition_release, whatever was returned. */
Status recognise(const Recogniser *recogniser, const Workload *set, size_t rounds,
                 Recognition *recognition);
void recognition_release(Recognition *recognition);

#endif
