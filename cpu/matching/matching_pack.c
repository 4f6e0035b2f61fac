#include "matching_pack.h"

#include <string.h>

enum {
    BLOCKS_AT_ONCE = 2,           /* of those of a vector kernel, at most */
    ALL_BYTES_OF_127 = 0x7F7F7F7F /* 127 - b in two's complement is b with these bits flipped */
};

size_t matching_padded_rows(const MatchingWork *work) {
    const size_t grain = (size_t)work->kernel->lanes * BLOCKS_AT_ONCE;
    return ((size_t)work->sets.b_count + grain - 1) / grain * grain;
}

static bool takes_products(const MatchingWork *work) {
    return work->kernel->products && work->sets.distance == MATCHING_L2;
}

/* One row of B into its lane. */
static void pack_row(const MatchingWork *work, size_t place, const uint8_t *row) {
    const size_t lanes = (size_t)work->kernel->lanes;
    const size_t words = (size_t)work->sets.bytes / sizeof(uint32_t);
    const uint32_t flip = takes_products(work) ? ALL_BYTES_OF_127 : 0;
    uint32_t *to = work->b_words + place / lanes * lanes * words + place % lanes;
    for (size_t w = 0; w < words; ++w) {
        uint32_t word = 0;
        memcpy(&word, row + w * sizeof word, sizeof word);
        to[w * lanes] = word ^ flip;
    }
}

/* Σv² + factor · Σv of a row's bytes v, where it stands in a key; modulo 2^32. */
static uint32_t offset_of(const MatchingWork *work, const uint8_t *row, uint32_t factor) {
    uint32_t sum = 0;
    if (takes_products(work)) {
        for (int32_t i = 0; i < work->sets.bytes; ++i) {
            sum += row[i] * (row[i] + factor);
        }
    }
    return sum << MATCHING_INDEX_BITS;
}

void matching_pack(const MatchingWork *work) {
    const MatchingSets *sets = &work->sets;
    const size_t padded = matching_padded_rows(work);
#pragma omp for schedule(static)
    for (int32_t i = 0; i < sets->a_count; ++i) {
        work->a_offsets[i] = offset_of(work, sets->a + (size_t)i * sets->stride, (uint32_t)-254);
    }
#pragma omp for schedule(static)
    for (size_t i = 0; i < padded; ++i) {
        const size_t last = (size_t)sets->b_count - 1;
        const uint8_t *row = sets->b + (i < last ? i : last) * sets->stride;
        pack_row(work, i, row);
        work->b_offsets[i] = offset_of(work, row, 0);
    }
}
