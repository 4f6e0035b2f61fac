/*
 * Self-test: the same variant measured twice and compared with itself, many times over (an A/A
 * test). A comparison that finds a difference here is a false alarm, and how far the ratio of two
 * medians strays from 1 is the noise floor of the machine.
 */
#ifndef BENCH_SELFTEST_H
#define BENCH_SELFTEST_H

#include <stdio.h>

#include "noise_floor.h"
#include "options.h"
#include "stats.h"

/* Change that a comparison of two runs lets pass by default. */
#define SELFTEST_THRESHOLD 0.05

typedef struct SelftestResult {
    NoiseCell *cells; /* in the order of the plan; owned */
    size_t count;
    size_t skipped; /* cells that could not be measured, noted with their reason */
} SelftestResult;

/*
 * Plans the request as a run would, without the roof, and measures each cell 2 × options->pairs
 * times from open to close, verified each time: A B, B A, A B … Reasons of cells left out, and
 * progress, go to `notes`. STATUS_NO_MATCH and STATUS_USAGE as for a run, STATUS_FAIL when a
 * variant is wrong, STATUS_SKIP when nothing could be measured, STATUS_INTERRUPTED. Released with
 * selftest_release, whatever was returned.
 */
Status selftest_run(const RunOptions *options, FILE *notes, SelftestResult *result);
void selftest_release(SelftestResult *result);

/* The statistics of `pairs` ratios with their intervals, at least one; `ratios` has them as value,
 * low and high, the value ≥ 0. Without an interval a pair counts for the floor only. */
void selftest_summarize(const Ratio *ratios, size_t pairs, NoiseCell *cell);

#endif
