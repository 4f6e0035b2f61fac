#include "run_folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "text_list.h"

enum { WORDS_SIZE = 144, SUFFIX_MAX = 1000 };

static bool is_folder(const char *path) {
    struct stat information;
    return stat(path, &information) == 0 && S_ISDIR(information.st_mode);
}

static bool is_file(const char *path) {
    struct stat information;
    return stat(path, &information) == 0 && S_ISREG(information.st_mode);
}

/* Writes and throws away: permissions alone do not tell about a full or read-only disk. */
Status run_folder_try_file(const char *path) {
    struct stat information;
    if (stat(path, &information) == 0 && !S_ISREG(information.st_mode) &&
        !S_ISDIR(information.st_mode)) {
        return status_ok(); /* a terminal or a pipe: trying would show */
    }
    if (is_folder(path)) {
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
    snprintf(path, size, "reports/runs/%s%s", when, words);
    for (int i = 2; i < SUFFIX_MAX && access(path, F_OK) == 0; i++) {
        snprintf(path, size, "reports/runs/%s%s-%d", when, words, i);
    }
}

static Status choose_path(const RunOptions *options, RunFolder *folder) {
    const char *given = options->resume != NULL ? options->resume : options->out;
    if (given != NULL) {
        if (snprintf(folder->path, sizeof folder->path, "%s", given) >= (int)sizeof folder->path) {
            return status_make(STATUS_FILE, "%.64s…: the path is too long", given);
        }
        return status_ok();
    }
    char words[WORDS_SIZE] = "";
    for (size_t i = 0; i < options->algorithm_count; i++) {
        text_append(words, sizeof words, "-%s", options->algorithms[i]->name);
    }
    run_folder_choose(words, folder->path, sizeof folder->path);
    return status_ok();
}

/* Results take the place of ordinary files alone: nobody named a pipe or a device. */
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
    snprintf(probe, sizeof probe, "%s/.writable", options->save);
    return run_folder_try_file(probe);
}

Status run_folder_open(const RunOptions *options, RunFolder *folder) {
    *folder = (RunFolder){.created = false};
    STATUS_TRY(choose_path(options, folder));
    folder->created = !is_folder(folder->path);
    STATUS_TRY(folder_make(folder->path));
    atomic_file_sweep(folder->path);
    snprintf(folder->csv, sizeof folder->csv, "%s/results.csv", folder->path);
    snprintf(folder->json, sizeof folder->json, "%s/results.json", folder->path);
    folder->holds_results = is_file(folder->csv) || is_file(folder->json);
    const Status status = try_targets(options, folder);
    if (!status_is_ok(&status)) {
        run_folder_discard(folder);
    }
    return status;
}

void run_folder_discard(const RunFolder *folder) {
    if (folder->created) {
        rmdir(folder->path); /* fails, as it should, when something is in it */
    }
}
