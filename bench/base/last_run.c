/* The folder of runs, and in it the link `latest` to the last run that ended well; runs by name. */

#include "files.h"
#include "list.h"
#include "paths.h"
#include "text.h"

#include <errno.h>
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

/* === Finding a run by its name ================================================================ */

static Status find_last(const char **path) {
    static char found[PATH_MAX];
    char link[ATOMIC_FILE_PATH_SIZE], text[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_in(runs_folder(), LAST_RUN, link, sizeof link));
    if (realpath(link, found) != NULL && folder_exists(found)) {
        *path = found;
        return status_ok();
    }
    const ssize_t length = readlink(link, text, sizeof text - 1);
    if (length > 0) {
        text[length] = '\0';
        return status_make(STATUS_FILE,
                           "latest: the folder of the last run is gone: %.300s; 'bench runs' lists "
                           "those there are",
                           text);
    }
    return status_make(STATUS_FILE,
                       "no run has ended in this folder yet (%.200s is no link to one); 'bench "
                       "demo' measures one in a minute, or name the folder of a run",
                       link);
}

/* The text lives as long as the process. */
static Status keep_path(const char *found, const char **path) {
    static void *memory;
    *path = owned_text(&memory, found);
    STATUS_MEMORY(*path, "for the path of a run");
    return status_ok();
}

/* Whether a list of runs shows `text` for the name: escaped, and one that is too long cut, with an
 * ellipsis behind it. */
static bool is_shown_as(const char *name, const char *text) {
    static const char ellipsis[] = "…";
    char visible[ATOMIC_FILE_PATH_SIZE];
    text_visible(name, visible, sizeof visible);
    return strcmp(visible, text) == 0 ||
           (text_ends(text, ellipsis) &&
            strncmp(visible, text, strlen(text) - strlen(ellipsis)) == 0);
}

/* A folder in `folder` by the name that is shown of it. */
static Status find_shown(const char *folder, const char *name, const char **path) {
    PathList list = {.count = 0};
    const char *found = NULL;
    size_t count = 0;
    Status status = path_list_add_folder(&list, folder, NULL);
    for (size_t i = 0; status_is_ok(&status) && i < list.count; i++) {
        if (is_shown_as(path_name(list.paths[i]), name) && folder_exists(list.paths[i])) {
            found = list.paths[i];
            count++;
        }
    }
    /* A folder that cannot be read has nothing that was meant. */
    status = count > 1    ? status_make(STATUS_USAGE,
                                        "'%.150s' is shown for %zu folders in %.100s; write more of "
                                           "the name",
                                        name, count, folder)
             : count == 1 ? keep_path(found, path)
                          : status_ok();
    path_list_release(&list);
    return status;
}

/* One of the folder of runs by its name there, or of the folder that is named. */
static Status find_stored(const char *name, const char **path) {
    char folder[ATOMIC_FILE_PATH_SIZE], whole[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_in(runs_folder(), name, whole, sizeof whole));
    if (folder_exists(whole)) {
        return keep_path(whole, path);
    }
    if (path_name(name) == name) {
        return find_shown(runs_folder(), name, path);
    }
    STATUS_TRY(path_folder(name, folder, sizeof folder));
    return find_shown(folder, path_name(name), path);
}

Status run_find(const char *name, const char **path) {
    *path = name;
    if (name[0] == '\0' || access(name, F_OK) == 0) {
        return status_ok();
    }
    return strcmp(name, LAST_RUN) == 0 ? find_last(path) : find_stored(name, path);
}

/* === What is no run =========================================================================== */

const char *const stored_run_files[] = {"results.csv", "results.json", "results.csv.gz",
                                        "results.json.gz", NULL};

bool run_is_in(const char *folder) {
    char path[ATOMIC_FILE_PATH_SIZE];
    bool any = false;
    for (size_t i = 0; stored_run_files[i] != NULL && !any; i++) {
        const Status named = path_in(folder, stored_run_files[i], path, sizeof path);
        any = status_is_ok(&named) && access(path, F_OK) == 0;
    }
    return any;
}

enum { NAMED_MAX = 3 };

/* Adds the runs in a folder to a text that names the first ones; how many there are. */
static size_t name_runs(const char *folder, char *text, size_t size) {
    PathList list = {.count = 0};
    size_t runs = 0;
    const Status status = path_list_add_folder(&list, folder, NULL);
    for (size_t i = 0; status_is_ok(&status) && i < list.count; i++) {
        if (run_is_in(list.paths[i]) && runs++ < NAMED_MAX) {
            text_append(text, size, "%s%.100s", runs > 1 ? ", " : "", list.paths[i]);
        }
    }
    path_list_release(&list);
    return runs;
}

/* Those in the folder itself, or else in its folder `runs`, where a study has them. */
static size_t name_runs_below(const char *folder, char *text, size_t size) {
    char below[ATOMIC_FILE_PATH_SIZE];
    const size_t runs = name_runs(folder, text, size);
    const Status named = path_in(folder, "runs", below, sizeof below);
    return runs > 0 || !status_is_ok(&named) ? runs : name_runs(below, text, size);
}

bool runs_are_below(const char *folder) {
    char text[STATUS_WHY_SIZE] = "";
    return name_runs_below(folder, text, sizeof text) > 0;
}

static Status name_others(const char *folder) {
    char study[ATOMIC_FILE_PATH_SIZE], text[STATUS_WHY_SIZE] = "";
    char more[32] = "";
    STATUS_TRY(path_in(folder, STUDY_FILE, study, sizeof study));
    const size_t runs = name_runs_below(folder, text, sizeof text);
    if (runs > NAMED_MAX) {
        snprintf(more, sizeof more, " and %zu more", runs - NAMED_MAX);
    }
    const char *what = access(study, F_OK) == 0 ? "is the folder of a study" : "holds no run";
    return runs > 0
               ? status_make(STATUS_FILE, "%.100s %s; name a run in it: %.340s%s", folder, what,
                             text, more)
               : status_make(STATUS_FILE,
                             "%.200s %s: it has no results.json; 'bench runs' lists stored runs",
                             folder, what);
}

Status run_check(const char *path) {
    if (access(path, F_OK) != 0) {
        return status_make(STATUS_FILE, "%.250s: %s; 'bench runs' lists stored runs", path,
                           strerror(errno));
    }
    return folder_exists(path) && !run_is_in(path) ? name_others(path) : status_ok();
}
