/* Workload source: which inputs a request names, and each of them as a workload of a size. */
#ifndef BENCH_WORKLOAD_SOURCE_H
#define BENCH_WORKLOAD_SOURCE_H

#include <stdio.h>

#include "options.h"
#include "workload.h"

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
    size_t count;
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

/* The default synthetic input of a kind, with seeded weights: for looking at an algorithm apart
 * from what a person asks for. */
Input input_default(WorkloadKind kind);

/* What an input at this path is called: its name without folders, and without the slashes that a
 * folder's may end in. */
void input_name_of_path(const char *path, char name[WORKLOAD_NAME_SIZE]);

/* The workload without pixels, labels, keypoints, values of weights, seed and hash: what planning
 * needs. STATUS_USAGE when a synthetic input is asked for at its own size, or a set for more
 * pictures than it has. */
Status workload_describe(const Input *input, const SizeSpec *size, Workload *workload);

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

#endif
