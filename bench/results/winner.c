/* The fastest of several cells, and its time without the luck of being the fastest. */

#include "results_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* === Halves of one launch ===================================================================== */

Status samples_of_half(const Samples *samples, uint32_t half, Samples *part) {
    *part = (Samples){.seconds = NULL};
    for (size_t i = 0; samples->origins != NULL && i < samples->count; i++) {
        if (samples->origins[i].turn % 2 == half) {
            part->origin = samples->origins[i];
            STATUS_TRY(samples_add(part, samples->seconds[i]));
        }
    }
    return status_ok();
}

void winner_complete_halves(Row *row) {
    if (!isnan(row->odd_median) || samples_launches(&row->kernel) != 1) {
        return;
    }
    Samples odd = {.seconds = NULL};
    Samples even = {.seconds = NULL};
    Status status = samples_of_half(&row->kernel, ODD_TURNS, &odd);
    if (status_is_ok(&status)) {
        status = samples_of_half(&row->kernel, EVEN_TURNS, &even);
    }
    if (status_is_ok(&status) && odd.count > 0 && even.count >= MEDIAN_INTERVAL_MIN) {
        row->odd_median = median_in_place(odd.seconds, odd.count);
        row->even_median = median_in_place(even.seconds, even.count);
    }
    samples_release(&odd);
    samples_release(&even);
}

/* === The choice =============================================================================== */

/* The cells that one winner is chosen of. */
typedef struct Rivals {
    const Row *rows[RIVALS_MAX];
    size_t count, launches;
    bool halved; /* each has samples of odd and of even turns */
} Rivals;

static void find_rivals(const Results *results, const Row *row,
                        bool (*competes)(const Row *rival, const Row *row), Rivals *rivals) {
    *rivals = (Rivals){.halved = true};
    for (const Row *rival = question_first(results, row);
         rival != NULL && rivals->count < RIVALS_MAX; rival = question_next(results, rival)) {
        if (competes(rival, row)) {
            rivals->rows[rivals->count++] = rival;
            rivals->halved &= !isnan(rival->odd_median);
            if (rival->kernel_summary.launches > rivals->launches) {
                rivals->launches = rival->kernel_summary.launches;
            }
        }
    }
}

/* Of equal ones the first. */
static const Row *choose(const Rivals *rivals) {
    const Row *best = NULL;
    double least = NAN;
    for (size_t i = 0; i < rivals->count; i++) {
        const Row *row = rivals->rows[i];
        const double seconds = rivals->halved ? row->odd_median : row->kernel_summary.median;
        if (!isnan(seconds) && !(seconds >= least)) {
            best = row;
            least = seconds;
        }
    }
    return best;
}

/* The launches' medians of rows that compete. */
typedef struct Lanes {
    double (*medians)[LAUNCHES_MAX]; /* RIVALS_MAX of them */
    const double *of[RIVALS_MAX];
    const Row *rows[RIVALS_MAX];
    size_t count, launches;
} Lanes;

static void read_lanes(const Row *const *rows, size_t count, Lanes *lanes) {
    lanes->launches = 0;
    lanes->count = count < RIVALS_MAX ? count : RIVALS_MAX;
    for (size_t i = 0; i < lanes->count; i++) {
        double *medians = lanes->medians[i];
        const size_t launches = samples_launch_medians(&rows[i]->kernel, medians);
        for (size_t launch = launches; launch < LAUNCHES_MAX; launch++) {
            medians[launch] = NAN;
        }
        lanes->launches = launches > lanes->launches ? launches : lanes->launches;
        lanes->of[i] = medians;
        lanes->rows[i] = rows[i];
    }
}

static double greatest_of(const double *medians, size_t launches) {
    double greatest = -INFINITY;
    for (size_t i = 0; i < launches; i++) {
        greatest = fmax(greatest, medians[i]); /* NAN counts for nothing */
    }
    return greatest;
}

/* Leaves those whose median is one that the winner has been as slow as. A cell that is sometimes
 * the fastest and mostly ten times slower would win some launches by the vote of the others, and
 * its time in them be taken for the winner's. */
static void keep_tied(Lanes *lanes, size_t winner) {
    const double limit = greatest_of(lanes->of[winner], lanes->launches);
    size_t kept = 0;
    for (size_t i = 0; i < lanes->count; i++) {
        if (launches_summarize(lanes->of[i], lanes->launches).median <= limit) {
            lanes->of[kept] = lanes->of[i];
            lanes->rows[kept++] = lanes->rows[i];
        }
    }
    lanes->count = kept;
}

