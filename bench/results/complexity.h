/*
 * Complexity: how kernel time grows with the number of items, as a power.
 *
 * For each algorithm, variant, input, answer point and cache mode a straight line is fitted by
 * least squares through log(median kernel time) against log(items), one point for each size, that
 * of the best tuning point there. Its slope is the exponent: 1 when time is proportional to items.
 * The 95% interval is Student's, with points - 2 degrees of freedom, and takes deviations from the
 * line for noise: fixed costs that bend the curve at small sizes widen it too.
 */
#ifndef BENCH_COMPLEXITY_H
#define BENCH_COMPLEXITY_H

#include "result.h"

/* Fewer different sizes than this have no exponent: two points leave nothing to judge a line by. */
enum { COMPLEXITY_SIZES_MIN = 3 };

typedef struct PowerFit {
    double exponent, low, high; /* NAN without COMPLEXITY_SIZES_MIN different sizes */
} PowerFit;

/* Fits seconds ~ items^exponent through n points; both are above 0. */
PowerFit power_fit(const double *items, const double *seconds, size_t n);

/* The value that Student's t of `degrees` ≥ 1 stays below with probability 0.5 < p < 1; exact to
 * rounding. */
double student_quantile(double p, size_t degrees);

/* Rows that share an exponent. */
bool same_complexity(const Row *a, const Row *b);

/* Sets exponent, exponent_low and exponent_high of every measured row; best_tuning has been
 * derived. Without memory they are NAN. */
void complexity_derive(Results *results);

#endif
