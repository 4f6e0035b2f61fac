/* Numbers drawn one after the other from synthetic_hash: the same for a seed on every machine. */
#ifndef DATASETS_SEEDED_DRAW_H
#define DATASETS_SEEDED_DRAW_H

#include "synthetic_rows.h"

typedef struct Draw {
    uint64_t seed, count;
} Draw;

static inline uint64_t draw_number(Draw *draw) {
    return synthetic_hash(draw->seed, draw->count++);
}

/* 0 … count − 1 */
static inline int32_t draw_below(Draw *draw, int32_t count) {
    return (int32_t)((draw_number(draw) >> 32) * (uint64_t)count >> 32);
}

/* From 0 to below 1, from one number. */
static inline double draw_share(uint64_t number) {
    return (double)(number >> 11) / (double)(UINT64_C(1) << 53);
}

#endif
