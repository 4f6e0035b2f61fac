#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#define ZLIB_CONST /* it does not write to its input */
#include <zlib.h>

#include "interrupt.h"
#include "list.h"
#include "resources.h"

/* === Input guard ============================================================================== */

typedef struct FileIdentity {
    dev_t device;
    ino_t inode;
} FileIdentity;

static FileIdentity *inputs;
static size_t input_count, input_capacity;

static bool identify(const char *path, FileIdentity *file) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return false;
    }
    *file = (FileIdentity){.device = info.st_dev, .inode = info.st_ino};
    return true;
}

Status input_guard_add(const char *path) {
    FileIdentity file;
    if (!identify(path, &file)) {
        return status_ok();
    }
    STATUS_TRY(LIST_ROOM(NULL, inputs, input_count, input_capacity, "input files"));
    inputs[input_count++] = file;
    return status_ok();
}

Status input_guard_check(const char *path) {
    FileIdentity file;
    const size_t count = identify(path, &file) ? input_count : 0;
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].device == file.device && inputs[i].inode == file.inode) {
            return status_make(STATUS_USAGE,
                               "%.250s is read by this command and would be overwritten; name "
                               "another file to write to",
                               path);
        }
    }
    return status_ok();
}

/* === Atomic files ============================================================================= */

/* ".0123abcd.part" */
enum { PART_DIGITS = 8, PART_LENGTH = 1 + PART_DIGITS + 5, PART_TRIES = 16 };

static const char part_suffix[] = ".part";

/* Seconds after its last write at which a part file counts as abandoned. */
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

/* If the system has no random numbers yet, the clock and the process number make it unique. */
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

/* Creates a part file of `path` and opens it for writing. */
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

/* Without O_NONBLOCK, opening a pipe without a reader would wait for one. */
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
    /* A full disk may be reported only when the buffer is flushed or the file is closed. */
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

/* === Reading ================================================================================== */

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

/* A file that shrinks while it is read is no error. */
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

/* How much of a file is read. */
typedef struct Wanted {
    const char *what; /* for messages; NULL: the first `limit` bytes of a file of any size */
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

/* --- Byte stream ------------------------------------------------------------------------------ */

/* The most that deflate can expand its input (zlib's technical notes). */
enum { DEFLATE_RATIO_MAX = 1032 };

/* zlib's window bits: the largest window, gzip headers only. */
enum { GZIP_WINDOW_BITS = 15 + 16 };

/* zlib counts bytes in unsigned int: larger buffers are passed in parts. */
enum { PART_BYTES = 1 << 30 };

bool byte_stream_is_gzip(const uint8_t *bytes, size_t size) {
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static Status no_memory_to_unpack(const char *name) {
    return status_no_memory("to unpack %.200s", name);
}

Status byte_stream_open(const ByteSource *source, ByteStream *stream) {
    *stream =
        (ByteStream){.source = source, .gzip = byte_stream_is_gzip(source->bytes, source->size)};
    if (!stream->gzip) {
        return status_ok();
    }
    stream->unpacking = calloc(1, sizeof *stream->unpacking);
    if (stream->unpacking == NULL || inflateInit2(stream->unpacking, GZIP_WINDOW_BITS) != Z_OK) {
        free(stream->unpacking);
        return no_memory_to_unpack(source->name);
    }
    return status_ok();
}

void byte_stream_close(ByteStream *stream) {
    if (stream->gzip) {
        inflateEnd(stream->unpacking);
        free(stream->unpacking);
    }
}

uint64_t byte_stream_most(const ByteStream *stream) {
    const uint64_t size = stream->source->file_size;
    if (!stream->gzip) {
        return size;
    }
    return size > UINT64_MAX / DEFLATE_RATIO_MAX ? UINT64_MAX : size * DEFLATE_RATIO_MAX;
}

static size_t read_plain(ByteStream *stream, uint8_t *bytes, size_t wanted) {
    const size_t left = stream->source->size - stream->position;
    const size_t count = wanted < left ? wanted : left;
    memcpy(bytes, stream->source->bytes + stream->position, count);
    stream->position += count;
    return count;
}

static Status damaged(const ByteStream *stream, int code) {
    const char *name = stream->source->name;
    if (code == Z_MEM_ERROR) {
        return no_memory_to_unpack(name);
    }
    if (code == Z_BUF_ERROR) {
        return status_make(STATUS_FILE, "%s: truncated: its gzip data end too early", name);
    }
    const char *what = stream->unpacking->msg;
    return status_make(STATUS_FILE, "%s: damaged gzip data: %s", name,
                       what != NULL ? what : "it cannot be unpacked");
}

/* Another gzip member may follow; its data continue those of the first. */
static Status end_member(ByteStream *stream) {
    const ByteSource *source = stream->source;
    const size_t left = source->size - stream->position;
    if (left == 0) {
        stream->ended = true;
        return status_ok();
    }
    if (!byte_stream_is_gzip(source->bytes + stream->position, left)) {
        return status_make(STATUS_FILE,
                           "%s: %zu bytes that are not gzip follow the end of its gzip data",
                           source->name, left);
    }
    inflateReset(stream->unpacking);
    return status_ok();
}

static Status unpack_part(ByteStream *stream, uint8_t *bytes, size_t wanted, size_t *got) {
    z_stream *unpacking = stream->unpacking;
    const size_t left = stream->source->size - stream->position;
    const uInt offered = left < PART_BYTES ? (uInt)left : (uInt)PART_BYTES;
    const uInt room = wanted < PART_BYTES ? (uInt)wanted : (uInt)PART_BYTES;
    unpacking->next_in = stream->source->bytes + stream->position;
    unpacking->avail_in = offered;
    unpacking->next_out = bytes;
    unpacking->avail_out = room;
    const int code = inflate(unpacking, Z_NO_FLUSH);
    stream->position += offered - unpacking->avail_in;
    *got += room - unpacking->avail_out;
    if (code == Z_STREAM_END) {
        return end_member(stream);
    }
    return code == Z_OK ? status_ok() : damaged(stream, code);
}

Status byte_stream_read(ByteStream *stream, uint8_t *bytes, size_t wanted, size_t *got) {
    *got = 0;
    if (!stream->gzip) {
        *got = read_plain(stream, bytes, wanted);
        return status_ok();
    }
    while (*got < wanted && !stream->ended) {
        STATUS_TRY(unpack_part(stream, bytes + *got, wanted - *got, got));
    }
    return status_ok();
}

/* --- Unpacking -------------------------------------------------------------------------------- */

/* The first size of the buffer for unpacked text, in packed bytes. It doubles. */
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

/* The buffer grows with the unpacked data, since a small file may unpack to any size. One byte more
 * than `most` is read, to detect a longer text. */
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

LibraryVersion byte_stream_library(void) {
    return (LibraryVersion){.name = "zlib", .used = zlibVersion(), .built = ZLIB_VERSION};
}
