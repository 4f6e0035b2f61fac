/* Cells of one group of a sweep, from their proofs to their rows. For sweep_group only. */
#ifndef BENCH_SWEEP_CELLS_H
#define BENCH_SWEEP_CELLS_H

#include "oracle.h"
#include "sweep_rows.h"

typedef struct Group {
    Sweep *sweep;
    const Workload *workload;
    Output scratch; /* what variants write to */
    Pinned pinned;  /* its memory, with --pinned */
    Oracle oracle;
    Status seq;    /* how seq's own cell ended */
    bool verified; /* some cell agreed with the oracle */
} Group;

/* Whether a cell is that of the oracle's variant. */
bool group_is_seq(const PlanCell *cell);

/* Guarded memory afresh. Every state that knows the old one is closed. */
Status group_renew_scratch(Group *group);

/* Gives each cell of the range its row: verifies every one alone, samples those that were right in
 * turns, and finishes them one by one. An interrupt leaves the unfinished ones without a row. */
Status sweep_cells(Group *group, CellRange range);

#endif
