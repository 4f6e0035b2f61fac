/* Times of a cell in the launches of a run, and the ratio of two of them. */

#include "times.h"
#include "judge_internal.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>

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

/* In one launch, as winner_choose has it; WINNER_NONE without memory. */
static size_t fastest_in_launch(const Samples *const *cells, size_t count, bool *halved) {
    Rival rivals[RIVALS_MAX];
    Summary *summaries = calloc(RIVALS_MAX, sizeof *summaries);
    bool known = summaries != NULL;
    count = count < RIVALS_MAX ? count : RIVALS_MAX;
    for (size_t i = 0; known && i < count; i++) {
        const Status status = summarize(cells[i], &summaries[i]);
        rivals[i] = (Rival){&summaries[i], cells[i], NAN, NAN};
        samples_halves(cells[i], &rivals[i].odd_median, &rivals[i].even_median);
        known = status_is_ok(&status);
    }
    const WinnerChoice choice = winner_choose(rivals, known ? count : 0);
    free(summaries);
    *halved = choice.halved;
    return choice.best;
}

size_t times_least(const Samples *const *cells, size_t count) {
    bool halved;
    return fastest_in_launch(cells, count, &halved);
}

size_t times_of_fastest(const Samples *const *cells, size_t count, const Samples *const *timed,
                        Times *times) {
    const LaunchWinners winners = launches_choose(cells, count);
    size_t fastest = winners.all;
    *times = times_none();
    if (winners.launches == 1) {
        fastest = fastest_in_launch(cells, count, &times->halved);
    }
    if (fastest == WINNER_NONE) {
        return WINNER_NONE;
    }
    times->count = winners.launches;
    times->samples = timed[fastest];
    times->disturber =
        disturber_of_either(timed[fastest]->disturber, unsure_of(cells, count, fastest));
    for (size_t launch = 0; launch < winners.launches; launch++) {
        double medians[LAUNCHES_MAX];
        const size_t chosen = winners.of[launch] != WINNER_NONE ? winners.of[launch] : fastest;
        const size_t known = samples_launch_medians(timed[chosen], medians);
        times->launches[launch] = launch < known ? medians[launch] : (double)NAN;
    }
    return fastest;
}

/* One launch does not say what another would. */
static Ratio draw_ratio(const Samples *slow, const Samples *fast, double value,
                        const Draws *draws) {
    Ratio ratio = {.value = value, .low = NAN, .high = NAN, .in_run = true};
    Ratio drawn;
    if (value == draws->before.value && !isnan(draws->before.low)) {
        return draws->before;
    }
    if (!draws->wanted || slow == NULL || fast == NULL) {
        return ratio;
    }
    const Status status = ratio_of_medians(slow, fast, fast->seed, &drawn);
    if (status_is_ok(&status)) {
        ratio.low = drawn.low;
        ratio.high = drawn.high;
    }
    return ratio;
}

/* False without memory, and where a side has no even turns. */
static bool ratio_of_even_turns(const Samples *slow, const Samples *fast, const Draws *draws,
                                Ratio *ratio) {
    Samples top = {.seconds = NULL};
    Samples bottom = {.seconds = NULL};
    Status status = samples_of_half(slow, EVEN_TURNS, &top);
    if (status_is_ok(&status)) {
        status = samples_of_half(fast, EVEN_TURNS, &bottom);
    }
    const bool both = status_is_ok(&status) && top.count > 0 && bottom.count > 0;
    if (both) {
        const double value =
            median_in_place(top.seconds, top.count) / median_in_place(bottom.seconds, bottom.count);
        *ratio = draw_ratio(&top, &bottom, value, draws);
    }
    samples_release(&top);
    samples_release(&bottom);
    return both;
}

Ratio times_ratio_drawn(const Times *slow, const Times *fast, const Draws *draws) {
    const size_t count = slow->count < fast->count ? slow->count : fast->count;
    Ratio ratio;
    if (slow->count > 1 || fast->count > 1) {
        const LaunchSummary launches = launches_ratio(slow->launches, fast->launches, count);
        return ratio_over_launches(&launches, slow->samples, fast->samples);
    }
    if ((slow->halved || fast->halved) &&
        ratio_of_even_turns(slow->samples, fast->samples, draws, &ratio)) {
        return ratio;
    }
    const double value = slow->median > 0 && fast->median > 0
                             ? slow->median / fast->median
                             : slow->launches[0] / fast->launches[0];
    return draw_ratio(slow->samples, fast->samples, value, draws);
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
    ratio.count = launches_ratio(slow->launches, fast->launches, count).launches;
    if (ratio.itself) {
        ratio.ratio = (Ratio){.value = 1, .low = 1, .high = 1};
    } else if (ratio.count > 0) {
        ratio.ratio = times_ratio_drawn(slow, fast, &(Draws){true, {.value = NAN}});
    }
    ratio.ratio.disturber =
        ratio.itself ? DISTURBER_NONE : disturber_of_either(slow->disturber, fast->disturber);
    ratio.side = isnan(ratio.ratio.low) ? SIDE_UNDECIDED : ratio_side(&ratio.ratio);
    return ratio;
}

/* How much slower in each of so many launches. What one launch says may be that launch's luck:
 * medians of two launches differ by 11% on a busy machine, seldom by half. */
static double clear_margin(size_t launches) {
    return launches == 1 ? 0.5 : launches == 2 ? 0.25 : 0.1;
}

bool samples_are_clearly_slower(const Samples *a, const Samples *b) {
    double of_a[LAUNCHES_MAX], of_b[LAUNCHES_MAX];
    const size_t in_a = samples_launch_medians(a, of_a);
    const size_t in_b = samples_launch_medians(b, of_b);
    size_t common = 0;
    double least = INFINITY;
    for (size_t i = 0; i < in_a && i < in_b; i++) {
        if (isfinite(of_a[i]) && isfinite(of_b[i])) {
            common++;
            least = fmin(least, of_a[i] / of_b[i]);
        }
    }
    return common > 0 && least > 1 + clear_margin(common);
}
