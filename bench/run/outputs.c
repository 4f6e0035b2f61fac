/* Where a run writes: its folder, and the files that a person names, checked before anything is
 * measured. */

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "datasets.h"
#include "options.h"
#include "paths.h"
#include "run.h"
#include "sweep.h"
#include "text.h"

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

static bool is_free(const char *path) {
    return access(path, F_OK) != 0;
}

static bool can_be_made(const char *path) {
    return mkdir(path, 0777) == 0 || errno != EEXIST;
}

/* The first name that is right: two runs may start in the same second. */
static void choose(const char *words, bool (*is_right)(const char *path), char *path, size_t size) {
    char when[32];
    const time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    strftime(when, sizeof when, "%Y%m%d-%H%M%S", &local);
    snprintf(path, size, "%.3000s/%s%s", runs_folder(), when, words);
    for (int i = 2; i < SUFFIX_MAX && !is_right(path); i++) {
        snprintf(path, size, "%.3000s/%s%s-%d", runs_folder(), when, words, i);
    }
}

void run_folder_choose(const char *words, char *path, size_t size) {
    choose(words, is_free, path, size);
}

/* Length of the folder of runs and those above it that were there before; all of it: it was, or
 * this process has made none. */
static size_t length_before = SIZE_MAX;

static size_t existing_length(const char *path) {
    char folder[PATH_MAX];
    size_t length = strlen(path);
    snprintf(folder, sizeof folder, "%s", path);
    while (length > 0 && !folder_exists(folder)) {
        char *slash = strrchr(folder, '/');
        length = slash != NULL ? (size_t)(slash - folder) : 0;
        folder[length] = '\0';
    }
    return length;
}

void run_folder_reserve(const char *words, char *path, size_t size) {
    length_before = existing_length(runs_folder());
    (void)folder_make(runs_folder()); /* an error is that of opening the folder */
    choose(words, can_be_made, path, size);
}

/* An empty folder is removed, and those above it that were made for it. */
void run_folder_leave(const RunOptions *options, const char *folder) {
    char path[PATH_MAX];
    if (options->out != NULL || options->resume != NULL || rmdir(folder) != 0) {
        return;
    }
    snprintf(path, sizeof path, "%s", runs_folder());
    while (strlen(path) > length_before && rmdir(path) == 0) {
        char *slash = strrchr(path, '/');
        path[slash != NULL ? slash - path : 0] = '\0';
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
    (options->dry_run ? run_folder_choose : run_folder_reserve)(words, path, size);
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

/* Whether a run may be written to the folder, which may hold another, or what an earlier process of
 * this run left there. */
static Status check_free(const RunOptions *options, const char *folder) {
    const bool own = options->resume != NULL || options->again;
    return own || options->force ? status_ok() : stored_run_keep(folder);
}

/* The lock is first: a run that began meanwhile has written by then, or holds it. */
static Status claim(const RunOptions *options, RunFolder *folder) {
    char stored[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(folder_lock(folder->path, &folder->lock));
    STATUS_TRY(check_free(options, folder->path));
    atomic_file_sweep(folder->path);
    STATUS_TRY(stored_run_in(folder->path, stored, sizeof stored));
    folder->holds_results = is_file(folder->csv) || is_file(stored);
    return try_targets(options, folder);
}

Status run_folder_open(const RunOptions *options, RunFolder *folder) {
    *folder = (RunFolder){.lock = -1};
    STATUS_TRY(run_folder_path(options, folder->path, sizeof folder->path));
    folder->created = !folder_exists(folder->path);
    STATUS_TRY(folder_make(folder->path));
    snprintf(folder->csv, sizeof folder->csv, "%s/results.csv", folder->path);
    snprintf(folder->json, sizeof folder->json, "%s/results.json", folder->path);
    const Status status = claim(options, folder);
    if (!status_is_ok(&status)) {
        run_folder_discard(folder);
        run_folder_close(folder);
    }
    return status;
}

void run_folder_discard(const RunFolder *folder) {
    if (folder->created) {
        rmdir(folder->path); /* fails if something is in it, as it should */
    }
}

void run_folder_close(RunFolder *folder) {
    if (folder->lock >= 0) {
        close(folder->lock);
        folder->lock = -1;
    }
}

/* A folder may hold folders of classes. */
enum { INPUT_DEPTH = 2 };

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
    for (size_t i = 0; stored_run_files[i] != NULL; i++) {
        char path[PATH_MAX];
        STATUS_TRY(path_make(path, sizeof path, "%s/%s", folder, stored_run_files[i]));
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
    STATUS_TRY(guard_input(options->second));
    STATUS_TRY(guard_input(options->labels));
    STATUS_TRY(guard_input_list(options->keypoints_file));
    STATUS_TRY(guard_input_list(options->weights));
    return guard_run(options->baseline);
}

/* === Files that are written =================================================================== */

Status output_targets_check(const RunOptions *options) {
    const char *folder = options->resume != NULL ? options->resume : options->out;
    STATUS_TRY(guard_inputs_of_run(options));
    if (folder != NULL) {
        STATUS_TRY(for_results(folder, input_guard_check));
        /* Before a folder is chosen: only an earlier process has kept one. */
        const bool free = options->dry_run || supervisor_kept(KEPT_FOLDER) != NULL;
        STATUS_TRY(free ? status_ok() : check_free(options, folder));
    }
    STATUS_TRY(options->csv != NULL ? atomic_file_check(options->csv) : status_ok());
    return options->json != NULL ? atomic_file_check(options->json) : status_ok();
}
