/* Samples and launches, their intervals, ratios, winners and crossovers: which is faster, and how
 * sure that is. */

#ifndef BENCH_JUDGE_JUDGE_H
#define BENCH_JUDGE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number.h"
#include "random.h"
#include "status.h"
#include "terminal.h"

/* --- Statistics ------------------------------------------------------------------------------- */

enum { LAUNCHES_MAX = 64 };

/* When a sample was taken. Both count from 0 and never fall from one sample to the next. */
typedef struct SampleOrigin {
    uint32_t launch; /* which process of a run with several launches */
    uint32_t turn;   /* of this cell, in that process */
} SampleOrigin;

/* What disturbs times so much that they may be too long by a fifth or more. */
typedef enum Disturber {
    DISTURBER_NONE,
    DISTURBER_GUESTS,     /* of the host */
    DISTURBER_PROGRAMS,   /* had the processors, or samples lie far apart */
    DISTURBER_THROTTLING, /* clock, temperature, CPU quota */
    DISTURBER_SLOW_PHASE, /* shown by the sentinel */
    DISTURBERS
} Disturber;

/* The first one, or the second where there is no first. */
Disturber disturber_of_either(Disturber first, Disturber second);

/* What earlier runs say of samples whose launches lie closer together than a claim reaches. Zeros,
 * or NAN: they lie far enough apart, or nobody knows. */
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

/* Widens the interval of several launches to what earlier runs demand, and notes it. Doing it again
 * changes nothing. */
void summary_remember(const LaunchMemory *memory, Summary *summary);

/* The ratio of the samples of two cells, which `launches` has of each launch of one run, with its
 * interval as wide as earlier runs demand. Either may be NULL: nothing is known of them. */
Ratio ratio_over_launches(const LaunchSummary *launches, const Samples *slow, const Samples *fast);

/* How much of something there is to a time, as bytes to a second, with the ends of summary_range.
 */
Ratio summary_rate(const Summary *summary, double amount);

/* The ratio and its ends times a factor. */
Ratio ratio_scaled(Ratio ratio, double factor);

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

/* --- Winners ---------------------------------------------------------------------------------- */

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

/* Whether a cell is tied with the winner, which may be as slow as that. */
bool winner_is_tied(const Summary *winner, const Summary *other);

/* --- Times ------------------------------------------------------------------------------------ */

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

/* --- Two runs --------------------------------------------------------------------------------- */

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
    bool held;              /* without the host's launches (Row.held) */
} RunTimes;

/* Whether the ratio, or its inverse, is beyond 1 + threshold. */
bool ratio_is_beyond(const Ratio *ratio, double threshold);

/* How a cell's times in a new run differ from those in an old one. */
typedef struct RunDifference {
    SpeedSide side; /* of the new one */
    Ratio ratio;    /* new / old, by launches_ratio_between; without an interval NAN are its ends */
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
} RunDifference;

/* Compares one cell: all but side, limit and detectable, which the two below find. STATUS_SKIP
 * without memory. */
Status difference_measure(const RunTimes *before, const RunTimes *now, RunDifference *difference);

/*
 * Decides the cells of one comparison together. Slower and faster: p is below the limit of Holm's
 * method, which is alpha / count for the smallest p, alpha / (count − 1) for the next, and so on up
 * to the first that is not below; and the ratio, or its inverse, is beyond 1 + threshold. Same: the
 * interval lies within 1 / (1 + threshold) … 1 + threshold. Everything else is undecided, and so
 * are times of which one side alone holds the host's launches. A launch on each side decides
 * nothing. STATUS_SKIP without memory.
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

/* --- Change points ---------------------------------------------------------------------------- */

/* The values of a commit, at least one, ascending. Of more than CHANGE_LAUNCHES_MAX so many are
 * used, at even distances in that order. */
typedef struct ChangeSample {
    const double *values;
    size_t count;
} ChangeSample;

typedef struct ChangePoint {
    size_t at; /* the first commit of the new level */
    double q;
    double p; /* the given order counted among the random ones */
} ChangePoint;

/* A change point as a change of level: the median over the commits. */
typedef struct LevelChange {
    ChangePoint point;
    double ratio;   /* from here to the next change / before it */
    SpeedSide side; /* of the new level */
} LevelChange;

/*
 * The change points of a sequence of samples, as changes of the level of their medians; `changes`
 * has room for `count`. Without any, `*detectable` is the smallest step half way that 80% of such
 * sequences would have shown; NAN, INFINITY: as of RunDifference. STATUS_SKIP without memory.
 */
Status level_changes_find(const ChangeSample *samples, const double *medians, size_t count,
                          double alpha, LevelChange *changes, size_t *found, double *detectable);

/* --- Growth ----------------------------------------------------------------------------------- */

typedef struct PowerFit {
    double exponent, low, high; /* NAN without three different sizes */
} PowerFit;

/* Fits seconds ~ items^exponent through n points by least squares on logarithms; both are above 0.
 * The 95% interval is Student's, with n - 2 degrees of freedom. */
