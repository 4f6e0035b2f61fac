/*
 * The weights of a range of pictures, so that threads can share what adaboost_weights_apply does:
 * each step is done for every part before the next one begins for any.
 */
#ifndef CPU_ADABOOST_WEIGHT_PARTS_H
#define CPU_ADABOOST_WEIGHT_PARTS_H

#include "adaboost_weights.h"

/* Pictures first … last - 1, and what the steps found out about them. */
typedef struct AdaboostPart {
    int32_t first, last;
    uint64_t sum;                  /* S of the part */
    uint64_t units;                /* Σ g of the part */
    uint64_t others;               /* Σ q of those that are not the digit */
    uint64_t misses, false_alarms; /* of the strong classifier with the stump */
} AdaboostPart;

/* Step 1 and 2: the stump's factors, scores, counts; fills sum, misses and false_alarms. */
void adaboost_part_multiply(AdaboostWeights *weights, const int32_t *values,
                            const AdaboostStump *stump, AdaboostPart *part);
/* Step 3 and 4's first half: `sum` is S of all parts; fills units. */
void adaboost_part_normalise(AdaboostWeights *weights, uint64_t sum, AdaboostPart *part);
/* Steps 4 and 5: `before` is Σ units of the parts before this one; fills others. */
void adaboost_part_share(AdaboostWeights *weights, uint64_t before, AdaboostPart *part);

#endif
