/* Progress: what the sweep is doing, on standard error or another stream. */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct Progress {
    FILE *stream;
    bool quiet, terminal;
    size_t done, total; /* cells */
    size_t ran, to_run; /* of these, the cells that take time */
    size_t announced;   /* cells that were announced and have no row yet */
    double under_way;   /* how much of these is done, in cells: for the estimate only */
    double started;     /* monotonic seconds */
    size_t line_width;  /* characters of the line now on the terminal */
} Progress;

/* One line that is rewritten when the stream is a terminal, a line per cell otherwise, nothing when
 * quiet. */
void progress_start(Progress *progress, FILE *stream, size_t total, size_t to_run, bool quiet);
/* Announces the cell that is about to run. */
void progress_cell(Progress *progress, const char *name);
/* Says what is done in preparation, where that costs no line: on a terminal. */
void progress_activity(Progress *progress, const char *what);
/* Counts a cell that has its row; `ran` when it was run for it. */
void progress_done(Progress *progress, bool ran);
/* No announced cell is left without its row. */
void progress_settle(Progress *progress);
/* A line of its own, also when quiet: something the person should know. */
void progress_note(Progress *progress, const char *text);
/* Leaves the terminal with an empty line. */
void progress_end(Progress *progress);

#endif
