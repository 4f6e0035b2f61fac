/* Where a run writes: its folder, and the files that a person names, checked before anything is
 * measured. */

#include "run_internal.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "datasets.h"

/* === Run folder =============================================================================== */

enum { WORDS_SIZE = 144, SUFFIX_MAX = 1000 };

static bool is_file(const char *path) {
    struct stat information;
    return stat(path, &information) == 0 && S_ISREG(information.st_mode);
}

/* Writes a block and deletes it: permissions do not show a full or read-only disk. */
Status run_folder_try_file(const char *path) {
    struct stat information;
    if (stat(path, &information) == 0 && !S_ISREG(information.st_mode) &&
        !S_ISDIR(information.st_mode)) {
        return status_ok(); /* a terminal or a pipe, which keeps what is written */
    }
    if (folder_exists(path)) {
        return status_make(STATUS_FILE, "%s: is a folder; give the name of a file", path);
    }
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    char block[4096];
    memset(block, '\n', sizeof block);
    const bool written =
        fwrite(block, sizeof block, 1, file.stream) == 1 && fflush(file.stream) == 0;
    const int reason = errno;
    atomic_file_abandon(&file);
    return written ? status_ok()
                   : status_make(STATUS_FILE, "%s: cannot be written: %s", path, strerror(reason));
}

/* Two runs may start in the same second. */
void run_folder_choose(const char *words, char *path, size_t size) {
    char when[32];
    const time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    strftime(when, sizeof when, "%Y%m%d-%H%M%S", &local);
    snprintf(path, size, "%.3000s/%s%s", runs_folder(), when, words);
    for (int i = 2; i < SUFFIX_MAX && access(path, F_OK) == 0; i++) {
        snprintf(path, size, "%.3000s/%s%s-%d", runs_folder(), when, words, i);
    }
}

Status run_folder_path(const RunOptions *options, char *path, size_t size) {
    const char *given = options->resume != NULL ? options->resume : options->out;
    if (given != NULL) {
        return path_make(path, size, "%s", given);
    }
    char words[WORDS_SIZE] = "";
    for (size_t i = 0; i < options->algorithm_count; i++) {
        text_append(words, sizeof words, "-%s", options->algorithms[i]->name);
    }
    run_folder_choose(words, path, size);
    return status_ok();
}

/* Results replace only ordinary files: nobody asked for a pipe or a device. */
static Status try_results(const char *path) {
    struct stat information;
    if (stat(path, &information) == 0 && !S_ISREG(information.st_mode)) {
        return status_make(STATUS_FILE,
                           "%s: is no ordinary file, so that no results can replace it", path);
    }
    return run_folder_try_file(path);
}

static Status try_targets(const RunOptions *options, const RunFolder *folder) {
    STATUS_TRY(try_results(folder->csv));
    STATUS_TRY(try_results(folder->json));
    if (options->csv != NULL) {
        STATUS_TRY(run_folder_try_file(options->csv));
    }
    if (options->json != NULL) {
        STATUS_TRY(run_folder_try_file(options->json));
    }
    if (options->save == NULL) {
        return status_ok();
    }
    STATUS_TRY(folder_make(options->save));
    char probe[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_make(probe, sizeof probe, "%s/.writable", options->save));
    return run_folder_try_file(probe);
}

Status run_folder_open(const RunOptions *options, RunFolder *folder) {
    *folder = (RunFolder){.created = false};
    STATUS_TRY(run_folder_path(options, folder->path, sizeof folder->path));
    folder->created = !folder_exists(folder->path);
    STATUS_TRY(folder_make(folder->path));
    atomic_file_sweep(folder->path);
    snprintf(folder->csv, sizeof folder->csv, "%s/results.csv", folder->path);
    snprintf(folder->json, sizeof folder->json, "%s/results.json", folder->path);
    char stored[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(stored_run_in(folder->path, stored, sizeof stored));
    folder->holds_results = is_file(folder->csv) || is_file(stored);
    const Status status = try_targets(options, folder);
    if (!status_is_ok(&status)) {
        run_folder_discard(folder);
    }
    return status;
}

void run_folder_discard(const RunFolder *folder) {
    if (folder->created) {
        rmdir(folder->path); /* fails if something is in it, as it should */
    }
}

/* A folder may hold folders of classes. */
enum { INPUT_DEPTH = 2 };

static const char *const run_files[] = {"results.csv", "results.json", "results.csv.gz",
                                        "results.json.gz"};

/* === Files that are read ====================================================================== */

/* A folder that cannot be read is an error of the command that reads it. */
static Status guard_images(const char *folder, int depth) {
    FolderList list;
    Status status = folder_list(folder, NULL, &list);
    if (!status_is_ok(&status)) {
        return status_ok();
    }
    for (size_t i = 0; i < list.count && status_is_ok(&status); i++) {
        char path[PATH_MAX];
        const Status made = path_make(path, sizeof path, "%s/%s", folder, list.entries[i]->d_name);
        if (!status_is_ok(&made)) {
            continue;
        }
        if (depth > 1 && folder_exists(path)) {
            status = guard_images(path, depth - 1);
        } else if (image_is_at(path)) {
            status = input_guard_add(path);
        }
    }
    folder_list_release(&list);
    return status;
}

Status guard_input(const char *path) {
    if (path == NULL) {
        return status_ok();
    }
    return folder_exists(path) ? guard_images(path, INPUT_DEPTH) : input_guard_add(path);
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

static Status for_results(const char *folder, Status (*apply)(const char *path)) {
    for (size_t i = 0; i < sizeof run_files / sizeof run_files[0]; i++) {
        char path[PATH_MAX];
        STATUS_TRY(path_make(path, sizeof path, "%s/%s", folder, run_files[i]));
        STATUS_TRY(apply(path));
    }
    return status_ok();
}

Status guard_run(const char *run) {
    return run == NULL || !folder_exists(run) ? guard_input(run)
                                              : for_results(run, input_guard_add);
}

/* The value of an option that is a text. */
static const char *text_of(const Option *option, const void *options) {
    const unsigned char *member = (const unsigned char *)options + option->member;
    return *(const char *const *)member;
}

static Status guard_option(const Option *option, const void *options) {
    switch (option->kind) {
    case OPTION_INPUT: return guard_input(text_of(option, options));
    case OPTION_INPUT_LIST: return guard_input_list(text_of(option, options));
    default: return status_ok();
    }
}

static Status try_option(const Option *option, const void *options) {
    const bool file = option->kind == OPTION_OUTPUT;
    const char *path = file || option->kind == OPTION_FOLDER ? text_of(option, options) : NULL;
    if (path == NULL) {
        return status_ok();
    }
    return file ? run_folder_try_file(path) : folder_make(path);
}

Status command_files_check(const Command *command, const void *options) {
    const Option *row;
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        STATUS_TRY(guard_option(row, options));
    }
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        STATUS_TRY(try_option(row, options));
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

/* === Files that are written =================================================================== */

static Status cannot_write(const char *path, const char *reason) {
    return status_make(STATUS_FILE, "cannot write %.200s: %s", path, reason);
}

/* Files are written beside and renamed, so the folder has to be writable. */
static Status check_folder_of(const char *path) {
    char folder[PATH_MAX];
    STATUS_TRY(path_folder(path, folder, sizeof folder));
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

Status output_targets_check(const RunOptions *options) {
    const char *folder = options->resume != NULL ? options->resume : options->out;
    STATUS_TRY(guard_inputs_of_run(options));
    STATUS_TRY(folder != NULL ? for_results(folder, input_guard_check) : status_ok());
    STATUS_TRY(check_file(options->csv));
    return check_file(options->json);
}
