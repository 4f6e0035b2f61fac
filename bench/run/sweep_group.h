/* One group of a sweep: the cells that share a workload and an answer point, hence an oracle. For
 * sweep only. */
#ifndef BENCH_SWEEP_GROUP_H
#define BENCH_SWEEP_GROUP_H

#include "sweep_rows.h"

Status sweep_group(Sweep *sweep, CellRange range, const Workload *workload);

#endif
