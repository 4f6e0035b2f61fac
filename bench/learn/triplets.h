/*
 * Triplets: a place's two codes, and the code of another place that is most easily taken for it.
 *
 * Codes are rows of numbers −1 … 1, those of n places as one view shows them and after them the n
 * as another does. The likeness of two codes is their product over the number of bits.
 */
#ifndef BENCH_TRIPLETS_H
#define BENCH_TRIPLETS_H

#include "place_set.h"

/* Rows of codes. */
typedef struct Triplet {
    int32_t anchor, positive, negative;
} Triplet;

/*
 * For each place its hardest triplet: the negative is the code most like either of its two, that
 * one being the anchor (anchor swap); of equal ones the first, the first view's before the second.
 * Codes of places that are near are none. `likeness` is 2n × 2n. A place without any negative gets
 * itself for one, which has no gradient.
 */
void triplets_choose(const float *likeness, const SamplePlace *places, int32_t n,
                     Triplet *triplets);

/*
 * The mean of max(0, margin − likeness(anchor, positive) + likeness(anchor, negative)), and the
 * share of those above 0. `gradient`, 2n × bits, is the derivative of the mean by the codes.
 */
typedef struct TripletLoss {
    double mean, share;
} TripletLoss;
TripletLoss triplets_loss(const float *codes, int32_t bits, const Triplet *triplets, int32_t n,
                          double margin, float *gradient);

#endif
