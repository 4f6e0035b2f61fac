/* Where a step's files are. */
#ifndef BENCH_STEP_PATHS_H
#define BENCH_STEP_PATHS_H

#include <stddef.h>

#include "status.h"
#include "step_run.h"

/* <out>/runs/<step>; with `file`, that file in it. STATUS_FILE when the path is too long. */
Status step_path(const StudyStep *step, const StudySettings *settings, const char *file, char *path,
                 size_t size);

#endif
