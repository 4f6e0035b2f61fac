/* The cells that a request asks for. */

#ifndef BENCH_RUN_PLAN_H
#define BENCH_RUN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "axis.h"
#include "backend.h"
#include "cost.h"
#include "harness.h"
#include "row.h"
#include "size_spec.h"
#include "status.h"
#include "workload.h"

typedef struct Results Results;       /* results.h */
typedef struct RunOptions RunOptions; /* run_options.h */

/* --- Plan: plan.c ----------------------------------------------------------------------------- */

/* The run as a list of cells, made before anything runs. Each cell ends as one row. */

/* Numbers of GPUs, a bit each: bit 2 is two GPUs. */
typedef uint32_t GpuNumbers;

typedef struct PlanWorkload {
    const Input *input;
    SizeSpec size;
    Workload shape; /* described, not loaded */
    /* With --weak: whether the request names the size, the numbers of GPUs that it has grown for,
     * and the place in Plan.workloads of the size that it has grown from. */
    bool given;
    GpuNumbers gpus;
    size_t base;
} PlanWorkload;

typedef struct PlanCell {
    const Algorithm *algorithm;
    const Variant *variant;
    size_t workload; /* index in Plan.workloads */
    size_t group;    /* cells of one workload, algorithm and answer point: one oracle */
    Point answer, tuning;
    GpuNumbers gpus;     /* with --weak: those that the question has grown for; 0: any */
    Status ready;        /* STATUS_SKIP with the reason when it cannot run here */
    uint64_t host_bytes; /* of memory: input and answers */
    Cost cost;           /* of the shape: of the pixels it may be less */
} PlanCell;

/* The numbers of GPUs that --weak compares. */
typedef struct WeakNumbers {
    int list[CUDA_DEVICES_MAX];
    size_t count; /* 0: without --weak */
} WeakNumbers;

/* Ordered by workload, algorithm, answer point, variant, tuning point. */
typedef struct Plan {
    WeakNumbers weak;
    PlanWorkload *workloads;
    size_t workload_count;
    PlanCell *cells;
    size_t cell_count, cell_capacity;
    size_t group_count;
    uint32_t *numbers; /* of a share: the places of its cells in the whole plan; else NULL */
} Plan;

/* Expands a request. `inputs` outlives the plan. STATUS_USAGE for wrong axis values,
 * STATUS_NO_MATCH if no cell is selected or no selected variant has an axis that is given. */
Status plan_make(const RunOptions *options, const InputList *inputs, Plan *plan);

/* Leaves only the cells of the share that the options name; without one, all. Groups are divided so
 * that shares are expected to take as long as each other, for one command line in the same way on
 * every machine. STATUS_USAGE if there are fewer groups than shares. */
Status plan_take_share(const RunOptions *options, Plan *plan);

void plan_release(Plan *plan);

/* Bytes of memory that the pixels of an input take; 0: they lie in a mapped file. */
uint64_t plan_pixel_bytes(const PlanWorkload *workload);

/* How many answers of so many bytes a group holds in memory: 2, as anywhere where the input is not
 * mapped; 1, beside a digest, where memory has no room for two that are compared byte by byte; 0,
 * in a file, where it has none for one. */
int plan_answers_in_memory(const Algorithm *algorithm, bool mapped, uint64_t bytes);

/* Whether a cell can run here, as far as the plan tells, and how many can. */
bool plan_cell_is_runnable(const PlanCell *cell);
size_t plan_runnable(const Plan *plan);

/* Whether a cell is that of the oracle's variant, row 0. */
bool plan_cell_is_seq(const PlanCell *cell);

/* The row of a cell, without results. */
Row plan_row(const Plan *plan, const PlanCell *cell, bool cold);

/* The row of a cell among results; NULL: it is not there. */
Row *plan_find(const Plan *plan, const PlanCell *cell, bool cold, Results *results);

/* CPU threads of a cell: its threads axis, 1 without one, 0 on a device. */
int plan_threads(const Variant *variant, const Point *tuning);

/* Its gpus axis, 1 without one. */
int plan_gpus(const Point *tuning);

/* Prints every cell: name, estimated time, host memory, why it will be skipped. The time is
 * estimated from a short run of seq on a small synthetic input. STATUS_SKIP without memory. */
Status plan_print(FILE *stream, const RunOptions *options, const Plan *plan);

/* The values that a request gives for the axis, or its defaults. */
const char *options_axis_list(const RunOptions *options, const Axis *axis);

/* --- Weak scaling: weak.c --------------------------------------------------------------------- */

/* Which part of a question grows with the number of GPUs. */
typedef enum WeakGrowth {
    GROWS_NOT,
    GROWS_INPUT, /* rows of the image, images of the set */
    GROWS_ANSWER /* Algorithm.weak_axis */
} WeakGrowth;

/* Reads --gpus where the request has --weak. STATUS_USAGE if that is one number. */
Status weak_numbers(const RunOptions *options, WeakNumbers *numbers);

/* GROWS_NOT also for algorithms without a variant for several GPUs. weak_reason: STATUS_SKIP with
 * the reason for that. */
WeakGrowth weak_growth(const Algorithm *algorithm);
Status weak_reason(const Algorithm *algorithm);

/* The size at which each of so many GPUs has the share that one has of `size`: WxH with as many
 * times the rows, as many times the images. STATUS_USAGE if that is too large, and for more images
 * than a set has. */
Status weak_size(const Input *input, const SizeSpec *size, int gpus, SizeSpec *grown);

/* Answer points that have grown, each once, and for which numbers of GPUs. */
typedef struct WeakPoints {
    Point *points;    /* owned */
    GpuNumbers *gpus; /* owned */
    size_t count;
} WeakPoints;

/* Each answer at each number of GPUs. STATUS_USAGE for more than the axis has. Release with
 * weak_points_release. */
Status weak_points(const Algorithm *algorithm, const WeakNumbers *numbers, const PointList *answers,
                   WeakPoints *points);
void weak_points_release(WeakPoints *points);

#endif
