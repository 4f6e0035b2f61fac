/*
 * A study's tables with their numbers: measured, from the files of its steps, beside published.
 * Pure data: how it is told is study_words.h's, how it is laid out study_report.h's.
 */
#ifndef BENCH_STUDY_RESULT_H
#define BENCH_STUDY_RESULT_H

#include "study_values.h"

/* Evaluates all tables from outcomes (owned by the result from now on, allocated with malloc, one a
 * step). A file that cannot be read is a reason in its cells. STATUS_FAIL without memory. */
Status study_result_make(const Study *study, const Published *published,
                         const StudySettings *settings, StepOutcome *outcomes, StudyResult *result);
void study_result_release(StudyResult *result);

#endif
