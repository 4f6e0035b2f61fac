/* Estimates: a number with an interval, of samples or of counts. */

#ifndef BENCH_HARNESS_ESTIMATES_H
#define BENCH_HARNESS_ESTIMATES_H

#include <stddef.h>
#include <stdint.h>

#include "number.h"

/* The median of values in any order, with the least and the greatest of them; sorts them in place.
 * NAN of none. */
Estimate estimate_of_values(double *values, size_t count);

/* The share of samples that have a property. Its 95% interval is Wilson's (1927), which keeps its
 * 95% for shares near 0 and 1 too, unlike the one of the normal distribution around the share. NAN
 * where nothing was counted. */
Estimate estimate_of_share(uint64_t count, uint64_t total);

/* 1: every number of the first one's interval is greater, -1: less, 0: undecided. Without an
 * interval of either by the values. */
int estimate_order(const Estimate *first, const Estimate *second);

#endif
