/* The run room: inputs, the plan of a run, verification, measuring, sweeps. What other rooms use.
 */

#ifndef BENCH_RUN_RUN_H
#define BENCH_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness.h"
#include "size_spec.h"
#include "status.h"
#include "supervisor.h"
#include "workload.h"

typedef struct Ceilings Ceilings;         /* ceilings.h */
typedef struct LaunchSpread LaunchSpread; /* spread.h */
typedef struct Machine Machine;           /* machine.h */
typedef struct NoiseCell NoiseCell;       /* noise_floor.h */
typedef struct Profile Profile;           /* profile.h */
typedef struct Results Results;           /* results.h */
typedef struct Row Row;                   /* row.h */
typedef struct RunOptions RunOptions;     /* run_options.h */
typedef struct Share Share;               /* run_parts.h */

/* --- Kinds of input --------------------------------------------------------------------------- */

enum { INPUT_KINDS = WORKLOAD_DESCRIPTORS + 1 };

/* Several kinds: one bit each. */
typedef enum KindSet {
    KINDS_SETS = 1 << WORKLOAD_IMAGE_SET,
    KINDS_KEYPOINTS = 1 << WORKLOAD_KEYPOINTS,
    KINDS_DESCRIPTORS = 1 << WORKLOAD_DESCRIPTORS,
    KINDS_IMAGES = 1 << WORKLOAD_IMAGE | KINDS_KEYPOINTS, /* one image each */
    KINDS_FILES = KINDS_IMAGES | KINDS_SETS               /* may be read from files */
} KindSet;

/* Whether a selected algorithm takes inputs of one of the kinds. A request without any algorithm
 * is about images. */
bool kinds_are_wanted(const RunOptions *options, KindSet kinds);

/* Lists the selected algorithms that take inputs of these kinds: "haar, adaboost". */
void kinds_algorithms(const RunOptions *options, KindSet kinds, char *text, size_t size);

/* Names of the synthetic inputs of a kind, NULL-terminated; the first is the default. */
const char *const *kind_synthetics(WorkloadKind kind);

/* The name as it stands in that list; NULL if it is not in it. */
const char *kind_find_synthetic(WorkloadKind kind, const char *name);

/* --- Sizes: sizes.c --------------------------------------------------------------------------- */

/* Writes the list that sizes_parse reads. */
void sizes_print(const SizeSpec *sizes, size_t count, FILE *stream);

/* Adds one by its name, unless the list has it. STATUS_USAGE where it is none, or the list is full.
 */
Status sizes_add_named(const char *name, SizeSpec sizes[OPTIONS_SIZES_MAX], size_t *count);

/*
 * Every number of `images` at every size of `sides`, the sides varying fastest. `images` is a comma
 * list of numbers from 1 on and `all` (SizeSpec.images 0); `sides` is one of SIDE or WxH, or NULL:
 * the input's own (width and height 0). Names are "1000" and "1000x16x16", with sides only where
 * they were given. Repeated sizes are dropped. STATUS_USAGE names the option and says what would be
 * right.
 */
Status set_sizes_parse(const char *images, const char *sides, SizeSpec sizes[OPTIONS_SIZES_MAX],
                       size_t *count);

/* --- Inputs of a request --------------------------------------------------------------------- */

/*
 * Lists the inputs of a request, by the kinds that its algorithms take:
 *   images, and images with keypoints: the synthetic kind, one file, or every image of a folder,
 *                                      ordered by name
 *   image sets:                        the synthetic kind, or the set in the file or folder
 *   descriptors:                       the synthetic kind
 * If the synthetic kind asked for exists only for some of them, the others use their default.
 *
 * Every file is decoded once, so that a bad one is found before anything is measured; of one that
 * needs no decoding the size is checked. A single bad
 * file is STATUS_FILE; a bad one in a folder of images is named on `notes` and left out.
 * STATUS_USAGE for a set where one image is needed, or the reverse. Release with inputs_release.
 */
Status inputs_open(const RunOptions *options, FILE *notes, InputList *list);

/* --- Conformance ------------------------------------------------------------------------------ */

/* A variant held to the oracle on awkward cases: shapes around 1 and around the widths of vectors
 * and tiles, extreme contents, rows with bytes behind them, poisoned memory, guard bands, runs that
 * are repeated, at every answer and tuning point. Points are all combinations of the usual values;
 * the defaults together; and for answer axes of whole numbers each end, the others at their
 * defaults, where that is little work. The defaults are also tried on an input of a size that is
 * used. */

typedef struct ConformanceRequest {
    bool quick; /* fewer and smaller cases */
    bool wide;  /* many answer points, with one content each */
    /* Comma lists; NULL: the usual ones of the algorithm's kind of input. */
    const char *shapes;   /* WxH of images, NxWxH of sets, N+NxBYTES of descriptors */
    const char *contents; /* "noise,extreme" */
    size_t axis_count;    /* axes that have other than the usual values */
    const AxisRequest *axes;
    /* What is the user's own choice: the axes that have no other values than their list's, and
     * whether shapes or contents are. */
    size_t fixed_count;
    const AxisRequest *fixed;
    bool fixed_inputs;
} ConformanceRequest;

