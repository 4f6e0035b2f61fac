/*
 * lacunarity_rows: the sums of a band of positions, on one thread; what simd and omp are made of.
 *
 * The work for a position does not depend on the box side: from one row of positions to the next, a
 * row of pixels leaves all boxes and one enters.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls: all they need is in the band's scratch memory, whose contents do not matter before
 * the call.
 */
#ifndef CPU_LACUNARITY_ROWS_H
#define CPU_LACUNARITY_ROWS_H

#include "lacunarity.h"
#include "lacunarity_moments.h"

enum { LACUNARITY_SCRATCH_ALIGNMENT = 64 };

typedef struct LacunarityBand {
    const Image *image;
    int threshold;
    int32_t box;
    int32_t first, last; /* rows of positions first ≤ y < last, at least one */
    /* The object pixels of each of the image's columns in the rows of the first boxes, first ≤ y <
     * first + box. Overwritten. */
    uint16_t *columns;
    void *scratch; /* scratch_bytes(width), aligned to LACUNARITY_SCRATCH_ALIGNMENT */
} LacunarityBand;

typedef struct LacunarityKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    size_t (*scratch_bytes)(int32_t width);
    /* Adds the object pixels in rows first ≤ y < last of each column to `columns`, modulo 2^16. */
    void (*count_rows)(const Image *image, int threshold, int32_t first, int32_t last,
                       uint16_t *columns);
    /* Adds the sums of the band's positions. */
    void (*process)(const LacunarityBand *band, LacunarityMoments *moments);
} LacunarityKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const LacunarityKernel lacunarity_kernel_avx512;
extern const LacunarityKernel lacunarity_kernel_avx2;
extern const LacunarityKernel lacunarity_kernel_plain;
extern const LacunarityKernel *const lacunarity_kernels[]; /* NULL-terminated */

/* The first kernel of the list that this processor can run. */
const LacunarityKernel *lacunarity_kernel_best(void);

#endif
