/*
 * Weights: what every variant does between two searches, in numbers that come out the same on every
 * processor and in every order of summation.
 *
 * A picture has a weight w (double; all of them sum to 1) and an integer share q of 2^40, which
 * searches sum. Beginning: w = 1/(2 P) for each of the P pictures of the digit and 1/(2 M) for each
 * of the M others; 1/(P + M) where there are only others, or none. Each round then
 *
 *   1. v = w × factor, of the two of adaboost_factors as the stump was right or wrong about it;
 *   2. S = Σ (uint64_t)(v × 2^52 + 0.5), an integer sum;
 *   3. w = v / (S × 2^-52);
 *   4. g = (uint64_t)(w × 2^62 + 0.5), C = running sum of g in the order of the pictures, no more
 *      than 2^62, and 2^62 at the last picture;
 *   5. q = (C >> 22) − (C of the picture before >> 22): they sum to exactly 2^40.
 *
 * 2 to 5 are done at the beginning too (with v = w). Each step rounds once, as IEEE 754 says, or
 * multiplies by a power of 2: no order, no fused multiply-add changes anything.
 */
#ifndef CPU_ADABOOST_WEIGHTS_H
#define CPU_ADABOOST_WEIGHTS_H

#include "adaboost.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ADABOOST_TOTAL ((uint64_t)1 << 40) /* what the shares q sum to */

typedef struct AdaboostFactors {
    double right, wrong; /* what weights are multiplied by: 1/(2 (1 − e)), 1/(2 e) */
    double alpha;        /* ½ ln((1 − e) / e) */
} AdaboostFactors;

/* Of an error in units of 2^-40, less than one half; 0 is taken for half a unit. On the host only,
 * so that the logarithm is one. */
AdaboostFactors adaboost_factors(uint64_t error);

/* Step 2's number for one picture. */
HAAR_INLINE uint64_t adaboost_sum_unit(double v) {
    return (uint64_t)(v * 0x1p52 + 0.5);
}
/* Steps 3 and 4's. */
HAAR_INLINE double adaboost_normalised(double v, uint64_t sum) {
    return v / ((double)sum * 0x1p-52);
}
HAAR_INLINE uint64_t adaboost_share_unit(double w) {
    return (uint64_t)(w * 0x1p62 + 0.5);
}
/* Step 5's: `before` and `upto` are running sums of share units without and with the picture. */
HAAR_INLINE uint64_t adaboost_share(uint64_t before, uint64_t upto, int is_last) {
    const uint64_t whole = (uint64_t)1 << 62;
    const uint64_t low = before < whole ? before : whole;
    const uint64_t high = is_last || upto > whole ? whole : upto;
    return (high >> 22) - (low >> 22);
}

/* The weight of a picture at the beginning. */
HAAR_INLINE double adaboost_first_weight(int is_digit, int64_t digits, int64_t others) {
    if (digits == 0 || others == 0) {
        return 1.0 / (double)(digits + others);
    }
    return 1.0 / (2.0 * (double)(is_digit ? digits : others));
}

/* The weights of a training on the host. */
typedef struct AdaboostWeights {
    int32_t count;
    const uint8_t *labels; /* borrowed */
    int32_t digit;
    double *weights; /* count; owned, as the rest */
    int64_t *shares; /* q, negative for the digit: what a search sums */
    double *scores;  /* Σ ±alpha */
    uint64_t others; /* Σ q of all pictures that are not the digit */
} AdaboostWeights;

/* Memory from cpu_backend. STATUS_SKIP when it does not fit. */
Status adaboost_weights_open(const ImageSet *set, int32_t digit, AdaboostWeights *weights);
void adaboost_weights_close(AdaboostWeights *weights);
/* Beginning. */
void adaboost_weights_start(AdaboostWeights *weights);
/* Applies a stump, whose error and values (v(c, i) for every picture) are given; counts into its
 * misses and false alarms. */
void adaboost_weights_apply(AdaboostWeights *weights, const int32_t *values, AdaboostStump *stump);

#ifdef __cplusplus
}
#endif

#endif
