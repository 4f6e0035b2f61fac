/* What files of this room and tests share. */

#ifndef BENCH_RUN_RUN_INTERNAL_H
#define BENCH_RUN_RUN_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "algorithm.h"
#include "axis.h"
#include "backend.h"
#include "base.h"
#include "ceilings.h"
#include "machine.h"
#include "output.h"
#include "results.h"
#include "run.h"
#include "status.h"
#include "variant.h"
#include "workload.h"

/* --- Input kinds ------------------------------------------------------------------------------ */

/* Whether a selected algorithm takes inputs of the kind. Without any algorithm a request is about
 * pictures. */
bool kind_is_wanted(const RunOptions *options, WorkloadKind kind);

/* The sizes that inputs of a kind are asked for at. */
const SizeSpec *kind_sizes(const RunOptions *options, WorkloadKind kind, size_t *count);

/* --- Workload source -------------------------------------------------------------------------- */

/* The default synthetic input of a kind, with seeded weights: for looking at an algorithm apart
 * from what a person asks for. */
Input input_default(WorkloadKind kind);

/* The workload without pixels, labels, keypoints, values of weights, seed and hash: what planning
 * needs. STATUS_USAGE when a synthetic input is asked for at its own size, or a set for more
 * pictures than it has. */
Status workload_describe(const Input *input, const SizeSpec *size, Workload *workload);

/* --- Workload crop ---------------------------------------------------------------------------- */

/* Workload crop: a part of an input, to learn from how an algorithm does on the whole. */

/* Of a picture the top left corner of at most `side` × `side` pixels; of a set the first `side`
 * pictures; of a picture with keypoints the first `side` of these; of two sets of descriptors the
 * last `side` of the one and the first of the other. All of it where there is no more. What is left
 * is shared with the workload, which outlives the crop. */
Workload workload_crop(const Workload *workload, int32_t side);

/* Whether nothing was left out. */
bool workload_crop_is_whole(const Workload *crop, const Workload *workload);

/* --- Keypoint source -------------------------------------------------------------------------- */

/* Appends keypoints at seeded places, sizes of FAST's levels and angles until there are `count`. */
Status keypoints_fill(int32_t width, int32_t height, int32_t count, uint64_t seed,
                      KeypointList *list);

/* --- Keypoint input --------------------------------------------------------------------------- */

/* Keypoint input: what a picture with keypoints has besides its pixels. For workload_source only,
 * which see. */

/* Reads the list and the weights that a request names, and notes in `input` how many there are.
 * STATUS_FILE or STATUS_USAGE when they are not good. */
Status keypoint_input_check(const RunOptions *options, Input *input);

/* `workload` is described as a picture. */
void keypoint_input_describe(const Input *input, Workload *workload);

/* `workload` is described, and has its pixels. On anything but STATUS_OK only those are left. */
Status keypoint_input_load(const Input *input, Workload *workload);

void keypoint_input_release(Workload *workload);

/* --- Descriptor source ------------------------------------------------------------------------ */

/* Descriptor source: inputs that are two sets of descriptors. For workload_source and input_kinds
 * only, which see. */

/* The one size that there is: SizeSpec.images rows in each set. */
extern const SizeSpec descriptor_size;

Status descriptor_source_describe(const Input *input, const SizeSpec *size, Workload *workload);

/* `workload` is described. */
Status descriptor_source_load(const Input *input, Workload *workload);

/* --- Weights source --------------------------------------------------------------------------- */

/* FNV-1a 64 of what `hash` stands for followed by all the weights. */
uint64_t weights_list_hash(uint64_t hash, const WeightsList *list);

/* --- Plan ------------------------------------------------------------------------------------- */

/* Plan: the sweep as a list of cells, made before anything runs. Each cell ends as one row. */

/*
 * Expands a request. `inputs` outlives the plan. STATUS_USAGE for axis values that are wrong,
 * STATUS_NO_MATCH when no cell is selected or an axis is given that no selected variant has.
 */
Status plan_make(const RunOptions *options, const InputList *inputs, Plan *plan);

void plan_release(Plan *plan);

/* An otherwise empty row that says which cell it is. */
Row plan_row(const Plan *plan, const PlanCell *cell, bool cold);

/* CPU threads that a cell uses: its threads axis, 1 without one, 0 on a device. */
int plan_threads(const Variant *variant, const Point *tuning);

