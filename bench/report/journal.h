/*
 * Journal: rows of a run that its results.json does not have yet, in "<results.json>.journal".
 * Writing results.json takes longer the more rows there are; a line of the journal does not.
 *
 * A JSON object a line. The first says which results.json it goes with, by "date" and "elapsed_s"
 * of that file; the others are {"list": …, "entry": …} as report_json would have written them. A
 * last line that was cut off is no line.
 */
#ifndef BENCH_JOURNAL_H
#define BENCH_JOURNAL_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "result.h"

/* Starts zeroed. */
typedef struct Journal {
    FILE *stream;     /* NULL: none is open */
    const char *date; /* of the results.json that it goes with: RunRecord.started, and */
    double elapsed;   /* RunRecord.elapsed */
} Journal;

/* Adds a row, in a new journal when none is open. STATUS_FILE, or STATUS_FAIL without memory. */
Status journal_add(Journal *journal, const char *json_path, const Row *row);
void journal_close(Journal *journal);
/* Closes the journal and removes it, and one that an earlier run left: results.json has it all. */
void journal_remove(Journal *journal, const char *json_path);

/* Reads a results.json, which may be of another program, with the rows that its journal has beside
 * it, which take the place of entries of the same name; as json_file_read. */
Status journal_read_results(const char *json_path, cJSON **root);

#endif
