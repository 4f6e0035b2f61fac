/* What files of this room and tests share. */

#ifndef BENCH_COMPARE_COMPARE_INTERNAL_H
#define BENCH_COMPARE_COMPARE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "compare.h"

/* --- Measured run ----------------------------------------------------------------------------- */

/* Appends a cell without samples, with a copy of the name. STATUS_SKIP without memory. */
Status measured_run_add(MeasuredRun *run, const char *name, MeasuredCell **cell);

/* The cell of that name with a time, and without; NULL when there is none. */
MeasuredCell *measured_run_find(const MeasuredRun *run, const char *name);
UntimedCell *measured_run_find_untimed(const MeasuredRun *run, const char *name);

/* Notes that a cell failed, or was skipped, with a copy of the reason (NULL or empty: not known); a
 * failure replaces a skip. STATUS_SKIP without memory. */
Status measured_run_add_untimed(MeasuredRun *run, const char *name, bool failed, const char *why);

/* Appends a launch to a cell: the median of its samples, seconds. STATUS_SKIP without memory. */
Status measured_cell_add(MeasuredCell *cell, double median);

/* Adds the rows of a run and finishes it; only verified ones have a time. `run->path` is for
 * messages, empty for what is in memory. STATUS_FILE for a cell that is there twice, STATUS_SKIP
 * without memory. */
Status measured_run_add_rows(MeasuredRun *run, const Results *results, const Machine *machine);

/* Sorts the launches of all cells, finds their medians, and drops cells that failed in one of them.
 * STATUS_SKIP without memory. */
Status measured_run_finish(MeasuredRun *run);

/* --- Judge ------------------------------------------------------------------------------------ */

/* Judges the cells of one comparison together, those that failed and roofs left out:
 * differences_decide. STATUS_SKIP without memory. */
Status judge_cells(ComparedCell *cells, size_t count, const CompareCriteria *criteria);

/* Of a cell that failed: its numbers are not known. */
CellJudgement judgement_of_failure(void);

/* "same", "faster", "slower", "undecided", "roof", "accepted", "failed". */
const char *change_name(CellChange change);

/* --- Comparison ------------------------------------------------------------------------------- */

/* Cells that are judged: all with a time in both runs but roofs. */
size_t comparison_judged(const Comparison *comparison);

/* Σ new medians / Σ old medians: ratios are never averaged. */
double comparison_total_ratio(const Comparison *comparison);

#endif