/* Prints every cell: name, estimated time, host memory, why it will be skipped. Estimates come from
 * a short run of each algorithm's oracle on a small synthetic image or set. */
void plan_print(FILE *stream, const RunOptions *options, const Plan *plan);

/* --- History ---------------------------------------------------------------------------------- */

/* History: what a run has learned so far about the speed and the correctness of CPU variants. */

/* What run time is taken to grow with: operations, or bytes for an algorithm without any. */
double cost_work(const Cost *cost);

/* Remembers that a variant agreed with seq, and the seconds of one run. */
void history_note_verified(History *history, const Algorithm *algorithm, const Variant *variant,
                           const Point *tuning, double work, double seconds);

/* Remembers the seconds of one run of seq. */
void history_note_seq(History *history, const Algorithm *algorithm, double work, double seconds,
                      const char *where);

/* NULL when seq has not run. */
const SeqRate *history_rate(const History *history, const Algorithm *algorithm);

/* Seconds that one run of seq would take; NAN when seq has not run. */
double history_estimate(const History *history, const Algorithm *algorithm, double work);

/* The verified variant with the least time for its work; NULL when there is none. */
const Verified *history_fastest(const History *history, const Algorithm *algorithm);

/* --- Oracle ----------------------------------------------------------------------------------- */

/*
 * Oracle: the right answer of one workload at one answer point, computed once.
 *
 * It is the answer of row 0 (seq). Where one run of seq is estimated to take longer than
 * --max-cell, the fastest CPU variant that has been verified against seq on a smaller workload
 * stands in for it.
 */

/*
 * Learns how fast seq is from runs on growing crops of a workload, up to 1024×1024, unless it is
 * known already. Takes some tens of milliseconds. On crops that have no answer at this point it
 * runs at the algorithm's default one. Without room nothing is learned.
 */
void oracle_probe(History *history, const Algorithm *algorithm, const Workload *workload,
                  const Point *answer);

/*
 * Computes the oracle. `scratch` is guarded answer memory of the same layout. STATUS_SKIP when
 * there is no room or no variant that may stand in; anything else when the oracle itself failed.
 * Released with oracle_release, whatever was returned.
 */
Status oracle_compute(History *history, const RunOptions *options, const Algorithm *algorithm,
                      const Workload *workload, const Point *answer, const Output *scratch,
                      Oracle *oracle);

void oracle_release(Oracle *oracle);

/* --- Verify ----------------------------------------------------------------------------------- */

/* Verify: proof that a variant's answer is right, before and after it is timed. */

/* Answer memory that nobody but the runner writes to. STATUS_SKIP "needs X, Y free". */
Status answer_alloc_plain(const OutputLayout *layout, Output *output);

void answer_release_plain(Output *output);

/* Opens a state that is going to be run at once. STATUS_SKIP also where its threads cannot be
 * started. */
Status variant_open(const Variant *variant, const Request *request, void **state);

/* STATUS_SKIP where the threads of a tuning point cannot be started now. */
Status tuning_check_threads(const Point *tuning);

/* Poisons all memory of a variant's backend and of cpu_backend, the answer included. */
Status poison_everything(const Variant *variant, const Output *output, uint8_t pattern);

/* STATUS_FAIL when a guard band of the variant's backend or of cpu_backend was written. */
Status check_all_guards(const Variant *variant);

/* Judges by the variant's own comparison, else by the algorithm's, else byte by byte. `answer` is
 * the point that both were computed for. */
void answer_compare(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                    const Output *got, const Output *want, Verdict *verdict);

/* Guards, then the answer. `agreement` is set when the answers were compared. STATUS_FAIL "wrong
 * answer: …" when it is not accepted. */
Status verify_answer(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                     const Output *got, const Output *want, double *agreement);

/* poison, upload, run, download, guards, compare of an open state. */
Status verify_state(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                    void *state, const Output *got, const Output *want, double *agreement);

/* --- Measure ---------------------------------------------------------------------------------- */

/*
 * Measure: the samples of one open cell. A cell is advanced one sample at a time, so that the order
 * in which several cells are sampled is the caller's choice.
 */

/* Seconds that a clock_start and clock_stop with nothing between them report. */
Status measure_timer_overhead(const Backend *backend, double *seconds);

/* Warms up and finds the batch size. */
Status measure_begin(Measurement *measurement);

