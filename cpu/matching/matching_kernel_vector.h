/*
 * The work of matching_internal.h in terms of a few vector operations. Included once by each
 * kernel, which has defined MATCHING_TARGET     attributes of functions that use its instruction
 * set Vector, LANES       LANES numbers of 32 bits BLOCKS              of LANES rows of B that are
 * worked on at once L2_SHIFT            of what add_squares sums up, to make a distance the upper
 * part of a key load, store, add_32         as in simd_avx2.h spread, shift_left, smallest
 * (unsigned) lane_numbers        0, 1, 2, … add_bits            to a sum, what the bits that differ
 * in two vectors of words count add_squares         to a sum, what two vectors of four bytes each
 * add to it start_bits, finish_bits   around MATCHING_WORDS_AT_ONCE words of add_bits: from a
 * distance to such a sum, and from that and the distance before to the next one
 */
#include <string.h>

#define MATCHING_FORCE_INLINE static inline __attribute__((always_inline)) MATCHING_TARGET

enum { ROWS = MATCHING_ROWS_AT_ONCE };

/* Some rows of A, and what is nearest to them: rows behind the last one repeat it. */
typedef struct Group {
    const uint8_t *rows[ROWS];
    int32_t numbers[ROWS]; /* in the tile */
    Vector keys[ROWS];     /* the smallest so far of every lane */
} Group;

MATCHING_FORCE_INLINE Group take_group(const MatchingTile *tile, int32_t first) {
    Group group;
    for (int32_t r = 0; r < ROWS; r++) {
        const int32_t number = first + r < tile->a_count ? first + r : tile->a_count - 1;
        group.numbers[r] = number;
        group.rows[r] = tile->sets->a + (size_t)(tile->a_first + number) * tile->sets->stride;
        group.keys[r] = spread(UINT32_MAX);
    }
    return group;
}

MATCHING_FORCE_INLINE uint32_t word_at(const uint8_t *row, int32_t index) {
    uint32_t word = 0;
    memcpy(&word, row + (size_t)index * sizeof word, sizeof word);
    return word;
}

/* Sums of all words of ROWS rows with those of BLOCKS blocks. */
MATCHING_FORCE_INLINE void sum_words(const Group *group, const uint32_t *b_words, int32_t words,
                                     bool l2, Vector sums[ROWS][BLOCKS]) {
    for (int32_t first = 0; first < words; first += MATCHING_WORDS_AT_ONCE) {
        Vector parts[ROWS][BLOCKS];
        for (int i = 0; i < ROWS * BLOCKS; i++) {
            parts[i / BLOCKS][i % BLOCKS] =
                l2 ? sums[i / BLOCKS][i % BLOCKS] : start_bits(sums[i / BLOCKS][i % BLOCKS]);
        }
        for (int32_t w = first; w < first + MATCHING_WORDS_AT_ONCE; w++) {
            for (int i = 0; i < ROWS * BLOCKS; i++) {
                const Vector a = spread(word_at(group->rows[i / BLOCKS], w));
                const Vector b = load(b_words + (i % BLOCKS * words + w) * LANES);
                Vector *part = &parts[i / BLOCKS][i % BLOCKS];
                *part = l2 ? add_squares(*part, a, b) : add_bits(*part, a, b);
            }
        }
        for (int i = 0; i < ROWS * BLOCKS; i++) {
            Vector *sum = &sums[i / BLOCKS][i % BLOCKS];
            const Vector part = parts[i / BLOCKS][i % BLOCKS];
            *sum = l2 ? part : finish_bits(*sum, part);
        }
    }
}

/* A group of rows with BLOCKS blocks from `block` on; `b_keys`: the smallest of each of the tile's
 * rows of B so far. */
MATCHING_FORCE_INLINE void match_blocks(const MatchingTile *tile, Group *group, int32_t block,
                                        bool l2, uint32_t *b_keys) {
    const int32_t words = tile->sets->bytes / (int32_t)sizeof(uint32_t);
    Vector sums[ROWS][BLOCKS];
    for (int i = 0; i < ROWS * BLOCKS; i++) {
        sums[i / BLOCKS][i % BLOCKS] = spread(0);
    }
    sum_words(group, tile->b_words + (size_t)block * LANES * (size_t)words, words, l2, sums);
    for (int b = 0; b < BLOCKS; b++) {
        const int32_t place = (block + b) * LANES;
        const Vector numbers = add_32(lane_numbers(), spread((uint32_t)place));
        Vector b_smallest = load(b_keys + place);
        for (int r = 0; r < ROWS; r++) {
            Vector distance = shift_left(sums[r][b], l2 ? L2_SHIFT : MATCHING_INDEX_BITS);
            if (l2) {
                const Vector a_offset = spread(tile->a_offsets[group->numbers[r]]);
                distance = add_32(distance, add_32(load(tile->b_offsets + place), a_offset));
            }
            group->keys[r] = smallest(group->keys[r], add_32(distance, numbers));
            b_smallest =
                smallest(b_smallest, add_32(distance, spread((uint32_t)group->numbers[r])));
        }
        store(b_keys + place, b_smallest);
    }
}

static inline void improve(Nearest *nearest, uint32_t key, int32_t first) {
    const Nearest found = matching_nearest(key >> MATCHING_INDEX_BITS,
                                           first + (int32_t)(key & (MATCHING_TILE_ROWS - 1)));
    *nearest = found < *nearest ? found : *nearest;
}

/* What the lanes of a group have found. A repeated row may come out under the number of its
 * repetition, which is as near as the row itself and never taken for it. */
MATCHING_FORCE_INLINE void improve_group(const MatchingTile *tile, const Group *group) {
    for (int r = 0; r < ROWS; r++) {
        uint32_t keys[LANES];
        store(keys, group->keys[r]);
        uint32_t key = keys[0];
        for (int i = 1; i < LANES; i++) {
            key = keys[i] < key ? keys[i] : key;
        }
        improve(&tile->a_nearest[group->numbers[r]], key, tile->b_first);
    }
}

MATCHING_FORCE_INLINE void match(const MatchingTile *tile, bool l2) {
    uint32_t b_keys[MATCHING_TILE_ROWS];
    memset(b_keys, 0xFF, sizeof b_keys);
    for (int32_t first = 0; first < tile->a_count; first += ROWS) {
        Group group = take_group(tile, first);
        for (int32_t block = 0; block * LANES < tile->b_count; block += BLOCKS) {
            match_blocks(tile, &group, block, l2, b_keys);
        }
        improve_group(tile, &group);
    }
    for (int32_t b = 0; b < tile->b_count; b++) {
        improve(&tile->b_nearest[b], b_keys[b], tile->a_first);
    }
}

static MATCHING_TARGET void hamming(const MatchingTile *tile) {
    match(tile, false);
}

static MATCHING_TARGET void l2(const MatchingTile *tile) {
    match(tile, true);
}
