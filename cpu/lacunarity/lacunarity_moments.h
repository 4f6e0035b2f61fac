/* Σs and Σs² while they are being added up. Adding is exact on every compiler: 128-bit numbers are
 * two halves. */
#ifndef CPU_LACUNARITY_MOMENTS_H
#define CPU_LACUNARITY_MOMENTS_H

#include <stdint.h>

typedef struct LacunarityMoments {
    uint64_t sum_s;
    uint64_t sum_s2_low, sum_s2_high;
} LacunarityMoments;

static inline void lacunarity_moments_add(LacunarityMoments *moments, uint64_t sum_s,
                                          uint64_t sum_s2_low, uint64_t sum_s2_high) {
    moments->sum_s += sum_s;
    moments->sum_s2_low += sum_s2_low;
    moments->sum_s2_high += sum_s2_high + (moments->sum_s2_low < sum_s2_low ? 1 : 0);
}

/* Adds one position: s is at most LACUNARITY_BOX_MAX², so that its square fits 64 bits. */
static inline void lacunarity_moments_add_position(LacunarityMoments *moments, uint64_t s) {
    lacunarity_moments_add(moments, s, s * s, 0);
}

#endif
