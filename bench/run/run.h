/* The run room: inputs, the plan of a run, verification, measuring, sweeps. What other rooms use.
 */

#ifndef BENCH_RUN_RUN_H
#define BENCH_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "algorithm.h"
#include "axis.h"
#include "backend.h"
#include "ceilings.h"
#include "files.h"
#include "machine.h"
#include "output.h"
#include "profile.h"
#include "run_options.h"
#include "status.h"
#include "supervisor.h"
#include "variant.h"
#include "workload.h"

/* --- Sizes ------------------------------------------------------------------------------------ */

/* Parses one size: a name in any case ("1080p", "4k"), WxH ("640x480"), or "native", which has
 * width and height 0. The name in `size` has the usual spelling. STATUS_USAGE if it is none of
 * these, has no pixels or too many. */
Status size_parse(const char *text, SizeSpec *size);

/* Parses a comma list of sizes, in which `all` stands for 360p … 16K. Repeated sizes are dropped.
 * STATUS_USAGE for an empty list and for more than OPTIONS_SIZES_MAX sizes. */
Status sizes_parse(const char *list, SizeSpec sizes[OPTIONS_SIZES_MAX], size_t *count);
/* Writes the list that it reads. */
void sizes_print(const SizeSpec *sizes, size_t count, FILE *stream);

/* Parses a number of images of a set, from 1 on; 0 for `all`. STATUS_USAGE. */
Status set_images_parse(const char *text, int32_t *images);

/*
 * Every number of `images` at every size of `sides`, the sides varying fastest. `images` is a comma
 * list of numbers from 1 on and `all` (SizeSpec.images 0); `sides` is one of SIDE or WxH, or NULL:
 * the input's own (width and height 0). Names are "1000" and "1000x16x16", with sides only where
 * they were given. Repeated sizes are dropped. STATUS_USAGE names the option and says what would be
 * right.
 */
Status set_sizes_parse(const char *images, const char *sides, SizeSpec sizes[OPTIONS_SIZES_MAX],
                       size_t *count);

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

/* Finds a synthetic input by name among those of all kinds; `known` points to the static name.
 * STATUS_USAGE with the names that exist. */
Status synthetic_find(const char *value, const char **known);

/* --- Inputs ----------------------------------------------------------------------------------- */

/* One input of a request. It becomes a workload at each size. */
typedef struct Input {
    WorkloadKind kind;
    char *path;         /* owned; NULL: synthetic */
    const char *labels; /* RunOptions.labels, of an image set */
    /* `name` is the file name without folders, or the synthetic kind; `stem` is the same without
     * its extension, for saved files. Both are unique among the images of a folder: equal ones end
     * in a hash of the whole file name. */
    char name[WORKLOAD_NAME_SIZE], stem[WORKLOAD_NAME_SIZE];
    int32_t width, height; /* pixels, its own size; 0 for a synthetic kind, which has none */
    bool mapped;           /* at its own size it lies in its file: image_map */
    int32_t images;        /* number of images in the files of a set; 0 otherwise */
    double density;        /* RunOptions.density, of a synthetic kind */

    /* Of an image with keypoints. inputs_open fills the two lists with what a plan needs: counts
     * and kinds, without keypoints and values. workload_load does not need them. */
    const char *keypoints_file; /* RunOptions.keypoints_file */
    const char *weights_files;  /* RunOptions.weights */
    KeypointList keypoints;
    WeightsList weights;
} Input;

typedef struct InputList {
    Input *inputs; /* owned */
    size_t count, capacity;
} InputList;

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

void inputs_release(InputList *list);

/* The row of --no-orient, of every command that reads images, with the members that differ. */
#define ORIENT_OPTION(...)                                                                         \
    {                                                                                              \
        .name = "no-orient",                                                                       \
        .help =                                                                                    \
            "read images as they are stored, instead of turned as their Exif orientation says",    \
        .kind = OPTION_HANDLED, .handle = option_no_orient, __VA_ARGS__                            \
    }
