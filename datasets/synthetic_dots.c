/*
 * The four arrangements of ones of the lacunarity study's Fig. 1: random, even, clustered, and a
 * random Cantor dust; 255 on 0. The study compares them with the same number of ones, so that they
 * agree for boxes of one pixel and differ only by arrangement. Here all four have the same expected
 * share of ones at the same size: (3/4)^L, L being the least number with 2^L ≥ both sides. That is
 * the dust's share, carried down to single pixels: 7.5% at 512×512, 1.8% at 15360×8640.
 */
#include "synthetic.h"

enum { CLUSTER_SIDE = 64 };

static unsigned dust_levels(const SyntheticImage *image) {
    unsigned levels = 0;
    while (INT64_C(1) << levels < image->width || INT64_C(1) << levels < image->height) {
        ++levels;
    }
    return levels;
}

/* The share of ones in units of 2^-40: (3/4)^L = 3^L · 2^(40 − 2L), exact for L ≤ 20. */
static uint64_t share_of_ones(const SyntheticImage *image) {
    const unsigned levels = dust_levels(image);
    uint64_t share = UINT64_C(1) << (40 - 2 * levels);
    for (unsigned i = 0; i < levels; ++i) {
        share *= 3;
    }
    return share;
}

static uint8_t is_one(uint64_t random, uint64_t share) {
    return random >> 24 < share ? UINT8_MAX : 0;
}

/* Every pixel on its own. */
void synthetic_random_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    const uint64_t share = share_of_ones(image);
    for (int32_t x = 0; x < image->width; ++x) {
        row[x] = is_one(synthetic_hash(image->seed, synthetic_position(x, y)), share);
    }
}

/* As even as can be: the additive sequence x·a + y·b modulo 1 with a = 1/g, b = 1/g², g the real
 * root of g³ = g + 1 (Roberts' R2 sequence), compared with the share. Its ones form nearly a
 * lattice. The seed moves it. */
void synthetic_even_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    const uint64_t share = share_of_ones(image);
    uint64_t phase = synthetic_hash(image->seed, 0) + (uint64_t)y * UINT64_C(0x91e10da5c79e7b1d);
    for (int32_t x = 0; x < image->width; ++x) {
        row[x] = is_one(phase, share);
        phase += UINT64_C(0xc13fa9a902a6328f);
    }
}

/* Of every 2×2 squares of 64×64 pixels one has all the ones, four times as dense, at random. */
void synthetic_clustered_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    const uint64_t places = synthetic_hash(image->seed, 0);
    const uint64_t pixels = synthetic_hash(image->seed, 1);
    const uint64_t share = 4 * share_of_ones(image);
    const int32_t square_y = y / CLUSTER_SIDE;
    for (int32_t x = 0; x < image->width; ++x) {
        const int32_t square_x = x / CLUSTER_SIDE;
        const uint64_t chosen =
            synthetic_hash(places, synthetic_position(square_x / 2, square_y / 2)) % 4;
        const uint64_t own = (uint64_t)(square_x % 2 + 2 * (square_y % 2));
        row[x] =
            own == chosen ? is_one(synthetic_hash(pixels, synthetic_position(x, y)), share) : 0;
    }
}

/* Random Cantor dust: the square of side 2^L is cut into quarters and one of them, at random, is
 * taken away; the same with every quarter that is left, down to pixels. Dimension log 3 / log 2. */
void synthetic_cantor_row(const SyntheticImage *image, int32_t y, uint8_t *row) {
    const unsigned levels = dust_levels(image);
    int32_t x = 0;
    while (x < image->width) {
        unsigned shift = levels; /* the square at (x >> shift, y >> shift) is still there */
        uint64_t removed = 4;
        uint64_t own = 0;
        while (shift > 0 && removed != own) {
            const uint64_t square = synthetic_position(x >> shift, y >> shift);
            removed = synthetic_hash(image->seed + shift, square) % 4;
            --shift;
            own = (uint64_t)((x >> shift & 1) + 2 * (y >> shift & 1));
        }
        const uint8_t value = removed == own ? 0 : UINT8_MAX;
        const int32_t end = ((x >> shift) + 1) << shift;
        for (; x < end && x < image->width; ++x) {
            row[x] = value;
        }
    }
}
