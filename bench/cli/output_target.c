#include "output_target.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets.h"
#include "input_guard.h"

/* Folders of classes lie in the folder that is named. */
enum { INPUT_DEPTH = 2 };

static const char *const run_files[] = {"results.csv", "results.json"};

/* --- Inputs ----------------------------------------------------------------------------------- */

static bool is_folder(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* What lies beside the pictures is not read. */
static bool is_picture(const char *path) {
    struct stat facts;
    int32_t width, height;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return false;
    }
    const Status status = image_read_size(path, &width, &height);
    return status_is_ok(&status);
}

/* A folder that cannot be read, or only in part, is found out by who reads it. */
static Status guard_pictures(const char *folder, int depth) {
    DIR *list = opendir(folder);
    Status status = status_ok();
    const struct dirent *entry;
    while (list != NULL && status_is_ok(&status) && (entry = readdir(list)) != NULL) {
        char path[PATH_MAX];
        if (entry->d_name[0] == '.' ||
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path) {
            continue;
        }
        if (depth > 1 && is_folder(path)) {
            status = guard_pictures(path, depth - 1);
        } else if (is_picture(path)) {
            status = input_guard_add(path);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
    return status;
}

Status guard_input(const char *path) {
    if (path == NULL) {
        return status_ok();
    }
    return is_folder(path) ? guard_pictures(path, INPUT_DEPTH) : input_guard_add(path);
}

Status guard_input_list(const char *files) {
    while (files != NULL && *files != '\0') {
        char path[PATH_MAX];
        const size_t length = strcspn(files, ",");
        snprintf(path, sizeof path, "%.*s", (int)length, files);
        STATUS_TRY(input_guard_add(path));
        files += length;
        files += *files == ',';
    }
    return status_ok();
}

Status guard_run(const char *run) {
    if (run == NULL || !is_folder(run)) {
        return guard_input(run);
    }
    for (size_t i = 0; i < sizeof run_files / sizeof run_files[0]; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", run, run_files[i]);
        STATUS_TRY(input_guard_add(path));
    }
    return status_ok();
}

static Status guard_inputs_of_run(const RunOptions *options) {
    STATUS_TRY(guard_input(options->input));
    STATUS_TRY(guard_input(options->labels));
    STATUS_TRY(guard_input_list(options->keypoints_file));
    STATUS_TRY(guard_input_list(options->weights));
    return guard_run(options->baseline);
}

/* --- Outputs ---------------------------------------------------------------------------------- */

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
    STATUS_TRY(input_guard_check(path));
    if (stat(path, &facts) != 0 || S_ISREG(facts.st_mode)) {
        return check_folder_of(path);
    }
    if (S_ISDIR(facts.st_mode)) {
        return cannot_write(path, strerror(EISDIR));
    }
    return access(path, W_OK) == 0 ? status_ok() : cannot_write(path, strerror(errno));
}

static Status check_results(const char *folder) {
    for (size_t i = 0; folder != NULL && i < sizeof run_files / sizeof run_files[0]; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, run_files[i]);
        STATUS_TRY(input_guard_check(path));
    }
    return status_ok();
}

Status output_targets_check(const RunOptions *options) {
    STATUS_TRY(guard_inputs_of_run(options));
    STATUS_TRY(check_results(options->resume != NULL ? options->resume : options->out));
    STATUS_TRY(check_file(options->csv));
    return check_file(options->json);
}
