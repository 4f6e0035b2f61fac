/* Running: inputs, plan, oracle, cells, sweep, self test, roofs. */

#ifndef BENCH_RUN_RUN_H
#define BENCH_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "algorithm.h"
#include "axis.h"
#include "backend.h"
#include "base.h"
#include "ceilings.h"
#include "files.h"
#include "machine.h"
#include "output.h"
#include "results.h"
#include "status.h"
#include "variant.h"
#include "workload.h"

/* --- Sizes ------------------------------------------------------------------------------------ */

/* Sizes as they are asked for: by name (named_sizes.h), squares, WxH and native. */

/* One size: a name in any case ("1080p", "4k"), WxH ("640x480"), or "native" (width and height 0).
 * The name in `size` is the usual spelling. STATUS_USAGE with what would be right. */
Status size_parse(const char *text, SizeSpec *size);

/* A comma list of sizes, in which `all` stands for 360p … 16K. Repeated sizes are dropped. The list
 * must not be empty. At most OPTIONS_SIZES_MAX sizes. */
Status sizes_parse(const char *list, SizeSpec sizes[OPTIONS_SIZES_MAX], size_t *count);

/* --- Input kinds ------------------------------------------------------------------------------ */

/* Input kinds: pictures, sets of them, pictures with keypoints, sets of descriptors, and which of
 * them a request is about. */

enum { INPUT_KINDS = WORKLOAD_DESCRIPTORS + 1 };

/* Several kinds: a bit each. */
typedef enum KindSet {
    KINDS_SETS = 1 << WORKLOAD_IMAGE_SET,
    KINDS_KEYPOINTS = 1 << WORKLOAD_KEYPOINTS,
    KINDS_DESCRIPTORS = 1 << WORKLOAD_DESCRIPTORS,
    KINDS_PICTURES = 1 << WORKLOAD_IMAGE | KINDS_KEYPOINTS, /* one picture each */
    KINDS_FILES = KINDS_PICTURES | KINDS_SETS               /* may be read from files */
} KindSet;

/* The same for any of several kinds. */
bool kinds_are_wanted(const RunOptions *options, KindSet kinds);

/* The selected algorithms that take inputs of these kinds: "haar, adaboost". */
void kinds_algorithms(const RunOptions *options, KindSet kinds, char *text, size_t size);

/* Names of the synthetic inputs of a kind, NULL-terminated; the first is the default. */
const char *const *kind_synthetics(WorkloadKind kind);

/* The name as it stands in that list; NULL when it does not. */
const char *kind_find_synthetic(WorkloadKind kind, const char *name);

/* The same among the names of all kinds. STATUS_USAGE with the names there are. */
Status synthetic_find(const char *value, const char **known);

/* --- Workload source -------------------------------------------------------------------------- */

/* Workload source: which inputs a request names, and each of them as a workload of a size. */

typedef struct Input {
    WorkloadKind kind;
    char *path;         /* owned; NULL: synthetic */
    const char *labels; /* RunOptions.labels, of a set */
    /* File name without folders, or the synthetic kind; the same for saved files, without its
     * extension. Unique among the pictures of a folder: where two names come out equal they end in
     * a hash of the whole file name. */
    char name[WORKLOAD_NAME_SIZE], stem[WORKLOAD_NAME_SIZE];
    int32_t width, height; /* its own size; 0 for a synthetic kind, which has none */
    int32_t images;        /* of a set in files: all there are; 0 otherwise */
    double density;        /* RunOptions.density, of a synthetic kind */

    /* Of a picture with keypoints. What plans need to know is noted by inputs_open; workload_load
     * does without. */
    const char *keypoints_file; /* RunOptions.keypoints_file */
    const char *weights_files;  /* RunOptions.weights */
    KeypointList keypoints;     /* those of the file, without themselves */
    WeightsList weights;        /* without their values */
} Input;

typedef struct InputList {
    Input *inputs;
    size_t count, capacity;
} InputList;

