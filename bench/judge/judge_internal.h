/* What files of this room and tests share. */

#ifndef BENCH_JUDGE_JUDGE_INTERNAL_H
#define BENCH_JUDGE_JUDGE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "judge.h"

/* --- Statistics ------------------------------------------------------------------------------- */

/* 1-based ranks of the order statistics that enclose the median with at least 95% probability,
 * whatever the distribution. False when n < MEDIAN_INTERVAL_MIN. */
bool median_interval_ranks(size_t n, size_t *low, size_t *high);

/* Σ (log value − their mean)². */
double log_squares(const double *values, size_t n);

/* One draw from the bootstrap distribution of the median of n ≥ 1 sorted values. */
double bootstrap_median(const double *sorted, size_t n, Random *random);

/* --- Winners ---------------------------------------------------------------------------------- */

/* Whether a disturbed cell with this least sample may be faster than the winner by more than the
 * threshold of judge_criteria. */
bool winner_is_unsure(double winner_median, double least);

/* launches_choose of the medians themselves, NAN where a launch has none. */
LaunchWinners launches_choose_of(double (*medians)[LAUNCHES_MAX], size_t count);

/* --- Words: words.c --------------------------------------------------------------------------- */

/* " in these 60 s", " in these 3 min". */
enum { WITHIN_WORDS_SIZE = 32 };
void within_words(double seconds, char text[WITHIN_WORDS_SIZE]);

/* --- Two runs --------------------------------------------------------------------------------- */

/* launches_ratio_between with an interval that the true ratio is outside of with a probability of
 * at most `alpha`; where so few launches have none, the widest, from the least to the greatest of
 * all ratios. */
Status launches_ratio_at(const double *numerators, size_t n, const double *denominators, size_t m,
                         double alpha, Ratio *ratio, double *level);

/* The smallest relative change that such launches would have shown to be beyond the threshold, by
 * the interval of launches_ratio_at, in 80% of comparisons; INFINITY where they have no interval,
 * NAN for one on each side. */
Status launches_detectable(const double *before, size_t n, const double *now, size_t m,
                           double alpha, double threshold, double *change);

#endif