typedef struct ConformanceResult {
    size_t asked, ran; /* requests that have an answer; those of them that the variant computed */
    char why[STATUS_WHY_SIZE]; /* it skipped the first of the others; empty: it computed all */
} ConformanceResult;

/*
 * STATUS_FAIL, or STATUS_DEVICE_LOST, with the first case that went wrong; STATUS_SKIP when the
 * variant cannot run here, or skips every request; STATUS_USAGE for lists that are not understood.
 * Answers of the oracle are kept for the algorithm's next variant, as long as `request`
 * is the same; conformance_forget frees them.
 */
Status conformance_check(const Algorithm *algorithm, const Variant *variant,
                         const ConformanceRequest *request, ConformanceResult *result);
void conformance_forget(void);

/* In a trial (supervisor.h, call_trial): whether it is one of this variant. True without one. */
bool variant_is_due(const Algorithm *algorithm, const Variant *variant);

/* The beginning of what all calls of the variant are about. */
void variant_subject(const Algorithm *algorithm, const Variant *variant,
                     char text[CALL_SUBJECT_SIZE]);

/* --- Profiles --------------------------------------------------------------------------------- */

/*
 * Runs Nsight Compute (`ncu` in PATH) on each cell of the request that is on a GPU, and adds what
 * it counted to `profile`, which starts zeroed. For each cell the program is started again in it,
 * with the same request and --inside and the cell's number. Cells that cannot be profiled are
 * noted. STATUS_SKIP when none can: there is no `ncu`, no device, or its counters are the
 * superuser's alone; the text says what to ask for. Release `profile` in any case.
 */
Status profile_cells(const RunOptions *options, FILE *notes, Profile *profile);

/* Runs cell number options->inside - 1 of the same request, after two uncounted runs, once in a
 * range that the profiler waits for. */
Status profile_inside(const RunOptions *options);

/* --- Files of a command ----------------------------------------------------------------------- */

/* Files that a person names, to read or to write, checked before anything is measured. */

/* As guard_input: a list of files separated by commas; a stored run, which is a file, or the
 * results in a folder. */
Status guard_input_list(const char *files);
Status guard_run(const char *run);

/* Names a folder that does not exist yet, in the folder of runs: <time><words>. */
void run_folder_choose(const char *words, char *path, size_t size);

/* The same, and makes it, so that no other program has it. */
void run_folder_reserve(const char *words, char *path, size_t size);

/* The folder of the run: that of --resume or --out, or one named after the time and the algorithms,
 * which is made unless it is a dry run. STATUS_FILE if its name is too long. */
Status run_folder_path(const RunOptions *options, char *path, size_t size);

/* At the end of that run: removes the folder if it was made there and nothing was written. */
void run_folder_leave(const RunOptions *options, const char *folder);

/* STATUS_FILE if a file of this name cannot be written. Leaves no trace. */
Status run_folder_try_file(const char *path);

/* Registers what `bench run` reads. Then STATUS_USAGE if the results in the run's folder, --csv or
 * --json are among these files, or the folder holds another run and neither --resume nor --force is
 * given, and STATUS_FILE naming the first of --csv and --json that cannot be
 * written, as far as that can be seen without writing: a missing or locked folder, or a folder of
 * that name. */
Status output_targets_check(const RunOptions *options);

/* What a process that is supervised keeps for those after it: the folder of its run, and the same
 * once the run has results there. */
#define KEPT_FOLDER "folder"
#define KEPT_RESULTS "results"

/* --- Runner ----------------------------------------------------------------------------------- */

/*
 * Runs a `bench run` request.
 *
 * Order: plan → run folder → per workload: load → per answer point: oracle → per cell: open,
 * poison, upload, run, download, guards, compare, close → all cells in turns: open, warm up, time,
 * compare again, close → per cell: transfers, end to end, allocation, compare again → files.
 *
 * The caller has read `machine`, which outlives the call. `results` starts zeroed and gets one row
 * per planned cell, in the order of the plan; the caller releases it with results_release. Writes
 * results.csv, results.json, charts and the extra files asked for, prints the table and the folder
 * on standard output, progress and notes on standard error. With options->dry_run the plan is
 * printed on standard output and nothing is written.
 *
 * The status is STATUS_OK or one complete sentence for the person. `exit_code` (exit_codes.h) is
 * always set, also when the status is STATUS_OK: 4 when a cell was wrong, 6 when no cell could be
 * measured, 130 when interrupted.
 */
Status runner_run(const RunOptions *options, const Machine *machine, Results *results,
                  int *exit_code);

