/* What is shown around a median, and how it is called. */

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "judge_internal.h"
#include "number.h"

void launch_range_add(LaunchRange *range, size_t launches) {
    launches = launches > 0 ? launches : 1;
    range->least = range->least == 0 || launches < range->least ? launches : range->least;
    range->most = launches > range->most ? launches : range->most;
}

void launch_range_add_summary(LaunchRange *range, const Summary *summary) {
    launch_range_add(range, summary->launches);
    range->within = fmax(range->within, summary->within);
    range->remembered |= summary->remembered;
}

void launch_range_join(LaunchRange *range, const LaunchRange *more) {
    if (more->most > 0) {
        launch_range_add(range, more->least);
        launch_range_add(range, more->most);
        range->within = fmax(range->within, more->within);
        range->remembered |= more->remembered;
    }
}

void interval_words(const LaunchRange *range, char *text, size_t size) {
    char from[32] = "";
    char of_when[WITHIN_WORDS_SIZE] = "";
    if (range->most <= 1) {
        snprintf(text, size, "%s", range->most == 0 ? "" : "95% in this run");
        return;
    }
    if (range->least < range->most) {
        snprintf(from, sizeof from, "%zu to ", range->least);
    }
    const char *what = range->least >= MEDIAN_INTERVAL_MIN  ? "95%"
                       : range->most >= MEDIAN_INTERVAL_MIN ? "95% or least to greatest"
                                                            : "least to greatest";
    if (range->within > 0) {
        within_words(range->within, of_when);
    } else if (range->remembered) {
        snprintf(of_when, sizeof of_when, " and earlier runs");
    }
    snprintf(text, size, "%s of %s%zu launches%s", what, from, range->most, of_when);
}

void summary_range(const Summary *summary, double *low, double *high) {
    const bool few = summary->launches > 1 && isnan(summary->ci_low);
    *low = few ? summary->launch_low : summary->ci_low;
    *high = few ? summary->launch_high : summary->ci_high;
}

Ratio summary_rate(const Summary *summary, double amount) {
    double low, high;
    summary_range(summary, &low, &high);
    return (Ratio){.value = amount / summary->median, .low = amount / high, .high = amount / low};
}

Ratio ratio_scaled(Ratio ratio, double factor) {
    ratio.value *= factor;
    ratio.low *= factor;
    ratio.high *= factor;
    return ratio;
}

Ratio ratio_inverse(Ratio ratio) {
    const double low = ratio.low;
    ratio.value = 1 / ratio.value;
    ratio.low = 1 / ratio.high;
    ratio.high = 1 / low;
    return ratio;
}

Ratio ratio_widened(Ratio ratio, double share) {
    const double more = pow(ratio.high / ratio.low, share);
    ratio.low /= more;
    ratio.high *= more;
    return ratio;
}

/* === What earlier runs demand ================================================================= */

/* NAN is none either: a member that a file does not have. */
static double known(double number) {
    return number > 0 ? number : 0;
}

void interval_widen(double value, double width, double *low, double *high) {
    if (width > 0 && !isnan(*low) && !isnan(*high)) {
        *low = fmin(*low, value * exp(-width));
        *high = fmax(*high, value * exp(width));
    }
}

double width_of_runs(size_t runs, double apart) {
    /* How much the quantile of so few runs is too small by, as Student's t with as many degrees of
     * freedom is greater than the normal one. Of fewer than three it shows too little. */
    static const double factors[] = {0, 0, 0, 2.20, 1.62, 1.42, 1.31, 1.25, 1.21, 1.18};
    const size_t most = sizeof factors / sizeof factors[0] - 1;
    const double factor = runs <= most ? factors[runs] : 1 + 1.6 / (double)runs;
    /* Both runs of a pair are off: one alone by less. */
    return factor > 0 ? factor * apart / sqrt(2) : 0;
}

static double median_of(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare_doubles);
    return quantile_sorted(values, count, 0.5);
}

double width_of_close_launches(const Samples *samples) {
    /* What differs between runs that are minutes apart, against what differs between their
     * launches: 0.3 to 0.4 where other guests share the processors, next to nothing for kernels. */
    static const double between_runs = 0.4;
    /* Standard deviations of the normal distribution in its median absolute deviation, which one
     * slow launch leaves as it is, and how much of so few launches is too small. */
    static const double of_deviation = 1.4826, few = 1.2;
    double values[LAUNCHES_MAX];
    const size_t count = samples_launch_medians(samples, values);
    size_t launches = 0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i])) {
            values[launches++] = log(values[i]);
        }
    }
    if (launches < MEDIAN_INTERVAL_MIN) {
        return 0;
    }
    const double median = median_of(values, launches);
    for (size_t i = 0; i < launches; i++) {
        values[i] = fabs(values[i] - median);
    }
    const double spread = of_deviation * few * median_of(values, launches);
    const double of_median = 1.5707963267948966 / (double)launches; /* π/2: of normal launches */
    return 1.96 * spread * sqrt(of_median + between_runs * between_runs);
}

void summary_remember(const LaunchMemory *memory, Summary *summary) {
    if (summary->launches > 1) {
        interval_widen(summary->median, memory->time, &summary->ci_low, &summary->ci_high);
        interval_widen(summary->median, memory->time, &summary->launch_low, &summary->launch_high);
        summary->within = known(memory->within);
        summary->remembered = memory->time > 0;
    }
}

Ratio ratio_over_launches(const LaunchSummary *launches, const Samples *slow, const Samples *fast) {
    static const LaunchMemory nothing;
    const LaunchMemory *of_slow = slow != NULL ? &slow->memory : &nothing;
    const LaunchMemory *of_fast = fast != NULL ? &fast->memory : &nothing;
    Ratio ratio = {.value = launches->median,
                   .low = launches->low,
                   .high = launches->high,
                   .extremes = !launches->is_interval};
    if (slow != fast) {
        const double both = hypot(known(of_slow->time), known(of_fast->time));
        interval_widen(ratio.value, of_fast->ratio > 0 ? of_fast->ratio : both, &ratio.low,
                       &ratio.high);
        ratio.within = fmax(known(of_slow->within), known(of_fast->within));
    }
    return ratio;
}
