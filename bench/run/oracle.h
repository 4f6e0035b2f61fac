/*
 * Oracle: the right answer of one workload at one answer point, computed once.
 *
 * It is the answer of row 0 (seq). Where one run of seq is estimated to take longer than
 * --max-cell, the fastest CPU variant that has been verified against seq on a smaller workload
 * stands in for it.
 */
#ifndef BENCH_ORACLE_H
#define BENCH_ORACLE_H

#include "history.h"
#include "options.h"

typedef struct Oracle {
    Output answer;             /* ordinary memory */
    char by[64];               /* "seq", or the stand-in: "omp/threads:16" */
    bool stood_in;             /* seq takes too long here */
    char why[STATUS_WHY_SIZE]; /* why seq was left out */
} Oracle;

/*
 * Learns how fast seq is from runs on growing crops of a workload, up to 1024×1024, unless it is
 * known already. Takes some tens of milliseconds. On crops that have no answer at this point it
 * runs at the algorithm's default one. Without room nothing is learned.
 */
void oracle_probe(History *history, const Algorithm *algorithm, const Workload *workload,
                  const Point *answer);

/*
 * Computes the oracle. `scratch` is guarded answer memory of the same layout. STATUS_SKIP when
 * there is no room or no variant that may stand in; anything else when the oracle itself failed.
 * Released with oracle_release, whatever was returned.
 */
Status oracle_compute(History *history, const RunOptions *options, const Algorithm *algorithm,
                      const Workload *workload, const Point *answer, const Output *scratch,
                      Oracle *oracle);
void oracle_release(Oracle *oracle);

#endif
