/* Save: verified answers as files that people open. */
#ifndef BENCH_SAVE_H
#define BENCH_SAVE_H

#include "algorithm.h"

/*
 * Writes every part of an answer as `<folder>/<algorithm>-<input>-<size>[-<answer>]-<part>.png` or
 * `.csv`, beside and renamed. `input_stem` stands for the input. STATUS_FILE names the path.
 */
Status save_answer(const char *folder, const Algorithm *algorithm, const char *input_stem,
                   const char *size_name, const Point *answer, const Output *output);

#endif
