/* Two runs of one cell: the ratio of their times, and on which side it is. */

#include "two_runs.h"
#include "judge_internal.h"
#include "number.h"
#include "random.h"
#include "text.h"
#include "words.h"

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

/* P(U ≤ u) ≤ tail for the greatest such u, for n and m values whose order is random. */
typedef struct CriticalU {
    size_t u;
    double share; /* P(U ≤ u) */
    bool exists;  /* false: P(U = 0) is above tail */
} CriticalU;

/* False without memory. */
static bool critical_u(size_t n, size_t m, double tail, CriticalU *critical) {
    /* shares[j][u]: orders of i of the first and j of the second with that U, as their share of
     * all. The last value is one of the first with i / (i + j), and then j of the second are below
     * it.
     */
    const size_t sums = n * m + 1;
    double *shares = calloc((m + 1) * sums, sizeof *shares);
    *critical = (CriticalU){.u = 0};
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
    for (size_t u = 0; u < sums && critical->share + shares[m * sums + u] <= tail; u++) {
        *critical =
            (CriticalU){.u = u, .share = critical->share + shares[m * sums + u], .exists = true};
    }
    free(shares);
    return true;
}

/* Of sorted ratios the middle one on a logarithmic axis. */
static double middle_ratio(const double *sorted, size_t count) {
    return sqrt(sorted[(count - 1) / 2]) * sqrt(sorted[count / 2]);
}

Status launches_ratio_at(const double *numerators, size_t n, const double *denominators, size_t m,
                         double alpha, Ratio *ratio, double *level) {
    double above[LAUNCHES_MAX], below[LAUNCHES_MAX];
    CriticalU critical = {.u = 0};
    *ratio = (Ratio){.value = NAN, .low = NAN, .high = NAN};
    *level = NAN;
    n = keep_known(numerators, n, above);
    m = keep_known(denominators, m, below);
    if (n == 0 || m == 0) {
        return status_ok();
    }
    double *ratios = malloc(n * m * sizeof *ratios);
    ratio->extremes = n < MEDIAN_INTERVAL_MIN || m < MEDIAN_INTERVAL_MIN;
    if (ratios == NULL || (!ratio->extremes && !critical_u(n, m, alpha / 2, &critical))) {
        free(ratios);
        return status_no_memory("for the ratio of %zu and %zu launches", n, m);
    }
    for (size_t i = 0; i < n * m; i++) {
        ratios[i] = above[i / m] / below[i % m];
    }
    qsort(ratios, n * m, sizeof *ratios, compare_doubles);
    ratio->value = middle_ratio(ratios, n * m);
    ratio->low = ratios[critical.u];
    ratio->high = ratios[n * m - 1 - critical.u];
    *level = ratio->extremes ? (double)NAN : 1 - 2 * critical.share;
    free(ratios);
    return status_ok();
}

Status launches_ratio_between(const double *numerators, size_t n, const double *denominators,
                              size_t m, Ratio *ratio, double *level) {
    return launches_ratio_at(numerators, n, denominators, m, 0.05, ratio, level);
}

/* === What could be seen ======================================================================= */

enum { DRAWS = 1000, MANY_DRAWS = 20 * DRAWS, STEPS = 20 };

/* In which share of all comparisons a change is to be found, and by how many draws. */
typedef struct Power {
    double share;
    size_t draws;
} Power;

static const Power usual_power = {0.8, DRAWS};

/* The share of draws whose U is small enough: n values below m others that are `shift` higher, both
 * ascending. */
static double share_found(const double *draws, size_t count, size_t n, size_t m, double shift,
                          size_t most) {
    size_t found = 0;
    for (size_t draw = 0; draw < count; draw++) {
        const double *values = draws + draw * (n + m);
        const double *others = values + n;
        size_t u = 0;
        for (size_t i = 0, j = 0; i < n; i++) {
            while (j < m && values[i] > others[j] + shift) {
                j++;
            }
            u += j;
        }
        found += u <= most;
    }
    return (double)found / (double)count;
}

