/*
 * Statistics: summaries of samples, intervals, ratios of medians, random numbers, the dip test,
 * Mann-Whitney, proportions.
 */

#include "base_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "status.h"

/* === Samples ================================================================================== */

Status samples_add(Samples *samples, double seconds) {
    STATUS_TRY(LIST_ROOM(NULL, samples->seconds, samples->count, samples->capacity, "samples"));
    samples->seconds[samples->count++] = seconds;
    return status_ok();
}

Status samples_copy(const Samples *source, Samples *copy) {
    *copy = (Samples){0};
    if (source->count == 0) {
        return status_ok();
    }
    copy->seconds = malloc(source->count * sizeof *copy->seconds);
    if (copy->seconds == NULL) {
        return status_skip("no memory left for %zu samples", source->count);
    }
    memcpy(copy->seconds, source->seconds, source->count * sizeof *copy->seconds);
    copy->count = copy->capacity = source->count;
    return status_ok();
}

void samples_release(Samples *samples) {
    free(samples->seconds);
    *samples = (Samples){0};
}

/* === Stats ==================================================================================== */

/* Below this many samples the ranks of the interval come from exact binomial tails, from it on from
 * the normal approximation. */
enum { MEDIAN_INTERVAL_NORMAL = 70 };

/* Resamples of every bootstrap interval. */
enum { BOOTSTRAP_RESAMPLES = 10000 };

static int compare_doubles(const void *left, const void *right) {
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static void sort_doubles(double *values, size_t n) {
    qsort(values, n, sizeof *values, compare_doubles);
}

/* --- Random numbers ------------------------------------------------------------------------- */

static double random_normal(Random *random) {
    for (;;) { /* the polar method of Marsaglia */
        const double x = 2 * random_unit(random) - 1;
        const double y = 2 * random_unit(random) - 1;
        const double square = x * x + y * y;
        if (square < 1 && square > 0) {
            return x * sqrt(-2 * log(square) / square);
        }
    }
}

/* Gamma of shape ≥ 1, by the method of Marsaglia and Tsang (2000). */
static double random_gamma(Random *random, double shape) {
    const double d = shape - 1.0 / 3;
    const double c = 1 / sqrt(9 * d);
    for (;;) {
        const double x = random_normal(random);
        const double root = 1 + c * x;
        if (root <= 0) {
            continue;
        }
        const double v = root * root * root;
        if (log(random_unit(random)) < 0.5 * x * x + d - d * v + d * log(v)) {
            return d * v;
        }
    }
}

static double random_beta(Random *random, double a, double b) {
    const double x = random_gamma(random, a);
    const double y = random_gamma(random, b);
    return x / (x + y);
}

/* --- Quantiles and the interval of the median ------------------------------------------------ */

double quantile_sorted(const double *sorted, size_t n, double p) {
    if (n == 0) {
        return NAN;
    }
    const double position = (double)(n - 1) * p;
    const size_t below = (size_t)floor(position);
    if (below + 1 >= n) {
        return sorted[n - 1];
    }
    return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}

double median_in_place(double *values, size_t n) {
    sort_doubles(values, n);
    return quantile_sorted(values, n, 0.5);
}

bool median_interval_ranks(size_t n, size_t *low, size_t *high) {
    if (n < MEDIAN_INTERVAL_MIN) {
        return false;
    }
    size_t rank = 0;
    if (n < MEDIAN_INTERVAL_NORMAL) {
        /* The interval from rank k to rank n + 1 - k misses the median when fewer than k of the n
         * samples lie on one side of it: twice the tail P(B ≤ k - 1) of a binomial (n, 1/2). */
        double term = ldexp(1, -(int)n);
        double tail = term;
        while (tail <= 0.025) {
            rank++;
            term *= (double)(n - rank + 1) / (double)rank;
            tail += term;
        }
    } else {
        rank = (size_t)floor((double)n / 2 - 0.98 * sqrt((double)n));
    }
    *low = rank;
    *high = n + 1 - rank;
    return true;
}

Summary summary_none(void) {
    return (Summary){.min = NAN,
                     .p25 = NAN,
                     .median = NAN,
                     .p75 = NAN,
                     .p99 = NAN,
                     .mean = NAN,
                     .stddev = NAN,
                     .ci_low = NAN,
                     .ci_high = NAN};
}

static void summarize_sorted(const double *sorted, size_t n, Summary *summary) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += sorted[i];
    }
    const double mean = sum / (double)n;
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        squares += (sorted[i] - mean) * (sorted[i] - mean);
    }
    size_t low = 0;
    size_t high = 0;
    const bool interval = median_interval_ranks(n, &low, &high);
    *summary = (Summary){.count = n,
                         .min = sorted[0],
                         .p25 = quantile_sorted(sorted, n, 0.25),
                         .median = quantile_sorted(sorted, n, 0.5),
                         .p75 = quantile_sorted(sorted, n, 0.75),
                         .p99 = quantile_sorted(sorted, n, 0.99),
                         .mean = mean,
                         .stddev = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN,
                         .ci_low = interval ? sorted[low - 1] : NAN,
                         .ci_high = interval ? sorted[high - 1] : NAN};
}