Status option_no_orient(const Option *option, const char *value, void *options);

/* The name of the input at a path: without its folders and without trailing slashes. */
void input_name_of_path(const char *path, char name[WORKLOAD_NAME_SIZE]);

/* Whether scaling changed the aspect ratio of the file's images by more than 1%, rounding to whole
 * pixels apart. If so, `text` becomes "meadow.jpg: 5312x2988 scaled to 2832x2128, aspect ratio
 * changed from 1.78 to 1.33". */
bool workload_is_distorted(const Input *input, const Workload *workload, char *text, size_t size);

/* Loads or generates the input at a size, in ordinary memory but for Input.mapped; release with
 * workload_release. An image set is its first images, and their labels if there are any. Keypoints
 * come from the file, scaled with the image; without a file they are found by the algorithm `fast`
 * and filled up at random. STATUS_FILE, or STATUS_SKIP "needs X, Y free". */
Status workload_load(const Input *input, const SizeSpec *size, uint64_t seed, Workload *workload);

void workload_release(Workload *workload);

/* --- Keypoints -------------------------------------------------------------------------------- */

/* Without a file a workload lists KEYPOINT_SOURCE_LISTED keypoints at most, and the first
 * KEYPOINT_SOURCE_WANTED of them are described unless a request gives another number. */
enum { KEYPOINT_SOURCE_LISTED = 100000, KEYPOINT_SOURCE_WANTED = 10000 };

/* Finds the at most `most` strongest keypoints of an image with `variant` of the algorithm `fast`
 * (NULL: its best CPU variant) at that algorithm's default parameters. Pixel (X, Y) of a pyramid
 * level wl wide becomes x = (X + 0.5)·w0/wl − 0.5 and likewise y, size 31·w0/wl, and the angle of
 * the intensity centroid, 0…360°. Scale 1; `wanted` is the count. Release with keypoints_free. */
Status keypoints_detect(const Image *image, const Variant *variant, int32_t most,
                        KeypointList *list);

/* The default answer point of `detector` (the algorithm `fast`) that keeps `most` keypoints. */
Status keypoints_detector_point(const Algorithm *detector, const Workload *workload, int32_t most,
                                Point *point);

/* Converts an answer of `fast` to keypoints, as keypoints_detect does. */
Status keypoints_from_answer(const Image *image, const Output *answer, KeypointList *list);

/* --- Weights ---------------------------------------------------------------------------------- */

/*
 * Loads the weights of a request. `files` is the value of --weights: file names separated by
 * commas, or "random" for seeded weights of every kind and number of bits; NULL: none given. Kinds
 * that are not given come from the trained weights, <kind>-<bits>.csv in the folder
 * BENCH_WEIGHTS_DIR, else in the one installed with the program, else in datasets/descriptors of
 * the source tree. Trained weights without a file are left out.
 * STATUS_FILE for a named file that is bad; STATUS_USAGE for two files of one kind and number of
 * bits. Release with weights_release.
 */
Status weights_load(const char *files, uint64_t seed, WeightsList *list);

void weights_release(WeightsList *list);

/* --- Points ----------------------------------------------------------------------------------- */

/* The default point of a NULL-terminated list of axes (or NULL): the last default of each axis,
 * which for tuning axes is all threads and the widest tile. STATUS_SKIP without memory. */
Status default_point(const Axis *const *axes, const Workload *workload, Point *point);

/* Sets the named axis of a point to the value written in `text`. STATUS_USAGE if it is no value or
 * several, STATUS_FAIL if the point has no such axis. */
Status point_set(const char *name, const char *text, const Workload *workload, Point *point);

typedef struct PointList {
    Point *points; /* owned */
    size_t count;
} PointList;

/* Every combination of the values that a request gives for the axes, or of their defaults; the last
 * axis varies fastest. Without axes it is one empty point. Of the workload the dimensions are
 * enough. STATUS_USAGE for a bad list and for too many points. Release the points with free. */
