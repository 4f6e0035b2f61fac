/* The file of a run, read. */

#ifndef BENCH_RESULTS_STORED_RUN_H
#define BENCH_RESULTS_STORED_RUN_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arguments.h"
#include "machine.h"
#include "profile.h"
#include "results.h"
#include "run_record.h"
#include "share.h"
#include "status.h"
#include "wall_time.h"
#include "warnings.h"

typedef struct Row Row; /* row.h */

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

/* results_gpus of a run. */
const char *stored_run_gpus(const StoredRun *stored);

/* STATUS_FILE with the path and what is wrong. */
Status stored_run_read(const char *path, StoredRun *stored);

/* Whether what a file holds is a run of this program, and not one of Google Benchmark. */
bool stored_run_is(const cJSON *root);

/* The same of what the file holds, without a profile, and with rows of algorithms, variants and
 * axes that this version does not have: these have names and a backend, and nothing to call. */
Status stored_run_of(const char *path, const cJSON *root, StoredRun *stored);

/* results_derive with the seed of the run's request, so that whoever reads a run says the numbers
 * that it said itself: files do not store all of them. */
void stored_run_derive(StoredRun *stored);

/* Whether rows that row_is_roof means count in what is shown of a run: `copy` was asked for, or
 * nothing else was measured. Older versions measured it in every run, for the roof. */
bool roof_rows_are_wanted(const ArgumentList *arguments, const Results *results);
bool row_is_wanted(const StoredRun *stored, const Row *row);

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
