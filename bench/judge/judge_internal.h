/* What files of this room and tests share. */

#ifndef BENCH_JUDGE_JUDGE_INTERNAL_H
#define BENCH_JUDGE_JUDGE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "ratio.h"
#include "samples.h"
#include "winners.h"

typedef struct ChangePoint ChangePoint;   /* change_points.h */
typedef struct ChangeSample ChangeSample; /* change_points.h */
typedef struct Crossover Crossover;       /* crossover.h */
typedef struct Estimate Estimate;         /* number.h */

/* --- Statistics ------------------------------------------------------------------------------- */

/* 1-based ranks of the order statistics that enclose the median with at least 95% probability,
 * whatever the distribution. False when n < MEDIAN_INTERVAL_MIN. */
bool median_interval_ranks(size_t n, size_t *low, size_t *high);

/* Σ (log value − their mean)². */
double log_squares(const double *values, size_t n);

/* One draw from the bootstrap distribution of the median of n ≥ 1 sorted values. */
double bootstrap_median(const double *sorted, size_t n, Random *random);

/* The quantile of Student's t with `degrees` ≥ 1 degrees of freedom, 0.5 < p < 1; exact to
 * rounding. */
double student_quantile(double p, size_t degrees);

/* --- Launches --------------------------------------------------------------------------------- */

/*
 * For how many samples one independent sample counts: 1 + 2 × the sum of the autocorrelations of
 * the values in the order they were taken, through the flat-top window of D. Politis and H. White
 * (2004). At least 1; NAN without memory.
 */
double correlation_time(const double *values, size_t n);

/* Intraclass correlation of samples of one turn, at least 0. `turn_size` gets the mean number of
 * samples that share a sample's turn. */
double turn_correlation(const double *values, const SampleOrigin *origins, size_t n,
                        double *turn_size);

/* The larger of both: correlation_time, and 1 + (samples a turn − 1) × turn_correlation. */
double samples_tau(const double *values, const SampleOrigin *origins, size_t n);

/* Ranks, from 1, of the 95% interval of the median of n samples of which tau count for one. Says
 * nothing about another launch. False where the samples are too few. */
bool run_interval_ranks(size_t n, double tau, size_t *low, size_t *high);

/* Makes low and high at least value·exp(±width). NAN stays. */
void interval_widen(double value, double width, double *low, double *high);

/* --- Numbers without launches ----------------------------------------------------------------- */

bool estimate_has_interval(const Estimate *number);

/* Of numbers where less is faster, which may be 0 or less: by their intervals if both have one,
 * else by their values. Never the same. */
SpeedSide estimate_side(const Estimate *first, const Estimate *second);

/* Faster or slower by at least JUDGE_BARE, or undecided. */
SpeedSide ratio_side_bare(double value);

/* Goes on with the side at the next place. */
void crossover_add(Crossover *crossover, SpeedSide side);

/* --- Winners ---------------------------------------------------------------------------------- */

/* Whether a disturbed cell with this least sample may be faster than the winner by more than the
 * threshold of judge_criteria. */
bool winner_is_unsure(double winner_median, double least);

/*
 * Which of `count` lanes has the least median over the launches but `left_out` (`launches`: none is
 * left out); medians[lane][launch]. Returns `count` when there is no number. A winner that is
 * chosen by the other launches is free of the luck that made it win here. `median` may be NULL.
 */
size_t launches_winner(const double *const *medians, size_t count, size_t launches, size_t left_out,
                       double *median);

/* Of the first RIVALS_MAX cells. Without memory nothing wins. */
LaunchWinners launches_choose(const Samples *const *cells, size_t count);

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

/* Up to this many values on both sides p comes from the exact distribution. */
enum { MANN_WHITNEY_EXACT_MAX = 50 };

typedef struct MannWhitney {
    double u; /* pairs in which the first sample is the greater one; ties count one half */
    double p; /* that of a U as far from its mean as this, when both are of one distribution */
    bool exact;
} MannWhitney;

/*
 * Tests values in any order, finite, at least one on each side. p is the share of all ways in which
 * these values, equal ones among them, could have fallen to the two sides that put the rank sum at
 * least as far from its mean. With more than MANN_WHITNEY_EXACT_MAX values it is that of the normal
 * approximation with the variance corrected for ties and U for continuity. STATUS_SKIP without
 * memory.
 */
Status mann_whitney(const double *first, size_t first_count, const double *second,
                    size_t second_count, MannWhitney *test);

/* --- Change points: change_points.c ----------------------------------------------------------- */

/*
 * Where a sequence of commits changes its distribution: E-divisive, D. Matteson and N. James, "A
 * nonparametric approach for multiple change point analysis of multivariate data", Journal of the
 * American Statistical Association 109 (2014); used for performance by D. Daly et al., "The Use of
 * Change Point Detection to Identify Software Performance Regressions in a Continuous Integration
 * System", ICPE 2020.
 *
 * The distance d of two commits is the mean of √|a − b| over all pairs of their values (exponent ½:
 * a commit that is far off weighs less). In a segment the parts X = [0, t) and Y = [t, k) of n and
 * m ≥ CHANGE_SIDE_MIN commits have
 *
 *   Q = n·m / (n + m) · (2·mean d(x, y) − mean d(x, x') − mean d(y, y'))
 *
 * with means over all pairs of commits. Two splits are looked at: the one with the largest Q over
 * all segments and t where k is the segment's end, and the one with the largest over all k. Whole
 * commits are put in random orders within their segments, and of each order r₁ and r₂ are the
 * shares of orders with as large a Q of either kind. p is the share of orders whose smaller r is no
 * larger than that of the given order; its split of the smaller r is a change point if p ≤ alpha.
 * Then it splits its segment, and the search goes on.
 */

enum { CHANGE_SIDE_MIN = 2, CHANGE_PERMUTATIONS = 999, CHANGE_LAUNCHES_MAX = 32 };

/* Fills at most count / CHANGE_SIDE_MIN points, by `at`, whose p is at most alpha. The same values
 * give the same points. STATUS_SKIP without memory. */
Status change_points_find(const ChangeSample *samples, size_t count, double alpha,
                          ChangePoint *points, size_t *found);

#endif
