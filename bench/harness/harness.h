/* What applications use of the harness: inputs, answers, and files of their commands. The rooms
 * above implement it. */

#ifndef BENCH_HARNESS_HARNESS_H
#define BENCH_HARNESS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "commands.h"
#include "estimates.h"
#include "files.h"
#include "number.h"
#include "options.h"
#include "output.h"
#include "size_spec.h"
#include "status.h"
#include "workload.h"

typedef struct Algorithm Algorithm; /* algorithm.h */
typedef struct Axis Axis;           /* axis.h */
typedef struct Point Point;         /* axis.h */
typedef struct Request Request;     /* variant.h */
typedef struct Variant Variant;     /* variant.h */

/* --- Inputs ----------------------------------------------------------------------------------- */

/* One input of a request. It becomes a workload at each size. */
typedef struct Input {
    WorkloadKind kind;
    char *path;         /* owned; NULL: synthetic */
    const char *labels; /* file of an image set's labels; NULL: the one beside it */
    /* `name` is the file name without folders, or the synthetic kind; `stem` is the same without
     * its extension, for saved files. Both are unique among the images of a folder: equal ones end
     * in a hash of the whole file name. */
    char name[WORKLOAD_NAME_SIZE], stem[WORKLOAD_NAME_SIZE];
    int32_t width, height; /* pixels, its own size; 0 for a synthetic kind, which has none */
    bool mapped;           /* at its own size it lies in its file: image_map */
    int32_t images;        /* number of images in the files of a set; 0 otherwise */
    double density;        /* share of ones in a synthetic kind; 0: its default */

    /* Of an image, as Algorithm has them. */
    OutputKind element;
    bool pair;
    const char *second; /* file of the other image; NULL: the image turned by half a turn */
    bool numbers;       /* one of the files has numbers, which are not scaled */

    /* Of an image with keypoints. inputs_open fills the two lists with what a plan needs: counts
     * and kinds, without keypoints and values. workload_load does not need them. */
    const char *keypoints_file; /* as --keypoints-file; NULL: none */
    const char *weights_files;  /* as --weights; NULL: none */
    KeypointList keypoints;
    WeightsList weights;
} Input;

typedef struct InputList {
    Input *inputs; /* owned */
    size_t count, capacity;
} InputList;

/* Finds a synthetic input by name among those of all kinds; `known` points to the static name.
 * STATUS_USAGE with the names that exist. */
Status synthetic_find(const char *value, const char **known);

/* The synthetic images of a kind (with its share of ones, 0: the default), or without one the file
 * or every image of the folder at `path`, ordered by name. Every file is decoded once: a bad one in
 * a folder is named on `notes` and left out. STATUS_FILE for a single bad file and for a folder
 * without images. Release with inputs_release. */
Status images_open(const char *path, const char *synthetic, double density, FILE *notes,
                   InputList *list);

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

/* The kinds of weights of all algorithms, NULL-terminated. */
const WeightsKind *const *weights_kinds(void);
/* NULL: there is none. */
const WeightsKind *weights_kind_named(const char *name);

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

/* Every combination of the values that requests give for the axes, or of their defaults; the last
 * axis varies fastest. Without axes it is one empty point. Of the workload the dimensions are
 * enough. STATUS_USAGE for a bad list and for too many points. Release the points with free. */
Status points_expand(const AxisRequest *requests, size_t request_count, const Axis *const *axes,
                     const Workload *shape, PointList *list);

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
    /* Draws parts that are histograms; NULL: nothing does. */
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

enum { SAVE_PATH_SIZE = ATOMIC_FILE_PATH_SIZE };

/* The path that save_answer and save_table write part `word` to; `suffix` is "png", "csv" or
 * "hex". */
Status save_path(const char *folder, const SavedAnswer *saved, const char *word, const char *suffix,
                 char path[SAVE_PATH_SIZE]);

/* --- Files of a command ----------------------------------------------------------------------- */

/* Files that a person names, to read or to write, checked before anything is measured. */

/*
 * Registers files that a command reads, so that it does not write to them (input_guard_check);
 * before its outputs are checked. NULL is no file. STATUS_FAIL without memory.
 */
/* A file; of a folder every image in it and in the folders in it. */
Status guard_input(const char *path);

/* The files that a command's options name: registers what it reads, then tries every file that it
 * writes and makes every folder. Errors as those of run_folder_try_file and folder_make. */
Status command_files_check(const Command *command, const void *options);

/* --- Charts ----------------------------------------------------------------------------------- */

/* Charts that applications draw as <folder>/<name>.svg and .png. Texts outlive the chart. */

/* Lines above one x axis, in one panel or several. NULL without memory, which every function
 * takes. */
typedef struct LineChart LineChart;

/* `doubling`: x is logarithmic and has marks at powers of two. */
LineChart *line_chart_open(const char *title, const char *x_title, bool doubling);

/* Begins a panel below those before; of `log` the y axis is logarithmic. */
void line_chart_panel(LineChart *chart, const char *y_title, bool log);

/* Begins a line of the panel. Lines of one number have one colour. */
void line_chart_line(LineChart *chart, const char *name, int number);

/* Adds a point to the line; a y of NAN or an infinity leaves a gap. */
void line_chart_point(LineChart *chart, double x, double y);

/* Draws and releases the chart. STATUS_SKIP without gnuplot. */
Status line_chart_draw(LineChart *chart, const char *folder, const char *name);

/* A field for each count, darker where it is greater. */
typedef struct CountChart {
    const char *title, *x_title, *y_title;
    size_t rows, columns;
    const char *const *row_names, *const *column_names;
    const uint64_t *counts; /* rows × columns */
} CountChart;

/* STATUS_SKIP without gnuplot. */
Status count_chart_draw(const CountChart *chart, const char *folder, const char *name);

#endif
