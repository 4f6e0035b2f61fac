/*
 * Counting of bins in the compiler's generic vectors. The including file defines
 *   LBP_RIU_LANES   bytes in a vector, at most LBP_RIU_GRAIN
 *   LBP_RIU_TARGET  attribute that selects the instruction set, or nothing
 * and gets the function count_bins.
 *
 * There are so few bins that comparing a vector with each of them is faster than a table of
 * counters, which takes one increment a cycle; and images of one bin take no longer than others.
 */
#include <string.h>

#include "lbp_riu_internal.h"

typedef uint8_t Bytes __attribute__((vector_size(LBP_RIU_LANES)));

enum { BINS_AT_ONCE = 4 };

/* Lanes hold up to 255. */
_Static_assert(LBP_RIU_BLOCK_MAX / LBP_RIU_LANES <= 255, "lanes would overflow");

static inline LBP_RIU_TARGET uint64_t sum_of_lanes(Bytes counts) {
    uint64_t sum = 0;
    for (int lane = 0; lane < LBP_RIU_LANES; lane++) {
        sum += counts[lane];
    }
    return sum;
}

static LBP_RIU_TARGET void count_bins(const uint8_t *bins, int32_t count, int points,
                                      uint64_t *histogram) {
    for (int first = 0; first < points + 2; first += BINS_AT_ONCE) {
        Bytes counts[BINS_AT_ONCE] = {{0}};
        for (int32_t x = 0; x < count; x += LBP_RIU_LANES) {
            Bytes vector;
            memcpy(&vector, bins + x, sizeof vector);
            for (int i = 0; i < BINS_AT_ONCE; i++) {
                counts[i] -= (Bytes)(vector == (uint8_t)(first + i));
            }
        }
        for (int i = 0; i < BINS_AT_ONCE && first + i < points + 2; i++) {
            histogram[first + i] += sum_of_lanes(counts[i]);
        }
    }
}
