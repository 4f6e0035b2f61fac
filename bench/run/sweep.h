/* Sweep: runs the cells of a plan and records a row for each, which is stored as soon as it is
 * there. */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include "devices.h"
#include "history.h"
#include "journal.h"
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
    bool *finished;   /* of each cell of the plan, whether its row is its last */
    size_t finished_count;
    History history;
    Devices devices;
    Progress progress;
    double started;        /* monotonic seconds */
    double elapsed_before; /* seconds that the stored run took */
    double writing;        /* seconds that writing results took in all, */
    double latest_write;   /* and the last time */
    Journal journal;       /* of rows that are not in results.json yet */
    Status file_trouble;   /* why the results could not be written the last time */
    Status save_trouble;   /* why an answer could not be saved */
    bool oracle_failed;    /* cells were left out because an oracle went wrong */
} Sweep;

/* Allocates `places` and `finished`, starts the clock and the progress, and takes the stored rows
 * over. The members above `record` are set. STATUS_USAGE when there are measured rows that the plan
 * has no cell for, STATUS_FAIL when memory runs out; there is nothing to release then. */
Status sweep_start(Sweep *sweep, FILE *notes);

/* Runs every cell until the end or an interrupt. STATUS_FILE when an input can no longer be read;
 * cells that went wrong are rows, not errors. */
Status sweep_run(Sweep *sweep);

/* Writes results.csv and results.json, unless there is nothing to say that is worth the results of
 * an earlier run in that folder (sweep_has_result). Trouble is noted once and kept in file_trouble.
 */
void sweep_write(Sweep *sweep);
/* Whether a cell was measured, or was wrong; and not only left out. */
bool sweep_has_result(const Sweep *sweep);
void sweep_release(Sweep *sweep);

#endif
