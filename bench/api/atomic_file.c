#include "atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "input_guard.h"
#include "interrupt.h"

/* ".0123abcd.part" */
enum { PART_DIGITS = 8, PART_LENGTH = 1 + PART_DIGITS + 5, PART_TRIES = 16 };

static const char part_suffix[] = ".part";

/* Seconds after which a part file that nobody writes to was left behind. */
static const double stale_age = 3600;

static Status cannot_write(const char *path, int error) {
    return status_make(STATUS_FILE, "cannot write %s: %s", path, strerror(error));
}

static bool is_special(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* --- Part files ------------------------------------------------------------------------------- */

/* Where the system has no random numbers yet, the clock and the process differ from run to run. */
static uint32_t random_number(void) {
    uint32_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        number = (uint32_t)now.tv_nsec * UINT32_C(2654435761) ^ (uint32_t)getpid();
    }
    return number;
}

static Status name_part(const char *path, char part[ATOMIC_FILE_PATH_SIZE]) {
    const char *slash = strrchr(path, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    const size_t name = strlen(path) - folder;
    const size_t most = NAME_MAX - PART_LENGTH;
    if (name > NAME_MAX) {
        return status_make(STATUS_FILE, "cannot write %.200s…: %s", path, strerror(ENAMETOOLONG));
    }
    const int length =
        snprintf(part, ATOMIC_FILE_PATH_SIZE, "%.*s.%08" PRIx32 "%s",
                 (int)(folder + (name < most ? name : most)), path, random_number(), part_suffix);
    if (length < 0 || length >= ATOMIC_FILE_PATH_SIZE) {
        return status_make(STATUS_FILE, "cannot write %.200s…: the path is too long", path);
    }
    interrupt_note_temporary(part);
    return status_ok();
}

/* A new file of that name, open for writing. */
static Status open_part(const char *path, char part[ATOMIC_FILE_PATH_SIZE], int *descriptor) {
    const mode_t all = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH; /* but umask's */
    *descriptor = -1;
    STATUS_TRY(input_guard_check(path));
    for (int i = 0; i < PART_TRIES && (i == 0 || errno == EEXIST); i++) {
        STATUS_TRY(name_part(path, part));
        *descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, all);
        if (*descriptor >= 0) {
            return status_ok();
        }
    }
    return cannot_write(path, errno);
}

Status atomic_file_part_make(const char *path, char part[ATOMIC_FILE_PATH_SIZE]) {
    int descriptor;
    STATUS_TRY(open_part(path, part, &descriptor));
    close(descriptor);
    return status_ok();
}

Status atomic_file_rename(const char *part, const char *path) {
    if (rename(part, path) != 0) {
        const int error = errno;
        unlink(part);
        return cannot_write(path, error);
    }
    return status_ok();
}

static bool is_part_name(const char *name) {
    const size_t length = strlen(name);
    if (length <= PART_LENGTH) {
        return false;
    }
    const char *end = name + length - PART_LENGTH;
    return end[0] == '.' && strspn(end + 1, "0123456789abcdef") == PART_DIGITS &&
           strcmp(end + 1 + PART_DIGITS, part_suffix) == 0;
}

void atomic_file_sweep(const char *folder) {
    DIR *list = opendir(folder);
    const time_t now = time(NULL);
    const struct dirent *entry;
    while (list != NULL && (entry = readdir(list)) != NULL) {
        struct stat info;
        if (is_part_name(entry->d_name) &&
            fstatat(dirfd(list), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && difftime(now, info.st_mtime) > stale_age) {
            unlinkat(dirfd(list), entry->d_name, 0);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
}

/* --- Whole files ------------------------------------------------------------------------------ */

static Status open_stream(AtomicFile *file) {
    int descriptor;
    STATUS_TRY(open_part(file->path, file->part, &descriptor));
    file->stream = fdopen(descriptor, "w");
    if (file->stream == NULL) {
        const int error = errno;
        close(descriptor);
        unlink(file->part);
        return cannot_write(file->path, error);
    }
    return status_ok();
}

/* Opening a pipe that nobody reads would wait for a reader. */
static FILE *open_special(const char *path) {
    const int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    FILE *stream =
        descriptor >= 0 && fcntl(descriptor, F_SETFL, 0) == 0 ? fdopen(descriptor, "w") : NULL;
    if (stream == NULL && descriptor >= 0) {
        const int error = errno;
        close(descriptor);
        errno = error;
    }
    return stream;
}

Status atomic_file_open(AtomicFile *file, const char *path) {
    file->stream = NULL;
    if (snprintf(file->path, sizeof file->path, "%s", path) >= (int)sizeof file->path) {
        return status_make(STATUS_FILE, "cannot write %.200s…: the path is too long", path);
    }
    if (is_folder(path)) {
        return cannot_write(path, EISDIR);
    }
    file->direct = is_special(path);
    if (!file->direct) {
        return open_stream(file);
    }
    file->stream = open_special(file->path);
    return file->stream != NULL ? status_ok() : cannot_write(path, errno);
}

Status atomic_file_commit(AtomicFile *file) {
    /* A full disk may show only when the buffer is flushed or the file is closed. */
    int error = 0;
    if (fflush(file->stream) != 0 || ferror(file->stream)) {
        error = errno != 0 ? errno : EIO;
    }
    if (fclose(file->stream) != 0 && error == 0) {
        error = errno;
    }
    file->stream = NULL;
    if (error != 0) {
        if (!file->direct) {
            unlink(file->part);
        }
        return cannot_write(file->path, error);
    }
    return file->direct ? status_ok() : atomic_file_rename(file->part, file->path);
}

void atomic_file_abandon(AtomicFile *file) {
    if (file->stream == NULL) {
        return;
    }
    fclose(file->stream);
    file->stream = NULL;
    if (!file->direct) {
        unlink(file->part);
    }
}
