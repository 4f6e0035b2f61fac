/* The interface of the kernels of matching, and what simd and omp share. */
#ifndef CPU_MATCHING_INTERNAL_H
#define CPU_MATCHING_INTERNAL_H

#include <stdbool.h>

#include "cpu_memory.h"
#include "matching.h"

/* === Kernels ================================================================================== */

/*
 * The pairs of a tile, both ways in one pass, on one thread; what simd and omp are
 * made of.
 *
 * A vector has a word of 32 bits of as many rows of B as it has lanes. Within a tile a distance and
 * the number of a row in the tile make up one number of 32 bits, the key: the smallest key is the
 * nearest row, and of several the one with the lowest number.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls.
 */

enum {
    MATCHING_INDEX_BITS = 9, /* of a key; a distance has less than 23 */
    MATCHING_TILE_ROWS = 1 << MATCHING_INDEX_BITS,
    MATCHING_ROWS_AT_ONCE = 4, /* of A */
    MATCHING_WORDS_AT_ONCE = 8 /* rows have a multiple of them */
};

/* The nearest row so far: its distance in the upper half, its number in the lower one. */
typedef uint64_t Nearest;

static inline Nearest matching_nearest(uint64_t distance, int32_t row) {
    return distance << 32 | (uint32_t)row;
}

/* Up to MATCHING_TILE_ROWS rows of each set. */
typedef struct MatchingTile {
    const MatchingSets *sets;
    int32_t a_first, a_count, b_first, b_count;
    /* The tile's rows of B, in blocks of as many rows as there are lanes: a block has all first
     * words, then all second ones … Rows behind the last one repeat it. */
    const uint32_t *b_words;
    const uint32_t *a_offsets, *b_offsets; /* of the tile's rows: MatchingKernel.products */
    Nearest *a_nearest, *b_nearest;        /* of the tile's rows; improved */
} MatchingTile;

typedef struct MatchingKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    int32_t lanes;
    /* Whether l2 takes products of bytes: Σa² + Σb² − 2Σab = (Σa² − 254Σa) + Σb² + 2Σa(127 − b).
     * The bytes of b_words are 127 − b then, and the first two terms are the offsets. */
    bool products;
    void (*hamming)(const MatchingTile *tile);
    void (*l2)(const MatchingTile *tile);
} MatchingKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const MatchingKernel matching_kernel_avx512;
extern const MatchingKernel matching_kernel_avx2;
extern const MatchingKernel matching_kernel_plain;
extern const MatchingKernel *const matching_kernels[]; /* NULL-terminated */

/* The first that this processor can run. */
const MatchingKernel *matching_kernel_best(void);

/* === simd and omp ============================================================================= */

/*
 * What simd and omp have in common. Each thread goes through the pairs of a part of
 * A with all of B, tile by tile, and finds the nearest of B for its rows; of the nearest of A that
 * each thread has found in its part for a row of B, the nearest is taken at the end.
 */

typedef struct MatchingWork {
    const MatchingKernel *kernel;
    MatchingSets sets;
    const Output *output;
    int threads;

    uint32_t *b_words;      /* of all rows of B: MatchingTile */
    uint32_t *a_offsets;    /* of all rows, 0 where the kernel takes no products */
    uint32_t *b_offsets;    /* likewise, and of those that fill the last blocks */
    Nearest *a_nearest;     /* of all rows */
    ThreadMemory b_nearest; /* of all rows of B, for each thread */
} MatchingWork;

/* Opens a variant that works with `threads` threads; the state is a MatchingWork. */
Status matching_work_open(const Request *request, int threads, void **state);

VARIANT_EXTERN Status matching_work_run(void *state);
VARIANT_EXTERN void matching_work_close(void *state);

#endif
