/* The folder of runs, and in it the link `latest` to the last run that ended well. */

#include "base_internal.h"
#include "files.h"
#include "paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *runs_folder(void) {
    const char *given = getenv("BENCH_RUNS");
    if (given != NULL && given[0] != '\0') {
        return given;
    }
    return program_is_built() ? "reports/runs" : "bench-runs";
}

/* What the link says: a name where the run is in the folder of runs, which may be moved. */
static const char *link_text(const char *run) {
    char *runs = realpath(runs_folder(), NULL);
    const size_t length = runs != NULL ? strlen(runs) : 0;
    const char *name = path_name(run);
    const bool inside = length > 0 && strncmp(run, runs, length) == 0 && run + length + 1 == name;
    free(runs);
    return inside ? name : run;
}

static Status link_make(const char *run) {
    char path[ATOMIC_FILE_PATH_SIZE], part[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(folder_make(runs_folder()));
    STATUS_TRY(path_in(runs_folder(), LAST_RUN, path, sizeof path));
    STATUS_TRY(atomic_file_part_make(path, part));
    unlink(part); /* its name is what is needed */
    if (symlink(link_text(run), part) != 0) {
        return status_make(STATUS_FILE, "%s: no link can be made", path);
    }
    return atomic_file_rename(part, path);
}

void last_run_note(const char *folder) {
    char *run = realpath(folder, NULL);
    if (run != NULL) {
        (void)link_make(run); /* where there can be no link there is no `latest` */
    }
    free(run);
}

Status last_run_find(const char *name, const char **path) {
    static char found[PATH_MAX];
    char link[ATOMIC_FILE_PATH_SIZE], text[ATOMIC_FILE_PATH_SIZE];
    *path = name;
    if (strcmp(name, LAST_RUN) != 0 || access(name, F_OK) == 0) {
        return status_ok();
    }
    STATUS_TRY(path_in(runs_folder(), LAST_RUN, link, sizeof link));
    if (realpath(link, found) != NULL && folder_exists(found)) {
        *path = found;
        return status_ok();
    }
    const ssize_t length = readlink(link, text, sizeof text - 1);
    if (length > 0) {
        text[length] = '\0';
        return status_make(STATUS_FILE, "latest: the folder of the last run is gone: %.300s", text);
    }
    return status_make(STATUS_FILE,
                       "latest: no run has ended in this folder yet (%.300s is no link to one); "
                       "name the folder of a run",
                       link);
}
