/* Numbers drawn at random: the same for a seed on every machine, up to the last bit of exp and cos
 * where those are asked for. */
#ifndef BENCH_DRAW_H
#define BENCH_DRAW_H

#include <math.h>
#include <stdint.h>

#include "seeded_draw.h"

/* A sequence of its own for each purpose and index, so that none has to be stored to go on. */
static inline Draw draw_start(uint64_t seed, uint64_t purpose, uint64_t index) {
    return (Draw){.seed = synthetic_hash(synthetic_hash(seed, purpose), index)};
}

static inline double draw_between(Draw *draw, double low, double high) {
    return low + (high - low) * draw_share(draw_number(draw));
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
