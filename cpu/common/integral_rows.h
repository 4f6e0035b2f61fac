/* Rows of summed-area tables: the interface of the kernels of integral. */
#ifndef CPU_COMMON_INTEGRAL_ROWS_H
#define CPU_COMMON_INTEGRAL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload.h"

/*
 * Entries of a band of rows, on one thread; what simd and omp are made of.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls.
 */

typedef struct IntegralBand {
    const Image *image;
    int32_t first, last; /* rows of the image first ≤ y < last, which are table rows y + 1 */
    void *table;         /* of the whole image: only the band's rows are written */
    size_t pitch;        /* entries from one row of the table to the next, more than the width */
    void *above; /* `width` entries: 1 … width of table row `first`, afterwards of `last` */
    bool stream; /* stores may bypass the cache; they are complete on return */
} IntegralBand;

/* The work for entries of one size; `row` and `above` are entries of that size. */
typedef struct IntegralWork {
    void (*fill)(const IntegralBand *band);
    /* Adds the pixels of the band's rows to `above`, column by column. */
    void (*add_columns)(const IntegralBand *band);
    /* Adds to each entry those before it. */
    void (*add_along)(void *row, int32_t width);
} IntegralWork;

typedef struct IntegralKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    IntegralWork sums_32, sums_64;
} IntegralKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const IntegralKernel integral_kernel_avx512;
extern const IntegralKernel integral_kernel_avx2;
extern const IntegralKernel integral_kernel_plain;
extern const IntegralKernel *const integral_kernels[]; /* NULL-terminated */

/* The first kernel of the list that this processor can run. */
const IntegralKernel *integral_kernel_best(void);

static inline const IntegralWork *integral_work(const IntegralKernel *kernel, int bits) {
    return bits == 64 ? &kernel->sums_64 : &kernel->sums_32;
}

#endif
