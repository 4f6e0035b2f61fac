/* Set source: inputs that are sets of pictures. For workload_source only, which see. */
#ifndef BENCH_SET_SOURCE_H
#define BENCH_SET_SOURCE_H

#include "workload_source.h"

/* How many pictures of which size the set at options->input has. As many as the request needs are
 * decoded once, with their labels. */
Status set_source_check(const RunOptions *options, Input *input);

Status set_source_describe(const Input *input, const SizeSpec *size, Workload *workload);

/* `workload` is described, and has its hash later. */
Status set_source_load(const Input *input, Workload *workload);

#endif
