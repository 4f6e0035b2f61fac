/*
 * What the shared part of adaboost on the device keeps besides AdaboostDevice, and what its files
 * call of each other. Variants' searches need none of it.
 */
#ifndef KERNELS_ADABOOST_ADABOOST_WORK_CUH
#define KERNELS_ADABOOST_ADABOOST_WORK_CUH

#include "adaboost_device.h"

/* Temporary device memory of a CUB operation; its size does not change after opening. */
struct AdaboostStorage {
    void *memory;
    size_t bytes;
};

/* What a round's changes of weights sum to. */
struct AdaboostSums {
    unsigned long long weight; /* S of adaboost.h */
    unsigned long long misses, false_alarms;
    unsigned long long others; /* Σ q of the pictures that are not the digit */
};

/* The best stump of a round, with the value that its key stands for. */
struct AdaboostFound {
    AdaboostBest best;
    int32_t threshold;
};

/* How sorting keys are made: candidate in the portion above value + reach above picture. */
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
    int64_t digits, others; /* pictures; counted on the host */
    AdaboostSortPlan plan;
    uint64_t *keys[2]; /* plan.portion × pictures each */
    AdaboostStorage sorting, scanning, reducing;
    uint64_t *units; /* pictures; share units, then their running sums */
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

#endif
