/*
 * Device side of an adaboost cell: what all its variants have in common. They differ in how they
 * search (AdaboostSearch); integral images, values, sorting and weights are done in one way, as the
 * definition leaves no choice of numbers, and with CUB where it has the operation.
 *
 * Memory is 8 bytes for each candidate and image (values and order), and a portion of candidates
 * being sorted.
 */
#ifndef KERNELS_ADABOOST_ADABOOST_DEVICE_CUH
#define KERNELS_ADABOOST_ADABOOST_DEVICE_CUH

#include <cuda_runtime_api.h>

#include "adaboost.h"
#include "variant.h"

/* === The device side ========================================================================== */

extern "C" {

/* The best stump of a candidate or of several. `key` orders equal errors: the place of the
 * threshold among the candidate's entries × 2 + (polarity == 0). */
typedef struct AdaboostBest {
    uint64_t error;     /* units of 2^-40 */
    uint32_t candidate; /* UINT32_MAX: none yet */
    uint32_t key;
} AdaboostBest;

typedef struct AdaboostDevice AdaboostDevice;

/* How a variant searches. */
typedef struct AdaboostSearch {
    /* Optional: allocates AdaboostDevice.search_state; everything else is open. */
    Status (*open)(AdaboostDevice *device);
    /* Optional: after sorting, before the first search of a run: tables made from the order. */
    Status (*prepare)(AdaboostDevice *device);
    /* Queues on cuda_stream() what fills best[0 … candidates - 1] with the best stump of
     * each candidate, from `order`, `shares` and `others`. It may leave out (candidate UINT32_MAX)
     * those that it has proved not to be the best of all. */
    Status (*search)(AdaboostDevice *device);
    void (*close)(AdaboostDevice *device); /* optional; search_state may be NULL */
} AdaboostSearch;

struct AdaboostDevice {
    const Request *request;
    AdaboostPoint point;
    AdaboostCandidates candidates;
    int images, width, height;
    uint8_t *pixels, *labels; /* device memory, as all below */
    HaarFeature *features;    /* of the candidates */
    int32_t *integrals;       /* (width + 1) × (height + 1) of each image */
    int32_t *values;          /* candidates × images */
    uint32_t *order;          /* candidates × images, as adaboost.h says */
    int64_t *shares;          /* images; negative for the digit, as AdaboostWeights.shares */
    double *weights, *scores; /* images */
    AdaboostBest *best;       /* candidates */
    uint64_t others;          /* Σ q of those that are not the digit, this round; on the host */
    const AdaboostSearch *search;
    void *search_state;
    struct AdaboostWork *work; /* what sorting, scans and reductions need */
};

/* Draws candidates and allocates. `search` is the variant's. */
Status adaboost_cuda_open_with(const Request *request, const AdaboostSearch *search, void **state);

/* The same for all variants; `state` is an AdaboostDevice. run is the four stages. The host learns
 * each stump as it is found and writes it into request->output. */
Status adaboost_cuda_integral(void *state);
Status adaboost_cuda_values(void *state);
Status adaboost_cuda_sort(void *state);
Status adaboost_cuda_boosting(void *state);

} // extern "C"

/* === Steps ==================================================================================== */

/*
 * What the shared part of adaboost on the device keeps besides AdaboostDevice, and what its files
 * call of each other. Variants' searches need none of it.
 */

/* Temporary device memory of a CUB operation; its size does not change after opening. */
struct AdaboostStorage {
    void *memory;
    size_t bytes;
};

/* What a round's changes of weights sum to. */
struct AdaboostSums {
    unsigned long long weight; /* S of adaboost.h */
    unsigned long long misses, false_alarms;
    unsigned long long others; /* Σ q of the images that are not the digit */
};

/* The best stump of a round, with the value that its key stands for. */
struct AdaboostFound {
    AdaboostBest best;
    int32_t threshold;
};

/* How sorting keys are made: candidate in the portion above value + reach above image. */
struct AdaboostSortPlan {
    int portion; /* candidates sorted together; the last portion may have fewer */
    int reach;   /* no value is below -reach or above reach */
    int value_bits, key_bits;
};

/* Results of a round in page-locked host memory. */
struct AdaboostRound {
    AdaboostSums sums;
    AdaboostFound found;
};

struct AdaboostWork {
    int64_t digits, others; /* images; counted on the host */
    AdaboostSortPlan plan;
    uint64_t *keys[2]; /* plan.portion × images each */
    AdaboostStorage sorting, scanning, reducing;
    uint64_t *units; /* images; share units, then their running sums */
    AdaboostSums *sums;
    AdaboostFound *found;
    uint8_t *answer; /* laid out as request->output: run leaves it on the device for download */
    AdaboostRound *round;
};

/* Blocks of `threads` threads that give one thread to each of `items` items. */
static inline unsigned int adaboost_blocks(int items, int threads) {
    return (unsigned int)(((size_t)items + (size_t)threads - 1) / (size_t)threads);
}

/* Allocates `bytes` of device memory; `memory` points to any pointer. */
static inline Status adaboost_allocate(size_t bytes, void *memory) {
    return cuda_backend.alloc(bytes, (void **)memory);
}

/* Each allocates what its file needs; AdaboostDevice's own members are there already. */
Status adaboost_cuda_sort_open(AdaboostDevice *device);
Status adaboost_cuda_weights_open(AdaboostDevice *device);
Status adaboost_cuda_best_open(AdaboostDevice *device);

/* Weights at the beginning. */
Status adaboost_cuda_weights_start(AdaboostDevice *device);
/* Changes weights and scores by a stump; fills its misses and false alarms. */
Status adaboost_cuda_weights_apply(AdaboostDevice *device, AdaboostStump *stump);

/* The best of device->best, with its threshold. */
Status adaboost_cuda_best(AdaboostDevice *device, AdaboostFound *found);

/* === Stumps =================================================================================== */

/*
 * The best stump of one candidate, from running sums of the shares in the order of its values.
 *
 * With sum = Σ share of the images before a threshold, polarity 1 has the error others − sum (the
 * others that are not before it, and the digits that are), and polarity 0 all the rest of the total
 * of 2^40.
 */

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
