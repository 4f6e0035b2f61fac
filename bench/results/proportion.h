/* Proportions: the share of samples that have a property, with how far it can be trusted. */
#ifndef BENCH_PROPORTION_H
#define BENCH_PROPORTION_H

#include <stdint.h>

typedef struct Proportion {
    double share;     /* count / total; NAN when nothing was counted */
    double low, high; /* 95% interval */
} Proportion;

/* The interval is Wilson's (1927), which holds its 95% for shares near 0 and 1 too, unlike the one
 * of the normal distribution around the share. */
Proportion proportion(uint64_t count, uint64_t total);

#endif
