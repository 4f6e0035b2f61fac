/* Which rows compete, and the one that is chosen. */

#include "results_internal.h"
#include "row_winners.h"
#include "variant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

void winner_complete_halves(Row *row) {
    if (isnan(row->odd_median) && samples_launches(&row->kernel) == 1) {
        samples_halves(&row->kernel, &row->odd_median, &row->even_median);
        samples_halves(&row->end_to_end, &row->odd_end_to_end, &row->even_end_to_end);
    }
}

/* === The choice =============================================================================== */

/* The cells that one winner is chosen of. */
typedef struct Rivals {
    const Row *rows[RIVALS_MAX];
    Rival times[RIVALS_MAX];
    size_t count;
} Rivals;

Rival row_rival(const Row *row, TimeKind kind) {
    const bool kernel = kind == TIME_KERNEL;
    return (Rival){.summary = row_summary(row, kind),
                   .samples = row_samples(row, kind),
                   .odd_median = kernel ? row->odd_median : row->odd_end_to_end,
                   .even_median = kernel ? row->even_median : row->even_end_to_end};
}

/* Which rows of a question compete. */
typedef struct WayTimes {
    RowSide side;
    const Variant *variant; /* NULL: all of the side */
    TimeKind kind;
} WayTimes;

bool row_is_of_side(const Row *row, RowSide side) {
    const bool on_cpu = row_is_on_cpu(row);
    switch (side) {
    case SIDE_CPU: return on_cpu && !row->peer;
    case SIDE_DEVICE: return !on_cpu && !row->peer;
    case SIDE_PEER_CPU: return on_cpu && row->peer;
    case SIDE_PEER_DEVICE: return !on_cpu && row->peer;
    default: return !row->peer;
    }
}

static bool competes(const Row *row, const WayTimes *way_times) {
    return (way_times->variant != NULL ? row->variant == way_times->variant
                                       : row_is_of_side(row, way_times->side)) &&
           row_summary(row, way_times->kind)->count > 0;
}

static void find_rivals(const Results *results, const Row *row, const WayTimes *way_times,
                        Rivals *rivals) {
    rivals->count = 0;
    for (const Row *rival = question_first(results, row);
         rival != NULL && rivals->count < RIVALS_MAX; rival = question_next(results, rival)) {
        if (competes(rival, way_times)) {
            rivals->rows[rivals->count] = rival;
            rivals->times[rivals->count++] = row_rival(rival, way_times->kind);
        }
    }
}

static const Row *row_of(const Rivals *rivals, size_t number) {
    return number != WINNER_NONE ? rivals->rows[number] : NULL;
}

static Winner find_winner(const Results *results, const Row *row, const WayTimes *way_times) {
    Rivals rivals;
    find_rivals(results, row, way_times, &rivals);
    Winner winner = {.choice = winner_choose(rivals.times, rivals.count)};
    const WinnerChoice *choice = &winner.choice;
    winner.row = row_of(&rivals, choice->best);
    winner.unsure = row_of(&rivals, choice->unsure);
    for (size_t i = 0; i < choice->tied_count && i < WINNER_TIES_MAX; i++) {
        winner.tied[i] = row_of(&rivals, choice->tied[i]);
    }
    for (size_t launch = 0; launch < choice->by_launch.launches; launch++) {
        winner.of_launch[launch] = row_of(&rivals, choice->by_launch.of[launch]);
    }
    return winner;
}

Winner results_best(const Results *results, const Row *row, RowSide side, TimeKind kind) {
    return find_winner(results, row, &(WayTimes){.side = side, .kind = kind});
}

Winner results_best_cpu(const Results *results, const Row *row) {
    return results_best(results, row, SIDE_CPU, TIME_KERNEL);
}

const Row *row_best_peer(const Results *results, const Row *row) {
    const RowSide side = row_is_on_cpu(row) ? SIDE_PEER_CPU : SIDE_PEER_DEVICE;
    return row->peer ? NULL : results_best(results, row, side, TIME_KERNEL).row;
}

Winner results_best_tuning(const Results *results, const Row *row) {
    return find_winner(results, row, &(WayTimes){.variant = row->variant});
}

Ratio row_won_ratio(const Row *row, SpeedupOver over, TimeKind kind) {
    const Ratio *const won[][TIME_KINDS] = {
        [OVER_SEQ] = {&row->won_over_seq, NULL},
        [OVER_BEST_CPU] = {&row->won_kernel, &row->won_end_to_end},
        [OVER_PEER] = {&row->won_over_peer, NULL}};
    const Ratio *found = won[over][kind];
    return found != NULL && found->value > 0 ? *found : row_ratio(row, over, kind);
}

bool winner_is_best_tuning(const Results *results, const Row *row) {
    Rivals rivals;
    find_rivals(results, row, &(WayTimes){.variant = row->variant}, &rivals);
    return row_of(&rivals, winner_least(rivals.times, rivals.count)) == row;
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
    const size_t named =
        winner->choice.tied_count < TIES_NAMED ? winner->choice.tied_count : TIES_NAMED;
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < named && length < size; i++) {
        char label[RESULT_LABEL_SIZE];
        tie_text(winner->row, winner->tied[i], label, sizeof label);
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   i == 0 ? " (tied with " : ", ", label);
    }
    if (winner->choice.tied_count > named && length < size) {
        length += (size_t)snprintf(text + length, size - length, " and %zu more",
                                   winner->choice.tied_count - named);
    }
    if (named > 0 && length < size) {
        snprintf(text + length, size - length, ")");
    }
}

/* Whether a tied cell before this one is of the same variant. */
static bool is_named(const Winner *winner, size_t tied) {
    for (size_t i = 0; i < tied; i++) {
        if (winner->tied[i]->variant == winner->tied[tied]->variant) {
            return true;
        }
    }
    return false;
}

void winner_label(const Winner *winner, char *text, size_t size) {
    const size_t known =
        winner->choice.tied_count < WINNER_TIES_MAX ? winner->choice.tied_count : WINNER_TIES_MAX;
    size_t others = 0;
    variant_label(winner->row->variant, &winner->row->tuning, text, size);
    for (size_t i = 0; i < known; i++) {
        const Variant *variant = winner->tied[i]->variant;
        if (variant != winner->row->variant && !is_named(winner, i) && others++ < TIES_NAMED) {
            text_append(text, size, "%s%s", others == 1 ? ", tied with " : ", ", variant->name);
        }
    }
    if (others > TIES_NAMED) {
        text_append(text, size, " and %zu more", others - TIES_NAMED);
    }
}
