/* Overview: a stored run as a report for readers (`bench report`). */
#ifndef BENCH_OVERVIEW_H
#define BENCH_OVERVIEW_H

#include "document.h"
#include "reporters.h"

/* A run to be told about, and what it is called where there are several. */
typedef struct OverviewRun {
    const StoredRun *stored;
    const char *name;
} OverviewRun;

/* The value of an argument of the run, "--reps" or its like; false when it was not given. A flag
 * without a value has the text "". */
bool run_argument(const OverviewRun *run, const char *flag, char *value, size_t size);

/*
 * Appends to the document: summary (best variant of each size with its speedups over seq and over
 * the best CPU variant, kernel and end to end, with intervals), crossovers, charts, parts of
 * kernels, roofline,
 * verification, all cells, what was skipped and why, machine facts and ceilings, how it was
 * measured.
 */
void overview_build(const OverviewRun *run, Document *document);

/* Two runs on shared axes: what differs between machines and builds, times and speedups of both in
 * one chart, and each cell that both have with the ratio of its medians and its interval. */
void overview_diff_build(const OverviewRun *a, const OverviewRun *b, Document *document);

#endif
