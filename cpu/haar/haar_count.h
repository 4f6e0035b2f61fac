/* How many records the answer has, for its layout: the scan of the fastest variant on all
 * processors, with nothing stored. */
#ifndef CPU_HAAR_COUNT_H
#define CPU_HAAR_COUNT_H

#include "haar.h"

/* The pixels must be there and haar_packing must take the set. The numbers of the last few
 * workloads and points are remembered: the harness asks several times, from one thread.
 * STATUS_SKIP when memory runs out. */
Status haar_count_records(const Workload *workload, const HaarPoint *point, uint64_t *count);

#endif
