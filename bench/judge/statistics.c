/* Statistics: samples, their summaries, the interval of a median, ratios of medians. */

#include "judge_internal.h"
#include "list.h"
#include "number.h"
#include "random.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* === Samples ================================================================================== */

/* Makes room for one more sample. */
static Status samples_room(Samples *samples) {
    const size_t before = samples->capacity;
    STATUS_TRY(LIST_ROOM(NULL, samples->seconds, samples->count, samples->capacity, "samples"));
    if (samples->capacity == before && samples->origins != NULL) {
        return status_ok();
    }
    SampleOrigin *origins = realloc(samples->origins, samples->capacity * sizeof *samples->origins);
    if (origins == NULL) {
        return status_no_memory("for %zu samples", samples->capacity);
    }
    if (samples->origins == NULL) {
        memset(origins, 0, samples->count * sizeof *origins);
    }
    samples->origins = origins;
    return status_ok();
}

Status samples_add(Samples *samples, double seconds) {
    STATUS_TRY(samples_room(samples));
    samples->origins[samples->count] = samples->origin;
    samples->seconds[samples->count++] = seconds;
    return status_ok();
}

Status samples_append(Samples *samples, const Samples *more, uint32_t launch) {
    const LaunchMemory memory = samples->count == 0 ? more->memory : (LaunchMemory){.time = 0};
    for (size_t i = 0; i < more->count; i++) {
        const SampleOrigin origin =
            more->origins != NULL ? more->origins[i] : (SampleOrigin){.launch = 0};
        samples->origin = (SampleOrigin){.launch = launch + origin.launch, .turn = origin.turn};
        STATUS_TRY(samples_add(samples, more->seconds[i]));
    }
    samples->memory = memory;
    return status_ok();
}

Status samples_copy(const Samples *source, Samples *copy) {
    *copy =
        (Samples){.memory = source->memory, .disturber = source->disturber, .seed = source->seed};
    for (size_t i = 0; i < source->count; i++) {
        copy->origin = source->origins != NULL ? source->origins[i] : (SampleOrigin){0};
        const Status status = samples_add(copy, source->seconds[i]);
        if (!status_is_ok(&status)) {
            samples_release(copy);
            return status;
        }
    }
    return status_ok();
}

void samples_release(Samples *samples) {
    free(samples->seconds);
    free(samples->origins);
    *samples = (Samples){0};
}

size_t samples_launches(const Samples *samples) {
    if (samples->count == 0 || samples->origins == NULL) {
        return samples->count > 0;
    }
    return (size_t)samples->origins[samples->count - 1].launch + 1;
}

size_t samples_launch_medians(const Samples *samples, double medians[LAUNCHES_MAX]) {
    for (size_t launch = 0; launch < LAUNCHES_MAX; launch++) {
        medians[launch] = NAN;
    }
    double *sorted = malloc((samples->count + 1) * sizeof *sorted);
    if (sorted == NULL) {
        return 0;
    }
    for (size_t from = 0, to; from < samples->count; from = to) {
        const uint32_t launch = samples->origins != NULL ? samples->origins[from].launch : 0;
        to = samples->origins != NULL ? from : samples->count;
        while (to < samples->count && samples->origins[to].launch == launch) {
            to++;
        }
        memcpy(sorted, samples->seconds + from, (to - from) * sizeof *sorted);
        if (launch < LAUNCHES_MAX) {
            medians[launch] = median_in_place(sorted, to - from);
        }
    }
    free(sorted);
    const size_t launches = samples_launches(samples);
    return launches < LAUNCHES_MAX ? launches : LAUNCHES_MAX;
}

/* === Summaries ================================================================================ */

/* With fewer samples the ranks of the interval come from exact binomial tails, otherwise from the
 * normal approximation. */
enum { MEDIAN_INTERVAL_NORMAL = 70 };

/* Resamples of every bootstrap interval. */
enum { BOOTSTRAP_RESAMPLES = 10000 };

static void sort_doubles(double *values, size_t n) {
    qsort(values, n, sizeof *values, compare_doubles);
}

