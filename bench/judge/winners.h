/* The fastest of some cells. */

#ifndef BENCH_JUDGE_WINNERS_H
#define BENCH_JUDGE_WINNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "disturber.h"
#include "samples.h"
#include "status.h"

enum { RIVALS_MAX = 256, WINNER_TIES_MAX = 16 };

/* Instead of the number of a cell. */
#define WINNER_NONE SIZE_MAX

/* One of the cells that a winner is chosen of. */
typedef struct Rival {
    const Summary *summary;
    const Samples *samples;         /* of several launches; else they may be NULL */
    double odd_median, even_median; /* of one launch: of the turns of each kind; NAN: too few */
} Rival;

enum { EVEN_TURNS, ODD_TURNS };

/* The samples of even or of odd turns; release them, whatever is returned. STATUS_SKIP without
 * memory. */
Status samples_of_half(const Samples *samples, uint32_t half, Samples *part);

/* Sets the medians of odd and of even turns of samples of one launch; leaves both where either half
 * has too few. */
void samples_halves(const Samples *samples, double *odd_median, double *even_median);

/* The fastest of some cells by the medians of their launches: their numbers, or WINNER_NONE. */
typedef struct LaunchWinners {
    size_t all;                   /* over all launches */
    size_t of[LAUNCHES_MAX];      /* of each launch the one that the others find fastest, so that
                                     its luck does not count */
    double seconds[LAUNCHES_MAX]; /* its time in this launch; NAN without one */
    size_t launches;
} LaunchWinners;

typedef struct WinnerChoice {
    size_t best;                  /* WINNER_NONE: no cell has a time */
    double seconds;               /* its time, free of the luck that chose it */
    double low, high;             /* what is shown around that time, as of summary_range */
    bool halved;                  /* chosen by odd turns, seconds of even ones */
    size_t tied[WINNER_TIES_MAX]; /* others within the winner's interval, as far as there is room */
    size_t tied_count;            /* of all of them */
    size_t unsure;                /* a disturbed cell that may be the best without that: its least
                                     sample is shorter than the best's median; else WINNER_NONE */
    Disturber disturber;          /* of the best, or of that cell */
    LaunchWinners by_launch;      /* of several launches; of one its `launches` is 0 */
} WinnerChoice;

/*
 * The fastest of the first RIVALS_MAX cells: the rule for every choice there is. The least of
 * several medians is too small, since the luck of a cell makes it the winner: so the samples that
 * choose the winner are not those that give its time. With several launches the median over them
 * chooses, and the time is the median over the launches, each with the winner of the others. In one
 * launch odd turns choose, and where others are tied even ones give the time; without enough
 * samples, all do both.
 */
WinnerChoice winner_choose(const Rival *rivals, size_t count);

/* WinnerChoice.best alone, of any number of cells. Of equal cells the first is the best. */
size_t winner_least(const Rival *rivals, size_t count);

/* Whether a cell is tied with the winner, which may be as slow as that: unless the ratio of both
 * over launches says that it is slower, by more than the threshold. */
bool winner_is_tied(const Rival *winner, const Rival *other);

#endif
