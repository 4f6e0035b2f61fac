/*
 * The roof of a row: the least time that the measured ceilings allow for what it has to do.
 *
 * Bytes take the time of the level that holds them, or that of the fastest `copy` measured on the
 * same input where that is less; operations take the time of their ceiling; the roof is the longer
 * of the two. On a device what the ceilings allow is after a launch, which an empty kernel
 * measures.
 */
#ifndef BENCH_ROW_ROOF_H
#define BENCH_ROW_ROOF_H

#include "result.h"

/* A row is over its roof beyond this fraction: less is the scatter of two measurements. */
#define ROOF_TOLERANCE 1.02

/* Fills roof, roof_seconds, roof_fraction, bound, the ceilings and over_roof of a row that has a
 * kernel median. `copy` is the row of the fastest comparable copy; NULL: none was measured. Without
 * that and without ceilings everything stays empty. */
void row_roof_derive(const Ceilings *ceilings, const Row *copy, Row *row);

/* Empties what row_roof_derive fills. */
void row_roof_clear(Row *row);

/* A ceiling for any number of threads: between one and all, that of one times their number, and no
 * more than that of all; 0 threads is a device. `value` and `working_set` are NAN when there is no
 * such ceiling. */
Ceiling ceiling_for_threads(const Ceilings *ceilings, const char *key, int threads);

#endif
