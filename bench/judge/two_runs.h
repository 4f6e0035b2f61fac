/* Whether the times of a cell differ between two runs. */

#ifndef BENCH_JUDGE_TWO_RUNS_H
#define BENCH_JUDGE_TWO_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "ratio.h"
#include "status.h"

/*
 * How many times as long n launches take as m of another run, which have nothing in common with
 * them: the estimate of Hodges and Lehmann on logarithms, the median of all n·m ratios. With
 * MEDIAN_INTERVAL_MIN launches or more on both sides it has an interval: the factors that the exact
 * two-sided Mann-Whitney test on the launches does not reject, which are between two order
 * statistics of these ratios; `*level` is the probability with which it holds the true one, 0.95 or
 * a little more. With fewer its ends are the least and the greatest of those ratios, and the level
 * is NAN. NAN is a launch without a value. STATUS_SKIP without memory.
 */
Status launches_ratio_between(const double *numerators, size_t n, const double *denominators,
                              size_t m, Ratio *ratio, double *level);

/* The least p that so many values can give, when all of one side lie beyond the other:
 * 2 / C(first_count + second_count, first_count). */
double mann_whitney_least_p(size_t first_count, size_t second_count);

/* The launch medians of a cell in one run. */
typedef struct RunTimes {
    const double *launches; /* seconds, all above 0, in any order */
    size_t count;           /* at least one */
    double median;          /* of them */
    bool held;              /* without the host's kernel launches (Row.held) */
    Disturber disturber;    /* of half of the launches or more: they may be too long */
    double undisturbed;     /* seconds that it takes at least without a disturber */
} RunTimes;

/* How a cell's times in a new run differ from those in an old one. */
typedef struct RunDifference {
    SpeedSide side; /* of the new one */
    Ratio ratio;    /* new / old, by launches_ratio_between; without an interval NAN are its ends;
                       its disturber: why it is undecided, though launches decide it */
    double level;   /* probability with which that interval contains the ratio, about 0.95 */
    double p;       /* Mann–Whitney of the launches, two-sided */
    double limit;   /* which p has to be below */
    bool exact;     /* p is exact, not a normal approximation */
    double spread;  /* of the launches of a side: standard deviation of logarithms; NAN: one each */
    /* The smallest relative change that 80% of such comparisons would have found; INFINITY where so
     * few launches find none, NAN where it is not known. */
    double detectable;
    size_t before, now; /* launches */
    bool held_before, held_now;
    Disturber disturbed_before, disturbed_now;
    /* New / old and old / new if only the disturbed one of both is shorter: undisturbed over
     * median. */
    double slower_at_least, faster_at_least;
} RunDifference;

/* Compares one cell: all but side, limit and detectable, which the two below find. STATUS_SKIP
 * without memory. */
Status difference_measure(const RunTimes *before, const RunTimes *now, RunDifference *difference);

/*
 * Decides the cells of one comparison together. Slower and faster: p is below the limit of Holm's
 * method, which is alpha / count for the smallest p, alpha / (count − 1) for the next, and so on up
 * to the first that is not below; and the ratio, or its inverse, is beyond 1 + threshold. Same: the
 * interval lies within 1 / (1 + threshold) … 1 + threshold. Everything else is undecided, and so
 * are times of which one side alone has the host's kernel launches in them. What disturbs a time
 * only makes it longer: a disturbed side is not found to be the same, nor the slower one unless it
 * is so without all that may have disturbed it. One launch on each side decides nothing.
 * STATUS_SKIP without memory.
 */
Status differences_decide(RunDifference *const *differences, size_t count,
                          const CompareCriteria *criteria);

/* Finds what is detectable in each of them. STATUS_SKIP without memory. */
Status differences_detectable(RunDifference *const *differences, size_t count,
                              const CompareCriteria *criteria);

/* Whether a cell that is faster or slower changed more than another, or than nothing (NULL). */
bool difference_is_greater(const RunDifference *difference, const RunDifference *other);

/* Whether it is nearer to another one than to none, on logarithms. */
bool difference_is_near(const RunDifference *difference, const RunDifference *other);

/* Writes why one is undecided, and what would have been found. True where more launches are needed
 * for a decision. */
bool difference_why(const RunDifference *difference, const CompareCriteria *criteria, char *text,
                    size_t size);

/* What could be seen where no change is shown. Starts zeroed. */
typedef struct Detectable {
    size_t cells, few; /* all, and those with too few launches to find any change */
    double most;       /* of the others: the greatest that one needs */
} Detectable;

/* Adds a cell by RunDifference.detectable. */
void detectable_add(Detectable *all, double change);

/* Writes "where no change is shown, one of 12% would have been found in 80% of comparisons; 2 cells
 * have too few launches to find any"; "" without a cell. `change` and `of`: "change", "cell". */
void detectable_words(const Detectable *all, const char *change, const char *of, char *text,
                      size_t size);

/* Appends "; 12% or more would have been", of what was looked for and not seen; "; of the others a
 * change of 12% or more would have been seen" where something was. Nothing without a cell. */
void detectable_brief(const Detectable *all, bool seen, char *text, size_t size);

/* By how many deviations of normal launches, so many on each side, two sides have to differ for p
 * to be below alpha in this share of all comparisons; INFINITY: too few launches. STATUS_SKIP
 * without memory. */
Status launches_shift(size_t launches, double alpha, double power, double *shift);

/* The least number of launches on each side that can give a p below `limit`; 0: more than
 * LAUNCHES_MAX. */
size_t launches_needed(double limit);

#endif
