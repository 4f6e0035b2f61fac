/* Run folder: where a run's files go, made and tried before anything is measured. */
#ifndef BENCH_RUN_FOLDER_H
#define BENCH_RUN_FOLDER_H

#include "atomic_file.h"
#include "options.h"

typedef struct RunFolder {
    char path[ATOMIC_FILE_PATH_SIZE - 64]; /* room for file names */
    char csv[ATOMIC_FILE_PATH_SIZE];
    char json[ATOMIC_FILE_PATH_SIZE];
    bool created;       /* not there before */
    bool holds_results; /* of an earlier run */
} RunFolder;

/* Makes the folder (--resume, --out, or reports/runs/<time>-<algorithms>) and the one of --save,
 * and tries to write there and to --csv and --json. Part files that a killed run left there are
 * removed. STATUS_FILE names the path. */
Status run_folder_open(const RunOptions *options, RunFolder *folder);

/* reports/runs/<time><words>, a folder that is not there yet. */
void run_folder_choose(const char *words, char *path, size_t size);

/* Removes a folder that run_folder_open made and nothing was written to. */
void run_folder_discard(const RunFolder *folder);

/* STATUS_FILE when a file of this name could not be written; leaves no trace. */
Status run_folder_try_file(const char *path);

#endif
