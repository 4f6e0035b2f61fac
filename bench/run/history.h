/* History: what a run has learned so far about the speed and the correctness of CPU variants. */
#ifndef BENCH_HISTORY_H
#define BENCH_HISTORY_H

#include "options.h"
#include "result.h"

enum { HISTORY_VARIANTS_MAX = 128, HISTORY_ALGORITHMS_MAX = OPTIONS_ALGORITHMS_MAX + 1 };

/* A CPU variant that has agreed with seq, and how fast it was on the largest such workload. */
typedef struct Verified {
    const Algorithm *algorithm;
    const Variant *variant;
    Point tuning;
    double work, seconds;
} Verified;

/* How fast seq was on the largest workload that it has run on. */
typedef struct SeqRate {
    const Algorithm *algorithm;
    double work, seconds;
    char where[WORKLOAD_SIZE_NAME_SIZE]; /* that workload's size */
} SeqRate;

/* Starts zeroed. */
typedef struct History {
    Verified verified[HISTORY_VARIANTS_MAX];
    size_t verified_count;
    SeqRate rates[HISTORY_ALGORITHMS_MAX];
    size_t rate_count;
} History;

/* What run time is taken to grow with: operations, or bytes for an algorithm without any. */
double cost_work(const Cost *cost);

/* Remembers that a variant agreed with seq, and the seconds of one run. */
void history_note_verified(History *history, const Algorithm *algorithm, const Variant *variant,
                           const Point *tuning, double work, double seconds);
/* Remembers the seconds of one run of seq. */
void history_note_seq(History *history, const Algorithm *algorithm, double work, double seconds,
                      const char *where);

/* NULL when seq has not run. */
const SeqRate *history_rate(const History *history, const Algorithm *algorithm);
/* Seconds that one run of seq would take; NAN when seq has not run. */
double history_estimate(const History *history, const Algorithm *algorithm, double work);
/* The verified variant with the least time for its work; NULL when there is none. */
const Verified *history_fastest(const History *history, const Algorithm *algorithm);

#endif
