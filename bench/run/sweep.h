/* Sweep: runs the cells of a plan and records a row for each, with checkpoints on the way. */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include "devices.h"
#include "history.h"
#include "plan.h"
#include "progress.h"
#include "reporters.h"
#include "resume.h"
#include "run_folder.h"

typedef struct Sweep {
    const RunOptions *options;
    const Plan *plan;
    const RunFolder *folder;
    StoredRun *stored; /* rows that may stand; NULL: none */
    RunRecord *record;
    Results *results; /* in the order of the plan */
    size_t *places;   /* of each row of results, its cell's index in the plan */
    bool *finished;   /* of each cell of the plan, whether it has its row */
    History history;
    Devices devices;
    Progress progress;
    double started;         /* monotonic seconds */
    double elapsed_before;  /* seconds that the stored run took */
    double next_checkpoint; /* monotonic seconds */
    Status file_trouble;    /* why the results could not be written the last time */
    Status save_trouble;    /* why an answer could not be saved */
    bool oracle_failed;     /* cells were left out because an oracle went wrong */
} Sweep;

/* Allocates `places` and `finished`, starts the clock and the progress. The members above `record`
 * are set. STATUS_FAIL when memory runs out. */
Status sweep_start(Sweep *sweep, FILE *notes);

/* Runs every cell until the end or an interrupt. STATUS_FILE when an input can no longer be read;
 * cells that went wrong are rows, not errors. */
Status sweep_run(Sweep *sweep);

/* Writes results.csv and results.json. Trouble is noted once and kept in file_trouble. */
void sweep_write(Sweep *sweep);
void sweep_release(Sweep *sweep);

#endif
