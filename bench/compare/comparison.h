/* Two runs held against each other, cell by cell. */
#ifndef BENCH_COMPARISON_H
#define BENCH_COMPARISON_H

#include "exit_codes.h"
#include "judge.h"
#include "measured_run.h"

/* The names and samples are those of the runs. */
typedef struct ComparedCell {
    const MeasuredCell *before, *now;
    CellJudgement judgement;
} ComparedCell;

typedef struct Comparison {
    const MeasuredRun *before, *now; /* outlive the comparison */
    CompareCriteria criteria;
    double noise_floor; /* the greater one of the two runs */
    ComparedCell *cells;
    size_t count;                  /* in the order of the old run */
    const char **missing, **added; /* names of cells: in the old run alone, in the new one */
    size_t missing_count, added_count;
    size_t changes[CHANGE_COUNT];     /* cells by CellChange */
    double old_total, new_total;      /* seconds: sums of the medians of all compared cells */
    char difference[STATUS_WHY_SIZE]; /* why it would be refused without force; else empty */
} Comparison;

/*
 * Pairs cells by name and judges them. STATUS_USAGE when machines, builds or inputs differ, unless
 * `force`; STATUS_NO_MATCH when no cell is in both; STATUS_FAIL without memory. On STATUS_OK
 * release with comparison_release.
 */
Status comparison_make(const MeasuredRun *before, const MeasuredRun *now,
                       const CompareCriteria *criteria, bool force, Comparison *comparison);
void comparison_release(Comparison *comparison);

/* EXIT_REGRESSION when a cell is slower, EXIT_AMBIGUOUS when `strict` and one is ambiguous. */
ExitCode comparison_exit_code(const Comparison *comparison, bool strict);

/* Σ new medians / Σ old medians: ratios are never averaged. */
double comparison_total_ratio(const Comparison *comparison);

#endif
