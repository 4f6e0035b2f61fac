/* Samples of a cell, their launches, and the intervals around their medians. */

#ifndef BENCH_JUDGE_SAMPLES_H
#define BENCH_JUDGE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "disturber.h"
#include "status.h"

typedef struct Random Random; /* random.h */

enum { LAUNCHES_MAX = 64 };

/* When a sample was taken. Both count from 0 and never fall from one sample to the next. */
typedef struct SampleOrigin {
    uint32_t launch; /* which process of a run with several launches */
    uint32_t turn;   /* of this cell, in that process */
} SampleOrigin;

/* What earlier runs say of samples whose launches lie closer together than a claim reaches, or what
 * is said without any. Zeros, or NAN: they lie far enough apart, or nobody knows. */
typedef struct LaunchMemory {
    double time;   /* least half width of the interval of a median, logarithm; 0: none is known */
    double ratio;  /* the same of the ratio of another cell's median to this one's */
    double within; /* seconds that the launches took, if no earlier run is known; else 0 */
} LaunchMemory;

/* Samples in the order of measurement; one sample is the time of one run. Starts zeroed. */
typedef struct Samples {
    double *seconds;
    SampleOrigin *origins; /* of each sample; NULL: of one launch, turns unknown */
    size_t count, capacity;
    SampleOrigin origin; /* of the samples that samples_add adds next */
    LaunchMemory memory;
    Disturber disturber; /* of half of their launches or more */
    double undisturbed;  /* seconds that their median has at least without a disturber */
    uint64_t seed;       /* of the interval within one launch of how much faster this cell is; each
                            cell has its own, so that no interval depends on other cells */
} Samples;

/*
 * With several launches `median` is the median of the launch medians; min, quartiles, mean and
 * stddev are of all samples together.
 */
typedef struct Summary {
    size_t count;
    double min, p25, median, p75, p99, mean, stddev;
    /* 95% interval of the median: of the launch medians when there are MEDIAN_INTERVAL_MIN launches
     * or more; NAN for fewer; within this run when there is one launch. */
    double ci_low, ci_high;
    size_t launches;
    /* Several launches: the interval, or the least and the greatest launch median; and the standard
     * deviation of their logarithms. NAN for one. */
    double launch_low, launch_high, launch_spread;
    double tau;      /* one launch: for how many samples one independent sample counts; else NAN */
    double within;   /* as in LaunchMemory */
    bool remembered; /* the interval is at least as wide as earlier runs demand */
} Summary;

/* Fewer samples have no 95% interval of the median: with five, the interval from minimum to maximum
 * covers it with a probability of only 1 - 2·(1/2)^5 = 93.75%. */
enum { MEDIAN_INTERVAL_MIN = 6 };

/*
 * Quantile of sorted values, 0 ≤ p ≤ 1, by linear interpolation between the order statistics
 * around (n - 1)·p: type 7 of Hyndman and Fan (1996), the default of R and NumPy. NAN when n is 0.
 */
double quantile_sorted(const double *sorted, size_t n, double p);

/* The summary of no samples: every number NAN. */
Summary summary_none(void);

/* Summarizes samples in any order. NAN: everything for n = 0, stddev for n = 1, the interval for
 * n < MEDIAN_INTERVAL_MIN. STATUS_SKIP without memory. */
Status summarize(const Samples *samples, Summary *summary);

/* Half the order-statistic interval of the median of all samples as if they were independent,
 * relative to the median: decides when sampling may stop. NAN below MEDIAN_INTERVAL_MIN samples.
 * STATUS_SKIP without memory. */
Status samples_half_width(const Samples *samples, double *width);

/* A number of the normal distribution with mean 0 and deviation 1. */
double random_normal(Random *random);

/* Appends a sample. STATUS_SKIP without memory. */
Status samples_add(Samples *samples, double seconds);

/* The number of the last launch, plus 1; 0 without samples. */
size_t samples_launches(const Samples *samples);

/* Fills the median of each launch, NAN for one without samples, and returns their number, at most
 * LAUNCHES_MAX. 0 without memory. */
size_t samples_launch_medians(const Samples *samples, double medians[LAUNCHES_MAX]);

/* Appends the samples of `more`, whose launches are counted from `launch` on; `memory`, which was
 * of fewer launches, is cleared, or that of `more` where there were none. STATUS_SKIP without
 * memory. */
Status samples_append(Samples *samples, const Samples *more, uint32_t launch);

/* A copy with memory of its own. STATUS_SKIP without memory. */
Status samples_copy(const Samples *source, Samples *copy);
void samples_release(Samples *samples);

/* --- Launches --------------------------------------------------------------------------------- */

/*
 * A launch is one process that measures every cell. Times of one launch agree with each other
 * better than with the next launch's, so what several launches say rests on one value of each: the
 * median of its samples. T. Kalibera and R. Jones, "Rigorous Benchmarking in Reasonable Time"
 * (2013).
 */

typedef struct LaunchSummary {
    size_t launches;
    double median; /* of one value a launch */
    /* Order statistics of these values: a 95% interval of the median for any distribution when
     * `is_interval`, which takes MEDIAN_INTERVAL_MIN launches; otherwise the least and the
     * greatest. */
    double low, high;
    bool is_interval;
    double spread; /* from launch to launch: standard deviation of the logarithms; NAN for one */
} LaunchSummary;

/* Of n values above 0, one for each launch, n ≤ LAUNCHES_MAX; a launch without a value has NAN and
 * does not count. Without any every number is NAN. */
LaunchSummary launches_summarize(const double *values, size_t n);

/* The same of the ratios that each launch has: both of its values were slowed by the same things.
 */
LaunchSummary launches_ratio(const double *numerators, const double *denominators, size_t n);

/* --- Intervals -------------------------------------------------------------------------------- */

/*
 * What is shown around a median rests on its launches: six or more have a 95% interval, of fewer
 * the least and the greatest are shown, and one launch has an interval within its run.
 */

/* The launches of the cells that a table or a chart shows. Starts zeroed. */
typedef struct LaunchRange {
    size_t least, most; /* 0: no cell yet */
    double within;      /* the most of the cells, as in LaunchMemory */
    bool remembered;    /* some interval is as wide as earlier runs demand */
} LaunchRange;

/* Adds a cell of so many launches; 0, in files of earlier versions, is one. */
void launch_range_add(LaunchRange *range, size_t launches);
/* Adds a cell. */
void launch_range_add_summary(LaunchRange *range, const Summary *summary);
/* Adds the cells of another range. */
void launch_range_join(LaunchRange *range, const LaunchRange *more);

/* Writes what the intervals of these cells are: "95% of 6 launches", "least to greatest of 3
 * launches", "95% in this run"; "" without a cell. Of launches that followed each other "95% of 6
 * launches in these 60 s", or "95% of 6 launches and earlier runs". */
void interval_words(const LaunchRange *range, char *text, size_t size);

/* The ends of what is shown around the median; NAN where there is nothing. */
void summary_range(const Summary *summary, double *low, double *high);

/* What a time may be off by, as a logarithm, where 95% of the pairs of so many runs lie at most
 * `apart`, a logarithm too. 0: they are too few to say. */
double width_of_runs(size_t runs, double apart);

/* The same where no earlier run is known, by how far the launches of these samples lie apart, which
 * followed each other. 0 of launches without an interval. */
double width_of_close_launches(const Samples *samples);

/* Widens the interval of several launches to what earlier runs demand, and notes it. Doing it again
 * changes nothing. */
void summary_remember(const LaunchMemory *memory, Summary *summary);

#endif