/*
 * Lists the inputs of a request. For algorithms of pictures, and apart from them for algorithms of
 * keypoints: the synthetic kind, one file, or every image of a folder by name. For algorithms of
 * sets: the synthetic kind, or the set in the file or folder. For algorithms of descriptors: the
 * synthetic kind. A synthetic request may be of all; a kind that only some of them have leaves the
 * others their default.
 *
 * Every file is decoded once, so that a bad one is found before anything is measured: alone it is
 * STATUS_FILE; among the pictures of a folder it is named on `notes` and left out. STATUS_USAGE for
 * a set where one picture is needed, or the reverse.
 */
Status inputs_open(const RunOptions *options, FILE *notes, InputList *list);

void inputs_release(InputList *list);

/* What an input at this path is called: its name without folders, and without the slashes that a
 * folder's may end in. */
void input_name_of_path(const char *path, char name[WORKLOAD_NAME_SIZE]);

/*
 * Whether a workload's picture, or each of its set, has another aspect ratio than its file, by more
 * than 1% and rounding to whole pixels. `text` then says so: "meadow.jpg: 5312x2988 scaled to
 * 2832x2128, aspect ratio changed from 1.78 to 1.33".
 */
bool workload_is_pressed(const Input *input, const Workload *workload, char *text, size_t size);

/* Loads or generates the pixels, in ordinary memory; released with workload_release. Of a set the
 * first pictures and their labels, if there are any. Of a picture with keypoints those of the file,
 * moved with a picture that is rescaled; or those that keypoints_listed says, found and then
 * drawn.
 * STATUS_FILE, or STATUS_SKIP "needs X, Y free". */
Status workload_load(const Input *input, const SizeSpec *size, uint64_t seed, Workload *workload);

void workload_release(Workload *workload);

/* --- Keypoint source -------------------------------------------------------------------------- */

/* Keypoint source: keypoints for a picture: found by the algorithm `fast`, and drawn at random
 * where more are wanted. */

/* Keypoints that a workload lists, at most, and wants, where no file says which. */
enum { KEYPOINT_SOURCE_LISTED = 100000, KEYPOINT_SOURCE_WANTED = 10000 };

/* The at most `most` strongest that `variant` of the algorithm `fast` (NULL: the best one of the
 * CPU) finds at that algorithm's default values: pixel (X, Y) of a level becomes
 * ((X + 0.5)·w0/wl − 0.5, …), with size 31·w0/wl and the angle of the intensity centroid, 0…360.
 * Scale 1; `wanted` is the count. Release with keypoints_free. */
Status keypoints_detect(const Image *image, const Variant *variant, int32_t most,
                        KeypointList *list);

/* The defaults of the algorithm `fast`, `detector`, but for how many keypoints are kept. */
Status keypoints_detector_point(const Algorithm *detector, const Workload *workload, int32_t most,
                                Point *point);

/* The rows of an answer of `fast` as keypoints, as above. */
Status keypoints_from_answer(const Image *image, const Output *answer, KeypointList *list);

/* --- Weights source --------------------------------------------------------------------------- */

/* Weights source: the weights that a request names, and the trained ones for what it does not. */

/*
 * `files` is what --weights was given: names of files separated by commas, or "random" for seeded
 * weights of every kind and number of bits; NULL: nothing. What it leaves out comes from the
 * trained weights: datasets/descriptors/<kind>-<bits>.csv of the folder in BENCH_WEIGHTS_DIR, or of
 * the one installed with the program, or of the source tree it was built from. Where there is no
 * such file those weights are left out, without an error. STATUS_FILE for a file that is named and
 * is not good; STATUS_USAGE when two are for the same kind and number of bits.
 * Release with weights_release.
 */
Status weights_load(const char *files, uint64_t seed, WeightsList *list);

void weights_release(WeightsList *list);

/* --- Default point ---------------------------------------------------------------------------- */

