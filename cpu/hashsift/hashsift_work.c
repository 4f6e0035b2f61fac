#include "hashsift_work.h"

#include <stdlib.h>

#include "hashsift_blas.h"

enum {
    SIFT_BLOCK = 16,     /* keypoints: those at the border of the picture take longer */
    PRODUCT_BLOCK = 256, /* enough for the library's own blocks, few enough for many threads */
    BITS_MAX = 512
};

static Status prepare(const Request *request, int threads, HashsiftWork *work) {
    *work = (HashsiftWork){
        .kernel = hashsift_kernel_best(),
        .workload = request->workload,
        .output = request->output,
        .keypoints = point_keypoints(request->answer),
        .bits = point_bits(request->answer),
        .scale = point_scale(request->answer),
        .threads = threads,
    };
    hashsift_shares(&work->shares);
    const size_t rows = (size_t)work->keypoints;
    STATUS_TRY(cpu_backend.alloc(rows * HASHSIFT_VALUES * sizeof(float), (void **)&work->values));
    if (work->bits == HASHSIFT_VALUE_BITS) {
        return status_ok();
    }
    STATUS_TRY(
        keypoints_weights(request->workload, request->answer, WEIGHTS_HASHSIFT, &work->weights));
    STATUS_TRY(blas_library(threads, &work->blas));
    return cpu_backend.alloc(rows * (size_t)work->bits * sizeof(float), (void **)&work->responses);
}

Status hashsift_work_open(const Request *request, int threads, void **state) {
    HashsiftWork *work = malloc(sizeof *work);
    if (work == NULL) {
        return status_skip("no memory for the state of hashsift");
    }
    const Status status = prepare(request, threads, work);
    if (!status_is_ok(&status)) {
        hashsift_work_close(work);
        return status;
    }
    *state = work;
    return status;
}

Status hashsift_work_sift(void *state) {
    const HashsiftWork *work = state;
    const Keypoint *keypoints = work->workload->keypoints.keypoints;
#pragma omp parallel for schedule(dynamic, SIFT_BLOCK) num_threads(work->threads)
    for (int32_t k = 0; k < work->keypoints; ++k) {
        float patch[PATCH_SIDE * PATCH_SIDE];
        work->kernel->patch(&work->workload->image, keypoints[k], work->scale, patch);
        work->kernel->values(&work->shares, patch, work->values + (size_t)k * HASHSIFT_VALUES);
    }
    return status_ok();
}

static void multiply_block(const HashsiftWork *work, int32_t first) {
    const int32_t left = work->keypoints - first;
    hashsift_blas_product(work->blas, work->weights, work->values + (size_t)first * HASHSIFT_VALUES,
                          left < PRODUCT_BLOCK ? left : PRODUCT_BLOCK,
                          work->responses + (size_t)first * (size_t)work->bits);
}

Status hashsift_work_product(void *state) {
    const HashsiftWork *work = state;
    if (work->weights == NULL) {
        return status_ok();
    }
    const int blas_threads = hashsift_blas_begin(work->blas);
#pragma omp parallel for schedule(dynamic, 1) num_threads(work->threads)
    for (int32_t first = 0; first < work->keypoints; first += PRODUCT_BLOCK) {
        multiply_block(work, first);
    }
    hashsift_blas_end(work->blas, blas_threads);
    return status_ok();
}

static void sign_all(const HashsiftWork *work, uint8_t *descriptors) {
    const size_t bits = (size_t)work->bits;
    float thresholds[BITS_MAX]; /* A response is above 0 where it is above -bias without it. */
    for (size_t b = 0; b < bits; ++b) {
        thresholds[b] = -work->weights->values[b * HASHSIFT_COLUMNS];
    }
#pragma omp parallel for schedule(static) num_threads(work->threads)
    for (int32_t k = 0; k < work->keypoints; ++k) {
        work->kernel->signs(work->responses + (size_t)k * bits, thresholds, work->bits,
                            descriptors + (size_t)k * bits / 8);
    }
}

Status hashsift_work_sign(void *state) {
    const HashsiftWork *work = state;
    uint8_t *descriptors = hashsift_descriptors(work->output);
    if (work->weights != NULL) {
        sign_all(work, descriptors);
        return status_ok();
    }
#pragma omp parallel for schedule(static) num_threads(work->threads)
    for (int32_t v = 0; v < work->keypoints * HASHSIFT_VALUES; ++v) {
        descriptors[v] = (uint8_t)work->values[v];
    }
    return status_ok();
}

Status hashsift_work_run(void *state) {
    STATUS_TRY(hashsift_work_sift(state));
    STATUS_TRY(hashsift_work_product(state));
    return hashsift_work_sign(state);
}

void hashsift_work_close(void *state) {
    HashsiftWork *work = state;
    if (work != NULL) {
        cpu_backend.release(work->values);
        cpu_backend.release(work->responses);
        free(work);
    }
}
