/* hashsift on one thread (simd) and on all processors (omp): the same stages with teams of 1 and of
 * --threads. */
#include <math.h>
#include <stdlib.h>

#include "blas.h"
#include "descriptor_weights.h"
#include "hashsift.h"
#include "hashsift_internal.h"

/* === Shares =================================================================================== */

/* 0 in the first and the last row or column, which have no gradients. */
static double weight(int32_t pixel) {
    const double distance = pixel - PATCH_HALF;
    const bool inner = pixel >= 1 && pixel < PATCH_SIDE - 1;
    return inner ? exp((double)HASHSIFT_DISTANCE_SCALE * distance * distance) : 0;
}

/* Of the cell whose middle, in cells, is at `cell`. */
static float share(int32_t pixel, int32_t cell) {
    const double position = (double)(pixel - PATCH_HALF) / HASHSIFT_CELL_SIDE;
    const double distance = fabs(position + (HASHSIFT_CELLS - 1) * 0.5 - cell);
    return (float)(distance < 1 ? weight(pixel) * (1 - distance) : 0);
}

void hashsift_shares(HashsiftShares *shares) {
    for (int32_t j = 0; j < PATCH_SIDE; j++) {
        const int32_t cell_below = (j + HASHSIFT_CELL_SIDE / 2) / HASHSIFT_CELL_SIDE;
        shares->above[j] = share(j, cell_below - 1);
        shares->below[j] = share(j, cell_below);
    }
    for (int32_t cell = 0; cell < HASHSIFT_CELLS; cell++) {
        const int32_t first = cell * HASHSIFT_CELL_SIDE - HASHSIFT_CELL_SIDE / 2;
        for (int32_t k = 0; k < HASHSIFT_CELL_COLUMNS; k++) {
            shares->columns[cell][k] = share(first + k, cell);
        }
    }
}

/* === Product ================================================================================== */

/*
 * Keeps OpenBLAS to the calling thread until the end, whatever kind of threads it was built with:
 * its own would compete with those that call it. Returns how many it had, for the end. Not to be
 * called while another thread uses OpenBLAS.
 */
static int hashsift_blas_begin(const Blas *blas) {
    const int threads = blas->get_threads();
    blas->set_threads(1);
    return threads;
}

static void hashsift_blas_end(const Blas *blas, int threads) {
    blas->set_threads(threads);
}

/* responses[k][b] = Σ weights[b][1 + v]·values[k][v], without the bias, for `keypoints` rows of
 * HASHSIFT_VALUES values and of weights->bits responses. Threads may call it at the same time,
 * between begin and end. */
static void hashsift_blas_product(const Blas *blas, const Weights *weights, const float *values,
                                  int32_t keypoints, float *responses) {
    blas->sgemm(BLAS_ROW_MAJOR, BLAS_AS_IT_IS, BLAS_TRANSPOSED, keypoints, weights->bits,
                HASHSIFT_VALUES, 1, values, HASHSIFT_VALUES, weights->values + 1, HASHSIFT_COLUMNS,
                0, responses, weights->bits);
}

/* === Stages =================================================================================== */

enum {
    SIFT_BLOCK = 16,     /* keypoints: those at the border of the image take longer */
    PRODUCT_BLOCK = 256, /* at most: enough for the library's own blocks */
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
        return status_no_memory("for the state of hashsift");
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
    for (int32_t k = 0; k < work->keypoints; k++) {
        float patch[PATCH_SIDE * PATCH_SIDE];
        work->kernel->patch(&work->workload->image, keypoints[k], work->scale, patch);
        work->kernel->values(&work->shares, patch, work->values + (size_t)k * HASHSIFT_VALUES);
    }
    return status_ok();
}

/* Keypoints of a block, so that all threads have equally many blocks. */
static int32_t product_block(const HashsiftWork *work) {
    const int32_t round = PRODUCT_BLOCK * work->threads;
    const int32_t rounds = (work->keypoints + round - 1) / round;
    const int32_t blocks = rounds * work->threads;
    return (work->keypoints + blocks - 1) / blocks;
}

static void multiply_block(const HashsiftWork *work, int32_t first, int32_t block) {
    const int32_t left = work->keypoints - first;
    hashsift_blas_product(work->blas, work->weights, work->values + (size_t)first * HASHSIFT_VALUES,
                          left < block ? left : block,
                          work->responses + (size_t)first * (size_t)work->bits);
}

Status hashsift_work_product(void *state) {
    const HashsiftWork *work = state;
    if (work->weights == NULL || work->keypoints == 0) {
        return status_ok();
    }
    const int32_t block = product_block(work);
    const int blas_threads = hashsift_blas_begin(work->blas);
#pragma omp parallel for schedule(dynamic, 1) num_threads(work->threads)
    for (int32_t first = 0; first < work->keypoints; first += block) {
        multiply_block(work, first, block);
    }
    hashsift_blas_end(work->blas, blas_threads);
    return status_ok();
}

static void sign_all(const HashsiftWork *work, uint8_t *descriptors) {
    const size_t bits = (size_t)work->bits;
    float thresholds[BITS_MAX]; /* A response is above 0 where it is above -bias without it. */
    for (size_t b = 0; b < bits; b++) {
        thresholds[b] = -work->weights->values[b * HASHSIFT_COLUMNS];
    }
#pragma omp parallel for schedule(static) num_threads(work->threads)
    for (int32_t k = 0; k < work->keypoints; k++) {
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
    for (int32_t v = 0; v < work->keypoints * HASHSIFT_VALUES; v++) {
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

/* === simd and omp ============================================================================= */

VARIANT_FUNCTIONS(hashsift_simd);
VARIANT_FUNCTIONS(hashsift_omp);

Status hashsift_simd_open(const Request *request, void **state) {
    return hashsift_work_open(request, 1, state);
}

Status hashsift_omp_open(const Request *request, void **state) {
    return hashsift_work_open(request, (int)point_integer(request->tuning, "threads", 1), state);
}
