/* The rows of a run by what is compared: algorithm, input and answer point; and their curves. */
#ifndef BENCH_RUN_GROUPS_H
#define BENCH_RUN_GROUPS_H

#include "crossover.h"
#include "result.h"

/* Rows of one algorithm, input and answer point, at any size. */
typedef struct RunGroup {
    const Row **rows; /* in the order of the run */
    size_t count, capacity;
    char title[256]; /* "lbp, meadow.jpg", "lbp_riu, texture, pr:8:1 interp:bilinear" */
    char slug[160];  /* for names of charts */
} RunGroup;

typedef struct RunGroups {
    RunGroup *groups;
    size_t count, capacity;
} RunGroups;

/* STATUS_FAIL without memory. */
Status run_groups_make(const Results *results, RunGroups *groups);
void run_groups_release(RunGroups *groups);

/* What the size of a row's input is counted in: pixels of a picture, pictures of a set, rows of
 * descriptors; and its unit's name. */
double row_size(const Row *row);
const char *row_size_unit(const Row *row);
/* Whether that is pixels. */
bool row_is_picture(const Row *row);

typedef enum TimeKind { TIME_KERNEL, TIME_END_TO_END } TimeKind;

bool row_is_on_cpu(const Row *row);
/* Median in seconds; NAN where the row has no verified time. */
double row_seconds(const Row *row, TimeKind kind);

/* Times in seconds by size, ascending, of one variant at its fastest tuning, that of
 * the least time of this kind (`variant` NULL: of the fastest CPU variant at each size). The points
 * go to `curve`, which the caller frees; `rows` (may be NULL) gets the row of each point likewise.
 * STATUS_FAIL without memory. */
Status run_curve(const RunGroup *group, const Variant *variant, TimeKind kind, CurvePoint **curve,
                 const Row ***rows, size_t *count);

/* Likewise, of the fastest variant on a device at each size. */
Status run_device_curve(const RunGroup *group, TimeKind kind, CurvePoint **curve, const Row ***rows,
                        size_t *count);

/* The variants of the group, in their order, each once; at most `capacity`. */
size_t run_variants(const RunGroup *group, const Variant **variants, size_t capacity);

#endif
