/* Sizes of names and lists that results have as well as the structures that cross. */
#ifndef BENCH_API_SIZES_H
#define BENCH_API_SIZES_H

enum { WORKLOAD_NAME_SIZE = 128, WORKLOAD_SIZE_NAME_SIZE = 32 };

enum { STAGES_MAX = 6 }; /* of a variant */

#endif
