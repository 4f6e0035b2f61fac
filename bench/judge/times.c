/* Times of a cell in the launches of a run, and the ratio of two of them. */

#include "times.h"
#include "judge_internal.h"

#include <math.h>

Times times_none(void) {
    Times times = {.count = 0};
    for (size_t i = 0; i < LAUNCHES_MAX; i++) {
        times.launches[i] = NAN;
    }
    return times;
}

Times times_from(const Samples *samples) {
    Times times = times_none();
    times.count = samples_launch_medians(samples, times.launches);
    times.samples = samples;
    times.disturber = samples->disturber;
    return times;
}

static double median_over_launches(const Samples *samples) {
    double medians[LAUNCHES_MAX];
    const size_t count = samples_launch_medians(samples, medians);
    return launches_summarize(medians, count).median;
}

/* What disturbed a cell that may be the fastest without that. */
static Disturber unsure_of(const Samples *const *cells, size_t count, size_t fastest) {
    const double median = median_over_launches(cells[fastest]);
    for (size_t i = 0; i < count; i++) {
        double least = INFINITY;
        for (size_t j = 0; j < cells[i]->count && cells[i]->disturber != DISTURBER_NONE; j++) {
            least = fmin(least, cells[i]->seconds[j]);
        }
        if (i != fastest && winner_is_unsure(median, least)) {
            return cells[i]->disturber;
        }
    }
    return DISTURBER_NONE;
}

size_t times_of_fastest(const Samples *const *cells, size_t count, const Samples *const *timed,
                        Times *times) {
    const LaunchWinners winners = launches_choose(cells, count);
    *times = times_none();
    if (winners.all == WINNER_NONE) {
        return WINNER_NONE;
    }
    times->count = winners.launches;
    times->samples = timed[winners.all];
    times->disturber =
        disturber_of_either(timed[winners.all]->disturber, unsure_of(cells, count, winners.all));
    for (size_t launch = 0; launch < winners.launches; launch++) {
        double medians[LAUNCHES_MAX];
        const size_t chosen = winners.of[launch] != WINNER_NONE ? winners.of[launch] : winners.all;
        const size_t known = samples_launch_medians(timed[chosen], medians);
        times->launches[launch] = launch < known ? medians[launch] : (double)NAN;
    }
    return winners.all;
}

/* In this run: one launch does not say what another would. Without memory there is no interval. */
static Ratio ratio_in_launch(const Times *slow, const Times *fast) {
    Ratio ratio = {.value = slow->launches[0] / fast->launches[0], .low = NAN, .high = NAN};
    Ratio drawn;
    const bool one = slow->count == 1 && fast->count == 1;
    const Status status = one && slow->samples != NULL && fast->samples != NULL
                              ? ratio_of_medians(slow->samples, fast->samples, 1, &drawn)
                              : status_fail("no samples");
    if (status_is_ok(&status)) {
        ratio.low = drawn.low;
        ratio.high = drawn.high;
        ratio.in_run = true;
    }
    return ratio;
}

TimesRatio times_ratio(const Times *slow, const Times *fast) {
    const size_t count = slow->count < fast->count ? slow->count : fast->count;
    TimesRatio ratio = {.ratio = {.value = NAN, .low = NAN, .high = NAN},
                        .side = SIDE_UNDECIDED,
                        .itself = slow->samples != NULL && slow->samples == fast->samples};
    for (size_t i = 0; i < LAUNCHES_MAX; i++) {
        const double exact = ratio.itself ? 1 : slow->launches[i] / fast->launches[i];
        ratio.launches[i] = i < count && !isnan(fast->launches[i]) ? exact : (double)NAN;
    }
    const LaunchSummary launches = launches_ratio(slow->launches, fast->launches, count);
    ratio.count = launches.launches;
    if (ratio.itself) {
        ratio.ratio = (Ratio){.value = 1, .low = 1, .high = 1};
    } else if (count == 1) {
        ratio.ratio = ratio_in_launch(slow, fast);
    } else if (ratio.count > 0) {
        ratio.ratio = ratio_over_launches(&launches, slow->samples, fast->samples);
    }
    ratio.ratio.disturber =
        ratio.itself ? DISTURBER_NONE : disturber_of_either(slow->disturber, fast->disturber);
    ratio.side = isnan(ratio.ratio.low) ? SIDE_UNDECIDED : ratio_side(&ratio.ratio);
    return ratio;
}
