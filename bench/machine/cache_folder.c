#include "cache_folder.h"

#include <stdio.h>
#include <stdlib.h>

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