/* The point that a list of axes stands at where nobody says otherwise. */

/* The last value of each axis's defaults: of tuning axes all threads, the widest tile. `axes` is
 * NULL-terminated, or NULL. STATUS_SKIP when memory runs out. */
Status default_point(const Axis *const *axes, const Workload *workload, Point *point);

/* Moves the point along the named axis to the value that `text` stands for. STATUS_USAGE
 * when it stands for none or several, STATUS_FAIL when the point has no such axis. */
Status point_set(const char *name, const char *text, const Workload *workload, Point *point);

/* --- Plan ------------------------------------------------------------------------------------- */

typedef struct PlanWorkload {
    const Input *input;
    SizeSpec size;
    Workload shape; /* without pixels */
} PlanWorkload;

typedef struct PlanCell {
    const Algorithm *algorithm;
    const Variant *variant;
    size_t workload; /* index in Plan.workloads */
    size_t group;    /* cells of one workload, algorithm and answer point share it: one oracle */
    Point answer, tuning;
    bool roof;           /* not asked for: measured as the roof of the others */
    Status ready;        /* STATUS_SKIP with the reason when it cannot run here */
    uint64_t host_bytes; /* input and two answers */
    Cost cost;           /* of the shape: an answer may cost less when the pixels are known */
} PlanCell;

/* Ordered by workload, algorithm, answer point, variant, tuning point. */
typedef struct Plan {
    PlanWorkload *workloads;
    size_t workload_count;
    PlanCell *cells;
    size_t cell_count, cell_capacity;
    size_t group_count;
} Plan;

/* --- History ---------------------------------------------------------------------------------- */

enum { HISTORY_VARIANTS_MAX = 128, HISTORY_ALGORITHMS_MAX = OPTIONS_ALGORITHMS_MAX + 1 };

/* A CPU variant that has agreed with seq, and how fast it was on the largest such workload. */
typedef struct Verified {
    const Algorithm *algorithm;
    const Variant *variant;
    Point tuning;
    double work, seconds;
} Verified;

/* How fast seq was on the largest workload that it has run on. */
typedef struct SeqRate {
    const Algorithm *algorithm;
    double work, seconds;
    char where[WORKLOAD_SIZE_NAME_SIZE]; /* that workload's size */
} SeqRate;

/* Starts zeroed. */
typedef struct History {
    Verified verified[HISTORY_VARIANTS_MAX];
    size_t verified_count;
    SeqRate rates[HISTORY_ALGORITHMS_MAX];
    size_t rate_count;
} History;

/* --- Oracle ----------------------------------------------------------------------------------- */

typedef struct Oracle {
    Output answer;             /* ordinary memory */
    char by[64];               /* "seq", or the stand-in: "omp/threads:16" */
    bool stood_in;             /* seq takes too long here */
    char why[STATUS_WHY_SIZE]; /* why seq was left out */
} Oracle;

/* --- Verify ----------------------------------------------------------------------------------- */

/* Poison of the answers under test, and of the oracle while it is computed. They differ, so that
 * bytes which both leave unwritten cannot look equal. */
enum { POISON_CANDIDATE = 0xA5, POISON_ORACLE = 0x5A };

/* Answer memory that variants write to: guarded, from cpu_backend. STATUS_SKIP "needs X, Y free".
 */
Status answer_alloc_guarded(const OutputLayout *layout, Output *output);

void answer_release_guarded(Output *output);

/* Fills every part with `pattern` and the gaps between the parts with zeros. */
void answer_poison(const Output *output, uint8_t pattern);

/* upload, run, download (each when there is one) of an open state, then waits for the backend. */
Status run_once(const Variant *variant, void *state);

/* --- One answer ------------------------------------------------------------------------------- */

/* One answer: a variant run once, apart from any sweep, for commands that want what it computes and
 * perhaps about how long that takes. */

/* The variant of this name; NULL: the best one of the CPU, whose table goes from the plainest to
 * the best. STATUS_USAGE naming those there are; STATUS_SKIP when it cannot run here. */
