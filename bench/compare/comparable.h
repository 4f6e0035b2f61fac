/* Whether two runs were made so that their times can be compared. */
#ifndef BENCH_COMPARABLE_H
#define BENCH_COMPARABLE_H

#include "measured_run.h"

/* STATUS_USAGE naming the first identity fact of machine or build that differs. The commit may:
 * comparing versions is what comparison is for. */
Status comparable_machines(const Machine *old_machine, const Machine *new_machine);

/* STATUS_USAGE naming the cell when its input or its cache mode is another in the new run; what is
 * not known on one side does not count. */
Status comparable_cells(const MeasuredCell *old_cell, const MeasuredCell *new_cell);

#endif