PowerFit power_fit(const double *items, const double *seconds, size_t n);

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

/* A number known within a factor, as 1.1 for ±10%. */
Estimate estimate_within(double value, double factor);

/* --- Numbers of a table: contenders.c ------------------------------------------------------------
 */

/* A number of which less is faster, with all that is known of it. */
typedef struct Contender {
    Estimate number;    /* NAN: it takes no part */
    const Times *times; /* the launches behind it, in any unit; NULL or of no launch: none */
    const void *run;    /* what measured these: within one run launches are pairs */
    bool plain;         /* a count or a share, whose ratio to another one says nothing */
} Contender;

/* By the launches of both; where these give no interval, by the intervals of the numbers; without
 * one of either they differ by JUDGE_BARE. Plain numbers have intervals, or differ at all. */
SpeedSide contender_side(const Contender *one, const Contender *other);

/* Whether more is known of both than the two numbers. */
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

/* --- Crossovers ------------------------------------------------------------------------------- */

/* The sides along a sorted series (sizes, keypoints, boxes, images, GPUs), and nothing else. */

/* Of those places that have a side. */
typedef enum CrossoverKind {
    CROSSOVER_FROM,   /* slower at the first, faster from some place on */
    CROSSOVER_ALWAYS, /* faster at every one */
    CROSSOVER_NEVER,  /* slower at every one */
    CROSSOVER_UP_TO,  /* faster at the first, slower from some place on */
    CROSSOVER_MIXED,  /* changes more than once */
    CROSSOVER_UNKNOWN /* no place has a side */
} CrossoverKind;

/* Starts zeroed. Places count from 0. */
typedef struct Crossover {
    size_t places, sides; /* all, and those with a side: faster or slower */
    size_t first, last;   /* the outermost of these */
    size_t changes;
    size_t before, after; /* around the last change; between them no place has a side */
    SpeedSide side;       /* at `last` */
} Crossover;

/* Faster or slower. */
bool side_is_decided(SpeedSide side);
/* Of the other one. */
SpeedSide side_inverse(SpeedSide side);

Crossover crossover_of(const SpeedSide *sides, size_t count);
CrossoverKind crossover_kind(const Crossover *crossover);

/* Writes the name of a place of a series: "4K". */
typedef void PlaceName(const void *places, size_t place, char text[NUMBER_WORDS_SIZE]);

/* The sides of a challenger at places that both have a time of, ascending. */
typedef struct Series {
    const SpeedSide *sides;
    size_t count;
    PlaceName *name;
    const void *places; /* that `name` gets */
    const char *noun;   /* what a place is: "size", "value of box" */
    bool range;         /* its words name the outermost places */
} Series;

/* --- Words: words.c --------------------------------------------------------------------------- */

/*
 * The one table of words for what the judge finds. A ratio is always that of speeds:
 *
 *   faster, slower   36.7× faster (36.2 to 37.1)   1.46× slower (range 1.41 to 1.56)
 *   same             as fast (within 5%)
 *   undecided        undecided (0.92 to 1.09)
 *
 * "range": of the launches, which are too few for an interval. An interval of one launch ends with
 * "in this run": (36.2 to 37.1 in this run). That of launches which followed each other, of which
 * the machine remembers no earlier runs, ends with their time: (36.2 to 37.1 in these 60 s).
 */

/* What is compared, by the words for it. */
typedef enum Compared { COMPARED_SPEED, COMPARED_COST, COMPARED_ENERGY } Compared;

enum { RATIO_WORDS_SIZE = 64 };

/* "as fast", "faster", "slower", "undecided"; of costs "cheaper" and so on. */
const char *side_word(SpeedSide side, Compared compared);

/* "36.7× faster", "1.70× slower", "as fast", "undecided" of a side that was decided already; "" for
 * a ratio that is not known. */
void side_words(SpeedSide side, const Ratio *ratio, Compared compared, char text[RATIO_WORDS_SIZE]);

/* Both in one: "36.7× faster (36.2 to 37.1)", "as fast (within 5%)". Returns the bytes of the words
 * before the brackets, as DocCell.first has them; 0 without brackets. */
size_t side_text(SpeedSide side, const Ratio *ratio, Compared compared,
                 char text[NUMBER_WORDS_SIZE]);

/* These three of a ratio within a run, by its own side. */
void factor_words(const Ratio *ratio, char text[RATIO_WORDS_SIZE]);
void factor_interval(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]);
size_t faster_text(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]); /* as side_text */

/* Where there is no room for every interval: "36.7× faster", but "undecided (0.92 to 1.09)". */
void side_brief(SpeedSide side, const Ratio *ratio, char text[NUMBER_WORDS_SIZE]);
void brief_words(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]);

/* "than", "as" or "against", as the words of the side, or of the ratio, have it. */
const char *side_joint(SpeedSide side);
const char *ratio_joint(const Ratio *ratio);

/* "other guests of the host", as files have it, and "other guests had the processors"; "" of none.
 */
