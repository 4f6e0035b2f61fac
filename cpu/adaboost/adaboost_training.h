/*
 * A training on the host: what all CPU variants have in common. They differ in how they search
 * (AdaboostEngine) and in what they share among threads.
 */
#ifndef CPU_ADABOOST_TRAINING_H
#define CPU_ADABOOST_TRAINING_H

#include <stdbool.h>

#include "adaboost_candidates.h"
#include "adaboost_weights.h"
#include "variant.h"

typedef struct AdaboostTraining {
    const Request *request;
    const ImageSet *set;
    AdaboostPoint point;
    AdaboostCandidates candidates;
    AdaboostWeights weights;
    int32_t *values; /* pictures: of the feature of one stump */
    /* candidates × pictures: between the stages "values" and "sort" values (int32_t), then the
     * order that adaboost.h defines. */
    uint32_t *order;
} AdaboostTraining;

/* A stump that may be taken. */
typedef struct AdaboostChoice {
    uint64_t error;           /* units of 2^-40 */
    int32_t candidate, entry; /* the entry of the order that the threshold is the value of */
    int32_t polarity;
} AdaboostChoice;

/* Worse than every choice. */
#define ADABOOST_NO_CHOICE ((AdaboostChoice){.error = UINT64_MAX})

/* The order of adaboost.h: error, candidate, threshold, polarity 1. */
static inline bool adaboost_better(const AdaboostChoice *a, const AdaboostChoice *b) {
    if (a->error != b->error) {
        return a->error < b->error;
    }
    if (a->candidate != b->candidate) {
        return a->candidate < b->candidate;
    }
    return a->entry != b->entry ? a->entry < b->entry : a->polarity > b->polarity;
}

/* What a variant does in a round; `state` is its own. */
typedef struct AdaboostEngine {
    /* The best choice, from order and weights. */
    AdaboostChoice (*search)(void *state);
    /* Fills training.values with this feature's value in each picture. */
    void (*values)(void *state, HaarFeature feature);
    /* As adaboost_weights_apply, of training.values. */
    void (*apply)(void *state, AdaboostStump *stump);
} AdaboostEngine;

/* Draws candidates and allocates. On anything but STATUS_OK adaboost_training_close is still to be
 * called; `training` need not be initialised. */
Status adaboost_training_open(const Request *request, AdaboostTraining *training);
void adaboost_training_close(AdaboostTraining *training);

/* The row of a candidate in `order`. */
static inline uint32_t *adaboost_row(const AdaboostTraining *training, int32_t candidate) {
    return training->order + (size_t)candidate * (size_t)training->set->count;
}

/* All rounds, with the steps of the request, into its output. */
Status adaboost_training_boost(AdaboostTraining *training, const AdaboostEngine *engine,
                               void *state);

#endif
