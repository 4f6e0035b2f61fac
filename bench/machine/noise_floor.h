/* The noise floor of a machine. */

#ifndef BENCH_MACHINE_NOISE_FLOOR_H
#define BENCH_MACHINE_NOISE_FLOOR_H

#include <stddef.h>

#include "status.h"

typedef struct Machine Machine; /* machine.h */

/* The noise floor of this machine: the distance from 1 of the ratio of two measurements of the same
 * variant, as `bench selftest` measured it. Stored in the cache folder, in one file for each
 * machine, and a fact of every later run. */

enum { NOISE_NAME_SIZE = 512 };

/* One cell compared with itself. */
typedef struct NoiseCell {
    char name[NOISE_NAME_SIZE];
    size_t pairs;
    size_t excluding_one;    /* pairs whose interval of the ratio excludes 1 */
    size_t beyond_threshold; /* pairs whose whole interval is beyond the threshold */
    double typical;          /* median of |ratio - 1| */
    double floor;            /* its 95th percentile */
} NoiseCell;

/* "<cache folder>/noise-<fingerprint of host, processors and device>.json". STATUS_FILE. */
Status noise_floor_path(const Machine *machine, char *path, size_t size);

/* Writes at least one cell, and the greatest of their floors; makes the folder. `measured` is the
 * date, ISO 8601, UTC; `threshold` is that of beyond_threshold. STATUS_FILE. */
Status noise_floor_write(const char *path, const char *measured, double threshold,
                         const NoiseCell *cells, size_t count);

/* The greatest of the cells' floors. */
double noise_floor_of(const NoiseCell *cells, size_t count);

#endif
