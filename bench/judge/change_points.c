/* Change points of a sequence of commits: E-divisive with permutation tests. */

#include "change_points.h"
#include "judge_internal.h"
#include "number.h"
#include "two_runs.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"
#include "random.h"

/* What the search needs. `within` and `across` are sums of distances in a segment: within its first
 * i commits, and of the commits before a split to those from it up to i. */
typedef struct Scratch {
    double *distances; /* of all pairs of commits, count × count */
    size_t count;
    double *within, *across;
    size_t *order;    /* of the commits; those of a segment may be shuffled */
    size_t *ends;     /* of the segments: where each begins, and the end of the last */
    float *best;      /* Q of the best splits of each order that was tried, the given one first */
    float *ascending; /* two halves, the same for each kind of split, ascending */
    size_t segments;
} Scratch;

typedef struct Split {
    double q;
    size_t segment, at; /* in the segment */
} Split;

/* A segment is split as a whole, which finds a step, or up to some commit, which also finds a level
 * that does not last. There are more splits of the second kind, so random orders have larger ones:
 * each kind is compared with its own. */
typedef enum Kind { KIND_WHOLE, KIND_PART, KINDS } Kind;

typedef struct Best {
    Split of[KINDS];
} Best;

static double pair_mean(double sum, double count) {
    return sum / (count * (count - 1) / 2);
}

static void keep_larger(Split *best, double q, size_t segment, size_t at) {
    if (q > best->q) {
        *best = (Split){.q = q, .segment = segment, .at = at};
    }
}

static double distance(const Scratch *scratch, size_t place, size_t other) {
    return scratch->distances[scratch->order[place] * scratch->count + scratch->order[other]];
}

/* within[i]: over the pairs of the first i commits from `from` on. */
static void sum_within(Scratch *scratch, size_t from, size_t n) {
    scratch->within[0] = 0;
    for (size_t end = 1; end <= n; end++) {
        double sum = scratch->within[end - 1];
        for (size_t i = 0; i + 1 < end; i++) {
            sum += distance(scratch, from + i, from + end - 1);
        }
        scratch->within[end] = sum;
    }
}

/* The best splits of a segment: O(n²), since the sums of one split follow from those of the last.
 */
static void split_best(Scratch *scratch, size_t segment, Best *best) {
    const size_t from = scratch->ends[segment];
    const size_t n = scratch->ends[segment + 1] - from;
    const double *within = scratch->within;
    double *across = scratch->across;
    sum_within(scratch, from, n);
    memset(across, 0, (n + 1) * sizeof *across);
    for (size_t at = 1; at + CHANGE_SIDE_MIN <= n; at++) {
        /* across[end]: of commits before `at` to all before `end` from `at` on. */
        double moved = 0;
        const double to_earlier = within[at] - within[at - 1];
        for (size_t end = at + 1; end <= n; end++) {
            moved += distance(scratch, from + at - 1, from + end - 1);
            across[end] += moved - to_earlier;
        }
        for (size_t end = at + CHANGE_SIDE_MIN; at >= CHANGE_SIDE_MIN && end <= n; end++) {
            const double before = (double)at;
            const double after = (double)(end - at);
            const double q = before * after / (before + after) *
                             (2 * across[end] / (before * after) - pair_mean(within[at], before) -
                              pair_mean(within[end] - within[at] - across[end], after));
            keep_larger(&best->of[KIND_PART], q, segment, at);
            if (end == n) {
                keep_larger(&best->of[KIND_WHOLE], q, segment, at);
            }
        }
    }
}

static Best best_of_all(Scratch *scratch) {
    Best best = {.of = {{.q = -INFINITY}, {.q = -INFINITY}}};
    for (size_t i = 0; i < scratch->segments; i++) {
        split_best(scratch, i, &best);
    }
    return best;
}

/* Puts the commits of each segment in a random order (Fisher and Yates). */
static void shuffle(Scratch *scratch, Random *random) {
    for (size_t s = 0; s < scratch->segments; s++) {
        size_t *order = scratch->order + scratch->ends[s];
        for (size_t left = scratch->ends[s + 1] - scratch->ends[s]; left > 1; left--) {
            const size_t other = (size_t)(random_unit(random) * (double)left);
            const size_t commit = order[left - 1];
            order[left - 1] = order[other];
            order[other] = commit;
        }
    }
}

static void reset_order(Scratch *scratch) {
    for (size_t i = 0; i < scratch->count; i++) {
        scratch->order[i] = i;
    }
}

static int compare_floats(const void *left, const void *right) {
    const float a = *(const float *)left;
    const float b = *(const float *)right;
    return a < b ? -1 : a > b;
}

