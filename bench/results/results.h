/* The rows of a run and what is derived from them. */

#ifndef BENCH_RESULTS_RESULTS_H
#define BENCH_RESULTS_RESULTS_H

#include <stddef.h>
#include <stdint.h>

#include "ceilings.h"
#include "hash_index.h"
#include "status.h"

typedef struct Row Row; /* row.h */

enum { MEASURED_TEXT_SIZE = 200 };

typedef struct Results {
    Row *rows;
    size_t count, capacity;
    Ceilings ceilings; /* of the machine on which the rows were measured; count 0: none */
    char measured[MEASURED_TEXT_SIZE]; /* where and when, results_measured; empty: not known */
    HashIndex cells;                   /* of the rows that results_find knows */
    HashIndex workloads;               /* of the rows that results_derive has seen */
} Results;

/* The GPUs that the rows ran on: the device of the row on most of them, or else `model`. "2 ×
 * NVIDIA H200" where eight were there and two worked. */
const char *results_gpus(const Results *results, const char *model);

/* "NVIDIA H200; Intel(R) Xeon(R) Processor, 16 threads; 2026-11-20", with the GPUs of the rows.
 * What is not known may be empty or 0. */
void results_measured(Results *results, const char *gpu, const char *cpu, int threads,
                      const char *started);

/* Appends a row and takes ownership of its samples. STATUS_SKIP without memory. */
Status results_add(Results *results, const Row *row);

/* The most launches that a row has samples of. */
size_t results_launches(const Results *results);

/* The first row of the cell of `wanted`; NULL: none. Rows may be added and changed meanwhile, but
 * not moved. */
Row *results_find(Results *results, const Row *wanted);

void results_release(Results *results);

/* Sets base, speedups, best CPU, roof and rates of every row from the medians of all rows. `seed`
 * is for resampling. */
void results_derive(Results *results, uint64_t seed);

/* The same without resampling: a ratio of one launch gets no interval. */
void results_derive_values(Results *results);

#endif
