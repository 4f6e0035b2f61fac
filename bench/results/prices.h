/* Prices of machines. */

#ifndef BENCH_RESULTS_PRICES_H
#define BENCH_RESULTS_PRICES_H

#include <stdbool.h>

#include "status.h"

/* Of an hour of the machine with the GPU, and of the one without, in any currency; 0: not given. */
typedef struct Prices {
    double gpu, cpu;
} Prices;

/* Reads "gpu=3.2,cpu=0.8". STATUS_USAGE with what would be right. */
Status prices_parse(const char *text, Prices *prices);
bool prices_given(const Prices *prices);

#endif
