/*
 * fast9_kernel: the work on rows of pixels that simd and omp are made of, on one thread.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls.
 */
#ifndef CPU_FAST9_KERNEL_H
#define CPU_FAST9_KERNEL_H

#include <stdbool.h>

#include "fast9.h"

enum {
    FAST9_COLUMNS_AT_ONCE = 16, /* of Fast9Columns: there are entries for a multiple of it */
    FAST9_MIXED_PADDING = 33    /* entries of mixed pixels behind those of the row's width */
};

/* How much of the pixel at `first` and of the one right of it, out of 256, make a pixel. */
typedef struct Fast9Weights {
    int16_t left, right;
} Fast9Weights;

/* Where the pixels of a level's rows come from: one entry for each column. */
typedef struct Fast9Columns {
    const int32_t *first;
    const Fast9Weights *weights;
} Fast9Columns;

/* Two rows of a level that one of the next is made of: fy of 256 parts of the lower one. */
typedef struct Fast9RowPair {
    const uint8_t *top, *bottom;
    int32_t width, fy;
} Fast9RowPair;

typedef struct Fast9Hit {
    int32_t x, score; /* FAST score */
} Fast9Hit;

typedef struct Fast9Kernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    /* Makes `width` pixels. `mixed` is scratch for from->width + FAST9_MIXED_PADDING numbers. */
    void (*sample_row)(const Fast9RowPair *from, const Fast9Columns *columns, int32_t width,
                       int16_t *mixed, uint8_t *to);
    /* Corners of a row of a level that is FAST9_BORDER rows from each edge at least, from left to
     * right; there is room for `width`. May read behind the end of the rows of the circle, not
     * behind the end of the level. Returns how many there are. */
    int32_t (*find_row)(const uint8_t *row, size_t stride, int32_t width, int32_t threshold,
                        Fast9Hit *hits);
} Fast9Kernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const Fast9Kernel fast9_kernel_avx512;
extern const Fast9Kernel fast9_kernel_avx2;
extern const Fast9Kernel fast9_kernel_plain;
extern const Fast9Kernel *const fast9_kernels[]; /* NULL-terminated */

/* The first that this processor can run. */
const Fast9Kernel *fast9_kernel_best(void);

#endif
