#include "step_paths.h"

#include <stdio.h>

Status step_path(const StudyStep *step, const StudySettings *settings, const char *file, char *path,
                 size_t size) {
    const int length = snprintf(path, size, "%s/runs/%s%s%s", settings->out, step->name,
                                file != NULL ? "/" : "", file != NULL ? file : "");
    return length > 0 && (size_t)length < size
               ? status_ok()
               : status_make(STATUS_FILE, "%.64s…: the path is too long", settings->out);
}
