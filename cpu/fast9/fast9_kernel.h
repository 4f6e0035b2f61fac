/*
 * fast_kernel: the work on rows of pixels that simd and omp are made of, on one thread.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls.
 */
#ifndef CPU_FAST_KERNEL_H
#define CPU_FAST_KERNEL_H

#include <stdbool.h>

#include "fast9.h"

enum {
    FAST_COLUMNS_AT_ONCE = 16, /* of FastColumns: there are entries for a multiple of it */
    FAST_MIXED_PADDING = 33    /* entries of mixed pixels behind those of the row's width */
};

/* How much of the pixel at `first` and of the one right of it, out of 256, make a pixel. */
typedef struct FastWeights {
    int16_t left, right;
} FastWeights;

/* Where the pixels of a level's rows come from: one entry for each column. */
typedef struct FastColumns {
    const int32_t *first;
    const FastWeights *weights;
} FastColumns;

/* Two rows of a level that one of the next is made of: fy of 256 parts of the lower one. */
typedef struct FastRowPair {
    const uint8_t *top, *bottom;
    int32_t width, fy;
} FastRowPair;

typedef struct FastHit {
    int32_t x, score; /* FAST score */
} FastHit;

typedef struct FastKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    /* Makes `width` pixels. `mixed` is scratch for from->width + FAST_MIXED_PADDING numbers. */
    void (*sample_row)(const FastRowPair *from, const FastColumns *columns, int32_t width,
                       int16_t *mixed, uint8_t *to);
    /* Corners of a row of a level that is FAST_BORDER rows from each edge at least, from left to
     * right; there is room for `width`. May read behind the end of the rows of the circle, not
     * behind the end of the level. Returns how many there are. */
    int32_t (*find_row)(const uint8_t *row, size_t stride, int32_t width, int32_t threshold,
                        FastHit *hits);
} FastKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const FastKernel fast_kernel_avx512;
extern const FastKernel fast_kernel_avx2;
extern const FastKernel fast_kernel_plain;
extern const FastKernel *const fast_kernels[]; /* NULL-terminated */

/* The first that this processor can run. */
const FastKernel *fast_kernel_best(void);

#endif