static Status sorted_copy(const Samples *samples, double **sorted) {
    *sorted = malloc(samples->count * sizeof **sorted);
    if (*sorted == NULL) {
        return status_skip("no memory left to sort %zu samples", samples->count);
    }
    memcpy(*sorted, samples->seconds, samples->count * sizeof **sorted);
    sort_doubles(*sorted, samples->count);
    return status_ok();
}

Status summarize(const Samples *samples, Summary *summary) {
    *summary = summary_none();
    if (samples->count == 0) {
        return status_ok();
    }
    double *sorted = NULL;
    STATUS_TRY(sorted_copy(samples, &sorted));
    summarize_sorted(sorted, samples->count, summary);
    free(sorted);
    return status_ok();
}

double relative_half_width(const Summary *summary) {
    return (summary->ci_high - summary->ci_low) / 2 / summary->median;
}

/* --- Ratios ---------------------------------------------------------------------------------- */

/*
 * Drawing n values with replacement and sorting them is not needed to know their median. The draws
 * are sorted[floor(n·U)] for n uniform U, so the order statistic of rank m of the draws is
 * sorted[floor(n·U(m))], and U(m) of n uniforms follows Beta(m, n + 1 - m). For even n the median
 * averages ranks m and m + 1: given U(m), U(m+1) is the least of the n - m uniforms left above it.
 */
double bootstrap_median(const double *sorted, size_t n, Random *random) {
    const size_t rank = (n + 1) / 2;
    const double u = random_beta(random, (double)rank, (double)(n + 1 - rank));
    const size_t lower = (size_t)((double)n * u);
    const double low = sorted[lower < n ? lower : n - 1];
    if (n % 2 == 1) {
        return low;
    }
    const double v = 1 - (1 - u) * pow(random_unit(random), 1 / (double)(n - rank));
    const size_t upper = (size_t)((double)n * v);
    return (low + sorted[upper < n ? upper : n - 1]) / 2;
}

static Status bootstrap_interval(const double *numerator, size_t numerator_count,
                                 const double *denominator, size_t denominator_count, uint64_t seed,
                                 Ratio *ratio) {
    double *ratios = malloc(BOOTSTRAP_RESAMPLES * sizeof *ratios);
    if (ratios == NULL) {
        return status_skip("no memory left for %d resamples", BOOTSTRAP_RESAMPLES);
    }
    Random random;
    random_seed(&random, seed);
    for (size_t i = 0; i < BOOTSTRAP_RESAMPLES; i++) {
        const double top = bootstrap_median(numerator, numerator_count, &random);
        ratios[i] = top / bootstrap_median(denominator, denominator_count, &random);
    }
    sort_doubles(ratios, BOOTSTRAP_RESAMPLES);
    ratio->low = quantile_sorted(ratios, BOOTSTRAP_RESAMPLES, 0.025);
    ratio->high = quantile_sorted(ratios, BOOTSTRAP_RESAMPLES, 0.975);
    free(ratios);
    return status_ok();
}

Status ratio_of_medians(const Samples *numerator, const Samples *denominator, uint64_t seed,
                        Ratio *ratio) {
    *ratio = (Ratio){.value = NAN, .low = NAN, .high = NAN};
    if (numerator->count == 0 || denominator->count == 0) {
        return status_ok();
    }
    double *top = NULL;
    double *bottom = NULL;
    Status status = sorted_copy(numerator, &top);
    if (status_is_ok(&status)) {
        status = sorted_copy(denominator, &bottom);
    }
    if (status_is_ok(&status)) {
        ratio->value = quantile_sorted(top, numerator->count, 0.5) /
                       quantile_sorted(bottom, denominator->count, 0.5);
        if (numerator->count >= MEDIAN_INTERVAL_MIN && denominator->count >= MEDIAN_INTERVAL_MIN) {
            status =
                bootstrap_interval(top, numerator->count, bottom, denominator->count, seed, ratio);
        }
    }
    free(top);
    free(bottom);
    return status;
}

/* === Dip ====================================================================================== */

/* A bound of the distribution function over points lo…hi: its value at each, and the points where
 * it touches what it bounds. */
