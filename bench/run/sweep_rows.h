/* Rows of a sweep: adding them in the order of the plan, and writing them down. For sweep only. */
#ifndef BENCH_SWEEP_ROWS_H
#define BENCH_SWEEP_ROWS_H

#include "sweep.h"

/* Cells first … end - 1 of the plan. */
typedef struct CellRange {
    size_t first, end;
} CellRange;

/* Adds the row of cell `index`, whose samples now belong to the results, and writes a checkpoint
 * when one is due. `ran`: time was spent on it. */
Status sweep_add_row(Sweep *sweep, size_t index, Row *row, bool ran);
/* Adds a row that says why there is no measurement: a failure for STATUS_FAIL, else a skip. */
Status sweep_add_failure(Sweep *sweep, size_t index, const Status *why);
/* The same for every cell of the range that has no row yet. */
Status sweep_add_failures(Sweep *sweep, CellRange range, const Status *why);
bool sweep_has_pending(const Sweep *sweep, CellRange range);

/* STATUS_SKIP "needs X, Y free" when `bytes` more do not fit beside `held` that are had already. */
Status sweep_check_memory(uint64_t bytes, uint64_t held);

#endif
