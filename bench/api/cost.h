/* Cost: the work that an answer takes. */
#ifndef BENCH_API_COST_H
#define BENCH_API_COST_H

#include <stdint.h>

/* The least work of any implementation, from which the roof of a row is computed. */
typedef struct Cost {
    uint32_t struct_bytes;
    double bytes;      /* each input byte read once, each output byte written once */
    double operations; /* arithmetic operations that every implementation needs */
    double items;      /* elements processed: the throughput unit is items per second */

    /* The ceiling of the operations: "int32" or "fp32"; NULL: int32. */
    const char *operation;

    /* The time of the oracle is proportional to this; 0: to `operations`. */
    double oracle_work;
} Cost;

#endif