/* --- Random numbers --------------------------------------------------------------------------- */

double random_normal(Random *random) {
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

bool median_interval_ranks(size_t n, size_t *low, size_t *high) {
    if (n < MEDIAN_INTERVAL_MIN) {
        return false;
    }
    size_t rank = 0;
    if (n < MEDIAN_INTERVAL_NORMAL) {
        /* The interval from rank k to rank n + 1 - k misses the median if fewer than k of the n
         * samples lie on one side of it, with probability 2·P(B ≤ k - 1), B binomial (n, 1/2). */
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
                     .ci_high = NAN,
                     .launch_low = NAN,
                     .launch_high = NAN,
                     .launch_spread = NAN,
                     .tau = NAN};
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
                         .ci_high = interval ? sorted[high - 1] : NAN,
                         .launches = 1,
                         .launch_low = NAN,
                         .launch_high = NAN,
                         .launch_spread = NAN,
                         .tau = NAN};
}

/* Widens the interval of one launch by how much its samples depend on each other. */
static void widen(const Samples *samples, const double *sorted, Summary *summary) {
    size_t low = 0;
    size_t high = 0;
    summary->tau = samples_tau(samples->seconds, samples->origins, samples->count);
    if (summary->tau > 1) {
        const bool interval = run_interval_ranks(samples->count, summary->tau, &low, &high);
        summary->ci_low = interval ? sorted[low - 1] : NAN;
        summary->ci_high = interval ? sorted[high - 1] : NAN;
    }
}

/* Several launches: each counts as one value. */
static void summarize_launches(const Samples *samples, Summary *summary) {
    double medians[LAUNCHES_MAX];
    const size_t count = samples_launch_medians(samples, medians);
    const LaunchSummary launches = launches_summarize(medians, count);
    summary->launches = launches.launches;
    summary->median = launches.median;
    summary->launch_low = launches.low;
    summary->launch_high = launches.high;
    summary->launch_spread = launches.spread;
    summary->ci_low = launches.is_interval ? launches.low : NAN;
    summary->ci_high = launches.is_interval ? launches.high : NAN;
}

static Status sorted_copy(const Samples *samples, double **sorted) {
    *sorted = malloc(samples->count * sizeof **sorted);
    if (*sorted == NULL) {
        return status_no_memory("to sort %zu samples", samples->count);
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
    if (samples_launches(samples) > 1) {
        summarize_launches(samples, summary);
    } else if (samples->origins != NULL) {
        widen(samples, sorted, summary);
    }
    free(sorted);
    return status_ok();
}

Status samples_half_width(const Samples *samples, double *width) {
    double *sorted = NULL;
    size_t low = 0;
    size_t high = 0;
    *width = NAN;
    if (!median_interval_ranks(samples->count, &low, &high)) {
        return status_ok();
    }
    STATUS_TRY(sorted_copy(samples, &sorted));
    *width =
        (sorted[high - 1] - sorted[low - 1]) / 2 / quantile_sorted(sorted, samples->count, 0.5);
    free(sorted);
    return status_ok();
}

/* --- Ratios ---------------------------------------------------------------------------------- */

/*
 * The median of n draws with replacement, without drawing and sorting them. The draws are
 * sorted[floor(n·U)] for n uniform U, so their order statistic of rank m is sorted[floor(n·U(m))],
 * and U(m) of n uniforms follows Beta(m, n + 1 - m). For even n the median averages ranks m and
 * m + 1: given U(m), U(m+1) is the least of the n - m uniforms above it.
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
        return status_no_memory("for %d resamples", BOOTSTRAP_RESAMPLES);
    }
    Random random;
    random_seed(&random, seed);
    for (size_t i = 0; i < BOOTSTRAP_RESAMPLES; i++) {
        const double top = bootstrap_median(numerator, numerator_count, &random);
        ratios[i] = top / bootstrap_median(denominator, denominator_count, &random);
    }
    sort_doubles(ratios, BOOTSTRAP_RESAMPLES);
    ratio->in_run = true;
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
