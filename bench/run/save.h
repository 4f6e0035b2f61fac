/* Save: verified answers as files that people open. */
#ifndef BENCH_SAVE_H
#define BENCH_SAVE_H

#include "algorithm.h"
#include "atomic_file.h"
#include "plan.h"

/*
 * Writes every part of an answer as `<folder>/<algorithm>-<input>-<size>[-<answer>]-<part>.png`,
 * `.csv` or `.hex`, beside and renamed. `input_stem` stands for the input. In the answer's part of
 * the name
 * ':' is written as '_', and what is no letter, digit or one of ".+-_" as '%' and its code; a name
 * too long for a file system is cut and ends in a hash of the whole. STATUS_FILE names the path.
 */
Status save_answer(const char *folder, const Algorithm *algorithm, const char *input_stem,
                   const Workload *workload, const Point *answer, const Output *output);

/* Whose answer it is, where that makes a difference. */
typedef struct SaveBy {
    const Variant *variant;
    Point tuning; /* without axes: not part of the name */
} SaveBy;

/* The same as `<folder>/<algorithm>-<input>-<size>[-<answer>]-<variant>[-<tuning>]-<part>.png`; by
 * NULL as save_answer. */
Status save_answer_by(const char *folder, const Algorithm *algorithm, const char *input_stem,
                      const Workload *workload, const Point *answer, const SaveBy *by,
                      const Output *output);

/* STATUS_USAGE when an input (input_guard.h) lies where a part of one of the plan's answers would
 * be written. NULL: nothing is written. */
Status save_check(const char *folder, const Plan *plan);

/* Writes what Algorithm.write_table does, as `…-table.csv`, named as save_answer_by names its
 * files. STATUS_USAGE when it has none. */
Status save_table(const char *folder, const Algorithm *algorithm, const char *input_stem,
                  const Workload *workload, const Point *answer, const SaveBy *by,
                  const Output *output);

enum { SAVE_PATH_SIZE = ATOMIC_FILE_PATH_SIZE };

/* The path that save_answer and save_table write part `word` to, with `suffix` "png", "csv"
 * or "hex". */
Status save_path(const char *folder, const Algorithm *algorithm, const char *input_stem,
                 const Workload *workload, const Point *answer, const char *word,
                 const char *suffix, char path[SAVE_PATH_SIZE]);

#endif
