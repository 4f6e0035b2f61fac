#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"

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

Status atomic_file_part_name(const char *path, char *part, size_t size) {
    const int length = snprintf(part, size, "%s.part", path);
    if (length < 0 || (size_t)length >= size) {
        return status_make(STATUS_FILE, "cannot write %.200s…: the path is too long", path);
    }
    interrupt_note_temporary(part);
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
    STATUS_TRY(atomic_file_part_name(path, file->part, sizeof file->part));
    snprintf(file->path, sizeof file->path, "%s", path);
    if (is_folder(path)) {
        return cannot_write(path, EISDIR);
    }
    file->direct = is_special(path);
    file->stream = file->direct ? open_special(path) : fopen(file->part, "w");
    return file->stream != NULL ? status_ok() : cannot_write(path, errno);
}

Status atomic_file_rename(const char *part, const char *path) {
    if (rename(part, path) != 0) {
        const int error = errno;
        unlink(part);
        return cannot_write(path, error);
    }
    return status_ok();
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
