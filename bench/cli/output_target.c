#include "output_target.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Status cannot_write(const char *path, const char *reason) {
    return status_make(STATUS_FILE, "cannot write %.200s: %s", path, reason);
}

/* The part file is made in the folder, so it is the folder that has to let it. */
static Status check_folder_of(const char *path) {
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder) {
        return cannot_write(path, strerror(ENAMETOOLONG));
    }
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        snprintf(folder, sizeof folder, ".");
    } else {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    return access(folder, W_OK | X_OK) == 0 ? status_ok() : cannot_write(path, strerror(errno));
}

static Status check_file(const char *path) {
    struct stat facts;
    if (path == NULL) {
        return status_ok();
    }
    if (stat(path, &facts) != 0 || S_ISREG(facts.st_mode)) {
        return check_folder_of(path);
    }
    if (S_ISDIR(facts.st_mode)) {
        return cannot_write(path, strerror(EISDIR));
    }
    return access(path, W_OK) == 0 ? status_ok() : cannot_write(path, strerror(errno));
}

Status output_targets_check(const RunOptions *options) {
    STATUS_TRY(check_file(options->csv));
    return check_file(options->json);
}
