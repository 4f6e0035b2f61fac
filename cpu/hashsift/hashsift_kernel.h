/*
 * hashsift_kernel: the work on one keypoint that simd and omp are made of.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls.
 */
#ifndef CPU_HASHSIFT_KERNEL_H
#define CPU_HASHSIFT_KERNEL_H

#include <stdbool.h>

#include "hashsift.h"
#include "hashsift_shares.h"
#include "patch_map.h"

typedef struct HashsiftKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    /* patch[PATCH_SIDE·j + i]: whole numbers 0…255, those of hashsift_patch. */
    void (*patch)(const Image *image, Keypoint keypoint, float scale, float *patch);
    /* HASHSIFT_VALUES whole numbers 0…255 of such a patch. */
    void (*values)(const HashsiftShares *shares, const float *patch, float *values);
    /* Bit b of the descriptor is responses[b] > thresholds[b]; `bits` is a multiple of 64. */
    void (*signs)(const float *responses, const float *thresholds, int32_t bits,
                  uint8_t *descriptor);
} HashsiftKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const HashsiftKernel hashsift_kernel_avx512;
extern const HashsiftKernel hashsift_kernel_avx2;
extern const HashsiftKernel hashsift_kernel_plain;
extern const HashsiftKernel *const hashsift_kernels[]; /* NULL-terminated */

/* The first that this processor can run. */
const HashsiftKernel *hashsift_kernel_best(void);

#endif