/* Takes one kernel sample and decides whether it was the last. Only the time spent in samples and
 * in measure_rewarm counts against --max-time. */
Status measure_sample(Measurement *measurement);

/* What others left in the caches is replaced by what this cell needs: runs as long as one sample,
 * not counted. Nothing in cold mode, and nothing where a sample is so long that it warms itself. */
Status measure_rewarm(Measurement *measurement);

/* Which device has worked last, and until when. Starts zeroed. */
typedef struct Warmth {
    const Backend *backend;
    double left; /* monotonic seconds */
} Warmth;

/* Keeps a device that was idle for more than 10 ms busy for 50 ms of its own time, so that it has
 * left its idle clock, which takes tens of milliseconds. Gives up after a quarter of a second by
 * the host's clock. Nothing on the CPU. */
Status measure_warm_device(const Measurement *measurement, Warmth *warmth);

/* Notes that the cell's device, if it is on one, has worked until now. */
void measure_note_warmth(const Measurement *measurement, Warmth *warmth);

/* How far sampling has come, 0 … 1: an estimate, for the progress line. */
double measure_progress(const Measurement *measurement);

/* Median seconds of upload and of download apart, NAN for what the variant does not have. */
Status measure_transfers(const Measurement *measurement, double *upload, double *download);

/* Wall-clock samples of upload, run and download, or of stream(), from and to host memory. */
Status measure_end_to_end(const Measurement *measurement, Samples *samples);

/* Wall-clock samples of open, upload, run and download: `options->reps` of them or 5, fewer where
 * they take longer than a quarter of the cell's time. No other state of the variant is open
 * meanwhile. */
Status measure_with_alloc(const RunOptions *options, const Variant *variant, const Request *request,
                          Samples *samples);

/* --- Stages ----------------------------------------------------------------------------------- */

/*
 * Stages: how long the parts of a variant's run take, each timed apart.
 *
 * Every stage begins on an idle processor and is waited for, so that their sum is a little more
 * than the time of a run in one piece: by a launch and a wait for each stage on a device.
 */

#define STAGES_LONG_RUN 10.0

/*
 * Median seconds of each stage of an open and uploaded state; NAN for those that the variant does
 * not have. A stage may need what the one before it left, so whole passes are repeated: one that is
 * not counted and up to STAGE_PASSES that are, as far as a quarter of --max-time goes, or a single
 * one where a run, which takes about `run_seconds`, is longer than STAGES_LONG_RUN. In cold mode
 * caches are emptied before each pass. Ends early when interrupted.
 */
Status measure_stages(const Measurement *measurement, double run_seconds,
                      double seconds[STAGES_MAX]);

/* --- Interleave ------------------------------------------------------------------------------- */

/*
 * Interleave: samples several open cells in turns, A B C … C B A, A B C …, until each has had its
 * last. A change of the machine's speed while this goes on, a processor that gets warm or a
 * neighbour that wakes up, falls on all of them alike, and not on whichever was measured then.
 */

typedef struct LaneWatch {
    /* Called directly after the last sample of a lane, while no other has run; its status becomes
     * the lane's. */
    Status (*sampled)(void *context, size_t lane);
    /* Called after each turn. NULL: nobody wants to know. */
    void (*turn)(void *context);
    void *context;
} LaneWatch;

/*
 * Takes turns until every lane is over or interrupt_requested() is true. A lane that goes wrong is
 * over and the others go on, but for those on a device that was lost with it: they are over with
 * STATUS_SKIP.
 */
void interleave_sample(Lane *lanes, size_t count, Warmth *warmth, const LaneWatch *watch);

/* --- Telemetry -------------------------------------------------------------------------------- */

/* Telemetry: the state of the processor around a cell, and the energy that a run takes. */

/* What has to be remembered between the two readings. */
typedef struct Telemetry {
    double throttle_events;
} Telemetry;

/* Before the first sample, and after the last one while the clock is still what it was: fills
 * clock_mhz, temperature and power, each _before or _after, and clock_mhz_max of the row, which has
 * its variant. What cannot be read stays NAN. */
void telemetry_before(Telemetry *telemetry, Row *row);

/* Fills throttle and throttled, too. */
void telemetry_after(const Telemetry *telemetry, Row *row);