Status one_answer_variant(const Algorithm *algorithm, const char *name, const Variant **variant);

/* The best one that can run here: the last of the GPU's table, else of the CPU's. */
Status one_answer_fastest(const Algorithm *algorithm, const Variant **variant);

/* Computes the answer on guarded, poisoned memory; of each tuning axis the last default is taken,
 * which of the number of threads is the greatest. STATUS_SKIP when there is no answer or no memory.
 * On STATUS_OK release with answer_release_guarded; else there is nothing to release. */
Status one_answer_compute(const Algorithm *algorithm, const Variant *variant,
                          const Workload *workload, const Point *answer, Output *output);

/* The same, and the seconds of a run by the backend's kernel clock: the median of the last of some
 * runs, the first of which warm the device, or a single one where it is so long that it warms
 * itself. */
Status one_answer_time(const Algorithm *algorithm, const Variant *variant, const Workload *workload,
                       const Point *answer, Output *output, double *seconds);

/* Opens the variant, runs it once into the request's output, which is guarded memory, and closes
 * it. STATUS_FAIL when it wrote outside of what is its own. */
Status one_answer_run(const Variant *variant, const Request *request);

/* Holds an answer of the variant against the oracle's. STATUS_FAIL "… gave a wrong answer: …". */
Status one_answer_check(const Algorithm *algorithm, const Variant *variant,
                        const Workload *workload, const Point *answer, const Output *got);

/* --- Answer proof ----------------------------------------------------------------------------- */

/* Answer proof: what a variant has to get right before its answers are believed. */

/* Holds the variant against the oracle at this point, on a small synthetic input.
 * STATUS_FAIL "… gave a wrong answer: …". A point that it has no answer for is passed over. */
Status one_answer_prove(const Algorithm *algorithm, const Variant *variant, const Point *answer);

/* --- Measure ---------------------------------------------------------------------------------- */

/* Samples after which sampling stops even when the interval is still wider than asked for: more of
 * them would not narrow it, and every sample is stored. A fixed count (--reps) is not limited. */
enum { SAMPLES_MAX = 10000 };

typedef struct Measurement {
    const RunOptions *options;
    const Variant *variant;
    void *state;           /* open and uploaded */
    double timer_overhead; /* seconds, of the variant's backend */

    Samples samples;    /* seconds per run; owned, may be taken */
    size_t batch;       /* runs per sample */
    double cpu_seconds; /* process CPU time of all counted runs */
    double spent;       /* wall-clock seconds in samples, and in the runs that precede them */
    double latest;      /* seconds that the latest sample or probe took, all its runs together */
    size_t next_check;  /* number of samples at which the interval is looked at again */
    bool done, converged;
} Measurement;

/* --- Interleave ------------------------------------------------------------------------------- */

typedef struct Lane {
    Measurement *measurement; /* begun; owned by the caller */
    Status status;            /* anything but STATUS_OK: took no more turns, and why */
    bool over;                /* has had its last turn; starts false */
} Lane;

/* --- Devices ---------------------------------------------------------------------------------- */

/* Devices: what the sweep knows of each backend while it runs. */

enum { DEVICES_MAX = 8 };

typedef struct Device {
    const Backend *backend;
    char description[RESULT_LABEL_SIZE];
    double timer_overhead; /* seconds; NAN when it could not be measured */
    Status usable;         /* STATUS_SKIP with the reason: not here, or lost since */
    Status pinning;        /* STATUS_SKIP with the reason when memory could not be page-locked */
} Device;

/* Starts zeroed. */
typedef struct Devices {
    Device rows[DEVICES_MAX];
    size_t count;
} Devices;

/* Host memory that is page-locked through every backend that can. */
typedef struct Pinned {
    void *memory; /* NULL: none */
    const Backend *backends[DEVICES_MAX];
    size_t count;
} Pinned;

/* --- Run folder ------------------------------------------------------------------------------- */

