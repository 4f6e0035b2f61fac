/* The command line. */

#ifndef BENCH_CLI_CLI_H
#define BENCH_CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "base.h"
#include "status.h"

/* --- Commands --------------------------------------------------------------------------------- */

/* NULL when there is no such command. */
const Command *command_find(const char *name);

/* "'NAME' is no command; did you mean …? (known: run, list …)" */
Status command_unknown(const char *name);

/* `bench --help`: what there is; `bench --version`: what this binary was built from. */
void command_overview(FILE *stream);

void command_version(FILE *stream);

/* --- Process ---------------------------------------------------------------------------------- */

/* What the program does to its own process: streams, signals, and where its threads may run. */

/* Makes descriptors 0 to 2 exist, so that no result file ever becomes standard output, lets a write
 * to a closed pipe fail instead of ending the process, and has odd images named on standard
 * error. */
void process_prepare(void);

/*
 * Gives OpenMP threads fixed places, unless the environment sets them (OMP_PROC_BIND,
 * OMP_PLACES, GOMP_CPU_AFFINITY or KMP_AFFINITY). The OpenMP runtime reads its settings when it is
 * loaded, so the program is started once more with them set; does not return then. Does nothing
 * when that is not possible: unpinned threads measure worse, not wrongly.
 */
void process_pin_threads(char **argv);

/* Writes out standard output. STATUS_FILE when something could not be written, other than to a
 * reader that has gone away, which is its right. */
Status process_finish_output(void);

#endif
