/* Running gnuplot, without a shell between. */
#ifndef BENCH_GNUPLOT_H
#define BENCH_GNUPLOT_H

#include <stddef.h>

#include "status.h"

enum { GNUPLOT_PATH_SIZE = 4096, GNUPLOT_ARGUMENTS_MAX = 9 };

/*
 * The folder of the chart scripts: BENCH_PLOT_DIR, or the one installed with the program, or the
 * one of the source tree it was built from. STATUS_SKIP when there is none.
 */
Status gnuplot_script_folder(char *folder, size_t size);

/* Runs a script with at most GNUPLOT_ARGUMENTS_MAX arguments. STATUS_SKIP when gnuplot is not
 * installed, STATUS_FILE with what it printed when it fails, or when it does not end;
 * STATUS_INTERRUPTED. */
Status gnuplot_run(const char *script, const char *const *arguments, size_t count);

#endif
