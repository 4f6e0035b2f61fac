/*
 * adaboost: training of a strong classifier that tells one digit from the rest, by discrete
 * AdaBoost over decision stumps on Haar-like features.
 *
 * Definition. Picture i is positive when its label is --digit. Candidates c = 0, 1, … are features
 * (adaboost_candidates.h says which), with an integer value v(c, i) in each picture. A stump is a
 * candidate with a threshold and a polarity; it takes a picture for the digit when
 * (v(c, i) ≥ threshold) == (polarity == 1). Thresholds that are tried are the distinct values of
 * the candidate over all pictures: all there are that differ, for its least value takes all
 * pictures for one side.
 *
 * Each of --rounds rounds takes the stump of least weighted error; of equal ones that of the lower
 * candidate, then of the lower threshold, then of polarity 1. Then weights are changed
 * (adaboost_weights.h): exact integers in the search, so that every variant takes the same stumps.
 * Its weight in the strong classifier is alpha = ½ ln((1 − e) / e); the strong classifier takes a
 * picture for the digit when Σ ±alpha ≥ 0. Training ends early after a stump without error, and
 * before one that is no better than chance (error of exactly one half).
 *
 * Steps (variant.h): a round is a step. The stumps of the rounds done are read from the output and
 * their weights applied; they are not searched again.
 *
 * Source: Y. Freund, R. Schapire (1997); P. Viola, M. Jones (2001), whose weights this begins with;
 * "Object Recognition Training using CUDA" (2015).
 */
#ifndef CPU_ADABOOST_H
#define CPU_ADABOOST_H

#include "algorithm.h"
#include "haar_features.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of the answer. */
enum { ADABOOST_PART_COUNT, ADABOOST_PART_STUMPS };

/* Part "count": one number, the stumps taken, at most --rounds. Part "stumps": a row for each
 * round, in the order they were taken; those not taken are 0. */
typedef struct AdaboostStump {
    uint64_t candidate;
    uint64_t type, x, y, w, h; /* the feature */
    int64_t threshold;
    uint64_t polarity; /* 1: values from the threshold on are the digit; 0: those below */
    uint64_t error;    /* weighted, in units of 2^-40 */
    /* Training pictures that the strong classifier up to this round gets wrong. */
    uint64_t misses;       /* of the digit */
    uint64_t false_alarms; /* of the rest */
} AdaboostStump;

enum { ADABOOST_COLUMNS = sizeof(AdaboostStump) / sizeof(uint64_t) };

typedef struct AdaboostPoint {
    int32_t digit, rounds, candidates;
    int32_t min_side, threshold; /* of the features that candidates are drawn from */
} AdaboostPoint;

AdaboostPoint adaboost_point(const Point *answer);

static inline uint64_t *adaboost_count(const Output *output) {
    return (uint64_t *)output_part(output, ADABOOST_PART_COUNT);
}
static inline AdaboostStump *adaboost_stumps(const Output *output) {
    return (AdaboostStump *)output_part(output, ADABOOST_PART_STUMPS);
}

/*
 * The order that a search goes through: for each candidate the pictures by value, equal values by
 * index. Entry c × pictures + k is picture | ADABOOST_NEW_VALUE where the value is larger than that
 * of the entry before (and where k = 0): a threshold is tried before these.
 */
#define ADABOOST_NEW_VALUE 0x80000000u

#ifdef __cplusplus
}
#endif

#endif
