/* The times of a cell in a run, and the ratio of two of them. */

#ifndef BENCH_JUDGE_TIMES_H
#define BENCH_JUDGE_TIMES_H

#include <stdbool.h>
#include <stddef.h>

#include "ratio.h"
#include "samples.h"

/* The times of a cell in a run. */
typedef struct Times {
    double launches[LAUNCHES_MAX]; /* medians, seconds; NAN: the launch has none */
    size_t count;                  /* launches; 0: it was not measured */
    const Samples *samples;        /* for the interval within one launch; may be NULL */
    double median;       /* of them, which may be known without them; 0: that of the launch */
    bool halved;         /* odd turns of the one launch chose the cell: even ones time it */
    Disturber disturber; /* of WinnerChoice, where they are the fastest of some cells */
} Times;

/* No launch. */
Times times_none(void);
/* Lends the samples. */
Times times_from(const Samples *samples);
/* The fastest of the first RIVALS_MAX cells of one launch, as winner_choose finds it: its number,
 * or WINNER_NONE without a cell or without memory. */
size_t times_least(const Samples *const *cells, size_t count);
/* The fastest of some cells, as winner_choose finds it, but its times are those of `timed`: of
 * the same cells, perhaps end to end. Returns its number, or WINNER_NONE. */
size_t times_of_fastest(const Samples *const *cells, size_t count, const Samples *const *timed,
                        Times *times);

/* How many times as long one takes as the other, in the same run. */
typedef struct TimesRatio {
    double launches[LAUNCHES_MAX]; /* of each launch; NAN: it has none */
    size_t count;                  /* launches that have one; 0: it is not known */
    /* Over launches, of less than MEDIAN_INTERVAL_MIN their range; of one launch in this run. */
    Ratio ratio;
    SpeedSide side; /* undecided without an interval */
    bool itself;    /* both are of the same samples */
} TimesRatio;

TimesRatio times_ratio(const Times *slow, const Times *fast);

/* Whether the interval within one launch is drawn, by the seed of the samples of `fast`. */
typedef struct Draws {
    bool wanted;
    Ratio before; /* drawn already: if the ratio is the same number, the samples are too */
} Draws;

/* The ratio alone, of cells that are not the same, without what disturbed them. Each launch has a
 * ratio of its own: what slows both down cancels. Without memory there is no interval. */
Ratio times_ratio_drawn(const Times *slow, const Times *fast, const Draws *draws);

/* Whether the first takes so much longer than the second in every launch that both have that this
 * is not those launches' luck: before there are enough for an interval. */
bool samples_are_clearly_slower(const Samples *a, const Samples *b);

#endif
