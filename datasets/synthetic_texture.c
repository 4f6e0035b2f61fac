/*
 * Texture: the load that a natural image puts on an algorithm, generated. Two sums of value noise
 * (a lattice of hashed values, smoothly interpolated) over octaves of cell sides:
 *
 *  - detail: cells of 1 to 512 pixels; each coarser octave is 1.12 times as strong, so power falls
 *    with frequency as it does in natural images;
 *  - regions: cells of 32 to 256 pixels, cut into levels, each level with its own grey: the borders
 *    between levels are sharp edges.
 *
 * Sizes are in pixels and not in shares of the image: a larger size shows more of the same plane,
 * with the same statistics.
 */
#include <stddef.h>
#include <string.h>

#include "random.h"
#include "synthetic.h"

enum {
    CHUNK = 1024, /* pixels treated at once; their sums stay in the first-level cache */
    OCTAVES = 10, /* cell sides 2^0 … 2^9 */
    SMALL_CELL_SHIFT = 2,
    SMALL_CELL = 1 << SMALL_CELL_SHIFT,
    WEIGHT_BITS = 16,
    LATTICE_ONE = 256,      /* interpolation between lattice rows: weights 0 … 256 */
    DETAIL_STRENGTHS = 701, /* sum of detail_strengths */
    DETAIL_MEAN = 32640,    /* sums are in units of 1/256 grey level */
    DETAIL_GAIN = 2,        /* averaging octaves narrows their spread */
    REGION_STRENGTHS = 320, /* sum of region_strengths */
    LEVEL_STEP = 16 * 256,  /* region sums per level */
    LEVELS = 65536 / LEVEL_STEP,
    CONTRAST_MIN = 8, /* distance of a level from mid-grey: 8 … 39 */
    CONTRAST_RANGE = 32,
    MID_GREY = 128
};

/* How much the octave of cells of 2^s pixels counts; 0 leaves it out. */
static const uint16_t detail_strengths[OCTAVES] = {40, 45, 50, 56, 63, 70, 79, 88, 99, 111};
static const uint16_t region_strengths[OCTAVES] = {[5] = 32, [6] = 64, [7] = 96, [8] = 128};

/* A byte for a lattice point. 32-bit multiplications only, so that compilers vectorise it. */
static uint32_t lattice_value(uint32_t seed, uint32_t x, uint32_t y) {
    uint32_t z = seed ^ (x * UINT32_C(0x9e3779b1)) ^ (y * UINT32_C(0x85ebca77));
    z = (z ^ (z >> 15)) * UINT32_C(0x2c1b3c6d);
    z = (z ^ (z >> 12)) * UINT32_C(0x297a2d39);
    return z >> 24;
}

/* 3t² − 2t³ at t = place / 2^shift, in units of 2^-16. */
static uint16_t smooth_weight(uint32_t place, unsigned shift) {
    const uint64_t t = ((uint64_t)place << WEIGHT_BITS) >> shift;
    return (uint16_t)((t * t * ((UINT64_C(3) << WEIGHT_BITS) - 2 * t)) >> (2 * WEIGHT_BITS));
}

/* Lattice values along a row, between the lattice rows above and below it, times share / 2^16. */
static void lattice_row(uint32_t seed, uint32_t x, uint32_t y, uint32_t weight, uint32_t share,
                        uint32_t count, uint16_t *values) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = lattice_value(seed, x + i, y) * (LATTICE_ONE - weight);
        if (weight != 0) {
            value += lattice_value(seed, x + i, y + 1) * weight;
        }
        values[i] = (uint16_t)((value * share) >> 16);
    }
}

/* Products keep their upper halves: 16-bit arithmetic treats most pixels per instruction. */
static uint16_t blend(uint16_t left, uint16_t right, uint16_t weight) {
    const uint16_t rest = (uint16_t)(UINT16_MAX - weight);
    return (uint16_t)((((uint32_t)left * rest) >> 16) + (((uint32_t)right * weight) >> 16));
}

/* Cells of one pixel: nothing to interpolate. */
static void add_pixels(const uint16_t *restrict values, uint32_t count, uint16_t *restrict sums) {
    for (uint32_t i = 0; i < count; i++) {
        sums[i] = (uint16_t)(sums[i] + blend(values[i], 0, 0));
    }
}

/* Cells of `side` pixels, a constant: their values are spread over the pixels first, so that all of
 * it is done for many pixels per instruction. A loop per cell would cost more than its pixels. */
