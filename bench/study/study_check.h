/* What can only be checked when all of a study has been read. */
#ifndef BENCH_STUDY_CHECK_H
#define BENCH_STUDY_CHECK_H

#include "status.h"
#include "study.h"

/* STATUS_FILE "<path>:<line>: '<word>' …" for a part that is missing, and for the name of a step,
 * table, column or row that there is not. */
Status study_check(const Study *study, const char *path);

#endif
