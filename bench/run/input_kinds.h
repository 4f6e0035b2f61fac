/* Input kinds: pictures or sets of pictures, and which of them a request is about. */
#ifndef BENCH_INPUT_KINDS_H
#define BENCH_INPUT_KINDS_H

#include <stdbool.h>

#include "options.h"

/* Whether a selected algorithm takes inputs of the kind. Without any algorithm a request is about
 * pictures. */
bool kind_is_wanted(const RunOptions *options, WorkloadKind kind);

/* The selected algorithms that take inputs of the kind: "haar, adaboost". */
void kind_algorithms(const RunOptions *options, WorkloadKind kind, char *text, size_t size);

/* Names of the synthetic inputs of a kind, NULL-terminated; the first is the default. */
const char *const *kind_synthetics(WorkloadKind kind);

/* The name as it stands in that list; NULL when it does not. */
const char *kind_find_synthetic(WorkloadKind kind, const char *name);

#endif
