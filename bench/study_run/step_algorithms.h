/* Which records of a step's CSV are of what the step asked for: a run also writes rows of the
 * algorithm `copy`, the roof of the others, with variants of the same names. */
#ifndef BENCH_STEP_ALGORITHMS_H
#define BENCH_STEP_ALGORITHMS_H

#include "step_records.h"
#include "study.h"

/* Drops the records whose column `algorithm` names one that no `--algo` of the step names: a list
 * with commas, "all" being all. Keeps all where there is no such column or option. */
void step_algorithms_keep(const StudyStep *step, StepRecords *records);

#endif