static void draw_sides(double *draws, size_t count, size_t n, size_t m) {
    Random random;
    random_seed(&random, 1); /* the same each time */
    for (size_t draw = 0; draw < count; draw++) {
        double *values = draws + draw * (n + m);
        for (size_t i = 0; i < n + m; i++) {
            values[i] = random_normal(&random);
        }
        qsort(values, n, sizeof *values, compare_doubles);
        qsort(values + n, m, sizeof *values, compare_doubles);
    }
}

/* By how many deviations of normal launches two sides have to differ for U to be at most that of
 * `limit` with that power. Where so few launches have no such U: INFINITY, or with `widest` that of
 * all launches of a side below all of the other. */
static Status shift_found(size_t n, size_t m, double limit, bool widest, const Power *power,
                          double *shift) {
    CriticalU critical;
    double *draws = malloc(power->draws * (n + m) * sizeof *draws);
    *shift = INFINITY;
    if (draws == NULL || !critical_u(n, m, nextafter(limit / 2, 0), &critical)) {
        free(draws);
        return status_no_memory("to find what %zu and %zu launches show", n, m);
    }
    if (critical.exists || widest) {
        double least = 0;
        double most = 32;
        draw_sides(draws, power->draws, n, m);
        for (int step = 0; step < STEPS; step++) {
            const double middle = (least + most) / 2;
            const bool enough =
                share_found(draws, power->draws, n, m, middle, critical.u) >= power->share;
            least = enough ? least : middle;
            most = enough ? middle : most;
        }
        *shift = most;
    }
    free(draws);
    return status_ok();
}

Status launches_shift(size_t launches, double alpha, double power, double *shift) {
    return shift_found(launches, launches, alpha, false, &(Power){power, MANY_DRAWS}, shift);
}

/* DRAWS do not tell more. */
static double round_change(double change) {
    static const double step = 1e-4;
    return isfinite(change) ? round(change / step) * step : change;
}

/* Of logarithms; NAN for one launch a side. */
static double spread_of(const double *before, size_t n, const double *now, size_t m) {
    return sqrt((log_squares(before, n) + log_squares(now, m)) / ((double)(n + m) - 2));
}

Status launches_detectable(const double *before, size_t n, const double *now, size_t m,
                           double alpha, double threshold, double *change) {
    double below[LAUNCHES_MAX], above[LAUNCHES_MAX];
    double shift = INFINITY;
    n = keep_known(before, n, below);
    m = keep_known(now, m, above);
    if (n >= MEDIAN_INTERVAL_MIN && m >= MEDIAN_INTERVAL_MIN) {
        STATUS_TRY(shift_found(n, m, alpha, true, &usual_power, &shift));
    }
    *change = round_change((1 + threshold) * exp(shift * spread_of(below, n, above, m)) - 1);
    return status_ok();
}

void detectable_add(Detectable *all, double change) {
    all->cells++;
    all->few += !isfinite(change);
    all->most = isfinite(change) ? fmax(all->most, change) : all->most;
}

/* === Their difference ========================================================================= */

size_t launches_needed(double limit) {
    for (size_t launches = 2; launches <= LAUNCHES_MAX; launches++) {
        if (mann_whitney_least_p(launches, launches) < limit) {
            return launches;
        }
    }
    return 0;
}

Status difference_measure(const RunTimes *before, const RunTimes *now, RunDifference *difference) {
    MannWhitney test;
    Ratio ratio;
    *difference = (RunDifference){
        .side = SIDE_UNDECIDED,
        .ratio = {.value = now->median / before->median, .low = NAN, .high = NAN},
        .level = NAN,
        .spread = spread_of(before->launches, before->count, now->launches, now->count),
        .detectable = NAN,
        .limit = NAN,
        .before = before->count,
        .now = now->count,
        .held_before = before->held,
        .held_now = now->held,
        .disturbed_before = before->disturber,
        .disturbed_now = now->disturber,
        .slower_at_least = now->undisturbed / before->median,
        .faster_at_least = before->undisturbed / now->median};
    STATUS_TRY(mann_whitney(now->launches, now->count, before->launches, before->count, &test));
    difference->p = test.p;
    difference->exact = test.exact;
    if (now->count > LAUNCHES_MAX || before->count > LAUNCHES_MAX) {
        return status_ok();
    }
    STATUS_TRY(launches_ratio_between(now->launches, now->count, before->launches, before->count,
                                      &ratio, &difference->level));
    difference->ratio.value = ratio.value;
    if (!ratio.extremes) {
        difference->ratio = ratio;
    }
    return status_ok();
}

