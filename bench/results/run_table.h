/* A stored run as a table: its facts, and its rows by the names of row.def. */

#ifndef BENCH_RESULTS_RUN_TABLE_H
#define BENCH_RESULTS_RUN_TABLE_H

#include "status.h"

typedef struct CsvFrame CsvFrame;   /* csv.h */
typedef struct StoredRun StoredRun; /* stored_run.h */

/* What a results.csv of the run would hold: a record for each row, in their order. STATUS_SKIP
 * without memory; release the table in either case. */
Status stored_run_table(const StoredRun *stored, CsvFrame *table);

#endif
