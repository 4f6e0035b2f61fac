/* The launches of a run with a budget of time: what each measures, for how long, and when they end.
 */

#ifndef BENCH_RUN_BUDGET_H
#define BENCH_RUN_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef struct Plan Plan;             /* plan.h */
typedef struct Results Results;       /* results.h */
typedef struct RunOptions RunOptions; /* run_options.h */
typedef struct TimesRatio TimesRatio; /* times.h */

/*
 * The first launch measures every cell briefly. Later ones leave out what cannot change an answer:
 * a tuning that was clearly slower than the best of its variant in every launch so far, where three
 * launches would not fit, or six, long runs that are far from the fastest of their side, and after
 * BUDGET_LAUNCHES the questions that are decided. A question is one algorithm on one input at one
 * point of its answer: is the best GPU variant faster than the best CPU variant (without a GPU: the
 * best CPU variant than seq), by kernel time and end to end?
 */

/* The time of a run with a budget. */
typedef struct BudgetClock {
    double budget;      /* seconds; INFINITY: no limit */
    double spent;       /* so far, by all launches */
    double last;        /* of the launch that ended last, without `once`; 0: none has */
    double last_beside; /* of these the seconds that no shorter sampling would have saved */
} BudgetClock;

/* Seconds of samples that a launch takes however little time it has: one of each long run. */
double budget_long_runs(const Results *results);

/* Notes launch `launch`, from 1, which has ended after `seconds`: `samples` of them are those that
 * more or less sampling of short runs changes, and `once` went into what no later launch does. What
 * the first one did once leaves room for what the second one measures for all. */
void budget_launch_ended(BudgetClock *clock, int launch, double seconds, double samples,
                         double once);

/* Seconds of samples, all cells together, that launch `launch`, from 1, is given. */
double budget_samples(const BudgetClock *clock, int launch);

/* Of them the longest sampling of one cell, where so many cells share them. */
double budget_cell_seconds(double seconds, size_t cells);

/* Launches that the run is going to have, by what is known after `done` of them; `undecided` is
 * that of budget_undecided. */
int budget_launches(const BudgetClock *clock, int done, double undecided);

/* Of the seconds of a launch like the latest of `done`, those that launch `next` takes, from 1:
 * after BUDGET_LAUNCHES those of the questions that are undecided, and of what every launch begins
 * with. */
double budget_share(int done, int next, double undecided);

/* Whether a ratio has a side: nothing disturbed its times, and its interval, or its range, widened
 * by a quarter on either side, lies beyond the threshold of judge_criteria on one side of 1, or as
 * it is within it. A ratio is looked at when it has six launches, nine or twelve. So fewer than 2%
 * of equal times are taken for different (tests/bench/run/test_budget.c). With a `least` below six
 * it is a guess of how it will end. */
bool budget_ratio_is_decided(const TimesRatio *times, size_t least);

/* Of the seconds that samples take, the share of what is measured further: of the questions which
 * the launches in `whole` leave undecided, and of the ratios to seq. 0 if all are decided, or
 * options->may_end says so after `done` launches. Before six it is a guess: a question whose times
 * were disturbed counts as decided while at most half of all questions are such. */
double budget_undecided(const Plan *plan, const RunOptions *options, Results *whole, int done);

/* The places of the cells that the next launch leaves out after `done` of them, as --leave-out
 * takes it; NULL: none. The caller frees the text. STATUS_SKIP without memory. */
Status budget_leave_out(const BudgetClock *clock, const Plan *plan, const RunOptions *options,
                        Results *whole, int done, char **text);

/* Whether the first launch has time for a cell of the CPU, of which `rows` has smaller inputs,
 * where long runs may take `left` seconds more. Without two such rows `expected` are the seconds of
 * a run, and `least` those of the fastest beside it; NAN: not known. STATUS_SKIP with the reason:
 * it has not, and another cell of the group is expected to take half as long or less. */
Status budget_has_time(const Plan *plan, const Results *rows, size_t index, double left,
                       double expected, double least);

/* The same once the run that verifies such a cell has taken `seconds`, of the one that times it. */
Status budget_has_time_again(double seconds, double left, double least);

/* Takes the cells that options->leave_out names out of the plan. STATUS_USAGE if it is no list of
 * its places. */
Status plan_leave_out(const RunOptions *options, Plan *plan);

#endif