/* --- Many of them ----------------------------------------------------------------------------- */

static int by_p(const void *left, const void *right) {
    const RunDifference *const *a = left;
    const RunDifference *const *b = right;
    return ((*a)->p > (*b)->p) - ((*a)->p < (*b)->p);
}

bool ratio_is_beyond(const Ratio *ratio, double threshold) {
    return fmax(ratio->value, 1 / ratio->value) > 1 + threshold;
}

/* As if nothing had disturbed either time. */
static SpeedSide side_as_measured(const RunDifference *difference, double threshold) {
    const Ratio *ratio = &difference->ratio;
    if (difference->p < difference->limit && ratio_is_beyond(ratio, threshold)) {
        return ratio->value > 1 ? SIDE_SLOWER : SIDE_FASTER;
    }
    const bool within = ratio->low >= 1 / (1 + threshold) && ratio->high <= 1 + threshold;
    return within ? SIDE_SAME : SIDE_UNDECIDED;
}

/* What makes that side one that the machine may have made. */
static Disturber disturber_of_side(const RunDifference *difference, SpeedSide side,
                                   double threshold) {
    if (side == SIDE_SLOWER) {
        return difference->slower_at_least > 1 + threshold ? DISTURBER_NONE
                                                           : difference->disturbed_now;
    }
    if (side == SIDE_FASTER) {
        return difference->faster_at_least > 1 + threshold ? DISTURBER_NONE
                                                           : difference->disturbed_before;
    }
    return disturber_of_either(difference->disturbed_now, difference->disturbed_before);
}

static void decide(RunDifference *difference, double threshold) {
    const SpeedSide side = side_as_measured(difference, threshold);
    const bool unlike = difference->held_before != difference->held_now;
    difference->ratio.disturber = side == SIDE_UNDECIDED || unlike
                                      ? DISTURBER_NONE
                                      : disturber_of_side(difference, side, threshold);
    difference->side =
        unlike || difference->ratio.disturber != DISTURBER_NONE ? SIDE_UNDECIDED : side;
}

Status differences_decide(RunDifference *const *differences, size_t count,
                          const CompareCriteria *criteria) {
    RunDifference **sorted = malloc((count + 1) * sizeof *sorted);
    if (sorted == NULL) {
        return status_no_memory("to judge %zu cells", count);
    }
    memcpy(sorted, differences, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_p);
    size_t refused = 0; /* hypotheses of no change */
    while (refused < count && sorted[refused]->p < criteria->alpha / (double)(count - refused)) {
        refused++;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t left = count - (i < refused ? i : refused);
        sorted[i]->limit = criteria->alpha / (double)left;
        decide(sorted[i], criteria->threshold);
    }
    free(sorted);
    return status_ok();
}

/* A change has to be beyond the threshold as well, in 80% of all comparisons. */
static double detectable_of(const RunDifference *difference, double shift, double threshold) {
    static const double deviations = 0.8416; /* the 80% quantile of the normal distribution */
    const double error =
        difference->spread * sqrt(1.0 / (double)difference->before + 1.0 / (double)difference->now);
    const double proved = exp(shift * difference->spread) - 1;
    const double change = fmax(proved, (1 + threshold) * exp(deviations * error) - 1);
    return round_change(change);
}

Status differences_detectable(RunDifference *const *differences, size_t count,
                              const CompareCriteria *criteria) {
    /* By launches of both sides; 0: not found yet. */
    double(*shifts)[LAUNCHES_MAX + 1] = calloc(LAUNCHES_MAX + 1, sizeof *shifts);
    Status status = shifts != NULL ? status_ok() : status_no_memory("to find what launches show");
    for (size_t i = 0; i < count && status_is_ok(&status); i++) {
        RunDifference *difference = differences[i];
        if (difference->before > LAUNCHES_MAX || difference->now > LAUNCHES_MAX ||
            isnan(difference->spread)) {
            continue;
        }
        double *shift = &shifts[difference->before][difference->now];
        if (*shift == 0) {
            status = shift_found(difference->before, difference->now,
                                 criteria->alpha / (double)count, false, &usual_power, shift);
        }
        difference->detectable = detectable_of(difference, *shift, criteria->threshold);
    }
    free(shifts);
    return status;
}

