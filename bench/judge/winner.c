/* The fastest of several cells, and its time without the luck of being the fastest. */

#include "judge_internal.h"
#include "number.h"
#include "times.h"

#include <math.h>
#include <stdlib.h>

/* === Over launches ============================================================================ */

size_t launches_winner(const double *const *medians, size_t count, size_t launches, size_t left_out,
                       double *median) {
    size_t winner = count;
    double least = NAN;
    for (size_t i = 0; i < count; i++) {
        double others[LAUNCHES_MAX];
        size_t n = 0;
        for (size_t l = 0; l < launches && l < LAUNCHES_MAX; l++) {
            if (l != left_out && !isnan(medians[i][l])) {
                others[n++] = medians[i][l];
            }
        }
        const double middle = median_in_place(others, n);
        if (!isnan(middle) && !(middle >= least)) {
            winner = i;
            least = middle;
        }
    }
    if (median != NULL) {
        *median = least;
    }
    return winner;
}

/* The launches' medians of cells that compete. */
typedef struct Lanes {
    const double *of[RIVALS_MAX];
    size_t cells[RIVALS_MAX]; /* their numbers */
    size_t count, launches;
} Lanes;

static double greatest_of(const double *medians, size_t launches) {
    double greatest = -INFINITY;
    for (size_t i = 0; i < launches; i++) {
        greatest = fmax(greatest, medians[i]); /* NAN counts for nothing */
    }
    return greatest;
}

/* Keeps only cells whose median is no worse than the winner's slowest launch. A cell that is
 * sometimes the fastest and mostly ten times slower would win some launches by the vote of the
 * others, and its time in them be taken for the winner's. */
static void keep_tied(Lanes *lanes, size_t winner) {
    const double limit = greatest_of(lanes->of[winner], lanes->launches);
    size_t kept = 0;
    for (size_t i = 0; i < lanes->count; i++) {
        if (launches_summarize(lanes->of[i], lanes->launches).median <= limit) {
            lanes->of[kept] = lanes->of[i];
            lanes->cells[kept++] = lanes->cells[i];
        }
    }
    lanes->count = kept;
}

LaunchWinners launches_choose_of(double (*medians)[LAUNCHES_MAX], size_t count) {
    Lanes lanes = {.count = count < RIVALS_MAX ? count : RIVALS_MAX};
    LaunchWinners winners = {.all = WINNER_NONE};
    for (size_t i = 0; i < lanes.count; i++) {
        lanes.of[i] = medians[i];
        lanes.cells[i] = i;
        for (size_t launch = lanes.launches; launch < LAUNCHES_MAX; launch++) {
            lanes.launches = !isnan(medians[i][launch]) ? launch + 1 : lanes.launches;
        }
    }
    const size_t all = launches_winner(lanes.of, lanes.count, lanes.launches, lanes.launches, NULL);
    winners.launches = lanes.launches;
    if (all < lanes.count) {
        winners.all = lanes.cells[all];
        keep_tied(&lanes, all);
    }
    for (size_t launch = 0; launch < winners.launches; launch++) {
        const size_t winner = launches_winner(lanes.of, lanes.count, lanes.launches, launch, NULL);
        winners.of[launch] = winner < lanes.count ? lanes.cells[winner] : WINNER_NONE;
        winners.seconds[launch] = winner < lanes.count ? lanes.of[winner][launch] : (double)NAN;
    }
    return winners;
}

LaunchWinners launches_choose(const Samples *const *cells, size_t count) {
    double(*medians)[LAUNCHES_MAX] = malloc(RIVALS_MAX * sizeof *medians);
    const size_t read = medians == NULL ? 0 : count < RIVALS_MAX ? count : RIVALS_MAX;
    for (size_t i = 0; i < read; i++) {
        const size_t launches = samples_launch_medians(cells[i], medians[i]);
        for (size_t launch = launches; launch < LAUNCHES_MAX; launch++) {
            medians[i][launch] = NAN;
        }
    }
    const LaunchWinners winners = launches_choose_of(medians, read);
    free(medians);
    return winners;
}

/* === Halves of one launch ===================================================================== */

Status samples_of_half(const Samples *samples, uint32_t half, Samples *part) {
    *part = (Samples){.disturber = samples->disturber, .seed = samples->seed};
    for (size_t i = 0; samples->origins != NULL && i < samples->count; i++) {
        if (samples->origins[i].turn % 2 == half) {
            part->origin = samples->origins[i];
            STATUS_TRY(samples_add(part, samples->seconds[i]));
        }
    }
    return status_ok();
}

void samples_halves(const Samples *samples, double *odd_median, double *even_median) {
    Samples odd = {.seconds = NULL};
    Samples even = {.seconds = NULL};
    Status status = samples_of_half(samples, ODD_TURNS, &odd);
    if (status_is_ok(&status)) {
        status = samples_of_half(samples, EVEN_TURNS, &even);
    }
    if (status_is_ok(&status) && odd.count > 0 && even.count >= MEDIAN_INTERVAL_MIN) {
        *odd_median = median_in_place(odd.seconds, odd.count);
        *even_median = median_in_place(even.seconds, even.count);
    }
    samples_release(&odd);
    samples_release(&even);
}

/* === The choice =============================================================================== */

