/* A run as a whole: its devices, files, rows and launches. */

#ifndef BENCH_RUN_SWEEP_H
#define BENCH_RUN_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cpu_quota.h"
#include "files.h"
#include "harness.h"
#include "journal.h"
#include "oracle.h"
#include "progress.h"
#include "row.h"
#include "run_options.h"
#include "run_record.h"
#include "status.h"
#include "stored_run.h"

typedef struct Backend Backend;     /* backend.h */
typedef struct NoiseCell NoiseCell; /* noise_floor.h */

/* --- Profiler: profile.c ---------------------------------------------------------------------- */

/* Starts `ncu` on this program with the same request of one cell, and adds what it counted under
 * the cell's name, on `device`. `*hopeless` becomes true if it would fail for every other cell too.
 * Errors as those of profile_cells. */
Status profiler_run(const RunOptions *options, size_t cell, const char *name, const char *device,
                    Profile *profile, bool *hopeless);

/* --- Devices: sweep.c ------------------------------------------------------------------------- */

enum { DEVICES_MAX = 8 };

/* What a run knows of a backend. */
typedef struct Device {
    const Backend *backend;
    char description[RESULT_LABEL_SIZE];
    double timer_overhead; /* seconds; NAN if it could not be measured */
    Status usable;         /* STATUS_SKIP with the reason: not here, or lost since */
    Status lost;           /* the same of one of several devices: Backend.usable knows which */
    Status pinning;        /* STATUS_SKIP with the reason if memory could not be page-locked */
} Device;

/* Starts zeroed. */
typedef struct Devices {
    Device rows[DEVICES_MAX];
    size_t count;
} Devices;

/* The device of a backend; the first time, probes it and measures its clock. Never NULL. */
Device *devices_get(Devices *devices, const Backend *backend);

/* Whether a variant of `backend` on so many GPUs cannot go on since `lost` has lost a device. */
bool device_is_lost(const Backend *lost, const Backend *backend, int gpus);

/* --- Resume: resume.c ------------------------------------------------------------------------- */

/* Reads the run in the folder. STATUS_USAGE if it is of another machine, build or request. Release
 * with stored_run_release. */
Status resume_read(const char *folder, const RunOptions *options, const Machine *machine,
                   StoredRun *stored);

/* Moves the row with the name, size and mode of `planned` out of the stored run: true and the row,
 * whose samples now belong to the caller, or false. */
bool resume_extract(StoredRun *stored, const Row *planned, Row *row);

/* Whether a row has all its samples. */
bool resume_is_sampled(const Row *row);

/* Whether it also has what is measured after them. Any other row is measured again. */
bool resume_is_finished(const Row *row);

/* STATUS_USAGE if an input file is no longer the one that the stored rows were measured on. */
Status resume_check_inputs(const StoredRun *stored, const Plan *plan, uint64_t seed);

/* --- Run folder: outputs.c -------------------------------------------------------------------- */

typedef struct RunFolder {
    char path[ATOMIC_FILE_PATH_SIZE - 64]; /* room for file names */
    char csv[ATOMIC_FILE_PATH_SIZE];
    char json[ATOMIC_FILE_PATH_SIZE];
    bool created;       /* did not exist before */
    bool holds_results; /* of an earlier run */
    int lock;           /* of folder_lock */
} RunFolder;

/* Makes the folder (--resume, --out, or <time>-<algorithms> in the folder of runs) and the one of
 * --save, and tries to write there and to --csv and --json. Removes part files that a killed run
 * left there. STATUS_FILE names the path, also if another run is being written there; STATUS_USAGE
 * if it holds another run, without --force. */
Status run_folder_open(const RunOptions *options, RunFolder *folder);

/* Lets another run be written there. */
void run_folder_close(RunFolder *folder);

/* Removes a folder that run_folder_open made, if it is empty. */
void run_folder_discard(const RunFolder *folder);

/* --- Rows of a run: store.c ------------------------------------------------------------------- */

