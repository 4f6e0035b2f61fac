/*
 * bad_work: what simd and omp have in common. Each thread makes a band of the integral image: first
 * all add up the columns of their bands, from which each knows what stands above its own. Keypoints
 * are then taken some at a time.
 */
#ifndef CPU_BAD_WORK_H
#define CPU_BAD_WORK_H

#include "bad_kernel.h"
#include "thread_memory.h"

typedef struct BadWork {
    const BadKernel *kernel;
    const Image *image;
    const Keypoint *keypoints;
    int32_t count; /* keypoints to describe */
    float scale;
    const Weights *weights;
    const Output *output;
    int threads;

    BadIntegral integral; /* its entries are in `memory` */
    uint32_t *memory;
    BadColumns *columns; /* of the weights */
    ThreadMemory bands; /* of each band: sums of its columns, and the entries above its first row */
} BadWork;

/* Opens a variant that works with `threads` threads; the state is a BadWork. */
Status bad_work_open(const Request *request, int threads, void **state);

/* Stages, and run, which is both of them; declared as the table does. */
VARIANT_EXTERN Status bad_work_integral(void *state);
VARIANT_EXTERN Status bad_work_tests(void *state);
VARIANT_EXTERN Status bad_work_run(void *state);
VARIANT_EXTERN void bad_work_close(void *state);

#endif
