/*
 * Noise floor: how far the ratio of two measurements of the same thing is from 1 on this machine,
 * as `bench selftest` found it. Stored in the cache folder, in one file for each machine, and part
 * of the facts of every later run.
 */
#ifndef BENCH_NOISE_FLOOR_H
#define BENCH_NOISE_FLOOR_H

#include "machine.h"

enum { NOISE_NAME_SIZE = 512 };

/* One cell that was held against itself. */
typedef struct NoiseCell {
    char name[NOISE_NAME_SIZE];
    size_t pairs;
    size_t excluding_one;    /* pairs whose interval of the ratio does not hold 1 */
    size_t beyond_threshold; /* pairs whose whole interval is beyond the threshold */
    double typical;          /* median of |ratio - 1| */
    double floor;            /* its 95th percentile */
} NoiseCell;

/* "<cache folder>/noise-<fingerprint of host, processors and device>.json". STATUS_FILE. */
Status noise_floor_path(const Machine *machine, char *path, size_t size);

/* Writes the cells, at least one, and the greatest of their floors; makes the folder. `measured` is
 * ISO 8601, UTC; `threshold` is that of beyond_threshold. STATUS_FILE. */
Status noise_floor_write(const char *path, const char *measured, double threshold,
                         const NoiseCell *cells, size_t count);

/* The greatest floor in a file of noise_floor_write; NAN when there is no such file, or no such
 * number in it. */
double noise_floor_read(const char *path);

/* The greatest of the cells' floors. */
double noise_floor_of(const NoiseCell *cells, size_t count);

#endif
