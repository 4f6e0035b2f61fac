/* Which rows compete, and the one that is chosen. */

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
    Rival times[RIVALS_MAX];
    size_t count;
} Rivals;

static void find_rivals(const Results *results, const Row *row,
                        bool (*competes)(const Row *rival, const Row *row), Rivals *rivals) {
    rivals->count = 0;
    for (const Row *rival = question_first(results, row);
         rival != NULL && rivals->count < RIVALS_MAX; rival = question_next(results, rival)) {
        if (competes(rival, row)) {
            rivals->rows[rivals->count] = rival;
            rivals->times[rivals->count++] = (Rival){.summary = &rival->kernel_summary,
                                                     .samples = &rival->kernel,
                                                     .odd_median = rival->odd_median,
                                                     .even_median = rival->even_median};
        }
    }
}

static Winner find_winner(const Results *results, const Row *row,
                          bool (*competes)(const Row *rival, const Row *row)) {
    Rivals rivals;
    find_rivals(results, row, competes, &rivals);
    const WinnerChoice choice = winner_choose(rivals.times, rivals.count);
    Winner winner = {
        .seconds = choice.seconds, .halved = choice.halved, .tied_count = choice.tied_count};
    if (choice.best != WINNER_NONE) {
        winner.row = rivals.rows[choice.best];
    }
    for (size_t i = 0; i < choice.tied_count && i < WINNER_TIES_MAX; i++) {
        winner.tied[i] = rivals.rows[choice.tied[i]];
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
    const size_t best = winner_least(rivals.times, rivals.count);
    return best != WINNER_NONE && rivals.rows[best] == row;
}

size_t winner_of_each_launch(const Results *results, const Row *row,
                             const Row *chosen[LAUNCHES_MAX]) {
    const Samples *samples[RIVALS_MAX];
    size_t launches = 0;
    Rivals rivals;
    find_rivals(results, row, is_on_cpu, &rivals);
    for (size_t i = 0; i < rivals.count; i++) {
        const size_t of_rival = rivals.times[i].summary->launches;
        samples[i] = rivals.times[i].samples;
        launches = of_rival > launches ? of_rival : launches;
    }
    if (launches <= 1) {
        return launches;
    }
    const LaunchWinners winners = launches_choose(samples, rivals.count);
    for (size_t launch = 0; launch < winners.launches; launch++) {
        const size_t winner = winners.of[launch];
        chosen[launch] = winner != WINNER_NONE ? rivals.rows[winner] : NULL;
    }
    return winners.launches;
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