/* How many of ascending values are at least so large. */
static size_t count_from(const float *ascending, size_t count, float least) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ascending[middle] < least) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return count - low;
}

/* How many orders have as large a split of the kind in which this order is the rarer one. */
static size_t rarity(const Scratch *scratch, size_t order, size_t orders, Kind *kind) {
    size_t least = SIZE_MAX;
    for (Kind k = KIND_WHOLE; k < KINDS; k++) {
        const size_t as_large = count_from(scratch->ascending + k * (CHANGE_PERMUTATIONS + 1),
                                           orders, scratch->best[order * KINDS + k]);
        if (as_large < least) {
            least = as_large;
            *kind = k;
        }
    }
    return least;
}

/* The share of orders that are as rare as the given one, which is the first; `*kind` is that of its
 * rarer split. This takes account of there being two kinds (Westfall and Young 1993). */
static double p_of_first(Scratch *scratch, size_t orders, Kind *kind) {
    Kind other = KIND_WHOLE;
    size_t as_rare = 0;
    for (Kind k = KIND_WHOLE; k < KINDS; k++) {
        float *ascending = scratch->ascending + k * (CHANGE_PERMUTATIONS + 1);
        for (size_t i = 0; i < orders; i++) {
            ascending[i] = scratch->best[i * KINDS + k];
        }
        qsort(ascending, orders, sizeof *ascending, compare_floats);
    }
    const size_t first = rarity(scratch, 0, orders, kind);
    for (size_t i = 0; i < orders; i++) {
        as_rare += rarity(scratch, i, orders, &other) <= first;
    }
    return (double)as_rare / (double)orders;
}

/* How rare so large splits are. Once it is certain that p is above alpha, no further order is tried
 * (Besag and Clifford 1991) and 1 returned. */
static double permutation_p(const Best *given, double alpha, Scratch *scratch, Random *random,
                            Kind *kind) {
    const double enough = alpha * (CHANGE_PERMUTATIONS + 1);
    size_t as_large[KINDS] = {1, 1};
    for (size_t i = 0; i <= CHANGE_PERMUTATIONS; i++) {
        if (i > 0) {
            shuffle(scratch, random);
        }
        const Best best = i > 0 ? best_of_all(scratch) : *given;
        for (Kind k = KIND_WHOLE; k < KINDS; k++) {
            /* As float: the same sums in another order are equal. */
            scratch->best[i * KINDS + k] = (float)best.of[k].q;
            as_large[k] += i > 0 && scratch->best[i * KINDS + k] >= scratch->best[k];
        }
        if ((double)as_large[KIND_WHOLE] > enough && (double)as_large[KIND_PART] > enough) {
            reset_order(scratch);
            return 1;
        }
    }
    reset_order(scratch);
    return p_of_first(scratch, CHANGE_PERMUTATIONS + 1, kind);
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

static void search(double alpha, Scratch *scratch, ChangePoint *points, size_t *found) {
    Random random;
    /* Other values get other orders: with the same ones for all, the luck of these 999 would be
     * that of every cell. */
    random_seed(&random, fnv_bytes(FNV_START, scratch->distances,
                                   scratch->count * scratch->count * sizeof(double)));
    for (;;) {
        Kind kind = KIND_WHOLE;
        const Best best = best_of_all(scratch);
        if (!(best.of[KIND_PART].q > 0)) {
            return;
        }
        const double p = permutation_p(&best, alpha, scratch, &random, &kind);
        const Split *split = &best.of[kind];
        if (p > alpha || !(split->q > 0)) {
            return;
        }
        const size_t at = scratch->ends[split->segment] + split->at;
        insert(points, found, (ChangePoint){.at = at, .q = split->q, .p = p});
        split_segment(scratch, split->segment, at);
    }
}

/* === Distances ================================================================================ */

/* A value of a commit that has more than enough launches: order statistics at even distances. */
static double launch_of(const ChangeSample *sample, size_t index, size_t used) {
    return sample->values[(2 * index + 1) * sample->count / (2 * used)];
}

static double mean_distance(const ChangeSample *x, const ChangeSample *y) {
    const size_t of_x = x->count < CHANGE_LAUNCHES_MAX ? x->count : CHANGE_LAUNCHES_MAX;
    const size_t of_y = y->count < CHANGE_LAUNCHES_MAX ? y->count : CHANGE_LAUNCHES_MAX;
    double sum = 0;
    for (size_t i = 0; i < of_x; i++) {
        for (size_t j = 0; j < of_y; j++) {
            sum += sqrt(fabs(launch_of(x, i, of_x) - launch_of(y, j, of_y)));
        }
    }
    return sum / (double)(of_x * of_y);
}

static void find_distances(const ChangeSample *samples, Scratch *scratch) {
    const size_t count = scratch->count;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            const double mean = mean_distance(&samples[i], &samples[j]);
            scratch->distances[i * count + j] = scratch->distances[j * count + i] = mean;
        }
    }
}