/* 0: it is not known to have changed. */
static double change_of(const RunDifference *difference) {
    return side_is_decided(difference->side) ? fabs(log(difference->ratio.value)) : 0;
}

bool difference_is_greater(const RunDifference *difference, const RunDifference *other) {
    return change_of(difference) > (other != NULL ? change_of(other) : 0);
}

bool difference_is_near(const RunDifference *difference, const RunDifference *other) {
    return log(difference->ratio.value) / log(other->ratio.value) > 0.5;
}

/* === Words ==================================================================================== */

/* Why p is not small enough. True where there are too few launches. */
static bool explain_p(const RunDifference *difference, char *text, size_t size) {
    const double least = mann_whitney_least_p(difference->now, difference->before);
    const double limit = difference->limit;
    if (least < limit) {
        snprintf(text, size, "p is %.2g, below %.2g is needed", difference->p, limit);
        return false;
    }
    if (difference->before == 1 && difference->now == 1) {
        snprintf(text, size, "one launch a side does not show how far launches lie apart");
    } else {
        snprintf(text, size,
                 "%zu old and %zu new launches cannot give a p below %.2g, below %.2g is needed",
                 difference->before, difference->now, least, limit);
    }
    const size_t needed = launches_needed(limit);
    if (needed > 0) {
        text_append(text, size, "; %zu launches a side can", needed);
    }
    return true;
}

/* Appends which time may be too long. */
static void explain_disturber(const RunDifference *difference, Disturber by, char *text,
                              size_t size) {
    const bool now =
        difference->disturbed_now != DISTURBER_NONE &&
        (difference->ratio.value > 1 || difference->disturbed_before == DISTURBER_NONE);
    text_append(text, size, "the %s time may be too long: %s", now ? "new" : "old",
                disturber_clause(by));
}

bool difference_why(const RunDifference *difference, const CompareCriteria *criteria, char *text,
                    size_t size) {
    const Ratio *ratio = &difference->ratio;
    bool few = false;
    if (difference->held_before != difference->held_now) {
        snprintf(text, size,
                 "the %s time includes waiting for the host to launch kernels, the %s one does not",
                 difference->held_before ? "new" : "old", difference->held_before ? "old" : "new");
        return false;
    }
    if (ratio->disturber != DISTURBER_NONE) {
        text[0] = '\0';
        explain_disturber(difference, ratio->disturber, text, size);
        return false;
    }
    if (ratio_is_beyond(ratio, criteria->threshold) && !(difference->p < difference->limit)) {
        const SpeedSide side = ratio->value > 1 ? SIDE_SLOWER : SIDE_FASTER;
        const Disturber by = disturber_of_side(difference, side, criteria->threshold);
        few = explain_p(difference, text, size);
        if (by != DISTURBER_NONE) {
            text_append(text, size, "; and ");
            explain_disturber(difference, by, text, size);
        }
    } else if (isnan(ratio->low)) {
        few = difference->before < MEDIAN_INTERVAL_MIN || difference->now < MEDIAN_INTERVAL_MIN;
        snprintf(text, size, "there is no interval; %d launches a side have one",
                 MEDIAN_INTERVAL_MIN);
    } else {
        char change[SIGNIFICANT_SIZE];
        change_text(fmax(ratio->high, 1 / ratio->low) - 1, change);
        snprintf(text, size, "a change of %s is not excluded", change);
    }
    if (isfinite(difference->detectable)) {
        char change[SIGNIFICANT_SIZE];
        change_text(difference->detectable, change);
        text_append(text, size, "; a change of %s would have been found in 80%% of comparisons",
                    change);
    }
    return few;
}
