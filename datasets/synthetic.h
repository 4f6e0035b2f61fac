/*
 * Synthetic images. A kind is a function that fills one row; rows do not depend on each other, on
 * the image's height or on the number of threads, and all arithmetic is on integers, so a kind,
 * a size and a seed give the same bytes everywhere. A new kind is such a function and a table row.
 */
#ifndef DATASETS_SYNTHETIC_H
#define DATASETS_SYNTHETIC_H

#include <stdint.h>

#include "status.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SyntheticImage {
    int32_t width, height; /* pixels */
    uint64_t seed;
    uint64_t share;       /* of ones in binary images, in units of 2^-40 */
    unsigned dust_levels; /* how often a Cantor dust is cut */
} SyntheticImage;

/* Writes the `width` bytes of row y. */
typedef void SyntheticRow(const SyntheticImage *image, int32_t y, uint8_t *row);

SyntheticRow synthetic_texture_row;

/* One number per pixel: sides are at most 2^20, so rows never overlap. */
static inline uint64_t synthetic_position(int32_t x, int32_t y) {
    return (uint64_t)y << 20 | (uint64_t)x;
}

/*
 * Synthetic digits: strokes of the ten digits drawn by a shaky hand. All arithmetic is on integers,
 * so a label, a size and a seed give the same bytes everywhere.
 */

enum { SYNTHETIC_DIGIT_COUNT = 10 };

/* Draws `digit`, 0 … 9, white on black, into width × height pixels without padding. The seed
 * decides shape, place, pen and noise. Sides 1 to IMAGE_SET_SIDE_MAX; below 8 pixels little can be
 * recognised. */
void synthetic_digit_draw(int digit, uint64_t seed, int32_t width, int32_t height, uint8_t *pixels);

/*
 * Synthetic descriptors: two sets of rows of bytes to be matched. All arithmetic is on integers, so
 * a kind, a number and a seed give the same bytes everywhere.
 */

enum { SYNTHETIC_DESCRIPTOR_BYTES = 128, SYNTHETIC_DESCRIPTORS_MAX = 500000 };

/* Synthetic kinds, NULL-terminated: "pairs": rows at random in the first set; in the second, in
 * another order, 60 of 100 are rows of the first with each bit flipped with probability 1/8, the
 * others random. */
extern const char *const synthetic_descriptor_kinds[];

/* Two sets of `count` rows, 1 to SYNTHETIC_DESCRIPTORS_MAX, the first above the second, without
 * padding. STATUS_USAGE for an unknown kind or another number; STATUS_SKIP when memory is short.
 * Release with image_free. */
Status synthetic_descriptors(const char *kind, int32_t count, uint64_t seed, Image *rows);

#ifdef __cplusplus
}
#endif

#endif
