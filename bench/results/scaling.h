/*
 * How a variant scales over its workers: GPUs (tuning axis `gpus`) or threads of the CPU
 * (`threads`). Rows of one scaling differ in their number of workers: strong scaling has one
 * question, weak scaling (--weak, of GPUs alone) one question of each worker, since the work grows
 * with them: the rows of an image, the images of a set, or the algorithm's weak_axis.
 */

#ifndef BENCH_RESULTS_SCALING_H
#define BENCH_RESULTS_SCALING_H

#include <stdbool.h>

#include "ratio.h"
#include "row.h"

typedef struct Algorithm Algorithm; /* algorithm.h */
typedef struct Results Results;     /* results.h */

/* How many times what grows with --weak is that of one worker: N, or √N where the work is in
 * proportion to its square (Algorithm.weak_power). */
double weak_factor(const Algorithm *algorithm, int workers);

/* The names of these two axes. */
extern const char scaling_gpus[], scaling_threads[];

/* One of the two, always the same pointer of each; NULL: the variant has neither axis. */
const char *row_scaling_axis(const Row *row);

/* The value of that axis; 0: the variant has none. */
int row_workers(const Row *row);

/* The value of the axis `gpus`; 0: the variant has none. */
int row_gpus(const Row *row);

/* "GPU" or "GPUs", "thread" or "threads". */
const char *workers_noun(const char *axis, int count);

/* Whether two rows, of 1 and 4 workers or of as many, are of one scaling. */
bool row_same_scaling(const Row *a, const Row *b);

/* The measured row of one worker of this row's scaling; NULL: none. */
const Row *row_on_one(const Results *results, const Row *row);

/* 1: as much faster as there are workers (strong), or no slower with them (weak). NAN where it is
 * not known. */
Ratio row_efficiency(const Row *row, TimeKind kind);

/* Efficiency times workers: how many times the work of one is done in its time. */
Ratio row_over_one(const Row *row, TimeKind kind);

#endif
