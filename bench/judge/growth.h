/* How a time grows with its input. */

#ifndef BENCH_JUDGE_GROWTH_H
#define BENCH_JUDGE_GROWTH_H

#include <stddef.h>

typedef struct PowerFit {
    double exponent, low, high; /* NAN without three different sizes */
} PowerFit;

/* Fits seconds ~ items^exponent through n points by least squares on logarithms; both are above 0.
 * The 95% interval is Student's, with n - 2 degrees of freedom. */
PowerFit power_fit(const double *items, const double *seconds, size_t n);

#endif