static inline void add_spread_cells(const uint16_t *restrict values,
                                    const uint16_t *restrict weights, size_t side, size_t offset,
                                    size_t count, uint16_t *restrict sums) {
    uint16_t left[CHUNK + 2 * SMALL_CELL], right[CHUNK + 2 * SMALL_CELL];
    uint16_t own[CHUNK + 2 * SMALL_CELL];
    const size_t cells = (offset + count - 1) / side + 1;
    for (size_t cell = 0; cell < cells; cell++) {
        for (size_t i = 0; i < side; i++) {
            left[cell * side + i] = values[cell];
            right[cell * side + i] = values[cell + 1];
            own[cell * side + i] = weights[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        const size_t place = offset + i;
        sums[i] = (uint16_t)(sums[i] + blend(left[place], right[place], own[place]));
    }
}

static void add_small_cells(const uint16_t *values, const uint16_t *weights, unsigned shift,
                            size_t offset, size_t count, uint16_t *sums) {
    if (shift == 1) {
        add_spread_cells(values, weights, SMALL_CELL / 2, offset, count, sums);
    } else {
        add_spread_cells(values, weights, SMALL_CELL, offset, count, sums);
    }
}

/* One cell or a part of it. */
static void add_blend(uint16_t left, uint16_t right, const uint16_t *restrict weights,
                      uint32_t count, uint16_t *restrict sums) {
    for (uint32_t i = 0; i < count; i++) {
        sums[i] = (uint16_t)(sums[i] + blend(left, right, weights[i]));
    }
}

static void add_large_cells(const uint16_t *values, const uint16_t *weights, unsigned shift,
                            uint32_t offset, uint32_t count, uint16_t *sums) {
    const uint32_t side = UINT32_C(1) << shift;
    for (uint32_t begin = offset; count > 0; begin = 0) {
        const uint32_t length = side - begin < count ? side - begin : count;
        add_blend(values[0], values[1], weights + begin, length, sums);
        values++;
        sums += length;
        count -= length;
    }
}

/* SmoothWeights of cells of side 2^s are at [2^s], one for each place in a cell. */
typedef struct SmoothWeights {
    uint16_t of[1u << OCTAVES];
} SmoothWeights;

static void weights_fill(SmoothWeights *weights) {
    for (unsigned shift = 0; shift < OCTAVES; shift++) {
        const uint32_t side = UINT32_C(1) << shift;
        for (uint32_t i = 0; i < side; i++) {
            weights->of[side + i] = smooth_weight(i, shift);
        }
    }
}

static void add_octave(uint32_t seed, const SmoothWeights *weights, unsigned shift, uint32_t share,
                       uint32_t x, uint32_t y, uint32_t count, uint16_t *sums) {
    uint16_t values[CHUNK + 2];
    const uint32_t side = UINT32_C(1) << shift;
    const uint16_t *own = weights->of + side;
    const uint32_t offset = x & (side - 1);
    const uint32_t cells = (offset + count - 1) / side + 1;
    const uint32_t down = (uint32_t)own[y & (side - 1)] * LATTICE_ONE >> WEIGHT_BITS;
    lattice_row(seed, x >> shift, y >> shift, down, share, cells + 1, values);
    if (shift == 0) {
        add_pixels(values, count, sums);
    } else if (shift <= SMALL_CELL_SHIFT) {
        add_small_cells(values, own, shift, offset, count, sums);
    } else {
        add_large_cells(values, own, shift, offset, count, sums);
    }
}

/* Sums of octaves for `count` pixels from (x, y), in units of 1/256 grey level. The shares of the
 * octaves add up to at most 2^16, so 16 bits hold the sums. */
static void add_octaves(const uint16_t strengths[OCTAVES], uint32_t total,
                        const SmoothWeights *weights, uint64_t seed, int32_t x, int32_t y,
                        uint32_t count, uint16_t *sums) {
    memset(sums, 0, count * sizeof *sums);
    for (unsigned shift = 0; shift < OCTAVES; shift++) {
        if (strengths[shift] != 0) {
            /* Lattices are moved apart, or their lines would show where all of them meet. */
            const uint64_t random = random_at(seed, shift);
            const uint32_t move = (uint32_t)(random >> 32) & 0xffff;
            const uint32_t share = ((uint32_t)strengths[shift] << 16) / total;
            add_octave((uint32_t)random, weights, shift, share, (uint32_t)x + move,
                       (uint32_t)y + move, count, sums);
        }
    }
}

/* Neighbouring levels are on different sides of mid-grey, so that every border is an edge. */
static void region_greys(uint64_t seed, int32_t greys[LEVELS]) {
    for (int32_t level = 0; level < LEVELS; level++) {
        const uint64_t random = random_at(seed, (uint64_t)level);
        const int32_t distance = CONTRAST_MIN + (int32_t)(random % CONTRAST_RANGE);
        greys[level] = level % 2 == 0 ? MID_GREY - distance : MID_GREY + distance;
    }
}

static uint8_t pixel_of(uint16_t detail, uint16_t region, const int32_t greys[LEVELS]) {
    const int32_t spread = (int32_t)detail - DETAIL_MEAN;
    const int32_t grey = greys[region / LEVEL_STEP] + spread * DETAIL_GAIN / 256;
    return (uint8_t)(grey < 0 ? 0 : grey > UINT8_MAX ? UINT8_MAX : grey);
}

void synthetic_texture_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    const uint64_t detail_seed = random_at(image->seed, 0);
    const uint64_t region_seed = random_at(image->seed, 1);
    SmoothWeights weights;
    weights_fill(&weights);
    int32_t greys[LEVELS];
    region_greys(random_at(image->seed, 2), greys);
    for (int32_t x = 0; x < image->width; x += CHUNK) {
        const int32_t left = image->width - x;
        const uint32_t count = left < CHUNK ? (uint32_t)left : (uint32_t)CHUNK;
        uint16_t detail[CHUNK];
        uint16_t region[CHUNK];
        add_octaves(detail_strengths, DETAIL_STRENGTHS, &weights, detail_seed, x, y, count, detail);
        add_octaves(region_strengths, REGION_STRENGTHS, &weights, region_seed, x, y, count, region);
        for (uint32_t i = 0; i < count; i++) {
            row[x + (int32_t)i] = pixel_of(detail[i], region[i], greys);
        }
    }
}
