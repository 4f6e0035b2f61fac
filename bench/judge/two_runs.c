/* Two runs of one cell: the ratio of their times, and on which side it is. */

#include "judge_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* === Their ratio ============================================================================== */

/* Copies the values that are known. */
static size_t keep_known(const double *values, size_t n, double known[LAUNCHES_MAX]) {
    size_t count = 0;
    for (size_t i = 0; i < n && count < LAUNCHES_MAX; i++) {
        if (!isnan(values[i])) {
            known[count++] = values[i];
        }
    }
    return count;
}

/* The greatest u with P(U ≤ u) ≤ 2.5% for n and m values whose order is random, and 1 - 2·P; with
 * at least MEDIAN_INTERVAL_MIN of both there is one. False without memory. */
static bool critical_u(size_t n, size_t m, size_t *critical, double *level) {
    /* shares[j][u]: orders of i of the first and j of the second with that U, as their share of
     * all. The last value is one of the first with i / (i + j), and then j of the second are below
     * it.
     */
    const size_t sums = n * m + 1;
    double *shares = calloc((m + 1) * sums, sizeof *shares);
    if (shares == NULL) {
        return false;
    }
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            double *here = &shares[j * sums];
            if (i == 0 || j == 0) {
                here[0] = 1;
                continue;
            }
            const double *fewer = &shares[(j - 1) * sums];
            const double first = (double)i / (double)(i + j);
            for (size_t u = i * j + 1; u-- > 0;) {
                here[u] = (u >= j ? first * here[u - j] : 0) + (1 - first) * fewer[u];
            }
        }
    }
    double share = 0;
    size_t u = 0;
    while (u < sums && share + shares[m * sums + u] <= 0.025) {
        share += shares[m * sums + u++];
    }
    free(shares);
    *critical = u > 0 ? u - 1 : 0;
    *level = 1 - 2 * share;
    return true;
}

Status launches_ratio_between(const double *numerators, size_t n, const double *denominators,
                              size_t m, Ratio *ratio, double *level) {
    double above[LAUNCHES_MAX], below[LAUNCHES_MAX];
    *ratio = (Ratio){.value = NAN, .low = NAN, .high = NAN};
    *level = NAN;
    n = keep_known(numerators, n, above);
    m = keep_known(denominators, m, below);
    if (n == 0 || m == 0) {
        return status_ok();
    }
    double *ratios = malloc(n * m * sizeof *ratios);
    size_t rank = 0; /* of the lower end, from 0 */
    ratio->extremes = n < MEDIAN_INTERVAL_MIN || m < MEDIAN_INTERVAL_MIN;
    if (ratios == NULL || (!ratio->extremes && !critical_u(n, m, &rank, level))) {
        free(ratios);
        return status_no_memory("for the ratio of %zu and %zu launches", n, m);
    }
    for (size_t i = 0; i < n * m; i++) {
        ratios[i] = above[i / m] / below[i % m];
    }
    qsort(ratios, n * m, sizeof *ratios, compare_doubles);
    ratio->value = median_in_place(above, n) / median_in_place(below, m);
    ratio->low = fmin(ratios[rank], ratio->value);
    ratio->high = fmax(ratios[n * m - 1 - rank], ratio->value);
    free(ratios);
    return status_ok();
}

/* === Their side =============================================================================== */

size_t launches_needed(double limit) {
    for (size_t launches = 2; launches <= LAUNCHES_MAX; launches++) {
        if (mann_whitney_least_p(launches, launches) < limit) {
            return launches;
        }
    }
    return 0;
}

static Status find_interval(const RunTimes *before, const RunTimes *now,
                            RunDifference *difference) {
    Ratio ratio;
    if (now->count > LAUNCHES_MAX || before->count > LAUNCHES_MAX) {
        return status_ok();
    }
    STATUS_TRY(launches_ratio_between(now->launches, now->count, before->launches, before->count,
                                      &ratio, &difference->level));
    if (!ratio.extremes) {
        difference->ratio = ratio;
    }
    return status_ok();
}

Status difference_judge(const RunTimes *before, const RunTimes *now,
                        const CompareCriteria *criteria, size_t cells, RunDifference *difference) {
    const double ratio = now->median / before->median;
    *difference = (RunDifference){.side = SIDE_SAME,
                                  .ratio = {.value = ratio, .low = NAN, .high = NAN},
                                  .level = NAN,
                                  .limit = criteria->alpha / (double)cells};
    MannWhitney test;
    STATUS_TRY(mann_whitney(now->launches, now->count, before->launches, before->count, &test));
    STATUS_TRY(find_interval(before, now, difference));
    difference->p = test.p;
    difference->exact = test.exact;
    if (fmax(ratio, 1 / ratio) > 1 + criteria->threshold) {
        difference->side = !(test.p < difference->limit) ? SIDE_UNDECIDED
                           : ratio > 1                   ? SIDE_SLOWER
                                                         : SIDE_FASTER;
    }
    return status_ok();
}

bool difference_why(const RunTimes *before, const RunTimes *now, const RunDifference *difference,
                    char *text, size_t size) {
    const double least = mann_whitney_least_p(now->count, before->count);
    const double limit = difference->limit;
    if (least < limit) {
        snprintf(text, size, "p is %.2g, below %.2g is needed", difference->p, limit);
        return false;
    }
    if (before->count == 1 && now->count == 1) {
        snprintf(text, size, "one launch a side does not show how far launches lie apart");
    } else {
        snprintf(text, size,
                 "%zu old and %zu new launches cannot give a p below %.2g, below %.2g is needed",
                 before->count, now->count, least, limit);
    }
    const size_t needed = launches_needed(limit);
    if (needed > 0) {
        text_append(text, size, "; %zu launches a side can", needed);
    }
    return true;
}
