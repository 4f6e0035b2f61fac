/* Inputs, described and loaded. */

#ifndef BENCH_RUN_INPUTS_H
#define BENCH_RUN_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "workload.h"

typedef struct Algorithm Algorithm;   /* algorithm.h */
typedef struct Input Input;           /* harness.h */
typedef struct RunOptions RunOptions; /* run_options.h */
typedef struct SizeSpec SizeSpec;     /* harness.h */

/* --- Inputs: inputs.c ------------------------------------------------------------------------- */

/* Whether a selected algorithm takes inputs of the kind. */
bool kind_is_wanted(const RunOptions *options, WorkloadKind kind);

/* The size of these sides, named "640x480". STATUS_USAGE as of size_parse. */
Status size_of_sides(uint64_t width, uint64_t height, SizeSpec *size);

/* A size of sets with another number of images. */
SizeSpec set_size_of(const SizeSpec *size, int32_t images);

/* The sizes that a request names for inputs of a kind. */
const SizeSpec *kind_sizes(const RunOptions *options, WorkloadKind kind, size_t *count);

/* Whether an algorithm takes inputs of this kind, and of images this type and number. */
bool input_suits(const Input *input, const Algorithm *algorithm);

/* Whether two algorithms take the same inputs. */
bool inputs_are_shared(const Algorithm *a, const Algorithm *b);

/* The default synthetic input of an algorithm, with seeded weights; independent of any request. */
Input input_default(const Algorithm *algorithm);

/* Describes a workload without loading it: shape and names, but no pixels, labels, keypoints,
 * values of weights, seed and hash. STATUS_USAGE for a synthetic input at its own size, and for
 * more images than a set has. */
Status workload_describe(const Input *input, const SizeSpec *size, Workload *workload);

/* A part of a workload, of which less is computed: the top left corner of an image, at most `side`
 * × `side` pixels; the first `side` images of a set; the first `side` keypoints; of two sets of
 * descriptors the last `side` of the first and the first `side` of the second. The crop shares the
 * memory of the workload, which outlives it. */
Workload workload_crop(const Workload *workload, int32_t side);

/* Whether nothing was left out. */
bool workload_crop_is_whole(const Workload *crop, const Workload *workload);

/* --- Keypoints, descriptors and weights: keypoints.c ------------------------------------------ */

/* Appends keypoints at seeded random places, sizes of FAST's levels and angles until the list has
 * `count`. */
Status keypoints_fill(int32_t width, int32_t height, int32_t count, uint64_t seed,
                      KeypointList *list);

/* Reads the keypoints and the weights that a request names, and notes in `input` how many there
 * are. STATUS_FILE, or STATUS_USAGE as weights_load. */
Status keypoint_input_check(const RunOptions *options, Input *input);

/* Adds keypoints and weights to a workload that is described as an image. */
void keypoint_input_describe(const Input *input, Workload *workload);

/* Loads keypoints and weights of a described workload that has its pixels. Unless STATUS_OK,
 * nothing has to be released but the pixels. */
Status keypoint_input_load(const Input *input, Workload *workload);

/* Continues an FNV-1a 64 hash with the values of those weights that every input of keypoints has in
 * its hash (algorithm NULL), or of those that only this algorithm's rows have. */
uint64_t weights_list_hash(uint64_t hash, const WeightsList *list, const char *algorithm);

/* Row.input_hash: the workload's, and what else this algorithm reads. */
uint64_t workload_hash_of(const Workload *workload, const Algorithm *algorithm);

#endif
