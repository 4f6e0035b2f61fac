#include "mann_whitney.h"

#include <math.h>
#include <stdlib.h>

typedef struct Ranked {
    double value;
    bool first; /* of the first group */
} Ranked;

static int compare_ranked(const void *left, const void *right) {
    const double a = ((const Ranked *)left)->value;
    const double b = ((const Ranked *)right)->value;
    return (a > b) - (a < b);
}

/* Sums over the groups of equal values: the ranks of the first group, and t³ - t. */
typedef struct RankSums {
    double first;
    double ties;
} RankSums;

static RankSums sum_ranks(const Ranked *sorted, size_t count) {
    RankSums sums = {.first = 0};
    for (size_t start = 0; start < count;) {
        size_t end = start;
        size_t of_first = 0;
        while (end < count && sorted[end].value == sorted[start].value) {
            of_first += sorted[end++].first;
        }
        const double tied = (double)(end - start);
        sums.first += (double)of_first * ((double)start + (tied + 1) / 2);
        sums.ties += tied * tied * tied - tied;
        start = end;
    }
    return sums;
}

/*
 * P(U ≤ u) of n and m samples without ties. The greatest of all is of the first group with
 * probability i / (i + j) and then beats all j of the second:
 *     p(i, j, u) = i/(i+j) · p(i-1, j, u-j) + j/(i+j) · p(i, j-1, u).
 * Sums of positive terms only, so nothing cancels in the tail. NAN when memory runs out.
 */
static double exact_tail(size_t n, size_t m, size_t u) {
    const size_t width = u + 1;
    double *table = calloc((n + 1) * width, sizeof *table); /* p(i, j, ·) of the current j */
    if (table == NULL) {
        return (double)NAN;
    }
    for (size_t j = 0; j <= m; j++) {
        for (size_t i = 0; i <= n; i++) {
            double *row = table + i * width;
            if (i == 0 || j == 0) {
                row[0] = 1;
                continue;
            }
            const double share = (double)i / (double)(i + j);
            const double *fewer = row - width;
            for (size_t k = 0; k < width; k++) {
                row[k] = (1 - share) * row[k] + (k >= j ? share * fewer[k - j] : 0);
            }
        }
    }
    double tail = 0;
    for (size_t k = 0; k < width; k++) {
        tail += table[n * width + k];
    }
    free(table);
    return tail;
}

static double normal_p(double n, double m, double u, double ties) {
    const double all = n + m;
    const double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
    if (!(variance > 0)) {
        return 1; /* all values are equal */
    }
    const double distance = fmax(fabs(u - n * m / 2) - 0.5, 0);
    return erfc(distance / sqrt(variance) / sqrt(2.0));
}

static Status judge_ranks(const Ranked *sorted, size_t n, size_t m, MannWhitney *test) {
    const RankSums sums = sum_ranks(sorted, n + m);
    const double pairs = (double)n * (double)m;
    test->u = sums.first - (double)n * ((double)n + 1) / 2;
    test->exact = sums.ties == 0 && n <= MANN_WHITNEY_EXACT_MAX && m <= MANN_WHITNEY_EXACT_MAX;
    if (!test->exact) {
        test->p = normal_p((double)n, (double)m, test->u, sums.ties);
        return status_ok();
    }
    /* The distribution is symmetric: the lower tail of the smaller U stands for both. */
    const double tail = exact_tail(n, m, (size_t)fmin(test->u, pairs - test->u));
    if (isnan(tail)) {
        return status_skip("no memory left for the Mann–Whitney test");
    }
    test->p = fmin(1, 2 * tail);
    return status_ok();
}

Status mann_whitney(const double *first, size_t first_count, const double *second,
                    size_t second_count, MannWhitney *test) {
    *test = (MannWhitney){.u = NAN, .p = NAN};
    const size_t count = first_count + second_count;
    Ranked *ranked = malloc((count > 0 ? count : 1) * sizeof *ranked);
    if (ranked == NULL) {
        return status_skip("no memory left to rank %zu samples", count);
    }
    for (size_t i = 0; i < count; i++) {
        const bool of_first = i < first_count;
        ranked[i] = (Ranked){of_first ? first[i] : second[i - first_count], of_first};
    }
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    const Status status = judge_ranks(ranked, first_count, second_count, test);
    free(ranked);
    return status;
}

double mann_whitney_least_p(size_t first_count, size_t second_count) {
    const double n = (double)first_count;
    const double m = (double)second_count;
    return fmin(1, 2 * exp(lgamma(n + 1) + lgamma(m + 1) - lgamma(n + m + 1)));
}
