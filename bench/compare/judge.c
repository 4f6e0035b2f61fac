/* The verdict about one cell. */

#include "compare_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* === The Mann–Whitney test ==================================================================== */

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
        return status_no_memory("for the Mann–Whitney test");
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
        return status_no_memory("to rank %zu samples", count);
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

/* === Judgement ================================================================================ */

const char *change_name(CellChange change) {
    static const char *const names[CHANGE_COUNT] = {[CHANGE_SAME] = "same",
                                                    [CHANGE_FASTER] = "faster",
                                                    [CHANGE_SLOWER] = "slower",
                                                    [CHANGE_AMBIGUOUS] = "ambiguous"};
    return names[change];
}

/* The change as a slowdown: of a cell that became faster, with old and new exchanged. */
typedef struct Slowdown {
    double value, least; /* the ratio and the near end of its interval, both above 1 when proved */
    CellChange proved;
} Slowdown;

static Slowdown slowdown_of(const Ratio *ratio) {
    return ratio->value >= 1 ? (Slowdown){ratio->value, ratio->low, CHANGE_SLOWER}
                             : (Slowdown){1 / ratio->value, 1 / ratio->high, CHANGE_FASTER};
}

static void judge_few(size_t old_count, size_t new_count, CellJudgement *judgement) {
    judgement->change = CHANGE_AMBIGUOUS;
    snprintf(judgement->why, sizeof judgement->why,
             "%zu old and %zu new samples; %d on each side are needed", old_count, new_count,
             MEDIAN_INTERVAL_MIN);
}

/* Why p is not small enough. */
static void explain_p(size_t old_count, size_t new_count, double limit, CellJudgement *judgement) {
    const double least = mann_whitney_least_p(old_count, new_count);
    if (judgement->exact && least >= limit) {
        snprintf(judgement->why, sizeof judgement->why,
                 "%zu old and %zu new samples cannot give a p below %.2g, %.2g is needed; take "
                 "more samples",
                 old_count, new_count, least, limit);
    } else {
        snprintf(judgement->why, sizeof judgement->why, "p is %.2g, below %.2g is needed",
                 judgement->p, limit);
    }
}

Status judge_cell(const Samples *old_samples, const Samples *new_samples,
                  const CompareCriteria *criteria, size_t cells, double noise_floor,
                  CellJudgement *judgement) {
    *judgement = (CellJudgement){.change = CHANGE_SAME};
    const size_t old_count = old_samples->count;
    const size_t new_count = new_samples->count;
    MannWhitney test;
    STATUS_TRY(ratio_of_medians(new_samples, old_samples, criteria->seed, &judgement->ratio));
    STATUS_TRY(
        mann_whitney(new_samples->seconds, new_count, old_samples->seconds, old_count, &test));
    judgement->p = test.p;
    judgement->exact = test.exact;
    if (old_count < MEDIAN_INTERVAL_MIN || new_count < MEDIAN_INTERVAL_MIN) {
        judge_few(old_count, new_count, judgement);
        return status_ok();
    }
    const Slowdown slowdown = slowdown_of(&judgement->ratio);
    const double p_limit = criteria->alpha / (double)cells;
    if (!(slowdown.value > 1 + criteria->threshold)) {
        return status_ok();
    }
    judgement->change = CHANGE_AMBIGUOUS;
    if (!(test.p < p_limit)) {
        explain_p(old_count, new_count, p_limit, judgement);
    } else if (!(slowdown.least > 1 + criteria->threshold)) {
        snprintf(judgement->why, sizeof judgement->why,
                 "the interval of the ratio reaches below the threshold of %g%%",
                 100 * criteria->threshold);
    } else if (!(slowdown.value > 1 + noise_floor)) {
        snprintf(judgement->why, sizeof judgement->why,
                 "within the noise floor of this machine, %.3g%%", 100 * noise_floor);
    } else {
        judgement->change = slowdown.proved;
    }
    return status_ok();
}
