/* What a study measured, for the terminal. */
#ifndef BENCH_STUDY_SUMMARY_H
#define BENCH_STUDY_SUMMARY_H

#include <stdio.h>

#include "study_result.h"

/* A line a table: how many of its numbers were measured and published, and why some were not. */
void study_summary_print(FILE *stream, const StudyResult *result);

/* The exit code that the steps amount to: EXIT_INTERRUPTED before EXIT_WRONG before any other.
 * Steps that had nothing to measure, as where there is no device, are none of them. */
int study_exit_code(const StudyResult *result);

#endif
