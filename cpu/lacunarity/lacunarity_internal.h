/* What the CPU variants of lacunarity share: exact sums, the interface of their kernels, axes and
 * files. */
#ifndef CPU_LACUNARITY_INTERNAL_H
#define CPU_LACUNARITY_INTERNAL_H

#include <stdint.h>
#include <stdio.h>

#include "axis.h"
#include "lacunarity.h"

/* === Moments ================================================================================== */

/* Σs and Σs² while they are being added up. Adding is exact on every compiler: 128-bit numbers are
 * two halves. */

typedef struct LacunarityMoments {
    uint64_t sum_s;
    uint64_t sum_s2_low, sum_s2_high;
} LacunarityMoments;

static inline void lacunarity_moments_add(LacunarityMoments *moments, uint64_t sum_s,
                                          uint64_t sum_s2_low, uint64_t sum_s2_high) {
    moments->sum_s += sum_s;
    moments->sum_s2_low += sum_s2_low;
    moments->sum_s2_high += sum_s2_high + (moments->sum_s2_low < sum_s2_low ? 1 : 0);
}

/* Adds one position: s is at most LACUNARITY_BOX_MAX², so that its square fits 64 bits. */
static inline void lacunarity_moments_add_position(LacunarityMoments *moments, uint64_t s) {
    lacunarity_moments_add(moments, s, s * s, 0);
}

/* === Kernels ================================================================================== */

/*
 * The sums of a band of positions, on one thread; what simd and omp are made of.
 *
 * The work for a position does not depend on the box side: from one row of positions to the next, a
 * row of pixels leaves all boxes and one enters.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls: all they need is in the band's scratch memory, whose contents do not matter before
 * the call.
 */

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

/* === Axes ===================================================================================== */

/*
 * The answer axes --box and --threshold.
 *
 * A value is a set that one cell computes: item('+'item)*, where an item is N, A..B, A..B:S or a
 * word: log (1, 2, 4, … up to half the shorter side) and paper (1 … half the shorter side) for
 * boxes, otsu for thresholds. "each:" before a set makes a cell of its own of each member.
 */

extern const Axis lacunarity_box_axis;
extern const Axis lacunarity_threshold_axis;

/* === Files ==================================================================================== */

/* The forms in which an answer is saved; see Algorithm.write_part and
 * Algorithm.write_table. */

/* threshold,box,positions,sum_s,sum_s2,lambda,lambda_normalised: sums exact, Λ empty where it is
 * undefined. */
Status lacunarity_write_part(FILE *stream, const Workload *workload, const Point *answer,
                             const Output *output, size_t part);

/* threshold,box,s,count for every mass that occurs. STATUS_FAIL when the counts do not add up to
 * the sums of the answer. */
Status lacunarity_write_table(FILE *stream, const Workload *workload, const Point *answer,
                              const Output *output);

#endif
