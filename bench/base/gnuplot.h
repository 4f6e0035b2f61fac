/* gnuplot, and the names of chart files. */

#ifndef BENCH_BASE_GNUPLOT_H
#define BENCH_BASE_GNUPLOT_H

#include <stddef.h>
#include <stdio.h>

#include "status.h"
#include "text_sizes.h"

/* --- Gnuplot ---------------------------------------------------------------------------------- */

enum { GNUPLOT_PATH_SIZE = 4096, GNUPLOT_ARGUMENTS_MAX = 5 };

/*
 * The folder of the chart scripts: BENCH_PLOT_DIR, or the one installed with the program, or the
 * one of the source tree it was built from. STATUS_SKIP when there is none.
 */
Status gnuplot_script_folder(char *folder, size_t size);

/* Runs a script with at most GNUPLOT_ARGUMENTS_MAX arguments. STATUS_SKIP when gnuplot is not
 * installed, STATUS_FILE with what it printed when it fails, or when it does not end;
 * STATUS_INTERRUPTED. */
Status gnuplot_run(const char *script, const char *const *arguments, size_t count);

/* --- Chart files ------------------------------------------------------------------------------ */

/* Appends a part to a file name: letters, digits, '.' and '_' stay, runs of other characters become
 * one '-', which also stands between parts. The name does not begin with '.', which would hide the
 * file, nor with '-'. An empty part adds nothing. */
void chart_name_append(char name[CHART_NAME_SIZE], const char *part);

/* STATUS_FILE when charts cannot be written there: no folder, or not writable. */
Status chart_folder_check(const char *folder);

/* Writes the path of "<name>.<suffix>" in the folder. STATUS_FILE when it is too long. */
Status chart_path(const char *folder, const char *name, const char *suffix,
                  char path[ATOMIC_FILE_PATH_SIZE]);

/* Renames what gnuplot has drawn, by the suffix of `path`, if it is whole. STATUS_FILE, with
 * nothing left, when it is not: gnuplot exits with 0 on a full disk too. */
Status chart_file_keep(const char *part, const char *path);

/* The status of a failed drawing: STATUS_FILE with the reason if `part` cannot be written. */
Status chart_file_trouble(const Status *drawn, const char *part, const char *path);

/* A text as gnuplot draws it, cut to `size`: line ends and tabs become blanks, other controls
 * visible. */
void chart_text(const char *given, char *text, size_t size);

enum { CHART_TEXT_SIZE = 1024 };

/* Writes a text as a string of a gnuplot script: chart_text, cut to CHART_TEXT_SIZE, in quotes in
 * which gnuplot runs no commands. */
void gnuplot_text_write(FILE *stream, const char *text);

#endif
