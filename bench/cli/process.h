/* What the program does to its own process: streams, signals, and where its threads may run. */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include "status.h"

/* Makes descriptors 0 to 2 exist, so that no result file ever becomes standard output, lets a write
 * to a closed pipe fail instead of ending the process, and has odd pictures named on standard
 * error. */
void process_prepare(void);

/*
 * Gives OpenMP threads fixed places, unless the person has said where they go (OMP_PROC_BIND,
 * OMP_PLACES, GOMP_CPU_AFFINITY or KMP_AFFINITY). The OpenMP runtime reads its settings when it is
 * loaded, so the program is started once more with them set; does not return then. Does nothing
 * when that is not possible: unpinned threads measure worse, not wrongly.
 */
void process_pin_threads(char **argv);

/* Writes out standard output. STATUS_FILE when something could not be written, other than to a
 * reader that has gone away, which is its right. */
Status process_finish_output(void);

#endif
