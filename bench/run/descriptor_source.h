/* Descriptor source: inputs that are two sets of descriptors. For workload_source and input_kinds
 * only, which see. */
#ifndef BENCH_DESCRIPTOR_SOURCE_H
#define BENCH_DESCRIPTOR_SOURCE_H

#include "workload_source.h"

/* The one size that there is: SizeSpec.images rows in each set. */
extern const SizeSpec descriptor_size;

Status descriptor_source_describe(const Input *input, const SizeSpec *size, Workload *workload);

/* `workload` is described. */
Status descriptor_source_load(const Input *input, Workload *workload);

#endif
