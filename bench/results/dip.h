/*
 * The dip test of unimodality: J. A. Hartigan and P. M. Hartigan, "The Dip Test of Unimodality",
 * Annals of Statistics 13 (1985). The dip is the least distance (largest difference of distribution
 * functions) between the sample's distribution function and any unimodal one.
 */
#ifndef BENCH_DIP_H
#define BENCH_DIP_H

#include <stddef.h>

enum { DIP_SAMPLES_MIN = 12, DIP_SAMPLES_MAX = 200 };

/* The dip of strictly ascending values, 2 ≤ n ≤ DIP_SAMPLES_MAX: from 1/(2n) to 1/4. */
double dip_of(const double *sorted, size_t n);

/*
 * The dip that 5% of uniform samples of size n exceed, for DIP_SAMPLES_MIN ≤ n ≤ DIP_SAMPLES_MAX.
 * The uniform distribution is the one that the authors take for the null hypothesis: of the common
 * unimodal ones it gives the largest dips.
 */
double dip_critical(size_t n);

#endif
