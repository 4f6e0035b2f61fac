/*
 * Random numbers from a seed. The sequences are the same on every machine: models, weights and
 * synthetic inputs depend on them.
 *
 *   random_at      any element of a sequence by its number: SplitMix64
 *   Draw           the elements of random_at one after the other
 *   Random         long sequences, for resampling: xoshiro256**, seeded by SplitMix64
 */
#ifndef BENCH_API_RANDOM_H
#define BENCH_API_RANDOM_H

#include <stdint.h>

#include "crossing.h"

/* --- SplitMix64 ------------------------------------------------------------------------------- */

/* Element `position` of the SplitMix64 sequence of that seed (Steele, Lea and Flood, 2014). */
static inline uint64_t random_at(uint64_t seed, uint64_t position) {
    uint64_t z = seed + (position + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

typedef struct Draw {
    uint64_t seed, count;
} Draw;

FIXED_SIZE(Draw, 16); /* WeightsKind.draw gets one */

static inline uint64_t draw_number(Draw *draw) {
    return random_at(draw->seed, draw->count++);
}

/* 0 … count − 1 */
static inline int32_t draw_below(Draw *draw, int32_t count) {
    return (int32_t)((draw_number(draw) >> 32) * (uint64_t)count >> 32);
}

/* Maps a number to 0 ≤ x < 1. */
static inline double draw_share(uint64_t number) {
    return (double)(number >> 11) / (double)(UINT64_C(1) << 53);
}

/* --- xoshiro256** ----------------------------------------------------------------------------- */

typedef struct Random {
    uint64_t state[4];
} Random;

static inline void random_seed(Random *random, uint64_t seed) {
    for (uint64_t i = 0; i < 4; i++) {
        random->state[i] = random_at(seed, i);
    }
}

static inline uint64_t random_rotate_left(uint64_t value, int bits) {
    return (value << bits) | (value >> (64 - bits));
}

/* By Blackman and Vigna (2018). */
static inline uint64_t random_bits(Random *random) {
    uint64_t *s = random->state;
    const uint64_t result = random_rotate_left(s[1] * 5, 7) * 9;
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = random_rotate_left(s[3], 45);
    return result;
}

/* Uniform in the open interval (0, 1): multiples of 2^-52 plus half a step, so never 0 or 1. */
static inline double random_unit(Random *random) {
    return ((double)(random_bits(random) >> 12) + 0.5) / (double)(UINT64_C(1) << 52);
}

#endif