/* The rows of a run, in the order of the plan, written to its files as they come: whole, or to the
 * journal beside results.json while rewriting them would take too large a share of the time. */
typedef struct RowStore {
    const Plan *plan;
    const RunFolder *folder;
    StoredRun *earlier; /* the run that is resumed, whose rows are kept; NULL: none */
    StoredRun *first;   /* the first launch of this run; NULL: this is it, or it is unknown */
    RunRecord *record;
    Machine *machine; /* that of the record, which gets what a CPU quota did to the run */
    Results *results;

    /* Set by store_open. */
    size_t *places; /* of each row of results, its cell's index in the plan */
    bool *finished; /* of each cell of the plan, whether its row is its last */
    size_t finished_count;
    Progress progress;
    double *prices;        /* expected seconds of each cell of the plan; 0 where nobody is told */
    double launches[3];    /* and of the first three launches; later ones are like the third */
    double started;        /* monotonic seconds */
    double elapsed_before; /* seconds that the earlier run took */
    Throttling throttled_before;   /* the same of a CPU quota */
    ThrottlingCounters throttling; /* at the start */
    WriteClock writes;             /* of the run's files */
    Journal journal;               /* rows that are not in results.json yet */
    Status trouble;                /* why the results could not be written the last time */
    bool joined_so_far; /* rows of several launches, to which others come: nothing is resampled */

    /* Called after the first launch of a run with a budget, whose rows are written. */
    void (*first_summary)(void *context);
    void *context;
} RowStore;

/* Starts the clock and the progress, and adds the rows of the earlier run. The members down to
 * `results` are set. STATUS_USAGE if the earlier run has measured rows that the plan has no cell
 * for, STATUS_FAIL without memory; nothing has to be released then. */
Status store_open(RowStore *store, FILE *notes);

void store_close(RowStore *store);

/* Adds the last row of cell `index`; `ran` when time was spent on it. A cell has one row: the next
 * replaces it. The samples belong to the results afterwards, whatever is returned. STATUS_FAIL
 * without memory; that files could not be written is `trouble`. */
Status store_add(RowStore *store, size_t index, Row *row, bool ran);

/* The same for the row of a cell that is sampled and not finished (cell_sampled_row). */
Status store_add_samples(RowStore *store, size_t index, Row *row);

/* Adds a row without results: a failure for STATUS_FAIL, else a skip. */
Status store_add_reason(RowStore *store, size_t index, const Status *why);

/* Puts the row of a cell of the plan that was measured elsewhere in its place, which is no progress
 * of this process; its samples belong to the results afterwards, whatever is returned. STATUS_FAIL
 * without memory. */
Status store_put(RowStore *store, size_t index, Row *row);

/* The row that a cell has now; NULL: none. Valid until the next one is added. */
const Row *store_row(const RowStore *store, size_t index);

/* Writes results.csv and results.json, unless that would replace the results of an earlier run by
 * none (store_has_result). A failure is reported once and kept in `trouble`. */
void store_write(RowStore *store);

/* The same if there are rows in the journal alone and there is time for it. */
void store_catch_up(RowStore *store);

/* Notes in the facts of the machine what a CPU quota did to the run so far. */
void store_note_throttling(RowStore *store);

/* Whether a cell was measured or wrong, not only skipped. */
bool store_has_result(const RowStore *store);

/* --- Sweep: sweep.c --------------------------------------------------------------------------- */

/* Measures the cells of a plan in this process, and adds a row for each to the store. */
typedef struct Sweep {
    const RunOptions *options;
    const Plan *plan;
    RowStore *store; /* open */
    History history;
    Devices devices;
    Status save_trouble; /* why an answer could not be saved */
    double long_seconds; /* of LONG_RUN_BRIEF and more that the CPU's runs have taken */
    bool oracle_failed;  /* cells were skipped because an oracle failed */
} Sweep;

/* Runs every cell that is not finished, until the end or an interrupt. The members down to `store`
 * are set, the others zero. STATUS_FILE if an input can no longer be read; cells that fail are
 * rows, not errors. */
Status sweep_run(Sweep *sweep);

