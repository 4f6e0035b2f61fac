/*
 * bad_kernel: the work on rows of pixels and on keypoints that simd and omp are made of, on one
 * thread.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls.
 */
#ifndef CPU_BAD_KERNEL_H
#define CPU_BAD_KERNEL_H

#include <stdbool.h>

#include "bad_boxes.h"

enum { BAD_BITS_MAX = 512 };

/* Columns of the weights. Those of a byte's tests stand in reverse: the first test is the most
 * significant bit of its byte, the first lane the least significant bit of a vector's mask. */
typedef struct BadColumns {
    float x1[BAD_BITS_MAX], y1[BAD_BITS_MAX], x2[BAD_BITS_MAX], y2[BAD_BITS_MAX];
    float radius[BAD_BITS_MAX], threshold[BAD_BITS_MAX];
} BadColumns;

typedef struct BadTests {
    const BadColumns *columns;
    const BadTest *rows;
    int32_t bits;
} BadTests;

typedef struct BadKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    /* Adds `width` pixels to as many sums. */
    void (*add_row)(const uint8_t *pixels, int32_t width, uint32_t *sums);
    /* Makes `width` + 1 entries of an integral image from those above. */
    void (*integral_row)(const uint8_t *pixels, int32_t width, const uint32_t *above,
                         uint32_t *row);
    /* All bits of a keypoint. `inside`: none of its boxes leaves the picture. */
    void (*describe)(const BadIntegral *integral, const BadTests *tests, const BadPlace *place,
                     bool inside, uint8_t *descriptor);
} BadKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const BadKernel bad_kernel_avx512;
extern const BadKernel bad_kernel_avx2;
extern const BadKernel bad_kernel_plain;
extern const BadKernel *const bad_kernels[]; /* NULL-terminated */

/* The first that this processor can run, and that reaches an integral image of so many entries. */
const BadKernel *bad_kernel_best(size_t entries);

#endif