Status change_points_find(const ChangeSample *samples, size_t count, double alpha,
                          ChangePoint *points, size_t *found) {
    *found = 0;
    if (count < 2 * CHANGE_SIDE_MIN) {
        return status_ok();
    }
    const size_t bests = (CHANGE_PERMUTATIONS + 1) * KINDS;
    Scratch scratch = {.distances = calloc(count * count, sizeof *scratch.distances),
                       .count = count,
                       .within = calloc(count + 1, sizeof *scratch.within),
                       .across = calloc(count + 1, sizeof *scratch.across),
                       .order = calloc(count, sizeof *scratch.order),
                       .ends = calloc(count + 1, sizeof *scratch.ends),
                       .best = calloc(bests, sizeof *scratch.best),
                       .ascending = calloc(bests, sizeof *scratch.ascending),
                       .segments = 1};
    const bool complete = scratch.distances != NULL && scratch.within != NULL &&
                          scratch.across != NULL && scratch.order != NULL && scratch.ends != NULL &&
                          scratch.best != NULL && scratch.ascending != NULL;
    if (complete) {
        scratch.ends[1] = count;
        find_distances(samples, &scratch);
        reset_order(&scratch);
        search(alpha, &scratch, points, found);
    }
    free(scratch.distances);
    free(scratch.within);
    free(scratch.across);
    free(scratch.order);
    free(scratch.ends);
    free(scratch.best);
    free(scratch.ascending);
    return complete ? status_ok() : status_no_memory("for the change points");
}

/* === Levels =================================================================================== */

/* The median over the samples from `from` to `to`. */
static double level_of(const double *medians, size_t from, size_t to, double *room) {
    memcpy(room, medians + from, (to - from) * sizeof *room);
    return median_in_place(room, to - from);
}

static void find_levels(const double *medians, size_t count, const ChangePoint *points,
                        size_t found, double *room, LevelChange *changes) {
    for (size_t i = 0; i < found; i++) {
        const size_t at = points[i].at;
        const size_t from = i > 0 ? points[i - 1].at : 0;
        const size_t to = i + 1 < found ? points[i + 1].at : count;
        const double ratio = level_of(medians, at, to, room) / level_of(medians, from, at, room);
        changes[i] = (LevelChange){
            .point = points[i], .ratio = ratio, .side = ratio > 1 ? SIDE_SLOWER : SIDE_FASTER};
    }
}

/* By the medians of both halves, as if they were the launches of two runs. */
static Status find_detectable(const double *medians, size_t count, double alpha,
                              double *detectable) {
    const size_t half = count / 2;
    const size_t most = half < LAUNCHES_MAX ? half : LAUNCHES_MAX;
    RunDifference difference, *one = &difference;
    *detectable = NAN;
    if (most == 0) {
        return status_ok();
    }
    const double *first = medians + half - most, *second = medians + half;
    const RunTimes before = {.launches = first, .count = most, .median = first[0]};
    const RunTimes now = {.launches = second, .count = most, .median = second[0]};
    STATUS_TRY(difference_measure(&before, &now, &difference));
    /* The search looks at two kinds of splits. Where that leaves too few samples, at one. */
    for (double kinds = KINDS; kinds > 0 && !isfinite(*detectable); kinds--) {
        const CompareCriteria criteria = {.alpha = alpha / kinds};
        STATUS_TRY(differences_detectable(&one, 1, &criteria));
        *detectable = difference.detectable;
    }
    return status_ok();
}

Status level_changes_find(const ChangeSample *samples, const double *medians, size_t count,
                          double alpha, LevelChange *changes, size_t *found, double *detectable) {
    double *room = malloc((count + 1) * sizeof *room);
    ChangePoint *points = malloc((count + 1) * sizeof *points);
    Status status = room != NULL && points != NULL
                        ? change_points_find(samples, count, alpha, points, found)
                        : status_no_memory("for the changes of a cell");
    *detectable = NAN;
    if (status_is_ok(&status)) {
        find_levels(medians, count, points, *found, room, changes);
        status = *found == 0 ? find_detectable(medians, count, alpha, detectable) : status_ok();
    }
    free(room);
    free(points);
    return status;
}
