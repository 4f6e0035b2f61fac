/* Numbers of a table, with or without launches behind them: which leads, and the shape of a series.
 */

#ifndef BENCH_JUDGE_CONTENDERS_H
#define BENCH_JUDGE_CONTENDERS_H

#include <stdbool.h>
#include <stddef.h>

#include "number.h"
#include "ratio.h"
#include "samples.h"
#include "times.h"

/* --- Numbers without launches ----------------------------------------------------------------- */

/* How many times as great `over` is, with the widest interval that both allow; without one of
 * either it has none. Numbers above 0. */
Ratio estimate_ratio(const Estimate *over, const Estimate *under);

/* That of the mean of so many independent samples, by its standard error; not below 0. */
Estimate estimate_of_mean(double mean, double stddev, double independent);

/* The median of the launches, with its 95% interval as wide as earlier runs demand; NAN are the
 * ends where they are too few for one. */
Estimate estimate_of_times(const Times *times);

/* Adds up numbers, starting with zeros; then their mean, whose interval is the mean of theirs. */
void estimate_add(Estimate *sum, const Estimate *more);
Estimate estimate_mean(const Estimate *sum, size_t count);

/* The ratio of two counters, each known within a factor, as 1.1 for ±10%. Each launch has a ratio
 * of its own, whose interval counts where it is wider; samples that are NULL, or of one launch, say
 * nothing more. */
Ratio counters_ratio(double over, const Samples *of_over, double under, const Samples *of_under,
                     double factor);

/* Numbers without intervals, as a paper prints them, differ by at least so much, or are undecided:
 * that they are the same is not shown either. */
#define JUDGE_BARE 0.1

/* --- Numbers of a table: contenders.c --------------------------------------------------------- */

/* A number of which less is faster, with all that is known of it. */
typedef struct Contender {
    Estimate number;    /* NAN: it takes no part */
    const Times *times; /* the launches behind it, in any unit; NULL or of no launch: none */
    const void *run;    /* what measured these: within one run launches are pairs */
    bool plain;         /* a count or a share, whose ratio to another one says nothing */
} Contender;

/* By the launches of both; where these give no interval, by the intervals of the numbers; without
 * one of either they differ by JUDGE_BARE. Of two runs launches alone decide: with too few of them
 * the side is undecided, as it is where either number was disturbed. Plain numbers have intervals,
 * or differ at all. `ratio`: how many times as fast the first one is. */
SpeedSide contender_judge(const Contender *one, const Contender *other, Ratio *ratio);
SpeedSide contender_side(const Contender *one, const Contender *other);

/* Whether more is known of both than the two numbers; true where more has to be. */
bool contenders_are_known(const Contender *one, const Contender *other);

/* Which of several numbers leads. */
typedef struct Lead {
    size_t first, second, slowest; /* WINNER_NONE: there is none */
    bool tie;                      /* first and second are the same number */
    Estimate number;               /* of the first, free of the luck that chose it */
    Times times;
    const void *run; /* NULL: the times are of several */
    Samples even;    /* of the first, where even turns time it */
} Lead;

/* As winner_choose has it: over several launches each has the time of the one that the others
 * choose; in one launch odd turns choose and even ones time, if others are tied; numbers that have
 * no launches are taken as they are. Release the lead. */
void contenders_lead(const Contender *all, size_t count, Lead *lead);
/* The first, to be compared with the others. Lent by the lead. */
Contender lead_contender(const Lead *lead);
/* Whether it is ahead of another one for certain. */
bool lead_is_over(const Lead *lead, const Contender *other);
/* How many times as long another one takes; at least 1: a lead by luck alone is none. */
double lead_factor(const Lead *lead, const Contender *other);
void lead_release(Lead *lead);

/* --- Trends: trend.c -------------------------------------------------------------------------- */

/* The shape of a series of numbers. */
typedef struct Trend {
    int direction; /* of the first step that has one: 1 up, -1 down; 0: none has */
    size_t level;  /* steps without a direction */
    size_t turns;
    size_t turn; /* the place of the first turn */
    size_t peak; /* the greatest number */
} Trend;

/* From one number to another; numbers that may be equal have no direction. */
int contender_direction(const Contender *from, const Contender *to);

/* A turn is a place beyond the interval of the farthest place before it; steps back within that
 * interval are not counted. `times`: the peak is the least number. */
Trend trend_of(const Contender *series, size_t count, bool times);

#endif
