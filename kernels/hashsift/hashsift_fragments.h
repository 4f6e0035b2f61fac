/*
 * Fragments: B in the order in which the matrix units of a warp read it, in two numbers of 16 bits.
 *
 * Values are whole numbers up to 255, which halves hold exactly. A factor of B does not fit a half:
 * it is the sum of two, `high` and `low`, to 22 bits. Each row of B is multiplied by a power of two
 * that puts its largest factor (or bias) near 2^10, where halves are precise; the sign of the
 * response, all that is asked for, stays the same.
 */
#ifndef KERNELS_HASHSIFT_FRAGMENTS_H
#define KERNELS_HASHSIFT_FRAGMENTS_H

#include <stdint.h>

#include "hashsift.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FRAGMENT_BITS = 8,    /* rows of B in a tile */
    FRAGMENT_VALUES = 16, /* factors of each that are multiplied at once */
    FRAGMENT_STEPS = HASHSIFT_VALUES / FRAGMENT_VALUES,
    FRAGMENT_LANES = 32
};

/* What a lane reads of a tile: four factors of row lane / 4, in pairs: those with numbers
 * 2·(lane mod 4) and one more, and those 8 further. Halves, the first in the low bits. */
typedef struct Fragment {
    uint32_t high[2], low[2];
} Fragment;

typedef struct Fragments {
    Fragment *fragments; /* [bits / 8][FRAGMENT_STEPS][FRAGMENT_LANES] */
    float *bias;         /* [bits], times the row's power of two */
} Fragments;

static inline size_t fragments_count(int32_t bits) {
    return (size_t)bits / FRAGMENT_BITS * FRAGMENT_STEPS * FRAGMENT_LANES;
}

/* Fills both arrays, in host memory. */
void fragments_fill(const Weights *weights, const Fragments *fragments);

#ifdef __cplusplus
}
#endif

#endif
