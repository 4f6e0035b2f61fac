/* Numbers that have no launches, perhaps an interval: of papers, of means, of single measurements.
 */

#include "contenders.h"
#include "judge_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "estimates.h"

/* Half the 95% interval of a mean, in standard errors. */
static const double mean_errors = 1.96;

bool estimate_has_interval(const Estimate *number) {
    return isfinite(number->low) && isfinite(number->high);
}

Ratio estimate_ratio(const Estimate *over, const Estimate *under) {
    const bool both = estimate_has_interval(over) && estimate_has_interval(under);
    return (Ratio){.value = over->value / under->value,
                   .low = both ? over->low / under->high : (double)NAN,
                   .high = both ? over->high / under->low : (double)NAN};
}

int estimate_order(const Estimate *first, const Estimate *second) {
    const bool both = estimate_has_interval(first) && estimate_has_interval(second);
    const bool less = both ? first->high < second->low : first->value < second->value;
    const bool more = both ? second->high < first->low : first->value > second->value;
    return more - less;
}

SpeedSide estimate_side(const Estimate *first, const Estimate *second) {
    const int order = estimate_order(first, second);
    return order < 0 ? SIDE_FASTER : order > 0 ? SIDE_SLOWER : SIDE_UNDECIDED;
}

Estimate estimate_of_times(const Times *times) {
    const LaunchSummary summary = launches_summarize(times->launches, times->count);
    Estimate estimate = {.value = summary.median, .low = NAN, .high = NAN};
    if (summary.is_interval) {
        estimate.low = summary.low;
        estimate.high = summary.high;
    }
    if (times->samples != NULL) {
        interval_widen(estimate.value, times->samples->memory.time, &estimate.low, &estimate.high);
    }
    return estimate;
}

Estimate estimate_of_values(double *values, size_t count) {
    const double median = median_in_place(values, count);
    return (Estimate){.value = median,
                      .low = count > 0 ? values[0] : (double)NAN,
                      .high = count > 0 ? values[count - 1] : (double)NAN};
}

Estimate estimate_of_share(uint64_t count, uint64_t total) {
    const double z = 1.959963984540054; /* the 97.5% quantile of the normal distribution */
    if (total == 0) {
        return (Estimate){NAN, NAN, NAN};
    }
    const double n = (double)total;
    const double share = (double)count / n;
    const double scale = 1 / (1 + z * z / n);
    const double middle = scale * (share + z * z / (2 * n));
    const double half = scale * z * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    /* At 0 and 1 the bounds are exact but for rounding. */
    return (Estimate){share, count == 0 ? 0 : middle - half, count == total ? 1 : middle + half};
}

Estimate estimate_of_mean(double mean, double stddev, double independent) {
    const double half = mean_errors * stddev / sqrt(independent);
    return (Estimate){.value = mean, .low = fmax(mean - half, 0), .high = mean + half};
}

void estimate_add(Estimate *sum, const Estimate *more) {
    sum->value += more->value;
    sum->low += more->low;
    sum->high += more->high;
}

Estimate estimate_mean(const Estimate *sum, size_t count) {
    const double n = (double)count;
    return (Estimate){.value = sum->value / n, .low = sum->low / n, .high = sum->high / n};
}

Ratio counters_ratio(double over, const Samples *of_over, double under, const Samples *of_under,
                     double factor) {
    const double value = over / under;
    Ratio ratio = {.value = value, .low = value / factor, .high = value * factor};
    double top[LAUNCHES_MAX], bottom[LAUNCHES_MAX];
    const size_t in_over = of_over != NULL ? samples_launch_medians(of_over, top) : 0;
    const size_t in_under = of_under != NULL ? samples_launch_medians(of_under, bottom) : 0;
    if (in_over > 1 && in_under > 1) {
        const LaunchSummary launches =
            launches_ratio(top, bottom, in_over < in_under ? in_over : in_under);
        ratio.low = fmin(ratio.low, launches.low);
        ratio.high = fmax(ratio.high, launches.high);
    }
    return ratio;
}
