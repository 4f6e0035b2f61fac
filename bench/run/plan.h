/* Plan: the sweep as a list of cells, made before anything runs. Each cell ends as one row. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include <stdio.h>

#include "options.h"
#include "result.h"
#include "workload_source.h"

typedef struct PlanWorkload {
    const Input *input;
    SizeSpec size;
    Workload shape; /* without pixels */
} PlanWorkload;

typedef struct PlanCell {
    const Algorithm *algorithm;
    const Variant *variant;
    size_t workload; /* index in Plan.workloads */
    size_t group;    /* cells of one workload, algorithm and answer point share it: one oracle */
    Point answer, tuning;
    bool roof;           /* not asked for: measured as the roof of the others */
    Status ready;        /* STATUS_SKIP with the reason when it cannot run here */
    uint64_t host_bytes; /* input and two answers */
    Cost cost;           /* of the shape: an answer may cost less when the pixels are known */
} PlanCell;

/* Ordered by workload, algorithm, answer point, variant, tuning point. */
typedef struct Plan {
    PlanWorkload *workloads;
    size_t workload_count;
    PlanCell *cells;
    size_t cell_count, cell_capacity;
    size_t group_count;
} Plan;

/*
 * Expands a request. `inputs` outlives the plan. STATUS_USAGE for axis values that are wrong,
 * STATUS_NO_MATCH when no cell is selected or an axis is given that no selected variant has.
 */
Status plan_make(const RunOptions *options, const InputList *inputs, Plan *plan);
void plan_release(Plan *plan);

/* An otherwise empty row that says which cell it is. */
Row plan_row(const Plan *plan, const PlanCell *cell, bool cold);

/* CPU threads that a cell uses: its threads axis, 1 without one, 0 on a device. */
int plan_threads(const Variant *variant, const Point *tuning);

/* Prints every cell: name, estimated time, host memory, why it will be skipped. Estimates come from
 * a short run of each algorithm's oracle on a small synthetic image or set. */
void plan_print(FILE *stream, const RunOptions *options, const Plan *plan);

#endif
