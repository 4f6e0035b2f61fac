/*
 * Runner: carries out a whole `bench run` request, from the plan to the files.
 *
 * Order: plan → output folder → per workload: load → per answer point: oracle → per cell: open,
 * poison, upload, run, download, guards, compare, close → all cells in turns: open, warm up, time,
 * compare again, close → per cell: transfers, end to end, allocation, compare again → files.
 */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include "exit_codes.h"
#include "machine.h"
#include "options.h"
#include "reporters.h"
#include "result.h"

/*
 * Runs the request. `machine` has been read by the caller and outlives the call. `results` starts
 * zeroed and gets one row per planned cell, in the order of the plan; the caller releases it with
 * results_release. Writes results.csv, results.json, charts and the extra files asked for, prints
 * the table and the folder on standard output, progress and notes on standard error.
 * With options->dry_run the plan is printed on standard output and nothing is written.
 *
 * The status is for the person: STATUS_OK, or one sentence (already complete, no prefix needed).
 * `exit_code` (exit_codes.h) is always set, also when the status is STATUS_OK: 4 when a cell was
 * wrong, 6 when no cell could be measured, 130 when interrupted.
 */
Status runner_run(const RunOptions *options, const Machine *machine, Results *results,
                  int *exit_code);

/* The same with other streams than standard output and standard error. */
Status runner_run_on(const RunOptions *options, const Machine *machine, FILE *output, FILE *notes,
                     Results *results, int *exit_code);

#endif
