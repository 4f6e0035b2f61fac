/* What an answer costs, in money and in joules. */

#ifndef BENCH_RESULTS_PRICE_H
#define BENCH_RESULTS_PRICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "number.h"
#include "ratio.h"
#include "row.h"

typedef struct Prices Prices;   /* run_parts.h */
typedef struct Results Results; /* results.h */

/*
 * What a result costs: the time of a run times the price of an hour, and joules where they were
 * measured. The cheapest of a side is its fastest cell, since an hour costs the same for all
 * variants of a side; the thriftiest may be another one.
 */

/* Of one question: algorithm, input, size, answer point and mode. */
typedef struct Costs {
    const Row *question;
    const Row *cpu;                        /* the fastest; NULL: none, as below */
    const Row *gpu[TIME_KINDS];            /* by kernel time and end to end */
    double cpu_cost, gpu_cost[TIME_KINDS]; /* of one run; NAN: not known */
    Ratio cheaper[TIME_KINDS];             /* the CPU's cost over the GPU's */
    const Row *thrifty_cpu, *thrifty_gpu;  /* of the least joules */
    Ratio saves;                           /* the CPU's joules over the GPU's, which are one
                                              measurement each: the interval is 10% */
} Costs;

/* After results_derive. */
Costs costs_of(const Results *results, const Row *question, const Prices *prices);
/* Whether some cost or energy is known. */
bool costs_are_known(const Costs *costs);

/* The cost of a million runs; "" for NAN. */
void cost_text(double cost, char text[SIGNIFICANT_SIZE]);
/* "1.23 mJ"; "" for NAN. */
void joules_text(double joules, char text[NUMBER_WORDS_SIZE]);
/* What the numbers are. */
extern const char cost_note[], joules_note[];

typedef enum CostKind { COST_KERNEL, COST_END_TO_END, COST_JOULES, COST_KINDS } CostKind;

/* "Cost of the kernel: the GPU (cuda_fast) is 9.2× cheaper than the CPU (omp/threads:16) at 16K;
 * cheaper from 1.2 Mpixel on (0.9 to 1.5)." of the sizes of the series of `of`; empty where one
 * side is not known. */
void cost_sentence(const Results *results, const Row *of, const Prices *prices, CostKind kind,
                   char *text, size_t size);

/* Prints a table of all questions and the sentences of each series, fitted to the window; nothing
 * where neither a price nor an energy is known. `only`: of this algorithm; NULL: of all. `briefly`:
 * of several, which the table names, without the sentences. */
void costs_print(FILE *stream, const Results *results, const Prices *prices, const char *only,
                 bool briefly);

#endif
