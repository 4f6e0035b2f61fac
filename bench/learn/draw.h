/* Numbers drawn at random: the same for a seed on every machine, up to the last bit of exp and cos
 * where those are asked for. */
#ifndef BENCH_DRAW_H
#define BENCH_DRAW_H

#include <math.h>
#include <stdint.h>

#include "synthetic_rows.h"

typedef struct Draw {
    uint64_t seed, count;
} Draw;

/* A sequence of its own for each purpose and index, so that none has to be stored to go on. */
static inline Draw draw_start(uint64_t seed, uint64_t purpose, uint64_t index) {
    return (Draw){.seed = synthetic_hash(synthetic_hash(seed, purpose), index)};
}

static inline uint64_t draw_number(Draw *draw) {
    return synthetic_hash(draw->seed, draw->count++);
}

/* 0 … count − 1 */
static inline int32_t draw_below(Draw *draw, int32_t count) {
    return (int32_t)((draw_number(draw) >> 32) * (uint64_t)count >> 32);
}

static inline double draw_between(Draw *draw, double low, double high) {
    return low + (high - low) * ((double)(draw_number(draw) >> 11) / (double)(UINT64_C(1) << 53));
}

/* Factors, evenly on a logarithmic scale. */
static inline double draw_factor(Draw *draw, double low, double high) {
    return exp(draw_between(draw, log(low), log(high)));
}

/* Mean 0, deviation 1: the sum of 12 uniform numbers, which never exceeds 6. */
static inline double draw_normal(Draw *draw) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += draw_between(draw, 0, 1);
    }
    return sum;
}

#endif
