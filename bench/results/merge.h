/* Launches of one run, joined. */

#ifndef BENCH_RESULTS_MERGE_H
#define BENCH_RESULTS_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef struct Results Results; /* results.h */
typedef struct Row Row;         /* row.h */

/* Adds the rows of one launch to those of the launches before it: the samples of a cell become
 * those of several launches, and a failure in one launch is a failure of the cell. So is work that
 * rows_differ finds to be another. The launches of
 * `more` are counted from `launch` on, which rises from call to call. Summaries are to be derived
 * again. STATUS_SKIP without memory. */
Status results_merge(Results *whole, const Results *more, uint32_t launch);

/* What tells two rows of a cell apart, with a verb: inputs or answers that are known and not the
 * same. NULL: nothing, or `row` is NULL. */
const char *rows_differ(const Row *row, const Row *more);

/* Joins the launches of one run in their order; `whole` starts zeroed. Of each cell disturbed
 * launches are set aside, the first of them first, as long as `least` launches are left:
 * Row.set_aside counts them. SIZE_MAX: all count. */
Status results_join(Results *whole, Results *launches, size_t count, size_t least);

#endif
