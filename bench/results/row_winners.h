/* The fastest of the cells that answer the same question as a row, by the judge's rule: what chose
 * the winner does not count as its time. */

#ifndef BENCH_RESULTS_ROW_WINNERS_H
#define BENCH_RESULTS_ROW_WINNERS_H

#include <stdbool.h>
#include <stddef.h>

#include "ratio.h"
#include "row.h"
#include "winners.h"

typedef struct Results Results; /* results.h */

typedef struct Winner {
    const Row *row;                     /* NULL: no cell is measured */
    WinnerChoice choice;                /* its time */
    const Row *tied[WINNER_TIES_MAX];   /* as many as choice.tied has */
    const Row *unsure;                  /* choice.unsure; NULL: none */
    const Row *of_launch[LAUNCHES_MAX]; /* of several launches the cell that the others find
                                           the fastest; NULL: none */
} Winner;

/* Which cells compete. Other people's code (Row.peer) does so on sides of its own alone. */
typedef enum RowSide { SIDE_BOTH, SIDE_CPU, SIDE_DEVICE, SIDE_PEER_CPU, SIDE_PEER_DEVICE } RowSide;

bool row_is_of_side(const Row *row, RowSide side);

/* Whether some row of the side has samples. */
bool results_have_side(const Results *results, RowSide side);

/* The fastest of a side by one kind of time. After results_derive. */
Winner results_best(const Results *results, const Row *row, RowSide side, TimeKind kind);

/* Of the CPU cells by kernel time. A CPU variant copies nothing, so it is the best end to end too.
 */
Winner results_best_cpu(const Results *results, const Row *row);

/* The fastest of other people's code on the row's backend, as Row.best_peer names it; NULL: none
 * was measured, or the row is such code itself. */
const Row *row_best_peer(const Results *results, const Row *row);

/* Of the tuning points of the row's variant. After results_derive. */
Winner results_best_tuning(const Results *results, const Row *row);

/* Of the row that is the best of its side by this time: its luck does not count, nor that of the
 * best CPU. Over seq and over peers by kernel time only; over the best CPU of the best on a device.
 * Of other rows that of row_ratio. */
Ratio row_won_ratio(const Row *row, SpeedupOver over, TimeKind kind);

/* As a cell of which a winner is chosen, for winner_choose and winner_least. */
Rival row_rival(const Row *row, TimeKind kind);

/* Writes " (tied with 8, simd)", or nothing when no other cell is tied. */
void winner_ties_text(const Winner *winner, char *text, size_t size);

#endif