/* The same with other streams than standard output and standard error. */
Status runner_run_on(const RunOptions *options, const Machine *machine, FILE *output, FILE *notes,
                     Results *results, int *exit_code);

/* Whether the input that a stored row was measured on is among those of a request: loads it at the
 * row's size and compares hashes. STATUS_USAGE if it is another one or not there, and the errors of
 * workload_load. */
Status stored_input_check(const RunOptions *options, const InputList *inputs, const Row *row);

/* --- Requests out of others ------------------------------------------------------------------- */

/*
 * Which options a launch, a resumed run and a run of another machine take over: Option.role says
 * so. Nothing of a stored run names code to load, a program to start or a place to write to. Files
 * that it names are read only if they are ordinary ones: no devices, no pipes.
 */

/* Of what was given: what each launch of a run has. */
void request_keep_launch(OptionsGiven *given);

/* Whether a run that measures a stored one again takes the option over. */
bool option_is_of_another_run(const Option *option);

/*
 * Reads those options of a stored command line that `takes` wants into a request that was started
 * with options_start; texts point into `stored`. STATUS_USAGE for what is no option or no value of
 * the command, and for a file that is no ordinary one.
 */
Status stored_request_read(const ArgumentList *stored,
                           bool (*takes)(void *context, const Option *option), void *context,
                           RunOptions *options);

/*
 * The request of `bench run --resume DIR`, not yet completed: the options that the stored run in
 * `folder` was started with and that are not given again, then those of `now`, which `argv` has
 * once more. Texts point into `argv` and `stored`, which is released with argument_list_release.
 * STATUS_FILE if there is no readable run in the folder; STATUS_USAGE if a module of the run is not
 * loaded, and the errors of stored_request_read.
 */
Status resume_request(const char *folder, const OptionsGiven *now, int argc, char **argv,
                      ArgumentList *stored, RunOptions *options);

/* STATUS_USAGE naming the first option that differs between a stored command line and a request.
 * The order of options does not matter, nor do those that change no number, nor which share of the
 * plan is measured. */
Status arguments_same(const ArgumentList *stored, const RunOptions *now);

/* The same of two stored ones of `command`. */
Status arguments_both_same(const Command *command, const ArgumentList *before,
                           const ArgumentList *after);

/* For the record of a run that shares are merged into: the arguments as they are, without --shard.
 * Release with argument_list_release. STATUS_SKIP without memory. */
Status arguments_of_plan(const Command *command, const ArgumentList *given, ArgumentList *list);

/* Share I/N, or with `auto` that of this process as its scheduler tells in the environment: Slurm's
 * array or tasks, Open MPI, PMI. STATUS_USAGE. */
Status share_read(const char *text, Share *share);

/* --- Self-test -------------------------------------------------------------------------------- */

/* An A/A test: the same variant measured twice and compared with itself, many times. A difference
 * found here is a false alarm. The distance of the ratio of two medians from 1 is the noise floor
 * of the machine. */

/* Relative change that a comparison of two runs ignores by default. */
#define SELFTEST_THRESHOLD 0.05

typedef struct SelftestResult {
    NoiseCell *cells; /* in the order of the plan; owned */
    size_t count;
    size_t skipped; /* cells that could not be measured; their reasons are on `notes` */
} SelftestResult;

/*
 * Plans the request as a run does, and measures each cell 2 × options->pairs times from open to
 * close, verified each time: A B, B A, A B … Progress and the reasons of skipped cells go to
 * `notes`. STATUS_NO_MATCH and STATUS_USAGE as for a run, STATUS_FAIL if a variant is wrong,
 * STATUS_SKIP if nothing could be measured, STATUS_INTERRUPTED. Release with selftest_release,
 * whatever was returned.
 */
Status selftest_run(const RunOptions *options, FILE *notes, SelftestResult *result);

void selftest_release(SelftestResult *result);

/* The spread of a run of several launches, by what computes and by duration. `measured` is the
 * date, ISO 8601, UTC. */
void selftest_spread(const Results *results, const char *measured, LaunchSpread *spread);

/* --- Ceilings --------------------------------------------------------------------------------- */

/* Measurements at most until ceilings agree: those of `bench roof`, and of a run, which waits less
 * (with a budget there is one, so that its first numbers come early). */
enum { ROOFS_ATTEMPTS = 4 };
int roofs_attempts_of_run(const RunOptions *options);

/* The ceilings of this machine: those stored in the last week in $XDG_CACHE_HOME/bench, else
 * $HOME/.cache/bench, if the machine has not changed since; otherwise, and if `fresh`, measured,
 * and stored if they can be trusted. A ceiling that could not be measured is missing. `notes` gets
 * a line before the seconds that measuring takes, one before each further measurement, and one when
 * something failed or nothing is stored; may be NULL. */
void roofs_read(const Machine *machine, bool fresh, int attempts, FILE *notes, Ceilings *ceilings);

#endif
