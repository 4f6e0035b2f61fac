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
    Disturber disturber;           /* of WinnerChoice, where they are the fastest of some cells */
} Times;

/* No launch. */
Times times_none(void);
/* Lends the samples. */
Times times_from(const Samples *samples);
/* The fastest of some cells, as launches_choose finds it, but its times are those of `timed`: of
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

#endif