typedef struct Hull {
    double at[DIP_SAMPLES_MAX];
    bool touches[DIP_SAMPLES_MAX];
} Hull;

/* What has been narrowed down so far: the unimodal function bends between points lo and hi. */
typedef struct Search {
    const double *x;
    size_t lo, hi;
    Hull below, above; /* greatest convex minorant, least concave majorant */
} Search;

/* Distribution function of n unit masses just before point i, and at it; in masses. */
static double before(size_t i) {
    return (double)i;
}

static double after(size_t i) {
    return (double)(i + 1);
}

static void fill_between(Hull *hull, const double *x, size_t from, size_t to) {
    const double slope = (hull->at[to] - hull->at[from]) / (x[to] - x[from]);
    for (size_t i = from + 1; i < to; i++) {
        hull->at[i] = hull->at[from] + slope * (x[i] - x[from]);
        hull->touches[i] = false;
    }
}

/* From each corner the hull goes on with the least slope there is (sign 1: minorant), or with the
 * greatest (sign -1: majorant). */
static void make_hull(const Search *search, Hull *hull, double (*height)(size_t), double sign) {
    size_t corner = search->lo;
    hull->at[corner] = height(corner);
    hull->touches[corner] = true;
    while (corner < search->hi) {
        size_t next = corner;
        double best = INFINITY;
        for (size_t i = corner + 1; i <= search->hi; i++) {
            const double slope =
                sign * (height(i) - height(corner)) / (search->x[i] - search->x[corner]);
            if (slope <= best) {
                best = slope;
                next = i;
            }
        }
        hull->at[next] = height(next);
        hull->touches[next] = true;
        fill_between(hull, search->x, corner, next);
        corner = next;
    }
}

/* The widest gap between the hulls, at a corner of either, and the interval that it leaves. */
static double widest_gap(const Search *search, size_t *lo, size_t *hi) {
    double widest = 0;
    for (size_t i = search->lo; i <= search->hi; i++) {
        const double gap = search->above.at[i] - search->below.at[i];
        if ((search->below.touches[i] || search->above.touches[i]) && gap > widest) {
            widest = gap;
            *lo = *hi = i;
        }
    }
    while (!search->below.touches[*lo]) {
        (*lo)--;
    }
    while (!search->above.touches[*hi]) {
        (*hi)++;
    }
    return widest;
}

/* How far the distribution function leaves the minorant left of `lo` and the majorant right of
 * `hi`: there the unimodal function has to follow them. */
static double farthest_outside(const Search *search, size_t lo, size_t hi) {
    double farthest = 0;
    for (size_t i = search->lo; i <= lo; i++) {
        farthest = fmax(farthest, after(i) - search->below.at[i]);
    }
    for (size_t i = hi; i <= search->hi; i++) {
        farthest = fmax(farthest, search->above.at[i] - before(i));
    }
    return farthest;
}

double dip_of(const double *sorted, size_t n) {
    Search search = {.x = sorted, .lo = 0, .hi = n - 1};
    double dip = 1; /* in masses, and twice: no step is followed better than by half of it */
    for (;;) {
        make_hull(&search, &search.below, before, 1);
        make_hull(&search, &search.above, after, -1);
        size_t lo = search.lo;
        size_t hi = search.hi;
        const double gap = widest_gap(&search, &lo, &hi);
        if (gap <= dip) {
            break;
        }
        dip = fmax(dip, farthest_outside(&search, lo, hi));
        if (lo == search.lo && hi == search.hi) {
            break;
        }
        search.lo = lo;
        search.hi = hi;
    }
    return dip / (2 * (double)n);
}

/* Fitted to 100,000 simulated uniform samples (40,000 above n = 60) at each of eleven sizes from 12
 * to 200; the curve is within 1% of each of those quantiles. */
double dip_critical(size_t n) {
    const double root = sqrt((double)n);
    return (0.543 - 0.324 / root) / root;
}

/* === Proportion =============================================================================== */

static const double z = 1.959963984540054; /* the 97.5% quantile of the normal distribution */

Proportion proportion(uint64_t count, uint64_t total) {
    if (total == 0) {
        return (Proportion){NAN, NAN, NAN};
    }
    const double n = (double)total;
    const double share = (double)count / n;
    const double scale = 1 / (1 + z * z / n);
    const double middle = scale * (share + z * z / (2 * n));
    const double half = scale * z * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    /* At 0 and 1 the bounds are exact but for rounding. */
    return (Proportion){share, count == 0 ? 0 : middle - half, count == total ? 1 : middle + half};
}

/* === Mann whitney ============================================================================= */

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
