/* The two-sided Mann–Whitney U test (Wilcoxon's rank-sum test). */

#include "judge_internal.h"
#include "number.h"
#include "two_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Ranked {
    double value;
    bool first; /* of the first group */
} Ranked;

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
 * The distribution of a rank sum: in how many of the ways to choose n of `count` values their ranks
 * sum to s, for every s up to `most`. Rank sums of equal values are whole when all ranks are
 * doubled. Sums of positive terms only, so nothing cancels in the tail. NULL without memory.
 */
static double *ways_to_sum(const size_t *ranks, size_t count, size_t n, size_t most) {
    const size_t width = most + 1;
    double *table = calloc((n + 1) * width, sizeof *table); /* of 0…n chosen values */
    if (table == NULL) {
        return NULL;
    }
    table[0] = 1;
    for (size_t i = 0; i < count; i++) {
        for (size_t chosen = i < n ? i + 1 : n; chosen > 0; chosen--) {
            double *ways = table + chosen * width;
            const double *fewer = ways - width;
            for (size_t sum = most; sum >= ranks[i]; sum--) {
                ways[sum] += fewer[sum - ranks[i]];
            }
        }
    }
    memmove(table, table + n * width, width * sizeof *table);
    return table;
}

/* n of all, at most MANN_WHITNEY_EXACT_MAX and twice that: exact up to rounding. */
static double choose(size_t all, size_t n) {
    double ways = 1;
    for (size_t i = 1; i <= n; i++) {
        ways *= (double)(all - n + i) / (double)i;
    }
    return ways;
}

/* P(the doubled rank sum of n of `count` values ≤ most). NAN without memory. */
static double lower_tail(const size_t *ranks, size_t count, size_t n, size_t most) {
    double *ways = ways_to_sum(ranks, count, n, most);
    if (ways == NULL) {
        return NAN;
    }
    double sum = 0;
    for (size_t i = 0; i <= most; i++) {
        sum += ways[i];
    }
    free(ways);
    return sum / choose(count, n);
}

/*
 * P(a rank sum as far from its mean as `sum`) over all ways in which the values could have fallen
 * to the two groups. Equal values share the mean of their ranks, so ties need no approximation.
 */
static double exact_p(const Ranked *sorted, size_t n, size_t m, double sum) {
    size_t ranks[2 * MANN_WHITNEY_EXACT_MAX]; /* doubled */
    size_t reversed[2 * MANN_WHITNEY_EXACT_MAX];
    const size_t count = n + m;
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start; end < count && sorted[end].value == sorted[start].value; end++) {
        }
        for (size_t i = start; i < end; i++) {
            ranks[i] = start + 1 + end;
            reversed[i] = 2 * (count + 1) - ranks[i];
        }
    }
    const double mean = (double)(n * (count + 1));
    const double distance = fabs(2 * sum - mean);
    const size_t most = (size_t)(mean - distance);
    return fmin(1, lower_tail(ranks, count, n, most) + lower_tail(reversed, count, n, most));
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
    test->u = sums.first - (double)n * ((double)n + 1) / 2;
    test->exact = n <= MANN_WHITNEY_EXACT_MAX && m <= MANN_WHITNEY_EXACT_MAX;
    test->p = test->exact ? exact_p(sorted, n, m, sums.first)
                          : normal_p((double)n, (double)m, test->u, sums.ties);
    return isnan(test->p) ? status_no_memory("for the Mann–Whitney test") : status_ok();
}

Status mann_whitney(const double *first, size_t first_count, const double *second,
                    size_t second_count, MannWhitney *test) {
    *test = (MannWhitney){.u = NAN, .p = NAN};
    const size_t count = first_count + second_count;
    Ranked *ranked = malloc((count > 0 ? count : 1) * sizeof *ranked);
    if (ranked == NULL) {
        return status_no_memory("to rank %zu values", count);
    }
    for (size_t i = 0; i < count; i++) {
        const bool of_first = i < first_count;
        ranked[i] = (Ranked){of_first ? first[i] : second[i - first_count], of_first};
    }
    qsort(ranked, count, sizeof *ranked, compare_doubles);
    const Status status = judge_ranks(ranked, first_count, second_count, test);
    free(ranked);
    return status;
}

double mann_whitney_least_p(size_t first_count, size_t second_count) {
    const double n = (double)first_count;
    const double m = (double)second_count;
    return fmin(1, 2 * exp(lgamma(n + 1) + lgamma(m + 1) - lgamma(n + m + 1)));
}
