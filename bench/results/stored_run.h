/* The files of a run: written, read, merged. */

#ifndef BENCH_RESULTS_STORED_RUN_H
#define BENCH_RESULTS_STORED_RUN_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "arguments.h"
#include "judge.h"
#include "machine.h"
#include "profile.h"
#include "results.h"
#include "run_parts.h"
#include "status.h"
#include "wall_time.h"

/* --- Columns of results.csv ------------------------------------------------------------------- */

typedef struct CsvColumn {
    int place; /* in the file, from 1; 0: the field has no column */
    const char *name;
    const char *unit;              /* "" for words, counts and ratios */
    double scale;                  /* of the member's number */
    bool (*known)(const Row *row); /* false: the value is empty; NULL: always known */
    const char *meaning;           /* one sentence, without a full stop */
    const struct RowField *field;  /* the value */
} CsvColumn;

/* All columns, from row.def, in file order. */
const CsvColumn *csv_columns(size_t *count);

/* Prints name, unit and meaning of each column. */
void csv_columns_print(FILE *stream);

/* Prints the JSON Schema (2020-12) of results.json. */
void results_schema_print(FILE *stream);

/* --- Journal ---------------------------------------------------------------------------------- */

/*
 * The file "<results.json>.journal" has the rows that results.json does not have yet: appending a
 * line takes constant time, writing results.json grows with the rows.
 *
 * Each line is a JSON object. The first one identifies the results.json by its "date" and
 * "elapsed_s"; the others are {"list": …, "entry": …} as in report_json. An incomplete last line is
 * ignored.
 */

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

/* --- Arguments of a run ----------------------------------------------------------------------- */

/* The arguments are stored with every run: as the list "argv" in results.json, and as one line of
 * text for people ("arguments", also in the head of results.csv). */

enum { COMMAND_LINE_SIZE = 1024 };

/* Writes the arguments as one line for a shell, cut to `size`: special characters are put in single
 * quotes; an argument with controls or bytes that are not UTF-8 is written as $'\x1b'. */
void command_line_text(const ArgumentList *list, char *text, size_t size);

/* Splits a line of command_line_text into arguments as a shell would, with single quotes and
 * backslashes. For files without "argv". `open`: the line ends within quotes, so its last argument
 * is cut. STATUS_SKIP without memory; then there is nothing to release. */
Status command_line_split(const char *line, ArgumentList *list, bool *open);

/* --- Reporters -------------------------------------------------------------------------------- */

/* Files are written beside and renamed, so that a reader never sees half of one. */

enum { INPUT_NOTE_SIZE = WARNING_SIZE - 16 };

/* A run without its rows, as files store it. */
typedef struct RunRecord {
    const struct RunOptions *options;
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

/* One row per cell, the columns of csv_columns. STATUS_FILE when it cannot be written. */
Status report_csv(const char *path, const RunRecord *record, const Results *results);

/* Google Benchmark's schema with further keys; see bench/README.md, "The JSON file". */
Status report_json(const char *path, const RunRecord *record, const Results *results);

/* Some rows of the results, in their order. */
typedef struct RowList {
    const Row **rows;
    size_t count;
} RowList;

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

/* Stand-ins for what this version does not have (results_internal.h). */
typedef struct Strangers Strangers;

/* A file of report_json: its rows with their samples, and the machine it was measured on. */
typedef struct StoredRun {
    Results results;
    Machine machine;
    ArgumentList arguments;
    bool arguments_cut; /* the file is older than "argv", and its line of text was cut */
    char started[32];   /* ISO 8601, UTC */
    double elapsed;     /* seconds; NAN when absent */
    WallTime wall;      /* where they went; all 0 when absent */
    bool complete;
    Share share;       /* of a plan; count 0: the run has all of it */
    uint32_t *numbers; /* of a share that is complete: the place of each row in the whole plan */
    char input_note[INPUT_NOTE_SIZE]; /* as RunRecord has it */
    Warnings warnings;                /* the same */
    size_t ignored; /* rows of algorithms, variants or axes that are not there; rows_ignored_text */
    Profile profile;      /* of PROFILE_FILE beside the file; empty: there is none */
    Strangers *strangers; /* of stored_run_of; else NULL */
} StoredRun;

/* "28 rows are of algorithms, variants or axes that this version does not have, or of a module that
 * --plugin FILE loads", without an end: what becomes of them is the caller's. */
enum { ROWS_IGNORED_SIZE = 160 };
void rows_ignored_text(size_t count, char text[ROWS_IGNORED_SIZE]);

/* STATUS_FILE with the path and what is wrong. */
Status stored_run_read(const char *path, StoredRun *stored);

/* Whether what a file holds is a run of this program, and not one of Google Benchmark. */
bool stored_run_is(const cJSON *root);

/* The same of what the file holds, without a profile, and with rows of algorithms, variants and
 * axes that this version does not have: these have names and a backend, and nothing to call. */
Status stored_run_of(const char *path, const cJSON *root, StoredRun *stored);

/* Adds the rows of one launch to those of the launches before it: the samples of a cell become
 * those of several launches, and a failure in one launch is a failure of the cell. So is work that
 * rows_differ finds to be another. The launches of
 * `more` are counted from `launch` on, which rises from call to call. Summaries are to be derived
 * again. STATUS_SKIP without memory. */
Status results_merge(Results *whole, const Results *more, uint32_t launch);

/* Whether rows that row_is_roof means count in what is shown of a run: `copy` was asked for, or
 * nothing else was measured. Older versions measured it in every run, for the roof. */
bool roof_rows_are_wanted(const ArgumentList *arguments, const Results *results);
bool row_is_wanted(const StoredRun *stored, const Row *row);

/* What tells two rows of a cell apart, with a verb: inputs or answers that are known and not the
 * same. NULL: nothing, or `row` is NULL. */
const char *rows_differ(const Row *row, const Row *more);

/* Joins the launches of one run in their order; `whole` starts zeroed. Of each cell disturbed
 * launches are set aside, the first of them first, as long as `least` launches are left:
 * Row.set_aside counts them. SIZE_MAX: all count. */
Status results_join(Results *whole, Results *launches, size_t count, size_t least);

/* A longer time, 11 days, is none that this program has measured. */
#define SECONDS_MOST 1e6

/* Whether a time that a file names can be one: above 0 and at most SECONDS_MOST. */
bool seconds_possible(double seconds);

/* The file of the run in a folder: its results.json or, where only that is there, its
 * results.json.gz. STATUS_FILE when the path does not fit `size`. */
Status stored_run_in(const char *folder, char *path, size_t size);

/* STATUS_USAGE if the folder holds a run, or the beginning of one, that another would replace. A
 * link or an empty file is none. */
Status stored_run_keep(const char *folder);

/* Removes the files of a run from its folder; charts and launches stay. */
void stored_run_remove(const char *folder);

/* The same for a run that is named by its folder or by its file. */
Status stored_run_path(const char *run, char *path, size_t size);
void stored_run_release(StoredRun *stored);

/* Reads the rows of a results.csv, also of an older version with fewer columns; members without a
 * column are those of row_empty. `ignored`: rows of algorithms, variants or axes that no longer
 * exist. STATUS_FILE when the file cannot be read or lacks a column that identifies cells. */
Status results_csv_read(const char *path, Results *results, size_t *ignored);

#endif
