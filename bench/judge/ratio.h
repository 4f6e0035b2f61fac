/* The ratio of two times, and its side: which of both is faster. */

#ifndef BENCH_JUDGE_RATIO_H
#define BENCH_JUDGE_RATIO_H

#include <stdbool.h>
#include <stdint.h>

#include "disturber.h"
#include "status.h"

typedef struct LaunchSummary LaunchSummary; /* samples.h */
typedef struct Samples Samples;             /* samples.h */
typedef struct Summary Summary;             /* samples.h */

typedef struct Ratio {
    double value;     /* median of the numerator / median of the denominator */
    double low, high; /* 95% interval; NAN: none */
    bool extremes;    /* they are the least and the greatest of launches that are too few for one */
    bool in_run;      /* they are of one launch and do not hold for another */
    double within;    /* as in LaunchMemory, of either side */
    Disturber disturber; /* of either side: the ratio has no side */
} Ratio;

/* Ratio of two medians with its percentile bootstrap interval, NAN below MEDIAN_INTERVAL_MIN
 * samples. NAN when either has no samples. STATUS_SKIP without
 * memory. The same samples and seed give the same interval. */
Status ratio_of_medians(const Samples *numerator, const Samples *denominator, uint64_t seed,
                        Ratio *ratio);

/* The ratio of the samples of two cells, which `launches` has of each launch of one run, with its
 * interval as wide as earlier runs demand. Either may be NULL: nothing is known of them. */
Ratio ratio_over_launches(const LaunchSummary *launches, const Samples *slow, const Samples *fast);

/* How much of something there is to a time, as bytes to a second, with the ends of summary_range.
 */
Ratio summary_rate(const Summary *summary, double amount);

/* The ratio and its ends times a factor. */
Ratio ratio_scaled(Ratio ratio, double factor);

/* Of the other time over this one. */
Ratio ratio_inverse(Ratio ratio);

/* With its ends farther apart: each by this share of their distance, as a logarithm. */
Ratio ratio_widened(Ratio ratio, double share);

/* --- Sides ------------------------------------------------------------------------------------ */

/* On which side of another one is. Words are made of it last: nothing decides by them. */
typedef enum SpeedSide { SIDE_SAME, SIDE_FASTER, SIDE_SLOWER, SIDE_UNDECIDED } SpeedSide;

typedef struct CompareCriteria {
    double alpha;     /* probability of a false alarm in the whole comparison, 0…1 */
    double threshold; /* relative change that does not matter yet, 0…1 */
} CompareCriteria;

/* Used where nothing else is asked for. */
#define JUDGE_ALPHA 0.01
#define JUDGE_THRESHOLD 0.05
extern const CompareCriteria judge_criteria;

/* Of a ratio of speeds within a run. Faster and slower: 1 is not within the interval, or without
 * one the ratio is not 1.00. Same: 1 is, and the interval is within the threshold of
 * judge_criteria. Undecided: the interval is wider, or there is none, or the ratio is not known, or
 * one side was disturbed. */
SpeedSide ratio_side(const Ratio *ratio);

/* Faster or slower. */
bool side_is_decided(SpeedSide side);
/* Of the other one. */
SpeedSide side_inverse(SpeedSide side);

/* Whether the ratio, or its inverse, is beyond 1 + threshold. */
bool ratio_is_beyond(const Ratio *ratio, double threshold);

/* Of a ratio with an interval: faster and slower where it lies wholly beyond 1 + threshold or its
 * inverse, same where it lies wholly between them, else undecided. */
SpeedSide ratio_side_beyond(const Ratio *ratio, double threshold);

#endif
