/* Launches: what several launches of a program say together, and what one says of itself. */

#include "judge_internal.h"
#include "number.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* === Over launches ============================================================================ */

static LaunchSummary launches_none(void) {
    return (LaunchSummary){.median = NAN, .low = NAN, .high = NAN, .spread = NAN};
}

double log_squares(const double *values, size_t n) {
    double mean = 0;
    for (size_t i = 0; i < n; i++) {
        mean += log(values[i]) / (double)n;
    }
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double difference = log(values[i]) - mean;
        squares += difference * difference;
    }
    return squares;
}

/* Standard deviation of the logarithms: the relative spread, the same for a value as for its
 * inverse. */
static double log_spread(const double *values, size_t n) {
    return n > 1 ? sqrt(log_squares(values, n) / (double)(n - 1)) : NAN;
}

LaunchSummary launches_summarize(const double *values, size_t n) {
    LaunchSummary summary = launches_none();
    double sorted[LAUNCHES_MAX];
    size_t known = 0;
    for (size_t i = 0; i < n && i < LAUNCHES_MAX; i++) {
        if (!isnan(values[i])) {
            sorted[known++] = values[i];
        }
    }
    if (known == 0) {
        return summary;
    }
    summary.launches = known;
    summary.median = median_in_place(sorted, known);
    size_t low = 1;
    size_t high = known;
    summary.is_interval = median_interval_ranks(known, &low, &high);
    summary.low = sorted[low - 1];
    summary.high = sorted[high - 1];
    summary.spread = log_spread(sorted, known);
    return summary;
}

LaunchSummary launches_ratio(const double *numerators, const double *denominators, size_t n) {
    double ratios[LAUNCHES_MAX];
    for (size_t i = 0; i < n && i < LAUNCHES_MAX; i++) {
        ratios[i] = numerators[i] / denominators[i];
    }
    return launches_summarize(ratios, n);
}

/* === Within a launch ========================================================================== */

/* Dependence over more samples than this is not looked for: it would take time in proportion to
 * their square. */
enum { LAGS_MAX = 500 };

/* Autocorrelation at a lag, of values with their mean taken out. */
static double correlation_at(const double *centred, size_t n, size_t lag) {
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        squares += centred[i] * centred[i];
        sum += i >= lag ? centred[i] * centred[i - lag] : 0;
    }
    return squares > 0 ? sum / squares : 0;
}

/* The lag from which on correlations are noise: the first that is followed by `run` lags, itself
 * included, whose correlation is within 2·sqrt(log10(n) / n) of 0. */
static size_t last_lag(const double *centred, size_t n) {
    const double noise = 2 * sqrt(log10((double)n) / (double)n);
    const double wanted = ceil(sqrt(log10((double)n)));
    const size_t run = wanted > 5 ? (size_t)wanted : 5;
    size_t quiet = 0;
    size_t last = 0;
    for (size_t lag = 1; lag < n / 2 && lag < LAGS_MAX && quiet < run; lag++) {
        quiet = fabs(correlation_at(centred, n, lag)) < noise ? quiet + 1 : 0;
        last = quiet == 0 ? lag : last;
    }
    return last;
}

double correlation_time(const double *values, size_t n) {
    if (n < 2) {
        return 1;
    }
    double *centred = malloc(n * sizeof *centred);
    if (centred == NULL) {
        return NAN;
    }
    double mean = 0;
    for (size_t i = 0; i < n; i++) {
        mean += values[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        centred[i] = values[i] - mean;
    }
    const size_t window = 2 * last_lag(centred, n);
    double time = 1;
    for (size_t lag = 1; lag < window && lag < n; lag++) {
        const double place = (double)lag / (double)window;
        const double weight = place <= 0.5 ? 1 : 2 * (1 - place);
        time += 2 * weight * correlation_at(centred, n, lag);
    }
    free(centred);
    return time > 1 ? time : 1;
}

double turn_correlation(const double *values, const SampleOrigin *origins, size_t n,
                        double *turn_size) {
    /* One-way analysis of variance with groups of unequal size. */
    double mean = 0;
    for (size_t i = 0; i < n; i++) {
        mean += values[i] / (double)n;
    }
    double between = 0;
    double within = 0;
    double size_squares = 0;
    size_t groups = 0;
    for (size_t from = 0; from < n;) {
        size_t to = from;
        double sum = 0;
        for (; to < n && origins[to].turn == origins[from].turn; to++) {
            sum += values[to];
        }
        const double size = (double)(to - from);
        const double level = sum / size;
        for (size_t i = from; i < to; i++) {
            within += (values[i] - level) * (values[i] - level);
        }
        between += size * (level - mean) * (level - mean);
        size_squares += size * size;
        groups++;
        from = to;
    }
    *turn_size = n > 0 ? size_squares / (double)n : NAN;
    if (groups < 2 || groups == n) {
        return 0;
    }
    const double between_mean = between / (double)(groups - 1);
    const double within_mean = within / (double)(n - groups);
    const double size = ((double)n - size_squares / (double)n) / (double)(groups - 1);
    const double all = between_mean + (size - 1) * within_mean;
    const double correlation = all > 0 ? (between_mean - within_mean) / all : 0;
    return correlation > 0 ? correlation : 0;
}

double samples_tau(const double *values, const SampleOrigin *origins, size_t n) {
    const double neighbours = correlation_time(values, n);
    double size = 1;
    const double correlation = turn_correlation(values, origins, n, &size);
    const double of_turns = 1 + (size - 1) * correlation;
    return neighbours > of_turns ? neighbours : of_turns;
}

bool run_interval_ranks(size_t n, double tau, size_t *low, size_t *high) {
    const double rank = floor(((double)n - 1.96 * sqrt((double)n * tau)) / 2);
    if (!(rank >= 1)) {
        return false;
    }
    *low = (size_t)rank;
    *high = n + 1 - *low;
    return true;
}
