/* Group: the cells of a sweep that share a workload and an answer point, and what they share. For
 * sweep_group and sweep_cells only. */
#ifndef BENCH_GROUP_H
#define BENCH_GROUP_H

#include "oracle.h"
#include "sweep_rows.h"

typedef struct Group {
    Sweep *sweep;
    CellRange range; /* in the plan */
    const Workload *workload;
    Output scratch; /* what variants write to */
    Pinned pinned;  /* its memory, with --pinned */
    Oracle oracle;
    Cost cost;  /* of the workload as it was loaded, where the plan had only its shape */
    Status seq; /* how seq's own cell ended */
    bool exact; /* the answer of some cell was the oracle's, without a difference */
} Group;

/* Whether a cell is that of the oracle's variant. */
bool group_is_seq(const PlanCell *cell);

/* Guarded memory afresh. Every state that knows the old one is closed. */
Status group_renew_scratch(Group *group);

/* Guarded memory for the answers of the group that `cell` belongs to, and what they cost.
 * STATUS_SKIP "needs X, Y free", or why there is no answer. */
Status group_open_scratch(Group *group, const PlanCell *cell);
void group_close_scratch(Group *group);

/* Called once for each cell whose answer, in `scratch`, was accepted. With --save an answer that
 * differs from the oracle's is written as its own, named by variant (and tuning) unless the group
 * has no other cell that can run. */
void group_take_answer(Group *group, const PlanCell *cell, double agreement);
/* With --save, at the end of the group: the oracle's answer, if some cell had the same. */
void group_save_exact(Group *group, const PlanCell *first);

#endif
