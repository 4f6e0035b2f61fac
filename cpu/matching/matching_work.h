/*
 * matching_work: what simd and omp have in common. Each thread goes through the pairs of a part of
 * A with all of B, tile by tile, and finds the nearest of B for its rows; of the nearest of A that
 * each thread has found in its part for a row of B, the nearest is taken at the end.
 */
#ifndef CPU_MATCHING_WORK_H
#define CPU_MATCHING_WORK_H

#include "matching_kernel.h"
#include "thread_memory.h"

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
