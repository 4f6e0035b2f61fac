#include "mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "interrupt.h"
#include "resources.h"

/* === Maps of this process ===================================================================== */

enum { MAPS_MAX = 64, WHY_SIZE = 512 };

/* Read by a signal handler: `begin` is set last and cleared first. */
typedef struct Map {
    atomic_uintptr_t begin; /* 0: unused */
    atomic_uintptr_t end;
    char why[WHY_SIZE]; /* the line when a page of it is lost */
} Map;

static Map maps[MAPS_MAX];
static atomic_int map_count;
static pthread_mutex_t maps_lock = PTHREAD_MUTEX_INITIALIZER;

static Map *find_map(const void *memory) {
    const uintptr_t address = (uintptr_t)memory;
    for (size_t i = 0; i < MAPS_MAX && atomic_load(&map_count) > 0; i++) {
        const uintptr_t begin = atomic_load(&maps[i].begin);
        if (begin != 0 && address >= begin && address < atomic_load(&maps[i].end)) {
            return &maps[i];
        }
    }
    return NULL;
}

static void on_bus_error(int number, siginfo_t *information, void *context) {
    (void)context;
    const Map *map = find_map(information->si_addr);
    if (map != NULL) {
        interrupt_lose(map->why, INTERRUPT_FILE_EXIT_CODE);
    }
    signal(number, SIG_DFL); /* the access is repeated, and ends the process */
}

static void watch_bus_errors(void) {
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

static Status note_map(const uint8_t *memory, uint64_t bytes, const char *why) {
    Status status = status_skip("more than %d files are mapped", MAPS_MAX);
    pthread_mutex_lock(&maps_lock);
    watch_bus_errors();
    for (size_t i = 0; i < MAPS_MAX && !status_is_ok(&status); i++) {
        if (atomic_load(&maps[i].begin) == 0) {
            snprintf(maps[i].why, sizeof maps[i].why, "%s", why);
            atomic_store(&maps[i].end, (uintptr_t)memory + bytes);
            atomic_store(&maps[i].begin, (uintptr_t)memory);
            atomic_fetch_add(&map_count, 1);
            status = status_ok();
        }
    }
    pthread_mutex_unlock(&maps_lock);
    return status;
}

/* Maps an open file. */
static Status map_open_file(int file, uint64_t bytes, int protection, const char *why,
                            uint8_t **memory) {
    void *mapped =
        bytes <= SIZE_MAX ? mmap(NULL, bytes, protection, MAP_SHARED, file, 0) : MAP_FAILED;
    if (mapped == MAP_FAILED) {
        char text[BYTES_TEXT_SIZE];
        bytes_text(bytes, text, sizeof text);
        return status_skip("a file of %s cannot be mapped: %s (ulimit -v)", text, strerror(errno));
    }
    const Status status = note_map(mapped, bytes, why);
    if (!status_is_ok(&status)) {
        munmap(mapped, bytes);
        return status;
    }
    *memory = mapped;
    return status;
}

bool mapped_file_holds(const void *memory) {
    return find_map(memory) != NULL;
}

void mapped_file_leave(const void *memory, size_t bytes) {
    if (find_map(memory) != NULL) {
        const size_t into_page = (uintptr_t)memory % (uintptr_t)sysconf(_SC_PAGESIZE);
        uint8_t *first = (uint8_t *)memory - into_page;
        (void)madvise(first, bytes + into_page, MADV_DONTNEED);
    }
}

bool mapped_file_close(const void *memory) {
    if (atomic_load(&map_count) == 0) {
        return false;
    }
    pthread_mutex_lock(&maps_lock);
    Map *map = find_map(memory);
    if (map != NULL) {
        const uintptr_t begin = atomic_load(&map->begin);
        uint8_t *first = (uint8_t *)memory - ((uintptr_t)memory - begin);
        atomic_store(&map->begin, 0);
        munmap(first, atomic_load(&map->end) - begin);
        atomic_fetch_sub(&map_count, 1);
    }
    pthread_mutex_unlock(&maps_lock);
    return map != NULL;
}

/* === Inputs =================================================================================== */

static Status check_input(int file, const char *path, uint64_t bytes) {
    struct stat facts;
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return status_make(STATUS_FILE, "%s: an ordinary file is needed", path);
    }
    if ((uint64_t)facts.st_size < bytes) {
        return status_make(STATUS_FILE,
                           "%s: the file is truncated: %" PRIu64 " of %" PRIu64 " bytes", path,
                           (uint64_t)facts.st_size, bytes);
    }
    return status_ok();
}

