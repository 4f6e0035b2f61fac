#include "cache_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

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

Status cache_folder_make(const char *path) {
    char partial[PATH_SIZE];
    if (snprintf(partial, sizeof partial, "%s", path) >= (int)sizeof partial) {
        return status_make(STATUS_FILE, "%.64s…: the path is too long", path);
    }
    for (char *slash = strchr(partial + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(partial, 0777) != 0 && errno != EEXIST) {
            return status_make(STATUS_FILE, "%.200s: the folder cannot be made: %s", partial,
                               strerror(errno));
        }
        *slash = '/';
    }
    return status_ok();
}
