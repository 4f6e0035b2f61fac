/* Files and folders: making them, reading whole texts, where data and caches are. */

#include "base_internal.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_info.h"
#include "status.h"

/* === Folder =================================================================================== */

enum { PATH_SIZE = 4096 };

static Status make_one(const char *path) {
    struct stat information;
    if (mkdir(path, 0777) == 0) {
        return status_ok();
    }
    const int reason = errno == EEXIST ? ENOTDIR : errno;
    if (stat(path, &information) == 0 && S_ISDIR(information.st_mode)) {
        return status_ok();
    }
    return status_make(STATUS_FILE, "%.200s: the folder cannot be made: %s", path,
                       strerror(reason));
}

/* All folders of the path that a slash ends; the rest too if `whole`. */
static Status make_all(const char *path, bool whole) {
    char partial[PATH_SIZE];
    if (snprintf(partial, sizeof partial, "%s", path) >= (int)sizeof partial) {
        return status_make(STATUS_FILE, "%.64s…: the path is too long", path);
    }
    for (char *slash = partial; *slash != '\0' && (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        STATUS_TRY(make_one(partial));
        *slash = '/';
    }
    return whole ? make_one(partial) : status_ok();
}

Status folder_make(const char *path) {
    return make_all(path, true);
}

Status folder_make_for(const char *path) {
    return make_all(path, false);
}

/* === Cache folder ============================================================================= */

Status cache_folder(char *path, size_t size) {
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    /* The specification of these folders has relative paths ignored. */
    if (cache != NULL && cache[0] == '/') {
        length = snprintf(path, size, "%s/bench", cache);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(path, size, "%s/.cache/bench", home);
    }
    if (length < 0 || (size_t)length >= size) {
        return status_make(STATUS_FILE, "there is no cache folder: set XDG_CACHE_HOME or HOME to "
                                        "an absolute path");
    }
    return status_ok();
}

/* === Data folder ============================================================================== */

static bool is_right(const char *folder, const char *holds) {
    char path[DATA_FOLDER_PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, holds != NULL ? holds : ".");
    return length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
}

/* Folder of the running program, without a slash at its end; empty when it cannot be told. */
static void program_folder(char *folder, size_t size) {
    const ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
}

Status data_folder_find(const DataFolder *wanted, char *folder, size_t size) {
    char program[DATA_FOLDER_PATH_SIZE];
    program_folder(program, sizeof program);
    const char *given = getenv(wanted->variable);
    const char *const candidates[][3] = {
        {given != NULL ? given : "", "", ""},
        {program, "/../share/bench/", wanted->installed},
        {program, "/../../", wanted->source},
        {BUILD_SOURCE_DIR, "/", wanted->source},
    };
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        const char *const *parts = candidates[i];
        const int length = snprintf(folder, size, "%s%s%s", parts[0], parts[1], parts[2]);
        if (parts[0][0] != '\0' && length > 0 && (size_t)length < size &&
            is_right(folder, wanted->holds)) {
            return status_ok();
        }
    }
    return status_skip("%s were not found; %s can name their folder", wanted->what,
                       wanted->variable);
}