Status mapped_file_open(const char *path, uint64_t bytes, uint8_t **memory) {
    char why[WHY_SIZE];
    snprintf(why, sizeof why,
             "%.380s: can no longer be read: the file was cut short while it was used, or its disk "
             "fails",
             path);
    /* Without O_NONBLOCK, opening a pipe waits for a writer. */
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) {
        return status_make(STATUS_FILE, "%s: cannot open: %s", path, strerror(errno));
    }
    Status status = check_input(file, path, bytes);
    STATUS_THEN(status, map_open_file(file, bytes, PROT_READ, why, memory));
    if (status_is_ok(&status)) {
        /* Images are read row by row. Measured: 1.07 GB/s, and 0.58 to 0.91 without. */
        (void)madvise(*memory, bytes, MADV_SEQUENTIAL);
    }
    close(file);
    return status;
}

/* === Memory in a file ========================================================================= */

/* What statfs says of file systems that lie in memory. */
static const unsigned long memory_file_systems[] = {0x01021994 /* tmpfs */, 0x858458f6 /* ramfs */};

static Status check_is_disk(const char *folder) {
    struct statfs facts;
    if (statfs(folder, &facts) != 0) {
        return status_skip("%s: cannot hold an answer: %s", folder, strerror(errno));
    }
    for (size_t i = 0; i < sizeof memory_file_systems / sizeof memory_file_systems[0]; i++) {
        if ((unsigned long)facts.f_type == memory_file_systems[i]) {
            return status_skip("%s lies in memory, not on a disk", folder);
        }
    }
    return status_ok();
}

/* The least of the disk's free space and the limit of a file's size (ulimit -f). */
static uint64_t disk_room(const char *folder) {
    struct statvfs facts;
    struct rlimit limit;
    uint64_t room = UINT64_MAX;
    if (statvfs(folder, &facts) == 0) {
        room = (uint64_t)facts.f_bavail * (uint64_t)facts.f_frsize;
    }
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < room) {
        room = limit.rlim_cur;
    }
    return room;
}

static Status disk_short(const char *folder, uint64_t bytes, uint64_t room) {
    char needed[BYTES_TEXT_SIZE], left[BYTES_TEXT_SIZE];
    bytes_text(bytes, needed, sizeof needed);
    bytes_text(room, left, sizeof left);
    return status_skip("needs %s in %s, %s free", needed, folder, left);
}

/* A file that has no name any more, so that no killed process leaves it behind; negative: none. */
static int open_nameless(const char *folder) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/bench-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int file = mkstemp(path);
    if (file >= 0) {
        unlink(path);
        fcntl(file, F_SETFD, FD_CLOEXEC);
    }
    return file;
}

static Status reserve_and_map(int file, const char *folder, uint64_t bytes, uint8_t **memory) {
    char why[WHY_SIZE];
    /* Reserved, since a full disk would show only when a page is written. */
    const int error = posix_fallocate(file, 0, (off_t)bytes);
    if (error == ENOSPC || error == EFBIG || error == EDQUOT) {
        return disk_short(folder, bytes, disk_room(folder));
    }
    if (error != 0) {
        return status_skip("%s: cannot hold an answer: %s", folder, strerror(error));
    }
    snprintf(why, sizeof why, "%.380s: an answer that lies there can no longer be written or read",
             folder);
    return map_open_file(file, bytes, PROT_READ | PROT_WRITE, why, memory);
}

Status mapped_file_make(const char *folder, uint64_t bytes, uint8_t **memory) {
    STATUS_TRY(check_is_disk(folder));
    const uint64_t room = disk_room(folder);
    if (bytes > room) {
        return disk_short(folder, bytes, room);
    }
    const int file = open_nameless(folder);
    if (file < 0) {
        return status_skip("%s: cannot hold an answer: %s", folder, strerror(errno));
    }
    const Status status = reserve_and_map(file, folder, bytes, memory);
    close(file);
    return status;
}
