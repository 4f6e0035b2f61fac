/* How a study was run: its steps and what became of them. */
#ifndef BENCH_STUDY_COURSE_H
#define BENCH_STUDY_COURSE_H

#include "document.h"
#include "study_result.h"

/* What a reader must know before any number: --quick, steps that failed or were left out, data that
 * was stood in for, CUDA columns that were not run. */
void study_warnings_add(const StudyResult *result, Document *document);

/* The section "How it was run": the steps with their commands, what was verified, what was skipped
 * and why, and how to repeat it all. */
void study_course_add(const StudyResult *result, Document *document);

#endif
