#include "folder.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