/*
 * Repeats the run of an open, uploaded state for at least a second and divides what the energy
 * counter of its processor (NVML's of the device, RAPL's of all CPU packages) advanced by the
 * number of runs. What the processor takes when idle is included. `run_seconds` is about how long
 * a run takes. NAN without a counter, and when interrupted.
 */
Status telemetry_energy(const Variant *variant, void *state, double run_seconds, double *joule);

/* --- Cell ------------------------------------------------------------------------------------- */

/*
 * Cell: one variant at one point, from its proof to a filled row, in steps, so that several cells
 * can be sampled in turns:
 *
 *   cell_verify   alone: open, poison, upload, run, download, guards, compare, close
 *   cell_open     any number of cells at once
 *   cell_begin    after everything was poisoned: upload, warm up
 *                 … samples of cell.measurement …
 *   cell_check    directly after the last sample: compare again
 *   cell_close
 *   cell_sampled_row   to store what there is so far
 *   cell_finish   alone: transfers, end to end, stages, with allocation, each compared again; fills
 *                 the row
 *
 * Each step returns STATUS_OK, or why there will be no numbers. When interrupt_requested() is true
 * afterwards the cell is unfinished and its row means nothing.
 */

typedef struct CellJob {
    const RunOptions *options;
    const PlanCell *cell;
    const Workload *workload;
    const Oracle *oracle;
    const Output *scratch; /* guarded memory for the answer, shared by all cells */
    double timer_overhead; /* seconds, of the variant's backend */
} CellJob;

/* Does not move while its state is open. */
typedef struct Cell {
    CellJob job;
    Request request;
    Measurement measurement; /* its state is NULL while the cell is not open */
    Telemetry telemetry;
    Row row;      /* its samples are the cell's until it is taken */
    bool sampled; /* every sample is in, and the answer was right afterwards */
} Cell;

/* `row` says which cell it is. */
void cell_init(Cell *cell, const CellJob *job, const Row *row);

/* Closes the state and releases the samples, those of the row included. */
void cell_release(Cell *cell);

Status cell_verify(Cell *cell);
Status cell_open(Cell *cell);
Status cell_begin(Cell *cell, Warmth *warmth);
Status cell_check(Cell *cell);
void cell_close(Cell *cell);
Status cell_finish(Cell *cell);

/* Fills `row` with what is known of a cell that is sampled, and a copy of its samples; nothing that
 * cell_finish measures. STATUS_FAIL without memory. */
Status cell_sampled_row(const Cell *cell, Row *row);

/* Gives a verified cell the samples of such a row, as if it had taken them: what is left of it is
 * cell_finish. STATUS_FAIL without memory. */
Status cell_restore(Cell *cell, const Row *row);

/* Forgets every time measured, so that the row may say why there is none or the cell be sampled
 * again. */
void cell_drop_numbers(Cell *cell);

/* --- Cell set --------------------------------------------------------------------------------- */

/* Cell set: cells that are compared with each other, sampled in turns. */

typedef struct SetMember {
    Cell *cell;    /* verified, not open */
    size_t index;  /* the caller's own */
    Status status; /* result: how sampling it went */
} SetMember;

typedef struct SetWatch {
    Progress *progress;
    /* Called between turns, soon after a cell has all its samples and was right afterwards; what it
     * returns, unless STATUS_OK, is returned in the end. NULL: nobody wants to know. */
    Status (*sampled)(void *context, const SetMember *member);
    void (*turn)(void *context); /* called after each turn; NULL likewise */
    void *context;
} SetWatch;

/*
 * Opens as many of the cells as fit into memory beside each other, samples them in turns, and
 * closes them all. Cells whose `sampled` is false afterwards did not fit, or went wrong, and their
 * status says why: what goes wrong beside others may be the fault of another, so only a set of one
 * gives a verdict, except for STATUS_DEVICE_LOST. STATUS_FAIL when there is no memory for the set
 * itself.
 */
Status cell_set_sample(SetMember *members, size_t count, const SetWatch *watch);

/* --- Devices ---------------------------------------------------------------------------------- */

/* The device of a backend; probes it and measures its clock the first time. Never NULL. */
Device *devices_get(Devices *devices, const Backend *backend);

/* --- Resume ----------------------------------------------------------------------------------- */

/* Resume: which rows of a stored run can stand, and whether they may. */

