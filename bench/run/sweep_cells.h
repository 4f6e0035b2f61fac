/* Cells of one group of a sweep, from their proofs to their rows. For sweep_group only. */
#ifndef BENCH_SWEEP_CELLS_H
#define BENCH_SWEEP_CELLS_H

#include "group.h"

/* Gives each cell of the range its row: verifies every one alone, samples those that were right in
 * turns, and finishes them one by one. An interrupt leaves the unfinished ones without a row. */
Status sweep_cells(Group *group, CellRange range);

#endif
