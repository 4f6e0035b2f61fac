/* The fastest of several cells, and its time without the luck of being the fastest. */

#include "judge_internal.h"

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
    double (*medians)[LAUNCHES_MAX]; /* RIVALS_MAX of them */
    const double *of[RIVALS_MAX];
    size_t cells[RIVALS_MAX]; /* their numbers */
    size_t count, launches;
} Lanes;

static void read_lanes(const Samples *const *cells, size_t count, Lanes *lanes) {
    lanes->launches = 0;
    lanes->count = count < RIVALS_MAX ? count : RIVALS_MAX;
    for (size_t i = 0; i < lanes->count; i++) {
        double *medians = lanes->medians[i];
        const size_t launches = samples_launch_medians(cells[i], medians);
        for (size_t launch = launches; launch < LAUNCHES_MAX; launch++) {
            medians[launch] = NAN;
        }
        lanes->launches = launches > lanes->launches ? launches : lanes->launches;
        lanes->of[i] = medians;
        lanes->cells[i] = i;
    }
}

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

LaunchWinners launches_choose(const Samples *const *cells, size_t count) {
    Lanes lanes = {.medians = malloc(RIVALS_MAX * sizeof *lanes.medians)};
    LaunchWinners winners = {.all = WINNER_NONE};
    if (lanes.medians == NULL) {
        return winners;
    }
    read_lanes(cells, count, &lanes);
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
    free(lanes.medians);
    return winners;
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

/* A runner-up is tied when the winner may be as slow as that. */
static void find_ties(const Rival *rivals, size_t count, WinnerChoice *choice) {
    double low, high;
    summary_range(rivals[choice->best].summary, &low, &high);
    for (size_t i = 0; i < count; i++) {
        if (i != choice->best && rivals[i].summary->median <= high) {
            if (choice->tied_count < WINNER_TIES_MAX) {
                choice->tied[choice->tied_count] = i;
            }
            choice->tied_count++;
        }
    }
}

static double fair_seconds(const Rival *rivals, size_t count, const WinnerChoice *choice) {
    const Samples *samples[RIVALS_MAX];
    size_t launches = 0;
    for (size_t i = 0; i < count; i++) {
        samples[i] = rivals[i].samples;
        launches = rivals[i].summary->launches > launches ? rivals[i].summary->launches : launches;
    }
    if (launches > 1) {
        const LaunchWinners winners = launches_choose(samples, count);
        return launches_summarize(winners.seconds, winners.launches).median;
    }
    const Rival *best = &rivals[choice->best];
    return choice->halved ? best->even_median : best->summary->median;
}

WinnerChoice winner_choose(const Rival *rivals, size_t count) {
    count = count < RIVALS_MAX ? count : RIVALS_MAX;
    WinnerChoice choice = {.best = winner_least(rivals, count), .seconds = NAN};
    if (choice.best != WINNER_NONE) {
        find_ties(rivals, count, &choice);
        /* A clear winner owes nothing to luck. */
        choice.halved = all_halved(rivals, count) && choice.tied_count > 0;
        choice.seconds = fair_seconds(rivals, count, &choice);
    }
    return choice;
}
