/* hashsift_work: what simd and omp have in common. Stage by stage, threads take keypoints by the
 * block. */
#ifndef CPU_HASHSIFT_WORK_H
#define CPU_HASHSIFT_WORK_H

#include "blas.h"
#include "hashsift_kernel.h"

typedef struct HashsiftWork {
    const HashsiftKernel *kernel;
    const Workload *workload;
    const Output *output;
    const Weights *weights; /* NULL: the values are the descriptor */
    const Blas *blas;       /* where there are weights */
    int32_t keypoints, bits;
    float scale;
    int threads;
    HashsiftShares shares;
    float *values;    /* keypoints × HASHSIFT_VALUES */
    float *responses; /* keypoints × bits, without the bias */
} HashsiftWork;

/* Opens a variant that works with `threads` threads; the state is a HashsiftWork. */
Status hashsift_work_open(const Request *request, int threads, void **state);

/* Stages, and run, which is all of them; declared as the table does. */
VARIANT_EXTERN Status hashsift_work_sift(void *state);
VARIANT_EXTERN Status hashsift_work_product(void *state);
VARIANT_EXTERN Status hashsift_work_sign(void *state);
VARIANT_EXTERN Status hashsift_work_run(void *state);
VARIANT_EXTERN void hashsift_work_close(void *state);

#endif
