/* matching in plain C, for any processor: rows of B are blocks of one. */
#include <string.h>

#include "cpu_features.h"
#include "matching_internal.h"

static inline uint64_t hamming_distance(const uint8_t *left, const uint8_t *right, int32_t bytes) {
    uint64_t sum = 0;
    for (int32_t i = 0; i < bytes; i += (int32_t)sizeof(uint64_t)) {
        uint64_t a = 0;
        uint64_t b = 0;
        memcpy(&a, left + i, sizeof a);
        memcpy(&b, right + i, sizeof b);
        sum += (uint64_t)__builtin_popcountll(a ^ b);
    }
    return sum;
}

static inline uint64_t l2_distance(const uint8_t *left, const uint8_t *right, int32_t bytes) {
    int32_t sum = 0;
    for (int32_t i = 0; i < bytes; i++) {
        const int32_t difference = left[i] - right[i];
        sum += difference * difference;
    }
    return (uint64_t)sum;
}

static inline void match(const MatchingTile *tile,
                         uint64_t (*distance)(const uint8_t *, const uint8_t *, int32_t)) {
    const MatchingSets *sets = tile->sets;
    const uint8_t *b_rows = (const uint8_t *)tile->b_words;
    for (int32_t a = 0; a < tile->a_count; a++) {
        const uint8_t *row = sets->a + (size_t)(tile->a_first + a) * sets->stride;
        for (int32_t b = 0; b < tile->b_count; b++) {
            const uint64_t found =
                distance(row, b_rows + (size_t)b * (size_t)sets->bytes, sets->bytes);
            const Nearest of_a = matching_nearest(found, tile->b_first + b);
            const Nearest of_b = matching_nearest(found, tile->a_first + a);
            tile->a_nearest[a] = of_a < tile->a_nearest[a] ? of_a : tile->a_nearest[a];
            tile->b_nearest[b] = of_b < tile->b_nearest[b] ? of_b : tile->b_nearest[b];
        }
    }
}

static void hamming(const MatchingTile *tile) {
    match(tile, hamming_distance);
}

static void l2(const MatchingTile *tile) {
    match(tile, l2_distance);
}

const MatchingKernel matching_kernel_plain = {
    .name = "plain",
    .supported = cpu_any,
    .lanes = 1,
    .hamming = hamming,
    .l2 = l2,
};

CPU_KERNELS(MatchingKernel, matching_kernels, matching_kernel_best, &matching_kernel_avx512,
            &matching_kernel_avx2, &matching_kernel_plain)
