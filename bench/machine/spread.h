/* How far launches lie apart on this machine, and runs of it. */

#ifndef BENCH_MACHINE_SPREAD_H
#define BENCH_MACHINE_SPREAD_H

#include <stddef.h>

/* What computes a cell. */
typedef enum SpreadKind {
    SPREAD_ONE_THREAD,
    SPREAD_THREADS, /* several CPU threads */
    SPREAD_DEVICE,
    SPREAD_END_TO_END, /* kernel and transfers of a device */
    SPREAD_RATIO,      /* of a CPU cell's time to that of another; and to those of a device: */
    SPREAD_RATIO_DEVICE,
    SPREAD_RATIO_END_TO_END,
    SPREAD_KINDS
} SpreadKind;

enum { SPREAD_CLASSES = 5, SPREAD_DATE_SIZE = 32 };

/* The standard deviation of the logarithms of launch medians, pooled over cells. */
typedef struct Spread {
    double value;
    size_t cells, degrees;           /* degrees of freedom; 0: not measured */
    char measured[SPREAD_DATE_SIZE]; /* ISO 8601, UTC */
} Spread;

/* How far apart in time two runs are. */
typedef enum RunDistance { RUNS_MINUTES, RUNS_HOURS, RUNS_DAYS, RUN_DISTANCES } RunDistance;

/* How far the medians of a cell in two runs lie apart, over all cells of a class. */
typedef struct RunSpread {
    double apart; /* 95th percentile of the difference of their logarithms */
    size_t pairs; /* of runs of one cell; 0: none is known */
    size_t runs;  /* that lie at least that far apart */
} RunSpread;

/* By what computes and by how long it takes. All zero: nothing is known. */
typedef struct LaunchSpread {
    Spread of[SPREAD_KINDS][SPREAD_CLASSES]; /* by the self-test */
    RunSpread runs[RUN_DISTANCES][SPREAD_KINDS]
                  [SPREAD_CLASSES]; /* by earlier runs; in no run's file */
} LaunchSpread;

#endif
