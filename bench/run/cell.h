/* A cell from open to close, and the turns that cells take. */

#ifndef BENCH_RUN_CELL_H
#define BENCH_RUN_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure.h"
#include "row.h"
#include "status.h"
#include "variant.h"

typedef struct Device Device;         /* sweep.h */
typedef struct Oracle Oracle;         /* oracle.h */
typedef struct OtherInput OtherInput; /* proofs.h */
typedef struct Plan Plan;             /* plan.h */
typedef struct PlanCell PlanCell;     /* plan.h */
typedef struct Progress Progress;     /* progress.h */

/* --- Turns: turns.c --------------------------------------------------------------------------- */

/* Several open cells sampled in turns, A B C … C B A, A B C … A change of the machine's speed
 * meanwhile affects all of them alike. A turn of a cell with transfers has end-to-end samples, then
 * kernel samples. A cell that has the samples it needs keeps taking short turns until the last one
 * has: were it to leave, it would not share the times in which the others are measured. */

typedef struct Lane {
    Measurement *measurement; /* begun; owned by the caller */
    Status status;            /* unless STATUS_OK: why it takes no more turns */
    bool over;                /* takes no more turns; starts false */
    bool done;                /* has the samples it needs; starts false */
    bool done_now;            /* since its latest turn */
    uint32_t needed;          /* turns until it was done */
    uint32_t turns;           /* it has taken; starts 0 */
} Lane;

typedef struct LaneWatch {
    /* Called before each turn but the first; its status becomes the lane's. May be NULL. */
    Status (*anew)(void *context, size_t lane);
    /* Called directly after the turn in which a lane became done, before any other runs, and again
     * after all turns when it has taken more; its status becomes the lane's. */
    Status (*sampled)(void *context, size_t lane);
    /* Called directly after each turn, before any other cell runs; its status becomes the lane's.
     * May be NULL. */
    Status (*ended)(void *context, size_t lane);
    /* Called after each turn of a lane; may be NULL. */
    void (*turn)(void *context, size_t lane);
    void *context;
} LaneWatch;

/* Samples until every lane is done or over, or interrupt_requested(). A lane that fails is over and
 * the others continue, except those on a device that was lost: they are over with STATUS_SKIP. */
void interleave_sample(Lane *lanes, size_t count, Warmth *warmth, const LaneWatch *watch);

/* --- State of the processor around a cell: cell.c --------------------------------------------- */

/* What is kept between the two readings. */
typedef struct Telemetry {
    double throttle_events;
} Telemetry;

/* Fills clock_mhz, temperature and power of the row (…_before) before the first sample. The row has
 * its variant. What cannot be read stays NAN. */
void telemetry_before(Telemetry *telemetry, Row *row);

/* Fills …_after, clock_mhz_max, throttle and throttled, directly after the last sample, before the
 * clock changes. */
void telemetry_after(const Telemetry *telemetry, Row *row);

/* --- Energy: energy.c ------------------------------------------------------------------------- */

/* How many windows this launch takes of each cell: one where there are three launches or more, else
 * so many that there are three. With a budget the launch that measures once takes all. */
int energy_windows(const RunOptions *options);

/* Adds the joules of one run of the measurement's open, uploaded state, once for each window. A
 * window repeats the run for options->energy_window seconds, after a fifth of that which does not
 * count, and divides what the energy counter of its processor (NVML's of its `gpus` devices, RAPL's
 * of all CPU packages) advanced by the number of runs; idle power is included. Windows begin at
 * different phases of the counter's own period. `run_seconds` is about one run. After a stop a
 * window begins anew. Nothing is added without a counter, by one that stands still, and when
 * interrupted. */
Status energy_of_runs(Measurement *measurement, double run_seconds, Samples *windows);

/* What they take of a cell of this variant, about; 0 without a counter. */
double energy_seconds(const RunOptions *options, const Variant *variant);

/* Watts of the same counter while the program does nothing, over one window, measured once for each
 * processor and number of devices. NAN without a counter and when interrupted. */
double energy_idle(const Measurement *measurement);

/* --- Cell: cell.c ----------------------------------------------------------------------------- */