/* Run folder: where a run's files go, made and tried before anything is measured. */

typedef struct RunFolder {
    char path[ATOMIC_FILE_PATH_SIZE - 64]; /* room for file names */
    char csv[ATOMIC_FILE_PATH_SIZE];
    char json[ATOMIC_FILE_PATH_SIZE];
    bool created;       /* not there before */
    bool holds_results; /* of an earlier run */
} RunFolder;

/* reports/runs/<time><words>, a folder that is not there yet. */
void run_folder_choose(const char *words, char *path, size_t size);

/* STATUS_FILE when a file of this name could not be written; leaves no trace. */
Status run_folder_try_file(const char *path);

/* --- Sweep ------------------------------------------------------------------------------------ */

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
    WriteClock writes;     /* of the run's files */
    Journal journal;       /* of rows that are not in results.json yet */
    Status file_trouble;   /* why the results could not be written the last time */
    Status save_trouble;   /* why an answer could not be saved */
    bool oracle_failed;    /* cells were left out because an oracle went wrong */
} Sweep;

/* --- Sweep rows ------------------------------------------------------------------------------- */

/* Rows of a sweep: adding them in the order of the plan, and writing them down. For sweep only. */

/* Cells first … end - 1 of the plan. */
typedef struct CellRange {
    size_t first, end;
} CellRange;

/* --- Group ------------------------------------------------------------------------------------ */

/* Group: the cells of a sweep that share a workload and an answer point, and what they share. For
 * sweep_group and sweep_cells only. */

typedef struct Group {
    Sweep *sweep;
    CellRange range; /* in the plan */
    const Workload *workload;
    Output scratch; /* what variants write to */
    Pinned pinned;  /* its memory, with --pinned */
    Oracle oracle;
    Cost cost;  /* of the workload as it was loaded, where the plan had only its shape */
    Status seq; /* how seq's own cell ended */
    bool exact; /* the answer of some cell was the oracle's, without a difference */
} Group;

/* --- Output target ---------------------------------------------------------------------------- */

/* Files that a person asks for by name, to read or to write, looked at before anything is measured.
 */

/*
 * Notes files that a command reads, so that it does not write to them; before its targets are
 * tried. NULL is no file. STATUS_FAIL without memory.
 */
/* A file; of a folder every picture in it and in its folders. */
Status guard_input(const char *path);

/* Files with commas between. */
Status guard_input_list(const char *files);

/* A stored run: a file, or the results in a folder. */
Status guard_run(const char *run);

/* The files that a command's options name: notes what it reads, then tries every file that it
 * writes and makes every folder. Errors as run_folder_try_file and folder_make have them. */
Status command_files_check(const Command *command, const void *options);

/* Notes what `bench run` reads. Then STATUS_USAGE when one of the results in the run's folder,
 * --csv and --json is among it, or STATUS_FILE naming the first of --csv and --json that cannot be
 * written, as far as that shows without writing: a missing or locked folder, a folder in the file's
 * place. */
Status output_targets_check(const RunOptions *options);

/* --- Runner ----------------------------------------------------------------------------------- */

/*
 * Runner: carries out a whole `bench run` request, from the plan to the files.
 *
 * Order: plan → output folder → per workload: load → per answer point: oracle → per cell: open,
 * poison, upload, run, download, guards, compare, close → all cells in turns: open, warm up, time,
 * compare again, close → per cell: transfers, end to end, allocation, compare again → files.
 */

/*
 * Runs the request. `machine` has been read by the caller and outlives the call. `results` starts
 * zeroed and gets one row per planned cell, in the order of the plan; the caller releases it with
 * results_release. Writes results.csv, results.json, charts and the extra files asked for, prints
 * the table and the folder on standard output, progress and notes on standard error.
 * With options->dry_run the plan is printed on standard output and nothing is written.
 *
 * The status is for the person: STATUS_OK, or one sentence (already complete, no prefix needed).
 * `exit_code` (exit_codes.h) is always set, also when the status is STATUS_OK: 4 when a cell was
 * wrong, 6 when no cell could be measured, 130 when interrupted.
 */
