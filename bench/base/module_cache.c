/* Which modules are kept, and for how long. */

#include "module_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "list.h"
#include "paths.h"

enum { PATH_SIZE = DATA_FOLDER_PATH_SIZE, HASH_DIGITS = 16, DAY_SECONDS = 24 * 60 * 60 };

/* === Use ====================================================================================== */

/* Until the process ends. */
enum { HELD_MAX = 64 };
static int held[HELD_MAX];
static size_t held_count;

bool module_cache_use(const char *path) {
    char name[PATH_SIZE];
    const Status named = path_folder(path, name, sizeof name);
    const int folder = status_is_ok(&named) ? open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder < 0) {
        return false;
    }
    /* Where the file system knows no locks the time alone keeps it. */
    (void)folder_lock_open(folder, false);
    (void)futimens(folder, NULL);
    const bool there = folder_is_open(AT_FDCWD, name, folder) && access(path, R_OK) == 0;
    if (there && held_count < HELD_MAX) {
        held[held_count++] = folder;
    } else {
        close(folder);
    }
    return there;
}

/* === What there is ============================================================================ */

/* A module, or a request without one: its name is "". */
typedef struct Kept {
    char request[HASH_DIGITS + 1], name[HASH_DIGITS + 1];
    struct timespec used;
    uint64_t bytes;
} Kept;

typedef struct Cache {
    int folder;
    Kept *list;
    size_t count, capacity;
    uint64_t bytes;
} Cache;

static bool is_hash(const char *name) {
    return strlen(name) == HASH_DIGITS && strspn(name, "0123456789abcdef") == HASH_DIGITS;
}

static int open_folder(int folder, const char *name) {
    return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Calls `each` for the entries of a folder, which is closed. */
static void visit(int folder, void (*each)(void *context, int folder, const char *name),
                  void *context) {
    DIR *list = folder >= 0 ? fdopendir(folder) : NULL;
    const struct dirent *entry;
    while (list != NULL && (entry = readdir(list)) != NULL) {
        if (folder_entry(entry)) {
            each(context, folder, entry->d_name);
        }
    }
    if (list != NULL) {
        closedir(list);
    } else if (folder >= 0) {
        close(folder);
    }
}

static void add_size(void *context, int folder, const char *name) {
    uint64_t *bytes = context;
    struct stat file;
    if (fstatat(folder, name, &file, AT_SYMLINK_NOFOLLOW) == 0) {
        *bytes += (uint64_t)file.st_size;
    }
}

/* Adds what is in `place` of a folder. */
static void add_kept(Cache *cache, const char *request, const char *name, int folder,
                     const char *place) {
    struct stat facts;
    const Status room =
        LIST_ROOM(NULL, cache->list, cache->count, cache->capacity, "the modules that are kept");
    if (!status_is_ok(&room) || fstatat(folder, place, &facts, AT_SYMLINK_NOFOLLOW) != 0) {
        return;
    }
    Kept *kept = &cache->list[cache->count++];
    *kept = (Kept){.used = facts.st_mtim};
    snprintf(kept->request, sizeof kept->request, "%.16s", request);
    snprintf(kept->name, sizeof kept->name, "%.16s", name);
    visit(open_folder(folder, place), add_size, &kept->bytes);
    cache->bytes += kept->bytes;
}

typedef struct Request {
    Cache *cache;
    const char *name;
} Request;

static void add_module(void *context, int folder, const char *name) {
    const Request *request = context;
    if (is_hash(name)) {
        add_kept(request->cache, request->name, name, folder, name);
    }
}

static void add_request(void *context, int folder, const char *name) {
    Request request = {.cache = context, .name = name};
    if (is_hash(name)) {
        const size_t before = request.cache->count;
        visit(open_folder(folder, name), add_module, &request);
        if (request.cache->count == before) {
            add_kept(request.cache, name, "", folder, name);
        }
    }
}

/* === What goes ================================================================================ */

static void remove_file(void *context, int folder, const char *name) {
    (void)context;
    (void)unlinkat(folder, name, 0);
}

/* Removes a folder of files that nobody has locked. */
static bool remove_unlocked(int parent, const char *name) {
    const int folder = open_folder(parent, name);
    const int lock = folder >= 0 ? fcntl(folder, F_DUPFD_CLOEXEC, 0) : -1;
    const bool alone = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
    if (alone) {
        visit(folder, remove_file, NULL);
    } else if (folder >= 0) {
        close(folder);
    }
    const bool removed = alone && unlinkat(parent, name, AT_REMOVEDIR) == 0;
    if (lock >= 0) {
        close(lock);
    }
    return removed;
}

static void see_module(void *context, int folder, const char *name) {
    (void)folder;
    *(bool *)context |= is_hash(name);
}

/* Nobody compiles the request's file meanwhile. Its own folder goes with its last module. */
static bool remove_module(const Cache *cache, const Kept *kept) {
    bool others = false;
    const int request = open_folder(cache->folder, kept->request);
    const bool removed = request >= 0 && flock(request, LOCK_EX | LOCK_NB) == 0 &&
                         folder_is_open(cache->folder, kept->request, request) &&
                         (kept->name[0] == '\0' || remove_unlocked(request, kept->name));
    if (removed) {
        visit(open_folder(request, "."), see_module, &others);
    }
    if (removed && !others) {
        visit(open_folder(request, "."), remove_file, NULL);
        (void)unlinkat(cache->folder, kept->request, AT_REMOVEDIR);
    }
    if (request >= 0) {
        close(request);
    }
    return removed;
}

static int by_use(const void *left, const void *right) {
    const struct timespec *a = &((const Kept *)left)->used, *b = &((const Kept *)right)->used;
    return a->tv_sec != b->tv_sec ? (a->tv_sec > b->tv_sec) - (a->tv_sec < b->tv_sec)
                                  : (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

void module_cache_prune(const char *folder) {
    Cache cache = {.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (cache.folder < 0) {
        return;
    }
    visit(open_folder(cache.folder, "."), add_request, &cache);
    if (cache.count > 0) {
        qsort(cache.list, cache.count, sizeof *cache.list, by_use);
    }
    const time_t oldest = time(NULL) - (time_t)MODULE_CACHE_DAYS * DAY_SECONDS;
    for (size_t i = 0; i < cache.count; i++) {
        const Kept *kept = &cache.list[i];
        if ((kept->used.tv_sec < oldest || cache.bytes > MODULE_CACHE_BYTES) &&
            remove_module(&cache, kept)) {
            cache.bytes -= kept->bytes;
        }
    }
    free(cache.list);
    close(cache.folder);
}
