/* What files of this room and tests share. */

#ifndef BENCH_COMPARE_COMPARE_INTERNAL_H
#define BENCH_COMPARE_COMPARE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "compare.h"

/* --- Measured run ----------------------------------------------------------------------------- */

/* Appends a cell without samples, with a copy of the name. STATUS_SKIP without memory. */
Status measured_run_add(MeasuredRun *run, const char *name, MeasuredCell **cell);

/* NULL when there is none of that name. */
MeasuredCell *measured_run_find(const MeasuredRun *run, const char *name);

/* Computes the medians of all cells. STATUS_SKIP without memory. */
Status measured_run_finish(MeasuredRun *run);

/* --- The two-sided Mann–Whitney U test (Wilcoxon's rank-sum test) ----------------------------- */

/* Up to this many samples on both sides, and without ties, p comes from the exact distribution. */
enum { MANN_WHITNEY_EXACT_MAX = 50 };

typedef struct MannWhitney {
    double u; /* pairs in which the first sample is the greater one; ties count one half */
    double p; /* that of a U as far from its mean as this, when both are of one distribution */
    bool exact;
} MannWhitney;

/*
 * Tests values in any order, finite, at least one on each side. With ties, or with more samples
 * than MANN_WHITNEY_EXACT_MAX, p is that of the normal approximation with the variance corrected
 * for ties and U for continuity. STATUS_SKIP without memory.
 */
Status mann_whitney(const double *first, size_t first_count, const double *second,
                    size_t second_count, MannWhitney *test);

/* The least p that so many samples can give, when all of one side lie beyond the other:
 * 2 / C(first_count + second_count, first_count). */
double mann_whitney_least_p(size_t first_count, size_t second_count);

/* --- Judge ------------------------------------------------------------------------------------ */

/*
 * Judges one cell of `cells` that are compared; each is held to alpha / cells (Bonferroni).
 * `noise_floor` is the relative change that the machine shows by itself, 0 when it is not known.
 *
 * Slower: p is below alpha / cells, the whole interval of the ratio is above 1 + threshold, and the
 * ratio is above 1 + noise_floor. Faster: the same with old and new exchanged, which puts the
 * limits at 1 / (1 + threshold) and 1 / (1 + noise_floor). Ambiguous: the ratio is beyond the
 * threshold and one of these is missing; or a side has fewer than MEDIAN_INTERVAL_MIN samples.
 * Same: the ratio is within the threshold. STATUS_SKIP without memory.
 */
Status judge_cell(const Samples *old_samples, const Samples *new_samples,
                  const CompareCriteria *criteria, size_t cells, double noise_floor,
                  CellJudgement *judgement);

/* "same", "faster", "slower", "ambiguous". */
const char *change_name(CellChange change);

/* --- Comparison ------------------------------------------------------------------------------- */

/* Σ new medians / Σ old medians: ratios are never averaged. */
double comparison_total_ratio(const Comparison *comparison);

#endif
