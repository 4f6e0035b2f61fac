/* How a step ended, as a file in its folder. */
#ifndef BENCH_STEP_OUTCOME_H
#define BENCH_STEP_OUTCOME_H

#include "step_run.h"

/* Writes outcome.json: state, code, command, stand_in, elapsed_s where it is known, why.
 * STATUS_FILE. */
Status step_outcome_write(const char *path, const StepOutcome *outcome);

/* All but `csv`. STATUS_FILE when it cannot be read or is not such a file. */
Status step_outcome_read(const char *path, StepOutcome *outcome);

#endif
