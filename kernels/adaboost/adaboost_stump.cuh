/*
 * The best stump of one candidate, from running sums of the shares in the order of its values.
 *
 * With sum = Σ share of the pictures before a threshold, polarity 1 has the error others − sum (the
 * others that are not before it, and the digits that are), and polarity 0 all the rest of the total
 * of 2^40.
 */
#ifndef KERNELS_ADABOOST_ADABOOST_STUMP_CUH
#define KERNELS_ADABOOST_ADABOOST_STUMP_CUH

#include "adaboost.h"
#include "adaboost_device.h"

/* Less error, then the lower candidate, then the lower key. */
HAAR_INLINE bool adaboost_better(AdaboostBest a, AdaboostBest b) {
    if (a.error != b.error) {
        return a.error < b.error;
    }
    return a.candidate != b.candidate ? a.candidate < b.candidate : a.key < b.key;
}

/* For reductions with CUB. */
struct AdaboostBetter {
    __host__ __device__ AdaboostBest operator()(AdaboostBest a, AdaboostBest b) const {
        return adaboost_better(b, a) ? b : a;
    }
};

/* What every stump is better than. */
HAAR_INLINE AdaboostBest adaboost_none() {
    const AdaboostBest none = {UINT64_MAX, UINT32_MAX, UINT32_MAX};
    return none;
}

/* Tries the threshold before place `place` with both polarities. A candidate's places are to be
 * tried in rising order: of equal errors the first stays. */
HAAR_INLINE void adaboost_try(AdaboostBest &best, uint32_t candidate, uint32_t place, int64_t sum,
                              int64_t others) {
    const uint64_t error = (uint64_t)(others - sum);
    const uint64_t reverse = ADABOOST_TOTAL - error;
    const uint64_t least = error <= reverse ? error : reverse;
    if (least < best.error) {
        best.error = least;
        best.candidate = candidate;
        best.key = 2 * place + (error <= reverse ? 0 : 1);
    }
}

#endif
