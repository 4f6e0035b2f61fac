/* Workload hash: a number that stands for what is in an input. */
#ifndef BENCH_WORKLOAD_HASH_H
#define BENCH_WORKLOAD_HASH_H

#include "workload.h"

/* Workload.hash, which see, of what the workload holds now. */
uint64_t workload_hash(const Workload *workload);

#endif