/*
 * STATUS_USAGE naming the first option that differs between the arguments of two runs. The
 * order of options does not matter, nor do those that change no number: --resume, --out, --csv,
 * --json, --save, --save-table, --plot, --no-plot, --quiet, --baseline, --alpha,
 * --baseline-threshold, --strict.
 */
Status arguments_same(const ArgumentList *stored, const ArgumentList *now);

/* Reads the run that is stored in the folder and refuses, with STATUS_USAGE, one of another
 * machine, build or request. One that is stored as results.json.gz is gone on with as results.json,
 * which is what is read from then on. Release with stored_run_release. */
Status resume_read(const char *folder, const RunOptions *options, const Machine *machine,
                   StoredRun *stored);

/* Takes the row that has the name, size and mode of `planned` out of the stored run: true and the
 * row, whose samples now belong to the caller, or false. */
bool resume_take(StoredRun *stored, const Row *planned, Row *row);

/* Whether a row has all its samples of the kernel; and whether what is measured around them, which
 * ends with end to end, is there too. Any other row is measured again. */
bool resume_is_sampled(const Row *row);

bool resume_is_finished(const Row *row);

/* STATUS_USAGE when an input file is no longer what the stored rows were measured on. */
Status resume_check_inputs(const StoredRun *stored, const Plan *plan, uint64_t seed);

/* --- Run folder ------------------------------------------------------------------------------- */

/* Makes the folder (--resume, --out, or reports/runs/<time>-<algorithms>) and the one of --save,
 * and tries to write there and to --csv and --json. Part files that a killed run left there are
 * removed. STATUS_FILE names the path. */
Status run_folder_open(const RunOptions *options, RunFolder *folder);

/* Removes a folder that run_folder_open made and nothing was written to. */
void run_folder_discard(const RunFolder *folder);

/* --- Sweep ------------------------------------------------------------------------------------ */

/* Sweep: runs the cells of a plan and records a row for each, which is stored as soon as it is
 * there. */

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

/* --- Runner ----------------------------------------------------------------------------------- */

/* The same with other streams than standard output and standard error. */
Status runner_run_on(const RunOptions *options, const Machine *machine, FILE *output, FILE *notes,
                     Results *results, int *exit_code);

/* --- Selftest --------------------------------------------------------------------------------- */

/* The statistics of `pairs` ratios with their intervals, at least one; `ratios` has them as value,
 * low and high, the value ≥ 0. Without an interval a pair counts for the floor only. */
void selftest_summarize(const Ratio *ratios, size_t pairs, NoiseCell *cell);

/* --- Roofs ------------------------------------------------------------------------------------ */

/* Roofs: the ceilings of this machine, measured or taken from where they were stored. */

/* Where ceilings come from; a parameter for the sake of tests. */
typedef struct RoofSource {
    Status (*measure_cpu)(Ceilings *ceilings);
    Status (*measure_device)(Ceilings *ceilings);
    const char *folder; /* of stored ceilings; NULL: nothing is stored */
    int64_t now;        /* seconds since 1970 */
} RoofSource;

/*
 * The ceilings of `machine`: those stored for it in the last ROOFS_FRESH_DAYS, unless `fresh`, and
 * otherwise measured and stored. Ceilings that contradict each other are measured once more, the
 * better of the two are taken, and they are stored only if they agree then. `notes` gets a line
 * when that takes its seconds, and when something went wrong; NULL: no notes. A part that could not
 * be measured is left out.
 */
void roofs_read_from(const RoofSource *source, const Machine *machine, bool fresh, FILE *notes,
                     Ceilings *ceilings);

/* "<folder>/roof-<fingerprint>.json". STATUS_FILE when that is too long. */
Status roofs_path(const char *folder, const Machine *machine, char *path, size_t size);

/* --- Save ------------------------------------------------------------------------------------- */

/* The same as `<folder>/<algorithm>-<input>-<size>[-<answer>]-<variant>[-<tuning>]-<part>.png`; by
 * NULL as save_answer. */
Status save_answer_by(const char *folder, const Algorithm *algorithm, const char *input_stem,
                      const Workload *workload, const Point *answer, const SaveBy *by,
                      const Output *output);

/* STATUS_USAGE when an input (input_guard.h) lies where a part of one of the plan's answers would
 * be written. NULL: nothing is written. */
Status save_check(const char *folder, const Plan *plan);

#endif