/*
 * One variant at one point, from its verification to its row, in steps, so that several cells can
 * be sampled in turns:
 *
 *   cell_verify   alone: open, poison, upload, run, download, guards, compare, close
 *   cell_open     any number of cells at once
 *   cell_begin    after everything was poisoned: upload, warm up
 *                 … samples of cell.measurement, of the kernel and end to end …
 *   cell_check    directly after the last sample: compare again
 *   cell_close
 *   cell_sampled_row   the row so far, to store it
 *   cell_finish   alone: transfers, stages, allocation, energy, each compared again; fills the row
 *
 * Each step returns STATUS_OK, or why the cell has no numbers. If interrupt_requested() afterwards,
 * the cell is unfinished and its row means nothing.
 */

typedef struct CellJob {
    const RunOptions *options;
    const Plan *plan;
    const PlanCell *cell; /* of the plan */
    const Workload *workload;
    const Oracle *oracle;
    const Row *known;      /* of the first launch: its answer_digest replaces the oracle; or NULL */
    OtherInput *other;     /* of a module's algorithm; NULL or without data: there is none */
    const Output *scratch; /* guarded memory for the answer, shared by all cells */
    Device *device;        /* of the variant's backend */
} CellJob;

/* Must not move while its state is open. */
typedef struct Cell {
    CellJob job;
    char name[CELL_NAME_SIZE];
    Request request;
    Measurement measurement; /* its state is NULL while the cell is not open */
    Telemetry telemetry;
    double run_seconds;    /* of the run that was verified first, with its transfers */
    double anew_seconds;   /* that cell_open_anew took; starts 0 */
    Row row;               /* its samples are the cell's until it is moved out */
    bool compared;         /* the answer was verified at least once */
    ThreadWatch threads;   /* of a module's variant, while it is verified */
    size_t looked;         /* samples that it had at its latest cell_look */
    bool sampled;          /* has every sample, and the answer was right afterwards */
    bool is_slower_tuning; /* another tuning of its variant was faster in this launch */
    Status status;         /* of cell_set_sample: why it has not */
} Cell;

void cell_init(Cell *cell, const CellJob *job);

/* Closes the state and releases the samples, those of the row included. */
void cell_release(Cell *cell);

Status cell_verify(Cell *cell);
Status cell_open(Cell *cell);
Status cell_begin(Cell *cell, Warmth *warmth);

/* Between two turns: verifies the latest answer of a cell of a device and opens its state again, so
 * that its memory lies at other addresses. Does nothing on the CPU, nor once that has taken long.
 * The state may be NULL after a failure. */
Status cell_open_anew(Cell *cell);

/* Directly after a turn of a module's variant: whether the process is as it was and, after one turn
 * out of eight that nobody can foresee, whether the answer of a CPU cell is right. */
Status cell_look(Cell *cell);

/* Seconds above which that has taken long: about one turn. Tests of a loaded machine change it. */
extern double cell_anew_limit;
Status cell_check(Cell *cell);
void cell_close(Cell *cell);
Status cell_finish(Cell *cell);

/* Makes the row of a sampled cell, with a copy of its samples and without what cell_finish
 * measures. STATUS_FAIL without memory. */
Status cell_sampled_row(const Cell *cell, Row *row);

/* Gives a verified cell the samples of such a row; cell_finish is left. STATUS_FAIL without memory.
 */
Status cell_restore(Cell *cell, const Row *row);

/* Drops every number measured, before the cell is sampled again or its row gets a reason instead.
 */
void cell_drop_numbers(Cell *cell);

/* --- Set of cells: turns.c -------------------------------------------------------------------- */

/* Shows the cell with "0.123 ms, 36.7× faster than seq": the median of some of the samples so far,
 * and its ratio to seq's `seq` seconds where these are known and the cell is not seq. */
void cell_show(const Cell *cell, double seq, Progress *progress);

typedef struct SetWatch {
    Progress *progress;
    const double *prices; /* expected seconds of each cell of the plan; NULL: cells are no steps */
    double seq;           /* seconds of a run of seq where it is not in the set; NAN: not known */
    /* Called between turns, soon after a cell has all its samples and was right afterwards. Its
     * first failure is returned by cell_set_sample in the end. May be NULL. */
    Status (*sampled)(void *context, const Cell *cell);
    void (*turn)(void *context); /* called after each turn; may be NULL */
    void *context;
} SetWatch;

/*
 * Samples verified cells in turns: opens as many of them as fit into memory together, except those
 * that are sampled already, and closes them all. A cell that is not `sampled` afterwards did not
 * fit or failed, which its status says. A failure may be the fault of another cell, so that only a
 * set of one cell, or STATUS_DEVICE_LOST, is a verdict. STATUS_FAIL without memory for the set.
 */
Status cell_set_sample(Cell *cells, size_t count, const SetWatch *watch);

#endif