const char *disturber_name(Disturber disturber);
const char *disturber_clause(Disturber disturber);
/* The one of that name. Of a name that this version does not have it is other programs. */
Disturber disturber_named(const char *name);

/* In a colour only where the interval is on one side. */
Ink factor_ink(const Ratio *ratio);

/* A change in percent with two significant digits: "3.1%", "130%". */
void change_text(double change, char text[SIGNIFICANT_SIZE]);

/* How many times as fast the new one is, for side_brief. */
Ratio difference_speeds(const RunDifference *difference);

/* How the new times of a cell differ, as side_text: "1.10× slower (1.05 to 1.16)". */
size_t difference_words(const RunDifference *difference, char text[NUMBER_WORDS_SIZE]);

/* Where a challenger is ahead: "at every size", "at no size", "at 4 of 5 sizes", "from 4K on", "up
 * to 720p", "back and forth, for good from 4K on", and the places without a side: "; as fast at
 * 720p; undecided at 8K". Where no place has a side these alone, or "undecided at every size". With
 * `range` "at every size (360p to 16K)"; of one place "at the one size measured". Returns the bytes
 * before these brackets, as DocCell.first has them; 0 without. */
size_t crossover_words(const Series *series, char *text, size_t size);

/* --- Claims ----------------------------------------------------------------------------------- */

/*
 * A claim is what a run said, a ratio, a side or a crossover, and is tested by the times of another
 * run. It fails only by an interval over launches that lies wholly beyond the threshold of
 * judge_criteria: one launch shows nothing of the next.
 */

typedef enum ClaimVerdict {
    CLAIM_HOLDS,
    CLAIM_FAILS,
    CLAIM_UNTESTED, /* it cannot be tested here */
    CLAIM_OPEN,     /* it can be, but nothing was measured yet */
    CLAIM_VERDICTS
} ClaimVerdict;

typedef enum ClaimReason {
    CLAIM_NO_REASON,
    CLAIM_CHANGED,       /* the number is another */
    CLAIM_NOT_EXCLUDED,  /* a change of the number is not shown, nor excluded */
    CLAIM_SIDE_ALONE,    /* too few launches for that */
    CLAIM_REVERSED,      /* the other side */
    CLAIM_REVERSED_ONCE, /* in one launch */
    CLAIM_EQUAL,         /* as fast */
    CLAIM_EQUAL_ONCE,    /* in one launch */
    CLAIM_UNDECIDED,
    CLAIM_DISTURBED,    /* the times here were */
    CLAIM_WITHOUT_SIDE, /* nothing was claimed */
    CLAIM_OTHER_CROSSOVER
} ClaimReason;

typedef struct ClaimTest {
    ClaimVerdict verdict;
    ClaimReason reason;  /* of CLAIM_HOLDS too: what was not shown */
    double change;       /* of the number, or by how much it may have changed; else NAN */
    double detectable;   /* of claim_of_number: as RunDifference.detectable; else NAN */
    Disturber disturber; /* of CLAIM_DISTURBED */
} ClaimTest;

/* Of a ratio with an interval: faster and slower where it lies wholly beyond 1 + threshold or its
 * inverse, same where it lies wholly between them, else undecided. */
SpeedSide ratio_side_beyond(const Ratio *ratio, double threshold);

/* Numbers without intervals, as a paper prints them, differ by at least so much, or are undecided:
 * that they are the same is not shown either. */
#define JUDGE_BARE 0.1

/* Of another machine: whether it has the same crossover, at whatever place. */
ClaimTest claim_of_crossover_elsewhere(const Crossover *claimed, const Crossover *here);

/* Whether the same side is ahead. */
ClaimTest claim_of_side(const TimesRatio *claimed, const TimesRatio *here);

/*
 * Whether two runs of one machine have the same ratio. It fails where the interval of
 * launches_ratio_between, at alpha / claims as for so many cells of a comparison, lies wholly
 * beyond the threshold; it holds where the one at 95% lies within. Launches that are too few for
 * that alpha have the widest interval. Where the number is undecided the side decides. STATUS_SKIP
 * without memory.
 */
Status claim_of_number(const TimesRatio *claimed, const TimesRatio *here, size_t claims,
                       ClaimTest *test);

/*
 * Whether a crossover holds at its own places: `sides` are those claimed, `here` says for each
 * whether it holds. A place that fails contradicts it. Needed are the places around the change, or
 * without one all that have a side. Returns the place that decides; SIZE_MAX: it holds.
 */
size_t claim_of_crossover(const Crossover *claimed, const SpeedSide *sides,
                          const ClaimVerdict *here);

/* Whether it is CLAIM_UNTESTED for a reason that more launches may remove. */
bool claim_is_undecided(const ClaimTest *test);

enum { CLAIM_REASON_SIZE = 96 };

/* "the factor is 1.08× smaller here"; "" without a reason. */
void claim_reason_words(const ClaimTest *test, char text[CLAIM_REASON_SIZE]);

#endif
