/* `bench run --baseline FILE`: a run that is compared with a stored one as soon as it is made. */
#ifndef BENCH_BASELINE_H
#define BENCH_BASELINE_H

#include "machine.h"
#include "options.h"

/*
 * Reads the baseline and refuses one of another machine or build before anything is measured; runs
 * the request; and compares. Cells that look slower are measured once more, alone, and what they
 * are called is decided by those samples, which replace the first: a cell is called slower only
 * when it was slower twice. The second run has a folder of its own, "remeasured" in that of --out.
 * Prints the table of the comparison on standard output behind that of the run. Returns the exit
 * code, having said what went wrong: that of the run, or of the comparison when the run was good.
 */
int baseline_run(const RunOptions *options, const Machine *machine);

#endif
