/*
 * The file "<results.json>.journal" has the rows that results.json does not have yet: appending a
 * line takes constant time, writing results.json grows with the rows.
 *
 * Each line is a JSON object. The first one identifies the results.json by its "date" and
 * "elapsed_s"; the others are {"list": …, "entry": …} as in report_json. An incomplete last line is
 * ignored.
 */

#ifndef BENCH_RESULTS_JOURNAL_H
#define BENCH_RESULTS_JOURNAL_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "status.h"

typedef struct Row Row; /* row.h */

/* Starts zeroed. */
typedef struct Journal {
    FILE *stream;     /* NULL: not open */
    const char *date; /* RunRecord.started of its results.json */
    double elapsed;   /* RunRecord.elapsed of its results.json */
} Journal;

/* Appends a row; creates the journal when none is open. STATUS_FILE when it cannot be written,
 * STATUS_SKIP without memory. */
Status journal_add(Journal *journal, const char *json_path, const Row *row);
void journal_close(Journal *journal);
/* Closes and removes the journal, also one of an earlier run: results.json has all rows. */
void journal_remove(Journal *journal, const char *json_path);

/* Reads a results.json like json_file_read, also a gzip one or one of another program, and adds the
 * rows of its journal, which replace entries of the same name. */
Status journal_read_results(const char *json_path, cJSON **root);

#endif