Status points_expand(const RunOptions *options, const Axis *const *axes, const Workload *shape,
                     PointList *list);

/* --- Answer memory ---------------------------------------------------------------------------- */

/* Byte patterns that memory is filled with before the variant under test and before the oracle.
 * They differ, so that bytes which both leave unwritten cannot be equal. */
enum { POISON_CANDIDATE = 0xA5, POISON_ORACLE = 0x5A };

/* Allocates the memory that a variant writes its answer to, with guard bands, from cpu_backend.
 * STATUS_SKIP "needs X, Y free". Release with answer_release_guarded. */
Status answer_alloc_guarded(const OutputLayout *layout, Output *output);

void answer_release_guarded(Output *output);

/* Fills every part with `pattern`, and the gaps between the parts with zeros. */
void answer_poison(const Output *output, uint8_t pattern);

/* --- Conformance ------------------------------------------------------------------------------ */

/* A variant held to the oracle on awkward cases: shapes around 1 and around the widths of vectors
 * and tiles, extreme contents, rows with bytes behind them, poisoned memory, guard bands, runs that
 * are repeated, at every answer and tuning point. */

typedef struct ConformanceRequest {
    bool quick; /* fewer and smaller cases */
    bool wide;  /* many answer points, with one content each */
    /* Comma lists; NULL: the usual ones of the algorithm's kind of input. */
    const char *shapes;   /* WxH of images, NxWxH of sets, N+NxBYTES of descriptors */
    const char *contents; /* "noise,extreme" */
    size_t axis_count;    /* axes that have other than the usual values */
    const AxisRequest *axes;
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

/* --- One answer ------------------------------------------------------------------------------- */

/* A variant run once outside of a sweep, for commands that need its answer. */

/* Finds a variant by name; NULL: the best CPU variant that can run here. Tables are ordered from
 * the plainest to the best. STATUS_USAGE with the names that exist; STATUS_SKIP if it cannot run
 * here. */
Status one_answer_variant(const Algorithm *algorithm, const char *name, const Variant **variant);

/* The best variant that can run here, on the GPU if one can. */
Status one_answer_fastest(const Algorithm *algorithm, const Variant **variant);

/* Computes the answer in guarded, poisoned memory, at the default tuning point. STATUS_SKIP when
 * there is no answer or no memory. On STATUS_OK release with answer_release_guarded; otherwise
 * nothing has to be released. */
Status one_answer_compute(const Algorithm *algorithm, const Variant *variant,
                          const Workload *workload, const Point *answer, Output *output);

/* The answer of the best CPU variant of a registered algorithm, at its default point but for the
 * axes and values in `settings`, which ends in NULL. */
Status one_answer_best(const char *algorithm, const Workload *workload,
                       const char *const settings[][2], Output *output);

/* As one_answer_compute, with the kernel time in `seconds`: the median of 5 runs after a warm-up,
 * or one run if it takes longer than 0.1 s. */
Status one_answer_time(const Algorithm *algorithm, const Variant *variant, const Workload *workload,
                       const Point *answer, Output *output, double *seconds);

/* Opens the variant, runs it once into the request's output, which is guarded memory, checks the
 * guards and closes it. STATUS_FAIL if it wrote out of bounds. */
Status one_answer_run(const Variant *variant, const Request *request);

/* Compares an answer of the variant with the oracle's. STATUS_FAIL "… gave a wrong answer: …". */
Status one_answer_check(const Algorithm *algorithm, const Variant *variant,
                        const Workload *workload, const Point *answer, const Output *got);

/* Compares the variant with the oracle at this answer point on a small synthetic input, before its
 * answers are used. STATUS_FAIL "… gave a wrong answer: …". STATUS_OK if there is no answer at this
 * point. */
Status one_answer_prove(const Algorithm *algorithm, const Variant *variant, const Point *answer);

/* --- Files of a command ----------------------------------------------------------------------- */

/* Files that a person names, to read or to write, checked before anything is measured. */

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

/*
 * Registers files that a command reads, so that it does not write to them (input_guard_check);
 * before its outputs are checked. NULL is no file. STATUS_FAIL without memory.
 */
/* A file; of a folder every image in it and in the folders in it. */
Status guard_input(const char *path);

/* A list of files separated by commas. */
Status guard_input_list(const char *files);

/* A stored run: a file, or the results in a folder. */
Status guard_run(const char *run);

/* The files that a command's options name: registers what it reads, then tries every file that it
 * writes and makes every folder. Errors as those of run_folder_try_file and folder_make. */
Status command_files_check(const Command *command, const void *options);

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
 * Plans the request as a run does, without `copy`, and measures each cell 2 × options->pairs times
 * from open to close, verified each time: A B, B A, A B … Progress and the reasons of skipped cells
 * go to `notes`. STATUS_NO_MATCH and STATUS_USAGE as for a run, STATUS_FAIL if a variant is wrong,
 * STATUS_SKIP if nothing could be measured, STATUS_INTERRUPTED. Release with selftest_release,
 * whatever was returned.
 */
Status selftest_run(const RunOptions *options, FILE *notes, SelftestResult *result);

void selftest_release(SelftestResult *result);

/* The spread of a run of several launches, by what computes and by duration. `measured` is the
 * date, ISO 8601, UTC. */
void selftest_spread(const Results *results, const char *measured, LaunchSpread *spread);

/* --- Ceilings --------------------------------------------------------------------------------- */

/* Measurements at most until ceilings agree: those of `bench roof`, and of a run, which waits less.
 */
enum { ROOFS_ATTEMPTS = 4, ROOFS_ATTEMPTS_OF_RUN = 2 };

/* The ceilings of this machine: those stored in the last week in $XDG_CACHE_HOME/bench, else
 * $HOME/.cache/bench, if the machine has not changed since; otherwise, and if `fresh`, measured,
 * and stored if they can be trusted. A ceiling that could not be measured is missing. `notes` gets
 * a line before the seconds that measuring takes, one before each further measurement, and one when
 * something failed or nothing is stored; may be NULL. */
void roofs_read(const Machine *machine, bool fresh, int attempts, FILE *notes, Ceilings *ceilings);

/* --- Saved answers ---------------------------------------------------------------------------- */

/* An answer, and what its files are named after. */
typedef struct SavedAnswer {
    const Algorithm *algorithm;
    const char *input_stem; /* Input.stem */
    const Workload *workload;
    const Point *answer;
    const Variant *variant; /* NULL: not part of the name */
    const Point *tuning;    /* NULL: not part of the name */
    const Output *output;   /* not needed for a path */
    /* RunOptions.draw_histogram, for parts that are histograms */
    Status (*draw_histogram)(const char *folder, const char *name, const uint64_t *counts,
                             size_t bins);
} SavedAnswer;

/*
 * Writes every part of an answer as
 * `<folder>/<algorithm>-<input>-<size>[-<answer>][-<variant>][-<tuning>]-<part>.png`, `.csv` or
 * `.hex`, beside and renamed. In the points' parts of the name ':' becomes '_', and a character
 * other than a letter, a digit or one of ".+-_" becomes '%' and its code. A name too long for a
 * file system is cut and ends in a hash of the whole. A histogram is drawn besides, where it can
 * be. STATUS_FILE names the path.
 */
Status save_answer(const char *folder, const SavedAnswer *saved);

/* Writes the table of Algorithm.write_table as `…-table.csv`. STATUS_USAGE if the algorithm has
 * none. */
Status save_table(const char *folder, const SavedAnswer *saved);

enum { SAVE_PATH_SIZE = ATOMIC_FILE_PATH_SIZE };

/* The path that save_answer and save_table write part `word` to; `suffix` is "png", "csv" or
 * "hex". */
Status save_path(const char *folder, const SavedAnswer *saved, const char *word, const char *suffix,
                 char path[SAVE_PATH_SIZE]);

#endif
