/* The oracle: seq's answer, and how long it takes. */

#ifndef BENCH_RUN_ORACLE_H
#define BENCH_RUN_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algorithm.h"
#include "axis.h"
#include "output.h"
#include "run_options.h"
#include "status.h"

typedef struct Cost Cost;             /* cost.h */
typedef struct OtherInput OtherInput; /* proofs.h */
typedef struct Plan Plan;             /* plan.h */
typedef struct PlanCell PlanCell;     /* plan.h */
typedef struct Results Results;       /* results.h */

/* --- History: oracle.c ------------------------------------------------------------------------ */

/* What a run has measured so far: the speed of seq and of the CPU variants that were verified. */

enum {
    HISTORY_VARIANTS_MAX = 128,
    HISTORY_ALGORITHMS_MAX = OPTIONS_ALGORITHMS_MAX + 1,
    HISTORY_SPEEDS_MAX = 256
};

/* A CPU variant that has agreed with seq, and its time on the largest such workload. */
typedef struct Verified {
    const Algorithm *algorithm;
    const Variant *variant;
    Point tuning;
    double work, seconds;
} Verified;

/* The time of seq on the largest workload that it has run on. */
typedef struct SeqRate {
    const Algorithm *algorithm;
    double work, seconds;
    char where[WORKLOAD_SIZE_NAME_SIZE]; /* that workload's size */
} SeqRate;

/* The time of one run of a CPU variant on a small input, or of any in an earlier launch, for
 * estimates. */
typedef struct Speed {
    const PlanCell *cell; /* of a small input the first with this variant and answer point */
    double work;          /* of that input, by variant_work */
    double seconds;
} Speed;

/* Starts zeroed. */
typedef struct History {
    Verified verified[HISTORY_VARIANTS_MAX];
    size_t verified_count;
    SeqRate rates[HISTORY_ALGORITHMS_MAX];
    size_t rate_count;
    Speed speeds[HISTORY_SPEEDS_MAX];
    size_t speed_count;
} History;

/* The amount of work that run time is assumed to be proportional to: operations, or bytes for an
 * algorithm without any. */
double cost_work(const Cost *cost);

/* Adds one run of a variant that agreed with seq. */
void history_note_verified(History *history, const Algorithm *algorithm, const Variant *variant,
                           const Point *tuning, double work, double seconds);

/* Adds one run of seq on the size `where`. */
void history_note_seq(History *history, const Algorithm *algorithm, double work, double seconds,
                      const char *where);

/* NULL if seq has not run. */
const SeqRate *history_rate(const History *history, const Algorithm *algorithm);

/* Seconds that one run of seq would take; NAN if seq has not run. */
double history_estimate(const History *history, const Algorithm *algorithm, double work);

/* The verified variant with the least time for its work; NULL if there is none. */
const Verified *history_fastest(const History *history, const Algorithm *algorithm);

/* How many times as long as the fastest one this variant took for its work; NAN: it was not
 * verified. */
double history_times_slower(const History *history, const Algorithm *algorithm,
                            const Variant *variant, const Point *tuning);

/* --- Oracle: oracle.c ------------------------------------------------------------------------- */

/* The right answer of one workload at one answer point, computed once by row 0 (seq). If one run of
 * seq is estimated to take longer than --max-cell, the fastest CPU variant that was verified
 * against seq on a smaller workload stands in. */
typedef struct Oracle {
    Output answer;   /* plain memory; without data where `digest` replaces it */
    uint64_t digest; /* answer_digest of an answer that memory has no room for twice */
    char by[64];     /* "seq", or the stand-in: "omp/threads:16" */
    double seconds;  /* of its run */
    bool stood_in;   /* seq takes too long here */
    bool pending;    /* seq's run under way is to be it: there is nothing to compare with */
    char why[STATUS_WHY_SIZE]; /* why seq was not run */
} Oracle;

/* Measures the speed of seq on growing crops of a workload, up to 1024×1024, unless it is known
 * already; takes some tens of milliseconds. On crops that have no answer at this point it uses the
 * default one. Without memory nothing is measured. */
void oracle_probe(History *history, const Algorithm *algorithm, const Workload *workload,
                  const Point *answer);

/* Seconds of the second of two runs of a CPU variant, each newly opened, with upload and download.
 * The answer is not looked at, the guards around it are. */
Status oracle_time(const Algorithm *algorithm, const Variant *variant, const Workload *workload,
                   const Point *answer, const Point *tuning, double *seconds);

/* Takes a sample of seq's cell, which leaves the answer in the scratch memory; `expected` and
 * `seconds` are those of a run. 0 seconds: it was interrupted before. */
typedef struct SeqSample {
    Status (*take)(void *context, double expected, double *seconds);
    void *context;
} SeqSample;

/* Seconds that a long run may take after others of a launch have taken `taken`. Short runs always
 * have time; INFINITY: so have long ones. */
double long_runs_left(const RunOptions *options, double taken);

/* Seconds that a run of seq may be estimated to take, else another variant stands in. */
double oracle_limit(const RunOptions *options);

enum { ORACLE_LIMIT_SIZE = 80 };

/* "--max-cell 60 s". */
void oracle_limit_text(const RunOptions *options, char text[ORACLE_LIMIT_SIZE]);

/* Computes the oracle. `scratch` is guarded answer memory of the same layout. Where memory has no
 * room for a second answer, and answers are compared byte by byte, their digest is kept. A long run
 * of seq (measure_is_long) is not done twice where `sample` is not NULL: its sample is the oracle.
 * STATUS_SKIP if there is no memory or no variant that can stand in; any other failure is the
 * oracle's own. Release with oracle_release, whatever was returned. */
Status oracle_compute(History *history, const RunOptions *options, const Algorithm *algorithm,
                      const Workload *workload, const Point *answer, const Output *scratch,
                      const SeqSample *sample, Oracle *oracle);

void oracle_release(Oracle *oracle);

/* By seq, whatever has computed the oracle: other_input_make (proofs.h), in which `first` is the
 * oracle's answer, or NULL where `digest` stands for it. */
Status oracle_of_other(const Algorithm *algorithm, const Workload *workload, const Point *answer,
                       const Output *scratch, const Output *first, uint64_t digest,
                       OtherInput *other);

/* --- Expected time: expect.c ------------------------------------------------------------------ */

/* Measures how fast seq of each algorithm of the plan is on a small input, and for about a second
 * how fast its CPU variants are there at the plan's answer points. The plan must outlive the
 * history. */
void expect_probe(const RunOptions *options, const Plan *plan, History *history);

/* The same from what an earlier launch has found, without a run. */
void expect_known(const Plan *plan, bool cold, Results *rows, History *history);

/* Of one run of the cell; 0 where that is not known. */
double expect_sample(const PlanCell *cell, const History *history);

/* Seconds that a cell of the plan is expected to take in this process, with the oracle before it;
 * 0: it cannot run. The options are those of one launch. */
double expect_cell(const RunOptions *options, const Plan *plan, size_t index,
                   const History *history);

/* Speeds that are the same on every machine, and with them the seconds that a cell adds to its
 * share of a plan, whether it can run here or not. */
void expect_assumed(const Plan *plan, History *history);
double expect_share(const RunOptions *options, const Plan *plan, size_t index,
                    const History *history);

/* The same of launch 1, 2, … of the request, and of the whole request with all its launches and the
 * time between them; without ceilings and charts. */
double expect_launch(const RunOptions *options, const Plan *plan, const History *history,
                     int launch);
double expect_run(const RunOptions *options, const Plan *plan, const History *history);

#endif
