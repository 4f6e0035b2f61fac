/* Cell: one variant at one point, from open to a filled row. */
#ifndef BENCH_CELL_H
#define BENCH_CELL_H

#include "oracle.h"
#include "plan.h"

typedef struct CellJob {
    const RunOptions *options;
    const PlanCell *cell;
    const Workload *workload;
    const Oracle *oracle;
    const Output *scratch; /* guarded memory for the answer */
    double timer_overhead; /* seconds, of the variant's backend */
} CellJob;

/*
 * Verifies, times and verifies again. STATUS_OK: the row has its numbers. Anything else: why there
 * are none, and `row` holds no time. When interrupt_requested() is true afterwards the cell is
 * unfinished and its row means nothing.
 */
Status cell_run(const CellJob *job, Row *row);

#endif
