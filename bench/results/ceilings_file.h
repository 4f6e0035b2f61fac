/* Ceilings in a file, and as a table. */

#ifndef BENCH_RESULTS_CEILINGS_FILE_H
#define BENCH_RESULTS_CEILINGS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "status.h"

typedef struct Ceiling Ceiling;   /* ceilings.h */
typedef struct Ceilings Ceilings; /* ceilings.h */

/* --- Ceilings in a file ----------------------------------------------------------------------- */

/*
 * Whether ceilings contradict each other by more than noise: n threads are slower than one or more
 * than n times as fast; each of n devices is faster than among fewer; a farther memory level is
 * faster than a nearer one. `why` names the first pair.
 */
bool ceilings_contradict(const Ceilings *ceilings, char *why, size_t size);

/* `identity` identifies machine and build, a line "fact=value" each; `measured` is in seconds since
 * 1970. STATUS_FILE when the file cannot be written. */
Status ceilings_file_write(const char *path, const char *identity, int64_t measured,
                           const Ceilings *ceilings);

/* STATUS_FILE when the file cannot be read, is damaged, has no ceilings or contradictory ones, has
 * another identity, or was not measured between `earliest` and `latest`; `ceilings` is empty then.
 * The reason goes on from "the stored ceilings ": "are older than a change: kernel changed from A
 * to B".
 */
Status ceilings_file_read(const char *path, const char *identity, int64_t earliest, int64_t latest,
                          Ceilings *ceilings);

/* --- Printing ceilings ------------------------------------------------------------------------ */

/* Prints the list as a JSON document. STATUS_SKIP without memory. */
Status ceilings_print_json(FILE *stream, const Ceilings *ceilings);

/* Writes "copy_dram", "copy_dram/threads:16" or, of several devices at once, "copy_dram/gpus:2". */
void ceiling_name(const Ceiling *ceiling, char *name, size_t size);

/* Writes "232.7 GB/s", "108.5 Gop/s", "4.30 µs". */
void ceiling_text(const Ceiling *ceiling, char *text, size_t size);

/* Prints a table with headings, and a second one of several devices with a column for each number
 * of them. STATUS_SKIP without memory. */
Status ceilings_print(FILE *stream, const Ceilings *ceilings);

#endif
