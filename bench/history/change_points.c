/* Change points of a sequence: E-divisive with permutation tests. */

#include "history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { SEED = 1 };

/* Sums that the search of a segment needs: distances within its first i values, and of the values
 * before a split to those from it up to i. */
typedef struct Scratch {
    double *within, *across;
    double *shuffled; /* all values, those of each segment in another order */
    size_t *ends;     /* of the segments: where each begins, and the end of the last */
    size_t segments;
} Scratch;

typedef struct Split {
    double q;
    size_t at; /* in the segment */
} Split;

static double pair_mean(double sum, double count) {
    return sum / (count * (count - 1) / 2);
}

/* The best split of n values: O(n²), since the sums of one split follow from those of the last. */
static Split best_split(const double *values, size_t n, Scratch *scratch) {
    double *within = scratch->within;
    double *across = scratch->across;
    Split best = {.q = -INFINITY, .at = 0};
    within[0] = 0;
    for (size_t end = 1; end <= n; end++) {
        within[end] = within[end - 1];
        for (size_t i = 0; i + 1 < end; i++) {
            within[end] += fabs(values[i] - values[end - 1]);
        }
    }
    memset(across, 0, (n + 1) * sizeof *across);
    for (size_t at = 1; at + CHANGE_SIDE_MIN <= n; at++) {
        /* across[end]: of values before `at` to all before `end` from `at` on. */
        double moved = 0;
        const double to_earlier = within[at] - within[at - 1];
        for (size_t end = at + 1; end <= n; end++) {
            moved += fabs(values[at - 1] - values[end - 1]);
            across[end] += moved - to_earlier;
        }
        for (size_t end = at + CHANGE_SIDE_MIN; at >= CHANGE_SIDE_MIN && end <= n; end++) {
            const double before = (double)at;
            const double after = (double)(end - at);
            const double q = before * after / (before + after) *
                             (2 * across[end] / (before * after) - pair_mean(within[at], before) -
                              pair_mean(within[end] - within[at] - across[end], after));
            if (q > best.q) {
                best = (Split){.q = q, .at = at};
            }
        }
    }
    return best;
}

/* The best split of all segments; `*segment` is the one that it is in. */
static Split best_of_all(const double *values, Scratch *scratch, size_t *segment) {
    Split best = {.q = -INFINITY, .at = 0};
    for (size_t i = 0; i < scratch->segments; i++) {
        const size_t from = scratch->ends[i];
        const Split split = best_split(values + from, scratch->ends[i + 1] - from, scratch);
        if (split.q > best.q) {
            best = split;
            *segment = i;
        }
    }
    return best;
}

/* Puts the values of each segment in a random order (Fisher and Yates). */
static void shuffle(Scratch *scratch, Random *random) {
    for (size_t s = 0; s < scratch->segments; s++) {
        double *values = scratch->shuffled + scratch->ends[s];
        for (size_t left = scratch->ends[s + 1] - scratch->ends[s]; left > 1; left--) {
            const size_t other = (size_t)(random_unit(random) * (double)left);
            const double value = values[left - 1];
            values[left - 1] = values[other];
            values[other] = value;
        }
    }
}

/* How rare so large a Q is. Once it is certain that p is above alpha, no further order is tried
 * (Besag and Clifford 1991). */
static double permutation_p(const double *values, size_t count, double q, double alpha,
                            Scratch *scratch, Random *random) {
    const double least = q * (1 - 1e-12); /* the same sums in another order */
    const double enough = alpha * (CHANGE_PERMUTATIONS + 1);
    size_t as_large = 1;
    memcpy(scratch->shuffled, values, count * sizeof *values);
    for (size_t i = 0; i < CHANGE_PERMUTATIONS && (double)as_large <= enough; i++) {
        size_t segment = 0;
        shuffle(scratch, random);
        as_large += best_of_all(scratch->shuffled, scratch, &segment).q >= least;
    }
    return (double)as_large / (CHANGE_PERMUTATIONS + 1);
}

static void insert(ChangePoint *points, size_t *found, ChangePoint point) {
    size_t place = (*found)++;
    for (; place > 0 && points[place - 1].at > point.at; place--) {
        points[place] = points[place - 1];
    }
    points[place] = point;
}

static void split_segment(Scratch *scratch, size_t segment, size_t at) {
    memmove(scratch->ends + segment + 2, scratch->ends + segment + 1,
            (scratch->segments - segment) * sizeof *scratch->ends);
    scratch->ends[segment + 1] = at;
    scratch->segments++;
}

static void search(const double *values, size_t count, double alpha, Scratch *scratch,
                   ChangePoint *points, size_t *found) {
    Random random;
    random_seed(&random, SEED);
    for (;;) {
        size_t segment = 0;
        const Split best = best_of_all(values, scratch, &segment);
        if (!(best.q > 0)) {
            return;
        }
        const double p = permutation_p(values, count, best.q, alpha, scratch, &random);
        if (p > alpha) {
            return;
        }
        const size_t at = scratch->ends[segment] + best.at;
        insert(points, found, (ChangePoint){.at = at, .q = best.q, .p = p});
        split_segment(scratch, segment, at);
    }
}

Status change_points_find(const double *values, size_t count, double alpha, ChangePoint *points,
                          size_t *found) {
    *found = 0;
    if (count < 2 * CHANGE_SIDE_MIN) {
        return status_ok();
    }
    Scratch scratch = {.within = calloc(count + 1, sizeof *scratch.within),
                       .across = calloc(count + 1, sizeof *scratch.across),
                       .shuffled = calloc(count, sizeof *scratch.shuffled),
                       .ends = calloc(count + 1, sizeof *scratch.ends),
                       .segments = 1};
    const bool complete = scratch.within != NULL && scratch.across != NULL &&
                          scratch.shuffled != NULL && scratch.ends != NULL;
    if (complete) {
        scratch.ends[1] = count;
        search(values, count, alpha, &scratch, points, found);
    }
    free(scratch.within);
    free(scratch.across);
    free(scratch.shuffled);
    free(scratch.ends);
    return complete ? status_ok() : status_no_memory("for the change points");
}
