#include "file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "free_memory.h"

static Status system_error(const char *path, const char *action) {
    return status_make(STATUS_FILE, "%s: cannot %s: %s", path, action, strerror(errno));
}

static Status check_regular(const char *path, const struct stat *facts) {
    const char *kind = "not a regular file";
    if (S_ISREG(facts->st_mode)) {
        return status_ok();
    }
    if (S_ISDIR(facts->st_mode)) {
        kind = "a folder";
    } else if (S_ISCHR(facts->st_mode) || S_ISBLK(facts->st_mode)) {
        kind = "a device";
    } else if (S_ISFIFO(facts->st_mode)) {
        kind = "a pipe";
    }
    return status_make(STATUS_FILE, "%s: is %s; an ordinary file is needed", path, kind);
}

/* The file may shrink while it is read: what is there counts. */
static Status read_all(int file, const char *path, size_t wanted, FileBytes *contents) {
    while (contents->size < wanted) {
        const ssize_t got = read(file, contents->bytes + contents->size, wanted - contents->size);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            return system_error(path, "read");
        }
        contents->size += got > 0 ? (size_t)got : 0;
    }
    return status_ok();
}

static Status read_opened(int file, const char *path, size_t limit, FileBytes *contents) {
    struct stat facts;
    if (fstat(file, &facts) != 0) {
        return system_error(path, "read");
    }
    STATUS_TRY(check_regular(path, &facts));
    contents->file_size = (uint64_t)facts.st_size;
    const uint64_t wanted = contents->file_size < limit ? contents->file_size : limit;
    STATUS_TRY(free_memory_check(path, wanted));
    contents->bytes = malloc(wanted > 0 ? (size_t)wanted : 1);
    if (contents->bytes == NULL) {
        return free_memory_short(path, wanted);
    }
    return read_all(file, path, (size_t)wanted, contents);
}

Status file_bytes_read(const char *path, size_t limit, FileBytes *contents) {
    *contents = (FileBytes){0};
    /* Without O_NONBLOCK, opening a pipe waits for a writer. */
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) {
        return system_error(path, "open");
    }
    const Status status = read_opened(file, path, limit, contents);
    close(file);
    if (!status_is_ok(&status)) {
        file_bytes_free(contents);
    }
    return status;
}

void file_bytes_free(FileBytes *contents) {
    free(contents->bytes);
    *contents = (FileBytes){0};
}
