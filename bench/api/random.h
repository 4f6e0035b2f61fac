/*
 * Random numbers from a seed: the same sequences on every machine, which models, weights and
 * synthetic inputs depend on.
 *
 *   random_at      numbered places of a sequence, in any order: SplitMix64
 *   Draw           the places of random_at one after the other
 *   Random         long sequences, as resampling takes them: xoshiro256**, seeded by SplitMix64
 */
#ifndef BENCH_API_RANDOM_H
#define BENCH_API_RANDOM_H

#include <stdint.h>

/* --- SplitMix64 ------------------------------------------------------------------------------- */

/* A well mixed number for each (seed, position): the SplitMix64 sequence of Steele, Lea and Flood
 * (2014) read at any place. */
static inline uint64_t random_at(uint64_t seed, uint64_t position) {
    uint64_t z = seed + (position + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

typedef struct Draw {
    uint64_t seed, count;
} Draw;

static inline uint64_t draw_number(Draw *draw) {
    return random_at(draw->seed, draw->count++);
}

/* 0 … count − 1 */
static inline int32_t draw_below(Draw *draw, int32_t count) {
    return (int32_t)((draw_number(draw) >> 32) * (uint64_t)count >> 32);
}

/* From 0 to below 1, from one number. */
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

/* Uniform in the open interval (0, 1): half a step above the lattice of 2^-52, so that neither 0
 * nor 1 can come out. */
static inline double random_unit(Random *random) {
    return ((double)(random_bits(random) >> 12) + 0.5) / (double)(UINT64_C(1) << 52);
}

#endif