Status runner_run(const RunOptions *options, const Machine *machine, Results *results,
                  int *exit_code);

/* --- Resume arguments ------------------------------------------------------------------------- */

/* The arguments of `bench run --resume DIR`: those that the stored run was started with. */

/*
 * Reads the arguments of the run in `folder`, without those that say where files go (--out,
 * --resume, --csv, --json, --save, --save-table), and puts the arguments given now behind them.
 * Release with argument_list_release. STATUS_FILE when there is no readable run in the folder.
 */
Status resume_arguments(const char *folder, int argc, char *const *argv, ArgumentList *list);

/* --- Selftest --------------------------------------------------------------------------------- */

/*
 * Self-test: the same variant measured twice and compared with itself, many times over (an A/A
 * test). A comparison that finds a difference here is a false alarm, and how far the ratio of two
 * medians strays from 1 is the noise floor of the machine.
 */

/* Change that a comparison of two runs lets pass by default. */
#define SELFTEST_THRESHOLD 0.05

typedef struct SelftestResult {
    NoiseCell *cells; /* in the order of the plan; owned */
    size_t count;
    size_t skipped; /* cells that could not be measured, noted with their reason */
} SelftestResult;

/*
 * Plans the request as a run would, without the roof, and measures each cell 2 × options->pairs
 * times from open to close, verified each time: A B, B A, A B … Reasons of cells left out, and
 * progress, go to `notes`. STATUS_NO_MATCH and STATUS_USAGE as for a run, STATUS_FAIL when a
 * variant is wrong, STATUS_SKIP when nothing could be measured, STATUS_INTERRUPTED. Released with
 * selftest_release, whatever was returned.
 */
Status selftest_run(const RunOptions *options, FILE *notes, SelftestResult *result);

void selftest_release(SelftestResult *result);

/* --- Roofs ------------------------------------------------------------------------------------ */

/* The same for the machine that this program runs on. Ceilings are stored in
 * $XDG_CACHE_HOME/bench, or else $HOME/.cache/bench. */
void roofs_read(const Machine *machine, bool fresh, FILE *notes, Ceilings *ceilings);

/* --- Save ------------------------------------------------------------------------------------- */

/* Save: verified answers as files that people open. */

/*
 * Writes every part of an answer as `<folder>/<algorithm>-<input>-<size>[-<answer>]-<part>.png`,
 * `.csv` or `.hex`, beside and renamed. `input_stem` stands for the input. In the answer's part of
 * the name
 * ':' is written as '_', and what is no letter, digit or one of ".+-_" as '%' and its code; a name
 * too long for a file system is cut and ends in a hash of the whole. STATUS_FILE names the path.
 */
Status save_answer(const char *folder, const Algorithm *algorithm, const char *input_stem,
                   const Workload *workload, const Point *answer, const Output *output);

/* Whose answer it is, where that makes a difference. */
typedef struct SaveBy {
    const Variant *variant;
    Point tuning; /* without axes: not part of the name */
} SaveBy;

/* Writes what Algorithm.write_table does, as `…-table.csv`, named as save_answer_by names its
 * files. STATUS_USAGE when it has none. */
Status save_table(const char *folder, const Algorithm *algorithm, const char *input_stem,
                  const Workload *workload, const Point *answer, const SaveBy *by,
                  const Output *output);

enum { SAVE_PATH_SIZE = ATOMIC_FILE_PATH_SIZE };

/* The path that save_answer and save_table write part `word` to, with `suffix` "png", "csv"
 * or "hex". */
Status save_path(const char *folder, const Algorithm *algorithm, const char *input_stem,
                 const Workload *workload, const Point *answer, const char *word,
                 const char *suffix, char path[SAVE_PATH_SIZE]);

#endif
