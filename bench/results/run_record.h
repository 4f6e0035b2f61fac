/* A run without its rows, and what is written of it: for people, CSV, JSON. */

#ifndef BENCH_RESULTS_RUN_RECORD_H
#define BENCH_RESULTS_RUN_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "disturber.h"
#include "status.h"
#include "text_sizes.h"
#include "wall_time.h"
#include "warnings.h"

typedef struct Machine Machine;       /* machine.h */
typedef struct Results Results;       /* results.h */
typedef struct Row Row;               /* row.h */
typedef struct RunOptions RunOptions; /* run_options.h */

enum { INPUT_NOTE_SIZE = WARNING_SIZE - 16 };

/* The charts among the files of a run, each a .svg and a .png. */
typedef struct RunCharts {
    size_t count;
    char
        best[CHART_NAME_SIZE]; /* the one that shows the answer best, without suffix; empty: none */
} RunCharts;

/* A run without its rows, as files store it. */
typedef struct RunRecord {
    const RunOptions *options;
    const Machine *machine;
    char started[32]; /* ISO 8601, UTC */
    double elapsed;   /* seconds so far */
    WallTime wall;    /* where they went, with those of its launches */
    double timer_overhead_cpu, timer_overhead_cuda; /* seconds; NAN when unknown */
    bool complete;                                  /* every planned cell has its row */
    bool so_far;                                    /* of a run that goes on: its first summary */
    size_t planned;                                 /* cells planned */
    const uint32_t *numbers; /* of a share: their places in the whole plan; NULL: they are all */
    Warnings warnings;
    char input_note[INPUT_NOTE_SIZE]; /* what was done to the inputs; empty: nothing */
    const char *only;                 /* the summary is of this algorithm alone; NULL: of all */
    RunCharts charts;                 /* that the summary names */
} RunRecord;

typedef struct LaunchDisturbance {
    size_t measured, disturbed; /* rows, by their kernel times */
    size_t by[DISTURBERS];      /* of these; a row may have several */
} LaunchDisturbance;

/* Asked at the end of a launch, whose rows these are. Timings in which the process was stopped were
 * taken again and disturb nothing. */
LaunchDisturbance results_disturbance(Results *results);

/* Adds a warning that says so, if a row was disturbed. */
void results_warn_of_disturbances(Results *results, Warnings *warnings);
/* Sets what earlier runs of the machine demand of rows of several launches, if these followed each
 * other: to be called before results_derive. */
void memory_apply(const RunRecord *record, Results *results);

/* Adds times and speedups of a finished run to what the machine remembers; after results_derive.
 * Nothing of fewer launches than this, or of one launch of a run. STATUS_FILE; STATUS_SKIP without
 * memory. */
enum { REMEMBERED_LAUNCHES_MIN = 3 };
Status memory_add(const RunRecord *record, const Results *results);

/* Adds a warning if the process was stopped while it measured these rows. */
void results_warn_of_stops(const Results *results, Warnings *warnings);

/* Files are written beside and renamed, so that a reader never sees half of one. */

/* One row per cell, the columns of csv_columns. STATUS_FILE when it cannot be written. */
Status report_csv(const char *path, const RunRecord *record, const Results *results);

/* What the head of that file says of a run, in its order. */
void run_facts(const RunRecord *record, const Results *results,
               void (*take)(void *context, const char *key, const char *text), void *context);

/* Google Benchmark's schema with further keys; see bench/README.md, "The JSON file". */
Status report_json(const char *path, const RunRecord *record, const Results *results);

/* Some rows of the results, in their order. */
typedef struct RowList {
    const Row **rows;
    size_t count;
} RowList;

/* All rows of a run; the caller frees the list, which is empty without memory. */
RowList results_all(const Results *results);

/* What the samples of a row warn of. */
typedef struct NoiseMark {
    char letter;         /* in a table of all rows */
    size_t offset;       /* of the flag in a Row */
    const char *name;    /* "starved" */
    const char *by;      /* "other programs" */
    const char *meaning; /* a clause */
} NoiseMark;

enum { NOISE_MARKS = 6 };
extern const NoiseMark noise_marks[NOISE_MARKS];

bool noise_mark_applies(const NoiseMark *mark, const Row *row);

/* All finished rows as tables, and the cells without a time by reason. */
void report_console(FILE *stream, const RunRecord *record, const Results *results);

/* The same of these rows only; the last line counts those of the results. */
void report_rows(FILE *stream, const RunRecord *record, const Results *results,
                 const RowList *rows);

/* The noisy rows with what made them so, and all warnings. */
void report_noise(FILE *stream, const RunRecord *record, const Results *results);

/* What the sentences of a verdict say of each algorithm and input, and the variants at the largest
 * size with their roofs: before all rows. */
void report_details(FILE *stream, const RunRecord *record, const Results *results);

/* What a run says, in the width of the window: how much faster the GPU is (without one, the best
 * CPU than seq) at each size or, at one size, with each variant, where it is ahead, in a line how
 * noisy the run was, and where the rest is. `copy` that the command line does not name, as in older
 * runs, is left out. `folder` is that of the run. */
void report_summary(FILE *stream, const RunRecord *record, const Results *results,
                    const char *folder);

#endif