/* Whether each has samples of odd and of even turns. */
static bool all_halved(const Rival *rivals, size_t count) {
    bool halved = true;
    for (size_t i = 0; i < count; i++) {
        halved &= !isnan(rivals[i].odd_median);
    }
    return halved;
}

size_t winner_least(const Rival *rivals, size_t count) {
    const bool halved = all_halved(rivals, count);
    size_t best = WINNER_NONE;
    double least = NAN;
    for (size_t i = 0; i < count; i++) {
        const double seconds = halved ? rivals[i].odd_median : rivals[i].summary->median;
        if (!isnan(seconds) && !(seconds >= least)) {
            best = i;
            least = seconds;
        }
    }
    return best;
}

/* Whether the ratio over launches lies beyond the threshold: what slows both down widens only the
 * intervals of their times. */
static bool is_slower(const Rival *winner, const Rival *other) {
    if (winner->summary->launches <= 1 || winner->samples == NULL || other->samples == NULL) {
        return false;
    }
    const Times fast = times_from(winner->samples), slow = times_from(other->samples);
    const TimesRatio ratio = times_ratio(&slow, &fast);
    return ratio.side == SIDE_FASTER && ratio.ratio.low > 1 + judge_criteria.threshold;
}

bool winner_is_tied(const Rival *winner, const Rival *other) {
    double low, high;
    summary_range(winner->summary, &low, &high);
    return other->summary->median <= high && !is_slower(winner, other);
}

static void find_ties(const Rival *rivals, size_t count, WinnerChoice *choice) {
    for (size_t i = 0; i < count; i++) {
        if (i != choice->best && winner_is_tied(&rivals[choice->best], &rivals[i])) {
            if (choice->tied_count < WINNER_TIES_MAX) {
                choice->tied[choice->tied_count] = i;
            }
            choice->tied_count++;
        }
    }
}

bool winner_is_unsure(double winner_median, double least) {
    return least * (1 + judge_criteria.threshold) < winner_median;
}

static Disturber disturber_of(const Rival *rival) {
    return rival->samples != NULL ? rival->samples->disturber : DISTURBER_NONE;
}

static void find_unsure(const Rival *rivals, size_t count, WinnerChoice *choice) {
    double least = INFINITY;
    choice->unsure = WINNER_NONE;
    for (size_t i = 0; i < count; i++) {
        const Summary *summary = rivals[i].summary;
        if (i != choice->best && disturber_of(&rivals[i]) != DISTURBER_NONE &&
            summary->min < least &&
            winner_is_unsure(rivals[choice->best].summary->median, summary->min)) {
            least = summary->min;
            choice->unsure = i;
        }
    }
    choice->disturber = disturber_of(&rivals[choice->best]);
    if (choice->unsure != WINNER_NONE) {
        choice->disturber =
            disturber_of_either(choice->disturber, disturber_of(&rivals[choice->unsure]));
    }
}

/* By what the others chose. False with one launch. */
static bool time_by_launches(const Rival *rivals, size_t count, WinnerChoice *choice) {
    const Samples *samples[RIVALS_MAX];
    size_t launches = 0;
    for (size_t i = 0; i < count; i++) {
        samples[i] = rivals[i].samples;
        launches = rivals[i].summary->launches > launches ? rivals[i].summary->launches : launches;
    }
    if (launches <= 1) {
        return false;
    }
    choice->by_launch = launches_choose(samples, count);
    const LaunchSummary summary =
        launches_summarize(choice->by_launch.seconds, choice->by_launch.launches);
    choice->seconds = summary.median;
    choice->low = summary.low;
    choice->high = summary.high;
    if (choice->by_launch.all != WINNER_NONE) {
        interval_widen(summary.median, samples[choice->by_launch.all]->memory.time, &choice->low,
                       &choice->high);
    }
    return true;
}

/* By the even turns, which did not choose; the ends are NAN without memory. */
static void time_by_even_turns(const Rival *best, WinnerChoice *choice) {
    Samples even = {.seconds = NULL};
    Summary summary = summary_none();
    Status status = samples_of_half(best->samples, EVEN_TURNS, &even);
    if (status_is_ok(&status)) {
        status = summarize(&even, &summary);
    }
    choice->seconds = best->even_median;
    if (status_is_ok(&status)) {
        summary_range(&summary, &choice->low, &choice->high);
    }
    samples_release(&even);
}

WinnerChoice winner_choose(const Rival *rivals, size_t count) {
    count = count < RIVALS_MAX ? count : RIVALS_MAX;
    WinnerChoice choice = {.best = winner_least(rivals, count),
                           .seconds = NAN,
                           .low = NAN,
                           .high = NAN,
                           .unsure = WINNER_NONE};
    if (choice.best == WINNER_NONE) {
        return choice;
    }
    const Rival *best = &rivals[choice.best];
    find_ties(rivals, count, &choice);
    find_unsure(rivals, count, &choice);
    /* A clear winner owes nothing to luck. */
    choice.halved = all_halved(rivals, count) && choice.tied_count > 0;
    if (time_by_launches(rivals, count, &choice)) {
        return choice;
    }
    if (choice.halved) {
        time_by_even_turns(best, &choice);
    } else {
        choice.seconds = best->summary->median;
        summary_range(best->summary, &choice.low, &choice.high);
    }
    return choice;
}
