/* Resume: which rows of a stored run can stand, and whether they may. */
#ifndef BENCH_RESUME_H
#define BENCH_RESUME_H

#include "options.h"
#include "plan.h"
#include "reporters.h"

/*
 * STATUS_USAGE naming the first option that differs between two lines of command_line_text. The
 * order of options does not matter, nor do those that change no number: --resume, --out, --csv,
 * --json, --save, --save-table, --plot, --no-plot, --quiet, --baseline, --alpha,
 * --baseline-threshold, --strict.
 */
Status arguments_same(const char *stored, const char *now);

/* Reads `<folder>/results.json` and refuses, with STATUS_USAGE, a run of another machine, build or
 * request. Release with stored_run_release. */
Status resume_read(const char *folder, const RunOptions *options, const Machine *machine,
                   StoredRun *stored);

/* Takes the row that has the name, size and mode of `planned` out of the stored run: true and the
 * row, whose samples now belong to the caller, or false. */
bool resume_take(StoredRun *stored, const Row *planned, Row *row);

/* Whether a row has all its samples of the kernel; and whether what is measured around them, which
 * ends with end to end, is there too. Any other row is measured again. */
bool resume_is_sampled(const Row *row);
bool resume_is_finished(const Row *row);

/* STATUS_USAGE when an input file is no longer what the stored rows were measured on. */
Status resume_check_inputs(const StoredRun *stored, const Plan *plan, uint64_t seed);

#endif
