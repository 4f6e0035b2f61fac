/* All steps of a study, one after the other. */
#ifndef BENCH_STUDY_STEPS_H
#define BENCH_STUDY_STEPS_H

#include <stdbool.h>
#include <stdio.h>

#include "step_run.h"

/* One line: "step 2/5 NAME: " and its command line, or why it is left out. */
void study_step_announce(FILE *stream, const Study *study, size_t index,
                         const StudySettings *settings);

/*
 * Runs the steps that `chosen` says (one flag a step), and recalls the others from their folders.
 * `outcomes` has room for one a step. Says on standard error what it is at, unless
 * settings->quiet. After an interrupt the steps that would be run are STEP_NOT_RUN. STATUS_FILE or
 * STATUS_FAIL when a step could not be started or recalled.
 */
Status study_steps_run(const Study *study, const StudySettings *settings, const bool *chosen,
                       StepOutcome *outcomes, bool *interrupted);

#endif
