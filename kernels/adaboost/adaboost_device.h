/*
 * Device side of an adaboost cell: what all its variants have in common. They differ in how they
 * search (AdaboostSearch); integral images, values, sorting and weights are done in one way, as the
 * definition leaves no choice of numbers, and with CUB where it has the operation.
 *
 * Memory is 8 bytes for each candidate and picture (values and order), and a portion of candidates
 * being sorted.
 */
#ifndef KERNELS_ADABOOST_ADABOOST_DEVICE_H
#define KERNELS_ADABOOST_ADABOOST_DEVICE_H

#include <cuda_runtime_api.h>

#include "adaboost.h"
#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    int pictures, width, height;
    uint8_t *pixels, *labels; /* device memory, as all below */
    HaarFeature *features;    /* of the candidates */
    int32_t *integrals;       /* (width + 1) × (height + 1) of each picture */
    int32_t *values;          /* candidates × pictures */
    uint32_t *order;          /* candidates × pictures, as adaboost.h says */
    int64_t *shares;          /* pictures; negative for the digit, as AdaboostWeights.shares */
    double *weights, *scores; /* pictures */
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

#ifdef __cplusplus
}
#endif

#endif