/* --- Shares on one host: host_lock.c ---------------------------------------------------------- */

/* Opens the locks by which shares of a plan take turns on this host; `device` names the GPU, "" is
 * any. Without this call the functions below do nothing. STATUS_FILE. */
Status host_lock_open(const char *device);

/* Waits until no other share measures here, as CPU cells, copies and verification need it. Called
 * again, it first lets others that wait have their turn. */
void host_lock_alone(void);

/* Waits until no other share is alone or uses the device: kernels of several devices may run
 * together. */
void host_lock_device(void);

bool host_lock_is_open(void);

void host_lock_close(void);

/* --- Launches: launcher.c --------------------------------------------------------------------- */

/* Whether this launch, options->pass, measures what one launch measures for all: ceilings,
 * transfers, calls, stages, allocation. It is the first; with a budget the second, so that
 * the first one's summary is there soon. True of a run in one process. */
bool launch_measures_once(const RunOptions *options);

/* The request of one launch: its share of the samples, and ceilings if it is to measure them. */
RunOptions launch_options(const RunOptions *options);

/*
 * Measures every launch of a run in a child process of its own, one after the other, in the folders
 * launch-1 … launch-N of the run's folder, and adds the rows of each to the open store. A launch
 * that the resumed run has stored whole is not measured again, one that is stored in part is
 * continued. Launches of options->baseline_program alternate with them (old, new, new, old, …), in
 * the folder "baseline", which becomes a run of its own. STATUS_INTERRUPTED when interrupted;
 * STATUS_FAIL when a launch ended otherwise than by measuring; STATUS_USAGE when that program was
 * built otherwise than this one.
 */
Status launches_run(const RunOptions *options, RowStore *store, FILE *notes);

/* --- Self-test: selftest.c -------------------------------------------------------------------- */

/* Fills the statistics of `pairs` ≥ 1 ratios ≥ 0 with their intervals. A pair without an interval
 * counts for the floor only. */
void selftest_summarize(const Ratio *ratios, size_t pairs, NoiseCell *cell);

/* --- Ceilings: roofs.c ------------------------------------------------------------------------ */

/* What other programs do, in seconds that only grow. */
typedef struct RoofLoad {
    double wall;
    double others; /* CPU time of other programs, for each processor on average; NAN: not known */
} RoofLoad;

/* How ceilings are measured and where they are stored; a parameter for tests. */
typedef struct RoofSource {
    Status (*measure_cpu)(Ceilings *ceilings);
    Status (*measure_device)(Ceilings *ceilings);
    RoofLoad (*load)(void);
    double (*share)(void); /* of the processors' time that threads on all of them get */
    void (*pause)(double seconds);
    int attempts;       /* measurements at most; with one a busy processor is not measured */
    const char *folder; /* of stored ceilings; NULL: nothing is stored */
    int64_t now;        /* seconds since 1970 */
} RoofSource;

/* roofs_read from another source. Ceilings that cannot be trusted are measured again, with a pause
 * before that doubles, and the best value of each is kept; if they never agree nothing is stored.
 * They are trusted if they do not contradict each other, each was measured at least once with 0.9
 * of the processors' time, and other programs had less than 0.1 of it during the last measurement.
 */
void roofs_read_from(const RoofSource *source, const Machine *machine, bool fresh, FILE *notes,
                     Ceilings *ceilings);

/* "<folder>/roof-<fingerprint>.json". STATUS_FILE if that is too long. */
Status roofs_path(const char *folder, const Machine *machine, char *path, size_t size);

/* --- Saved answers: save.c -------------------------------------------------------------------- */

/* Writes the table of Algorithm.write_table as `…-table.csv`. STATUS_USAGE if the algorithm has
 * none. */
Status save_table(const char *folder, const SavedAnswer *saved);

/* STATUS_USAGE if an input (input_guard.h) has the name of a file that a part of one of the plan's
 * answers is written to. `folder` may be NULL: nothing is written. */
Status save_check(const char *folder, const Plan *plan);

#endif