/* Without memory nothing wins. */
LaunchWinners launches_choose(const Row *const *rows, size_t count) {
    Lanes lanes = {.medians = malloc(RIVALS_MAX * sizeof *lanes.medians)};
    LaunchWinners winners = {.all = NULL};
    if (lanes.medians == NULL) {
        return winners;
    }
    read_lanes(rows, count, &lanes);
    const size_t all = launches_winner(lanes.of, lanes.count, lanes.launches, lanes.launches, NULL);
    winners.launches = lanes.launches;
    if (all < lanes.count) {
        winners.all = lanes.rows[all];
        keep_tied(&lanes, all);
    }
    for (size_t launch = 0; launch < winners.launches; launch++) {
        const size_t winner = launches_winner(lanes.of, lanes.count, lanes.launches, launch, NULL);
        winners.of[launch] = winner < lanes.count ? lanes.rows[winner] : NULL;
        winners.seconds[launch] = winner < lanes.count ? lanes.of[winner][launch] : (double)NAN;
    }
    free(lanes.medians);
    return winners;
}

static double fair_seconds(const Rivals *rivals, const Winner *winner) {
    if (rivals->launches > 1) {
        const LaunchWinners winners = launches_choose(rivals->rows, rivals->count);
        return launches_summarize(winners.seconds, winners.launches).median;
    }
    return winner->halved ? winner->row->even_median : winner->row->kernel_summary.median;
}

/* A runner-up is tied when the winner may be as slow as that. */
static void find_ties(const Rivals *rivals, Winner *winner) {
    const Summary *summary = &winner->row->kernel_summary;
    const double limit = isnan(summary->ci_high) ? summary->launch_high : summary->ci_high;
    for (size_t i = 0; i < rivals->count; i++) {
        const Row *rival = rivals->rows[i];
        if (rival != winner->row && rival->kernel_summary.median <= limit) {
            if (winner->tied_count < WINNER_TIES_MAX) {
                winner->tied[winner->tied_count] = rival;
            }
            winner->tied_count++;
        }
    }
}

static Winner find_winner(const Results *results, const Row *row,
                          bool (*competes)(const Row *rival, const Row *row)) {
    Winner winner = {.seconds = NAN};
    Rivals rivals;
    find_rivals(results, row, competes, &rivals);
    winner.row = choose(&rivals);
    if (winner.row != NULL) {
        find_ties(&rivals, &winner);
        /* A clear winner owes nothing to luck. */
        winner.halved = rivals.halved && winner.tied_count > 0;
        winner.seconds = fair_seconds(&rivals, &winner);
    }
    return winner;
}

static bool is_on_cpu(const Row *rival, const Row *row) {
    (void)row;
    return variant_is_on_cpu(rival->variant);
}

static bool is_of_variant(const Row *rival, const Row *row) {
    return rival->variant == row->variant;
}

Winner results_best_cpu(const Results *results, const Row *row) {
    return find_winner(results, row, is_on_cpu);
}

Winner results_best_tuning(const Results *results, const Row *row) {
    return find_winner(results, row, is_of_variant);
}

bool winner_is_best_tuning(const Results *results, const Row *row) {
    Rivals rivals;
    find_rivals(results, row, is_of_variant, &rivals);
    return choose(&rivals) == row;
}

size_t winner_of_each_launch(const Results *results, const Row *row,
                             const Row *chosen[LAUNCHES_MAX]) {
    Rivals rivals;
    find_rivals(results, row, is_on_cpu, &rivals);
    if (rivals.launches > 1) {
        const LaunchWinners winners = launches_choose(rivals.rows, rivals.count);
        memcpy(chosen, winners.of, sizeof winners.of);
        return winners.launches;
    }
    return rivals.launches;
}

/* === As text ================================================================================== */

enum { TIES_NAMED = 3 };

/* "8" beside a winner of the same variant and one axis, else "omp/threads:8". */
static void tie_text(const Row *winner, const Row *tied, char *text, size_t size) {
    if (tied->variant == winner->variant && tied->tuning.count == 1) {
        snprintf(text, size, "%s", tied->tuning.values[0].text);
    } else {
        variant_label(tied->variant, &tied->tuning, text, size);
    }
}

void winner_ties_text(const Winner *winner, char *text, size_t size) {
    const size_t named = winner->tied_count < TIES_NAMED ? winner->tied_count : TIES_NAMED;
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < named && length < size; i++) {
        char label[RESULT_LABEL_SIZE];
        tie_text(winner->row, winner->tied[i], label, sizeof label);
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   i == 0 ? " (tied with " : ", ", label);
    }
    if (winner->tied_count > named && length < size) {
        length += (size_t)snprintf(text + length, size - length, " and %zu more",
                                   winner->tied_count - named);
    }
    if (named > 0 && length < size) {
        snprintf(text + length, size - length, ")");
    }
}
