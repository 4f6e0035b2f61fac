/* The two-sided Mann–Whitney U test (Wilcoxon's rank-sum test). */
#ifndef BENCH_MANN_WHITNEY_H
#define BENCH_MANN_WHITNEY_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

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
 * for ties and U for continuity. STATUS_FAIL when memory runs out.
 */
Status mann_whitney(const double *first, size_t first_count, const double *second,
                    size_t second_count, MannWhitney *test);

/* The least p that so many samples can give, when all of one side lie beyond the other:
 * 2 / C(first_count + second_count, first_count). */
double mann_whitney_least_p(size_t first_count, size_t second_count);

#endif
