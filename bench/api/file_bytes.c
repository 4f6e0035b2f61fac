#include "file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "byte_stream.h"
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

/* What of a file is read: its first `limit` bytes, or all of it. */
typedef struct Wanted {
    const char *what; /* NULL: the first bytes */
    uint64_t limit;
} Wanted;

static Status read_opened(int file, const char *path, const Wanted *wanted, FileBytes *contents) {
    struct stat facts;
    if (fstat(file, &facts) != 0) {
        return system_error(path, "read");
    }
    STATUS_TRY(check_regular(path, &facts));
    contents->file_size = (uint64_t)facts.st_size;
    const bool larger = contents->file_size > wanted->limit;
    if (larger && wanted->what != NULL) {
        return status_make(STATUS_FILE,
                           "%s: has %" PRIu64 " bytes; %s of at most %" PRIu64 " is read", path,
                           contents->file_size, wanted->what, wanted->limit);
    }
    const uint64_t size = larger ? wanted->limit : contents->file_size;
    STATUS_TRY(free_memory_check(path, size));
    contents->bytes = size < SIZE_MAX ? malloc((size_t)size + 1) : NULL;
    if (contents->bytes == NULL) {
        return free_memory_short(path, size);
    }
    const Status status = read_all(file, path, (size_t)size, contents);
    contents->bytes[contents->size] = '\0';
    return status;
}

static Status read_file(const char *path, const Wanted *wanted, FileBytes *contents) {
    *contents = (FileBytes){0};
    /* Without O_NONBLOCK, opening a pipe waits for a writer. */
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) {
        return system_error(path, "open");
    }
    const Status status = read_opened(file, path, wanted, contents);
    close(file);
    if (!status_is_ok(&status)) {
        file_bytes_free(contents);
    }
    return status;
}

Status file_bytes_read(const char *path, const char *what, uint64_t most, FileBytes *contents) {
    return read_file(path, &(Wanted){.what = what, .limit = most}, contents);
}

Status file_bytes_read_start(const char *path, size_t limit, FileBytes *contents) {
    return read_file(path, &(Wanted){.limit = limit}, contents);
}

void file_bytes_free(FileBytes *contents) {
    free(contents->bytes);
    *contents = (FileBytes){0};
}

/* --- Unpacking -------------------------------------------------------------------------------- */

/* Text that is unpacked starts with room for this many times the packed bytes, and doubles. */
enum { PACKED_RATIO = 8 };

static Status reserve(const char *path, uint64_t room, FileBytes *text) {
    STATUS_TRY(free_memory_check(path, room));
    uint8_t *grown = room < SIZE_MAX ? realloc(text->bytes, (size_t)room + 1) : NULL;
    if (grown == NULL) {
        return free_memory_short(path, room);
    }
    text->bytes = grown;
    return status_ok();
}

/* Memory grows with what comes out: what a small file claims to hold is not believed. One byte more
 * than `most` is asked for, to tell a text that ends there from one that goes on. */
static Status unpack_stream(ByteStream *stream, const char *what, uint64_t most, FileBytes *text) {
    const char *path = stream->source->name;
    uint64_t room = stream->source->size * PACKED_RATIO;
    size_t got;
    do {
        room = room <= most ? room : most + 1;
        STATUS_TRY(reserve(path, room, text));
        STATUS_TRY(
            byte_stream_read(stream, text->bytes + text->size, (size_t)room - text->size, &got));
        text->size += got;
        if (text->size > most) {
            return status_make(STATUS_FILE,
                               "%s: unpacks to more than %" PRIu64 " bytes; %s of at most %" PRIu64
                               " is read",
                               path, most, what, most);
        }
        room *= 2;
    } while (text->size * 2 == room);
    text->bytes[text->size] = '\0';
    return status_ok();
}

static Status unpack(const ByteSource *source, const char *what, uint64_t most, FileBytes *text) {
    ByteStream stream;
    *text = (FileBytes){.bytes = NULL};
    STATUS_TRY(byte_stream_open(source, &stream));
    const Status status = unpack_stream(&stream, what, most, text);
    byte_stream_close(&stream);
    if (!status_is_ok(&status)) {
        file_bytes_free(text);
    }
    return status;
}

Status file_text_read(const char *path, const char *what, uint64_t most, char **text,
                      size_t *length) {
    char packed[PATH_MAX];
    if (access(path, F_OK) != 0 &&
        snprintf(packed, sizeof packed, "%s.gz", path) < (int)sizeof packed &&
        access(packed, F_OK) == 0) {
        path = packed;
    }
    FileBytes file, contents;
    Status status = file_bytes_read(path, what, most, &file);
    contents = file;
    if (status_is_ok(&status) && byte_stream_is_gzip(file.bytes, file.size)) {
        const ByteSource source = {
            .name = path, .bytes = file.bytes, .size = file.size, .file_size = file.file_size};
        status = unpack(&source, what, most, &contents);
        file_bytes_free(&file);
    }
    if (status.code == STATUS_SKIP) {
        status.code = STATUS_FILE;
    }
    *text = (char *)contents.bytes;
    *length = contents.size;
    return status;
}
