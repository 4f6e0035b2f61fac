/* Statistics of samples: summaries, the interval of a median, ratios of medians. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "result.h"

/* Fewer samples than this have no 95% interval of the median: even from least to greatest covers
 * only 1 - 2·(1/2)^5 = 93.75% at five. */
enum { MEDIAN_INTERVAL_MIN = 6 };

/* Below this many samples the ranks of the interval come from exact binomial tails, from it on from
 * the normal approximation. */
enum { MEDIAN_INTERVAL_NORMAL = 70 };

/* Resamples of every bootstrap interval. */
enum { BOOTSTRAP_RESAMPLES = 10000 };

/* Random numbers for resampling: xoshiro256**, seeded through splitmix64. */
typedef struct Random {
    uint64_t state[4];
} Random;

void random_seed(Random *random, uint64_t seed);
uint64_t random_bits(Random *random);
/* Uniform in the open interval (0, 1). */
double random_unit(Random *random);

/*
 * Quantile of sorted values, 0 ≤ p ≤ 1, by linear interpolation between the order statistics
 * around (n - 1)·p: type 7 of Hyndman and Fan (1996), the default of R and NumPy. NAN when n is 0.
 */
double quantile_sorted(const double *sorted, size_t n, double p);

/* 1-based ranks of the order statistics that enclose the median with at least 95% probability,
 * whatever the distribution. False when n < MEDIAN_INTERVAL_MIN. */
bool median_interval_ranks(size_t n, size_t *low, size_t *high);

/* A summary of nothing: every number NAN. */
Summary summary_none(void);

/* Summary of samples in any order. Numbers that the samples do not support are NAN: everything for
 * n = 0, stddev for n = 1, the interval for n < MEDIAN_INTERVAL_MIN. STATUS_FAIL without memory. */
Status summarize(const Samples *samples, Summary *summary);

/* Half the interval of the median, relative to the median; NAN when there is no interval. */
double relative_half_width(const Summary *summary);

/* Median of values in any order; sorts them in place. NAN when n is 0. */
double median_in_place(double *values, size_t n);

/* One draw from the bootstrap distribution of the median of n ≥ 1 sorted values. */
double bootstrap_median(const double *sorted, size_t n, Random *random);

typedef struct Ratio {
    double value;     /* median of the numerator / median of the denominator */
    double low, high; /* 95% percentile bootstrap interval; NAN below MEDIAN_INTERVAL_MIN samples */
} Ratio;

/* Ratio of two medians with its interval. NAN when either has no samples. STATUS_FAIL without
 * memory. The same samples and seed give the same interval. */
Status ratio_of_medians(const Samples *numerator, const Samples *denominator, uint64_t seed,
                        Ratio *ratio);

/* Appends a sample. STATUS_FAIL when memory runs out. */
Status samples_add(Samples *samples, double seconds);
/* An independent copy. STATUS_FAIL when memory runs out. */
Status samples_copy(const Samples *source, Samples *copy);
void samples_release(Samples *samples);

#endif
