/* Input kinds: pictures, sets of them, pictures with keypoints, sets of descriptors, and which of
 * them a request is about. */
#ifndef BENCH_INPUT_KINDS_H
#define BENCH_INPUT_KINDS_H

#include <stdbool.h>

#include "options.h"

enum { INPUT_KINDS = WORKLOAD_DESCRIPTORS + 1 };

/* Several kinds: a bit each. */
typedef enum KindSet {
    KINDS_SETS = 1 << WORKLOAD_IMAGE_SET,
    KINDS_KEYPOINTS = 1 << WORKLOAD_KEYPOINTS,
    KINDS_DESCRIPTORS = 1 << WORKLOAD_DESCRIPTORS,
    KINDS_PICTURES = 1 << WORKLOAD_IMAGE | KINDS_KEYPOINTS, /* one picture each */
    KINDS_FILES = KINDS_PICTURES | KINDS_SETS               /* may be read from files */
} KindSet;

/* Whether a selected algorithm takes inputs of the kind. Without any algorithm a request is about
 * pictures. */
bool kind_is_wanted(const RunOptions *options, WorkloadKind kind);
/* The same for any of several kinds. */
bool kinds_are_wanted(const RunOptions *options, KindSet kinds);

/* The selected algorithms that take inputs of these kinds: "haar, adaboost". */
void kinds_algorithms(const RunOptions *options, KindSet kinds, char *text, size_t size);

/* The sizes that inputs of a kind are asked for at. */
const SizeSpec *kind_sizes(const RunOptions *options, WorkloadKind kind, size_t *count);

/* Names of the synthetic inputs of a kind, NULL-terminated; the first is the default. */
const char *const *kind_synthetics(WorkloadKind kind);

/* The name as it stands in that list; NULL when it does not. */
const char *kind_find_synthetic(WorkloadKind kind, const char *name);

/* The same among the names of all kinds. STATUS_USAGE with the names there are. */
Status synthetic_find(const char *value, const char **known);

#endif
