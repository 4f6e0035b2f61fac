/* The fastest of each size of a group: what a summary is made of. */
#ifndef BENCH_SIZE_BEST_H
#define BENCH_SIZE_BEST_H

#include "run_groups.h"

/* Of one size; NULL where nothing has a verified time. Indices are TimeKind. */
typedef struct SizeBest {
    double size;
    const Row *fastest[2];
    const Row *cpu[2];
    const Row *device[2];
} SizeBest;

/* Sizes with a verified time, ascending, for the caller to free; `list` is NULL when there are
 * none. STATUS_FAIL without memory. */
Status size_best_find(const RunGroup *group, SizeBest **list, size_t *count);

#endif
