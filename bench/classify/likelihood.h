/*
 * Log-likelihood of a sample S under a model M: L = Σ S_b · log M_b over the bins, with M as
 * probabilities. A bin that the model never saw counts as one pixel, M_b = max(count, 1) / Σ count,
 * so that one unseen pattern does not rule a class out.
 */
#ifndef BENCH_LIKELIHOOD_H
#define BENCH_LIKELIHOOD_H

#include <stddef.h>
#include <stdint.h>

/* Both histograms have `bins` counts; the model's sum is above 0. Natural logarithm. */
double log_likelihood(const uint64_t *sample, const uint64_t *model, size_t bins);

/* Index of the largest value; the first of equal ones. */
size_t most_likely(const double *values, size_t count);

#endif
