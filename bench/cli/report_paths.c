#include "report_paths.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "visible.h"

static const char own_file[] = "results.json";

static Status too_long(const char *path) {
    return status_make(STATUS_FILE, "%.64s…: the path is too long", path);
}

static bool is_folder(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

Status report_path_keep(const char *given, char path[ATOMIC_FILE_PATH_SIZE]) {
    return snprintf(path, ATOMIC_FILE_PATH_SIZE, "%s", given) < ATOMIC_FILE_PATH_SIZE
               ? status_ok()
               : too_long(given);
}

Status report_path_in(const char *folder, const char *name, char path[ATOMIC_FILE_PATH_SIZE]) {
    const bool here = strcmp(folder, ".") == 0;
    const size_t length = strlen(folder);
    const bool between = !here && length > 0 && folder[length - 1] != '/';
    return snprintf(path, ATOMIC_FILE_PATH_SIZE, "%s%s%s", here ? "" : folder, between ? "/" : "",
                    name) < ATOMIC_FILE_PATH_SIZE
               ? status_ok()
               : too_long(folder);
}

Status report_parent_folder(const char *path, char folder[ATOMIC_FILE_PATH_SIZE]) {
    const char *slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 1 : slash == path ? 1 : (size_t)(slash - path);
    if (length >= ATOMIC_FILE_PATH_SIZE) {
        return too_long(path);
    }
    memcpy(folder, slash == NULL ? "." : path, length);
    folder[length] = '\0';
    return status_ok();
}

Status report_run_file(const char *run, char path[ATOMIC_FILE_PATH_SIZE]) {
    if (is_folder(run)) {
        return report_path_in(run, own_file, path);
    }
    return report_path_keep(run, path);
}

Status report_run_folder(const char *run, char folder[ATOMIC_FILE_PATH_SIZE]) {
    char file[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(report_run_file(run, file));
    return report_parent_folder(file, folder);
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* "." and what ends in a slash have a name too, which only the whole path tells. */
void report_run_name(const char *run, char *name, size_t size) {
    char whole[PATH_MAX];
    char folder[ATOMIC_FILE_PATH_SIZE];
    if (realpath(run, whole) == NULL) {
        snprintf(whole, sizeof whole, "%s", run);
    }
    const char *last = last_part(whole);
    if (strcmp(last, own_file) == 0) {
        const Status status = report_parent_folder(whole, folder);
        last = status_is_ok(&status) ? last_part(folder) : last;
    }
    text_visible(last, name, size);
    char *suffix = strrchr(name, '.');
    if (suffix != NULL && suffix != name && strcmp(suffix, ".json") == 0) {
        *suffix = '\0';
    }
}
