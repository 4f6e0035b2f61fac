/*
 * Reporters: results to files and to the console. Files are written beside and renamed, so that a
 * reader never sees half of one.
 */
#ifndef BENCH_REPORTERS_H
#define BENCH_REPORTERS_H

#include <stdio.h>

#include "machine.h"
#include "options.h"
#include "result.h"
#include "warnings.h"

enum { INPUT_NOTE_SIZE = WARNING_SIZE - 16 };

/* Everything a file says about a run besides its rows. */
typedef struct RunRecord {
    const RunOptions *options;
    const Machine *machine;
    char started[32];                               /* ISO 8601, UTC */
    double elapsed;                                 /* seconds so far */
    double timer_overhead_cpu, timer_overhead_cuda; /* seconds; NAN when unknown */
    bool complete;                                  /* every planned cell has its row */
    size_t planned;                                 /* cells planned */
    Warnings warnings;
    char input_note[INPUT_NOTE_SIZE]; /* what was done to the inputs; empty: nothing to tell of */
} RunRecord;

/* One row per cell, the columns of csv_columns. STATUS_FILE when it cannot be written. */
Status report_csv(const char *path, const RunRecord *record, const Results *results);

/* Google Benchmark's schema with further keys; see README, "The JSON file". */
Status report_json(const char *path, const RunRecord *record, const Results *results);

/* Aligned table of the finished rows, on `stream`. */
void report_console(FILE *stream, const RunRecord *record, const Results *results);

/* Reads a file of report_json back: rows of algorithms and variants that still exist, samples
 * included, and the machine it was measured on. STATUS_FILE naming the path and what is wrong. */
typedef struct StoredRun {
    Results results;
    Machine machine;
    char argv[1024];  /* arguments as command_line_text writes them */
    char started[32]; /* ISO 8601, UTC */
    double elapsed;   /* seconds; NAN when absent */
    bool complete;
    char input_note[INPUT_NOTE_SIZE]; /* as RunRecord has it */
    size_t ignored; /* rows of algorithms, variants or axes that no longer exist */
} StoredRun;
Status stored_run_read(const char *path, StoredRun *stored);
void stored_run_release(StoredRun *stored);

/* Draws every chart of plot/ that the CSV has data for, as SVG and PNG beside it, with gnuplot.
 * STATUS_SKIP when gnuplot is not installed. */
Status report_charts(const char *csv_path, const char *folder);

#endif
