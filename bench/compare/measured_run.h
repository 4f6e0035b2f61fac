/* A run as comparison sees it: cells by name with their samples, and where they were measured. */
#ifndef BENCH_MEASURED_RUN_H
#define BENCH_MEASURED_RUN_H

#include "atomic_file.h"
#include "machine.h"
#include "result.h"

enum { MEASURED_HASH_SIZE = 24, MEASURED_MODE_SIZE = 8 };

typedef struct MeasuredCell {
    char *name;
    Samples samples;               /* seconds, at least one, all above 0 */
    double median;                 /* seconds */
    char hash[MEASURED_HASH_SIZE]; /* of the input; empty: not known */
    char mode[MEASURED_MODE_SIZE]; /* "cold" or "hot"; empty: not known */
} MeasuredCell;

typedef struct MeasuredRun {
    char path[ATOMIC_FILE_PATH_SIZE]; /* the file; empty for a run that is in memory */
    MeasuredCell *cells;
    size_t count, capacity;
    Machine machine;
    double noise_floor; /* relative change that the machine shows by itself; 0: not known */
} MeasuredRun;

/*
 * Reads a results file of this program, or one of Google Benchmark, whose repetitions become
 * samples and whose aggregates and failed entries are left out. `path` is the file or the folder
 * of a run with results.json in it. STATUS_FILE naming the file and what is wrong with it.
 */
Status measured_run_read(const char *path, MeasuredRun *run);

/* The verified and timed rows of a run that has just been made. STATUS_FAIL without memory. */
Status measured_run_of_results(const Results *results, const Machine *machine, MeasuredRun *run);

/* The noise floor among the facts of a machine; 0 when it was not measured. */
double measured_run_noise(const Machine *machine);

/* A cell without samples, with a copy of its name, owned by the run. STATUS_FAIL without memory. */
Status measured_run_add(MeasuredRun *run, const char *name, MeasuredCell **cell);
/* NULL when there is none of that name. */
MeasuredCell *measured_run_find(const MeasuredRun *run, const char *name);
/* Takes the medians, once all samples are in. STATUS_FAIL without memory. */
Status measured_run_finish(MeasuredRun *run);
/* Cells that are in both runs get the samples of `again`. STATUS_FAIL without memory. */
Status measured_run_replace(MeasuredRun *run, const MeasuredRun *again);
void measured_run_release(MeasuredRun *run);

#endif
