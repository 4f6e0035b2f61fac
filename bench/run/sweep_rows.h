/* Rows of a sweep: adding them in the order of the plan, and writing them down. For sweep only. */
#ifndef BENCH_SWEEP_ROWS_H
#define BENCH_SWEEP_ROWS_H

#include "sweep.h"

/* Cells first … end - 1 of the plan. */
typedef struct CellRange {
    size_t first, end;
} CellRange;

/*
 * The rows' samples belong to the results afterwards, whatever is returned. A cell has one row: the
 * next takes its place. A row with a result is stored at once, in the run's files or, where writing
 * them whole takes too large a share of the time, in the journal beside them: who is killed loses
 * nothing that was measured before.
 */
/* The last row of cell `index`. `ran`: time was spent on it. */
Status sweep_add_row(Sweep *sweep, size_t index, Row *row, bool ran);
/* The row of a cell that has its samples and is not finished (cell_sampled_row). */
Status sweep_add_samples(Sweep *sweep, size_t index, Row *row);
/* The row of a run that is resumed, which is stored already. */
Status sweep_keep_row(Sweep *sweep, size_t index, Row *row);
/* Writes the run's files when rows are in the journal alone and there is time for it. */
void sweep_catch_up(Sweep *sweep);
/* The row that a cell has now; NULL: none. Good until the next one is added. */
const Row *sweep_row(const Sweep *sweep, size_t index);

/* Adds a row that says why there is no measurement: a failure for STATUS_FAIL, else a skip. */
Status sweep_add_failure(Sweep *sweep, size_t index, const Status *why);
/* The same for every cell of the range that has no row yet. */
Status sweep_add_failures(Sweep *sweep, CellRange range, const Status *why);
bool sweep_has_pending(const Sweep *sweep, CellRange range);

/* STATUS_SKIP "needs X, Y free" when `bytes` more do not fit beside `held` that are had already. */
Status sweep_check_memory(uint64_t bytes, uint64_t held);

#endif
