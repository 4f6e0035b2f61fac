/* Paths and folders: joining and splitting, listing, making; where data and caches are. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "build_info.h"
#include "files.h"
#include "interrupt.h"
#include "list.h"
#include "paths.h"

/* === Paths ==================================================================================== */

static Status path_too_long(const char *path) {
    return status_make(STATUS_FILE, "%.64s…: the path is too long", path);
}

Status path_make(char *path, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(path, size, format, arguments);
    va_end(arguments);
    return length >= 0 && (size_t)length < size ? status_ok() : path_too_long(path);
}

Status path_in(const char *folder, const char *name, char *path, size_t size) {
    const bool here = strcmp(folder, ".") == 0;
    const bool slash = here || folder[0] == '\0' || folder[strlen(folder) - 1] == '/';
    return path_make(path, size, "%s%s%s", here ? "" : folder, slash ? "" : "/", name);
}

const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

Status path_folder(const char *path, char *folder, size_t size) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return path_make(folder, size, ".");
    }
    const size_t length = slash > path ? (size_t)(slash - path) : 1;
    if (length >= size) {
        return path_too_long(path);
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    return status_ok();
}

/* === Folders ================================================================================== */

enum { PATH_SIZE = 4096 };

bool folder_exists(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

int folder_entry(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

Status folder_list(const char *folder, int (*wanted)(const struct dirent *entry),
                   FolderList *list) {
    *list = (FolderList){.count = 0};
    const int count =
        scandir(folder, &list->entries, wanted != NULL ? wanted : is_visible, by_bytes);
    if (count < 0) {
        list->entries = NULL;
        return status_make(STATUS_FILE, "%.250s: the folder cannot be read: %s", folder,
                           strerror(errno));
    }
    list->count = (size_t)count;
    return status_ok();
}

void folder_list_release(FolderList *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->entries[i]);
    }
    free(list->entries);
    *list = (FolderList){.count = 0};
}

Status path_list_add(PathList *list, const char *path) {
    STATUS_TRY(LIST_ROOM(NULL, list->paths, list->count, list->capacity, "files"));
    list->paths[list->count] = strdup(path);
    STATUS_MEMORY(list->paths[list->count], "for the names of files");
    list->count++;
    return status_ok();
}

Status path_list_add_folder(PathList *list, const char *folder,
                            int (*wanted)(const struct dirent *entry)) {
    FolderList files;
    const size_t length = strlen(folder);
    const bool slash = length > 0 && folder[length - 1] == '/';
    Status status = folder_list(folder, wanted, &files);
    for (size_t i = 0; i < files.count && status_is_ok(&status); i++) {
        char path[ATOMIC_FILE_PATH_SIZE];
        status = path_make(path, sizeof path, "%s%s%s", folder, slash ? "" : "/",
                           files.entries[i]->d_name);
        STATUS_THEN(status, path_list_add(list, path));
    }
    folder_list_release(&files);
    return status;
}

void path_list_release(PathList *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->paths[i]);
    }
    free(list->paths);
    *list = (PathList){.count = 0};
}

static Status make_one(const char *path) {
    struct stat facts;
    int reason;
    do {
        if (mkdir(path, 0777) == 0) {
            return status_ok();
        }
        reason = errno;
        if (folder_exists(path)) {
            return status_ok();
        }
        /* Another process may have removed a folder that was there. */
    } while (reason == EEXIST && lstat(path, &facts) != 0 && errno == ENOENT);
    return status_make(STATUS_FILE, "%.200s: the folder cannot be made: %s", path,
                       strerror(reason == EEXIST ? ENOTDIR : reason));
}

/* Makes every folder of the path that a slash follows; the last one too if `whole`. */
static Status make_all(const char *path, bool whole) {
    char partial[PATH_SIZE];
    STATUS_TRY(path_make(partial, sizeof partial, "%s", path));
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

/* A process whose supervisor was killed saves what it has and ends: its lock is waited for. */
static bool take_lock(int lock) {
    enum { TRIES = 100 };
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    bool taken = flock(lock, LOCK_EX | LOCK_NB) == 0;
    for (int i = 0; !taken && errno == EWOULDBLOCK && i < TRIES; i++) {
        nanosleep(&pause, NULL);
        taken = flock(lock, LOCK_EX | LOCK_NB) == 0;
    }
    return taken;
}

/* No file is left behind, and the system lets go of the lock of a process that was killed. */
Status folder_lock(const char *path, int *lock) {
    *lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0 || take_lock(*lock)) {
        return status_ok();
    }
    const bool taken = errno == EWOULDBLOCK;
    close(*lock);
    *lock = -1;
    return taken ? status_make(STATUS_FILE,
                               "%.250s: another run is being written to this folder; wait for its "
                               "end, or name another folder",
                               path)
                 : status_ok();
}

bool folder_is_open(int from, const char *path, int folder) {
    struct stat named, opened;
    return fstatat(from, path, &named, 0) == 0 && fstat(folder, &opened) == 0 &&
           named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

bool folder_lock_open(int folder, bool alone) {
    while (flock(folder, alone ? LOCK_EX : LOCK_SH) != 0) {
        if (errno != EINTR || interrupt_requested()) {
            return false;
        }
    }
    return true;
}

Status folder_lock_wait(const char *path, int *lock) {
    for (;;) {
        STATUS_TRY(folder_make(path));
        const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        const bool gone = folder < 0 && errno == ENOENT;
        *lock = folder >= 0 && folder_lock_open(folder, true) ? folder : -1;
        /* Who had the lock before may have removed the folder. */
        const bool there = *lock < 0 || folder_is_open(AT_FDCWD, path, *lock);
        if (folder >= 0 && (*lock < 0 || !there)) {
            close(folder);
        }
        if (!gone && there) {
            return status_ok();
        }
    }
}

/* === Cache folder ============================================================================= */

Status cache_folder(char *path, size_t size) {
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    /* The specification says to ignore relative paths. */
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

static bool is_readable(const char *folder, const char *holds) {
    char path[DATA_FOLDER_PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, holds != NULL ? holds : ".");
    return length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
}

const char *program_again(void) {
    static const char own[] = "/proc/self/exe";
    static char *started; /* where it was, as far as the working folder is still the same */
    if (access(own, X_OK) == 0) {
        return own;
    }
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the system has it so */
    const char *name = (const char *)getauxval(AT_EXECFN);
    if (started == NULL && name != NULL) {
        started = realpath(name, NULL);
    }
    return started != NULL ? started : "";
}

void program_path(char *path, size_t size) {
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length > 0) {
        path[length] = '\0';
    } else {
        snprintf(path, size, "%s", program_again());
    }
}

/* The folder of the running program without a slash at its end; "" when unknown. */
static void program_folder(char *folder, size_t size) {
    program_path(folder, size);
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
}

bool program_is_built(void) {
    char folder[DATA_FOLDER_PATH_SIZE], cache[DATA_FOLDER_PATH_SIZE + 32];
    program_folder(folder, sizeof folder);
    snprintf(cache, sizeof cache, "%s/../CMakeCache.txt", folder);
    return access(cache, F_OK) == 0;
}

Status data_folder_find(const DataFolder *wanted, char *folder, size_t size) {
    char program[DATA_FOLDER_PATH_SIZE];
    program_folder(program, sizeof program);
    const char *given = wanted->variable != NULL ? getenv(wanted->variable) : NULL;
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
            is_readable(folder, wanted->holds)) {
            return status_ok();
        }
    }
    return status_skip("%s were not found; %s can name their folder", wanted->what,
                       wanted->variable);
}
