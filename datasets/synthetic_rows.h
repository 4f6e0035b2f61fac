/*
 * Synthetic images. A kind is a function that fills one row; rows do not depend on each other, on
 * the picture's height or on the number of threads, and all arithmetic is on integers, so a kind,
 * a size and a seed give the same bytes everywhere. A new kind is such a function and a table row.
 */
#ifndef DATASETS_SYNTHETIC_ROWS_H
#define DATASETS_SYNTHETIC_ROWS_H

#include <stdint.h>

typedef struct SyntheticImage {
    int32_t width, height; /* pixels */
    uint64_t seed;
    uint64_t share;       /* of ones in binary pictures, in units of 2^-40 */
    unsigned dust_levels; /* how often a Cantor dust is cut */
} SyntheticImage;

/* Share of ones of the binary kinds when none was asked for, and how often a dust is cut then. */
void synthetic_own_density(SyntheticImage *image);
/* `density` above 0 and up to 1. A dust is cut as often as comes nearest to it. */
void synthetic_set_density(SyntheticImage *image, double density);

/* Writes the `width` bytes of row y. */
typedef void SyntheticRow(const SyntheticImage *image, int32_t y, uint8_t *row);

SyntheticRow synthetic_texture_row;

/* Binary pictures (0 and 255), see synthetic_dots.c. */
SyntheticRow synthetic_random_row;
SyntheticRow synthetic_even_row;
SyntheticRow synthetic_clustered_row;
SyntheticRow synthetic_cantor_row;

/* One number per pixel: sides are at most 2^20, so rows never overlap. */
static inline uint64_t synthetic_position(int32_t x, int32_t y) {
    return (uint64_t)y << 20 | (uint64_t)x;
}

#endif
