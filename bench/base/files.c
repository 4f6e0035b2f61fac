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
#include <sys/file.h>
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
    LIST_ADD(NULL, inputs, input_count, input_capacity, "input files", file);
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

/* === Named outputs ============================================================================ */

static const char **named_outputs;
static size_t named_count, named_capacity;

Status output_follow_links(const char *path) {
    LIST_ADD(NULL, named_outputs, named_count, named_capacity, "output files", path);
    return status_ok();
}

static bool is_named(const char *path) {
    for (size_t i = 0; i < named_count; i++) {
        if (strcmp(named_outputs[i], path) == 0) {
            return true;
        }
    }
    return false;
}

static Status cannot_write(const char *path, int error) {
    return status_make(STATUS_FILE, "cannot write %s: %s", path, strerror(error));
}

static Status path_too_long(const char *path) {
    return status_make(STATUS_FILE, "cannot write %.200s…: the path is too long", path);
}

static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

enum { LINKS_MAX = 40 }; /* as many as the system follows */

/* Replaces a link by what it leads to, which need not exist; `more` says whether it was one. */
static Status follow_link(const char *path, char target[ATOMIC_FILE_PATH_SIZE], bool *more) {
    char link[ATOMIC_FILE_PATH_SIZE];
    const ssize_t length = readlink(target, link, sizeof link);
    *more = length >= 0;
    if (!*more) {
        return status_ok();
    }
    const size_t folder = link[0] == '/' ? 0 : folder_length(target);
    if (folder + (size_t)length >= ATOMIC_FILE_PATH_SIZE) {
        return path_too_long(path);
    }
    memcpy(target + folder, link, (size_t)length);
    target[folder + (size_t)length] = '\0';
    return status_ok();
}

/* Where a file that is named so is written. */
static Status target_of(const char *path, char target[ATOMIC_FILE_PATH_SIZE]) {
    if (snprintf(target, ATOMIC_FILE_PATH_SIZE, "%s", path) >= ATOMIC_FILE_PATH_SIZE) {
        return path_too_long(path);
    }
    bool more = is_named(path);
    for (int i = 0; i < LINKS_MAX && more; i++) {
        STATUS_TRY(follow_link(path, target, &more));
    }
    return more ? cannot_write(path, ELOOP) : status_ok();
}

/* === Atomic files ============================================================================= */

/* ".0123abcd.part" */
enum { PART_DIGITS = 8, PART_LENGTH = 1 + PART_DIGITS + 5, PART_TRIES = 16 };

static const char part_suffix[] = ".part";

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

/* Bytes of a file's name that the names of its part files begin with. */
static size_t kept_of_name(const char *name) {
    const size_t length = strlen(name);
    const size_t most = NAME_MAX - PART_LENGTH;
    return length < most ? length : most;
}

static Status name_part(const char *path, char part[ATOMIC_FILE_PATH_SIZE]) {
    const size_t folder = folder_length(path);
    const char *name = path + folder;
    if (strlen(name) > NAME_MAX) {
        return status_make(STATUS_FILE, "cannot write %.200s…: %s", path, strerror(ENAMETOOLONG));
    }
    const int length =
        snprintf(part, ATOMIC_FILE_PATH_SIZE, "%.*s.%08" PRIx32 "%s",
                 (int)(folder + kept_of_name(name)), path, random_number(), part_suffix);
    if (length < 0 || length >= ATOMIC_FILE_PATH_SIZE) {
        return path_too_long(path);
    }
    interrupt_note_temporary(part);
    return status_ok();
}

/* A part file is locked while its process lives. Another process that takes it for abandoned may
 * have the lock first, and removes it. */
static bool lock_part(int descriptor) {
    struct stat info;
    return (flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
           fstat(descriptor, &info) == 0 && info.st_nlink > 0;
}

/* Creates a part file of `target` and opens it for reading and writing. `*error` is the system's
 * where that fails. */
static Status open_part(const char *target, char part[ATOMIC_FILE_PATH_SIZE], int *descriptor,
                        int *error) {
    const mode_t all = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH; /* but umask's */
    *error = EEXIST;
    for (int i = 0; i < PART_TRIES && *error == EEXIST; i++) {
        STATUS_TRY(name_part(target, part));
        *descriptor = open(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, all);
        if (*descriptor >= 0 && lock_part(*descriptor)) {
            return status_ok();
        }
        if (*descriptor >= 0) {
            close(*descriptor);
        } else {
            *error = errno;
        }
    }
    *descriptor = -1;
    return cannot_write(target, *error);
}

/* --- Abandoned part files --------------------------------------------------------------------- */

static bool is_part_name(const char *name) {
    const size_t length = strlen(name);
    if (length <= PART_LENGTH) {
        return false;
    }
    const char *end = name + length - PART_LENGTH;
    return end[0] == '.' && strspn(end + 1, "0123456789abcdef") == PART_DIGITS &&
           strcmp(end + 1 + PART_DIGITS, part_suffix) == 0;
}

/* Whether it is one of `target`, a name; NULL: of any. */
static bool is_part_of(const char *name, const char *target) {
    const size_t kept = target != NULL ? kept_of_name(target) : 0;
    return target == NULL ||
           (strlen(name) == kept + PART_LENGTH && strncmp(name, target, kept) == 0);
}

/* Removes a part file that no process has locked. */
static void remove_abandoned(int folder, const char *name) {
    struct stat info;
    const int file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0) {
        unlinkat(folder, name, 0);
    }
    close(file);
}

/* Whether there are other part files left. */
static bool sweep(const char *folder, const char *target) {
    DIR *list = opendir(folder);
    const struct dirent *entry;
    bool others = false;
    while (list != NULL && (entry = readdir(list)) != NULL) {
        if (!is_part_name(entry->d_name)) {
            continue;
        }
        if (is_part_of(entry->d_name, target)) {
            remove_abandoned(dirfd(list), entry->d_name);
        } else {
            others = true;
        }
    }
    if (list != NULL) {
        closedir(list);
    }
    return others;
}

void atomic_file_sweep(const char *folder) {
    sweep(folder, NULL);
}

/* Folders may hold many files, and they may all be written: one that had no part files is not
 * looked through again as long as its files are written one after the other. */
static void sweep_for(const char *target) {
    static char clean[ATOMIC_FILE_PATH_SIZE];
    char folder[ATOMIC_FILE_PATH_SIZE];
    const size_t length = folder_length(target);
    snprintf(folder, sizeof folder, "%.*s", length > 0 ? (int)length : 2,
             length > 0 ? target : "./");
    if (strcmp(folder, clean) != 0 && !sweep(folder, target + length)) {
        memcpy(clean, folder, sizeof clean);
    }
}

/* --- In place --------------------------------------------------------------------------------- */

/* A mount point cannot be replaced; nor can a file of another user in a folder with a sticky bit.
 */
static bool may_be_in_place(int error) {
    return error == EBUSY || error == EXDEV || error == EPERM || error == EACCES || error == EROFS;
}

static bool is_writable_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, W_OK) == 0;
}

/* Room for all of it before the first byte is replaced, where the file system can tell. */
static int reserve_room(int to, off_t before, off_t size) {
    const int error = size > before ? posix_fallocate(to, before, size - before) : 0;
    if (error == ENOSPC || error == EFBIG || error == EDQUOT) {
        return ftruncate(to, before) == 0 ? error : errno;
    }
    return 0;
}

static int copy_bytes(int from, int to, off_t size) {
    char bytes[1 << 14];
    for (off_t at = 0; at < size;) {
        const ssize_t got = pread(from, bytes, sizeof bytes, at);
        if (got <= 0) {
            return got == 0 ? EIO : errno;
        }
        for (ssize_t written = 0; written < got;) {
            const ssize_t count =
                pwrite(to, bytes + written, (size_t)(got - written), at + written);
            if (count < 0) {
                return errno;
            }
            written += count;
        }
        at += got;
    }
    return ftruncate(to, size) == 0 ? 0 : errno;
}

/* Puts the contents of an open file into one that exists. */
static Status write_in_place(int from, const char *target) {
    struct stat source, before;
    const int to = open(target, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    int error = to < 0 || fstat(from, &source) != 0 || fstat(to, &before) != 0 ? errno : 0;
    if (error == 0) {
        error = reserve_room(to, before.st_size, source.st_size);
    }
    if (error == 0) {
        error = copy_bytes(from, to, source.st_size);
    }
    if (to >= 0 && close(to) != 0 && error == 0) {
        error = errno;
    }
    return error == 0 ? status_ok() : cannot_write(target, error);
}

/* Renames a part file, or puts its contents where it cannot be renamed to. Either way it is gone.
 */
static Status replace(const char *part, const char *target) {
    Status status = status_ok();
    if (rename(part, target) == 0) {
        return status;
    }
    const int error = errno;
    const bool in_place = may_be_in_place(error) && is_writable_file(target);
    const int from = in_place ? open(part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    status = from >= 0 ? write_in_place(from, target) : cannot_write(target, error);
    if (from >= 0) {
        close(from);
    }
    unlink(part);
    return status;
}

Status atomic_file_part_make(const char *path, char part[ATOMIC_FILE_PATH_SIZE]) {
    int descriptor = -1, error = 0;
    STATUS_TRY(input_guard_check(path));
    STATUS_TRY(open_part(path, part, &descriptor, &error));
    close(descriptor);
    return status_ok();
}

Status atomic_file_rename(const char *part, const char *path) {
    char target[ATOMIC_FILE_PATH_SIZE];
    const Status status = target_of(path, target);
    if (!status_is_ok(&status)) {
        unlink(part);
        return status;
    }
    return replace(part, target);
}

/* --- Whole files ------------------------------------------------------------------------------ */

/* A file that is replaced hands on its mode and, where the system allows it, its owner. */
static void keep_rights(int part, const char *target) {
    struct stat info;
    if (lstat(target, &info) != 0 || !S_ISREG(info.st_mode)) {
        return;
    }
    if (fchown(part, info.st_uid, info.st_gid) != 0) {
        (void)!fchown(part, (uid_t)-1, info.st_gid);
    }
    (void)!fchmod(part, info.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO));
}

/* A file without a name, for a target whose folder takes no other file. */
static int open_elsewhere(void) {
    const char *folder = getenv("TMPDIR");
    char path[ATOMIC_FILE_PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/bench-XXXXXX",
             folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    const int descriptor = mkstemp(path);
    if (descriptor >= 0) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
        unlink(path);
    }
    return descriptor;
}

/* The part file, beside the target or without a name. */
static Status open_contents(AtomicFile *file) {
    int error = 0;
    sweep_for(file->target);
    const Status status = open_part(file->target, file->part, &file->contents, &error);
    if (status_is_ok(&status)) {
        file->kind = ATOMIC_BESIDE;
        keep_rights(file->contents, file->target);
        return status;
    }
    if (may_be_in_place(error) && is_writable_file(file->target)) {
        file->kind = ATOMIC_IN_PLACE;
        file->contents = open_elsewhere();
    }
    return file->contents >= 0 ? status_ok() : status;
}

/* The number behind one of the folders of descriptors; -1: none. */
static int number_in(const char *path, const char *folder) {
    enum { DIGITS_MAX = 6 };
    const size_t length = strlen(folder);
    if (strncmp(path, folder, length) != 0) {
        return -1;
    }
    const size_t digits = strspn(path + length, "0123456789");
    const bool number = digits > 0 && digits <= DIGITS_MAX && path[length + digits] == '\0';
    return number ? (int)strtol(path + length, NULL, 10) : -1;
}

/* The descriptor that a path names, such as /dev/stdout; -1: none. Opened by its name a file would
 * be written from its start on, over what the program has printed. */
static int descriptor_of(const char *path) {
    static const char *const standard[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(path, standard[i]) == 0) {
            return i;
        }
    }
    const int number = number_in(path, "/dev/fd/");
    return number >= 0 ? number : number_in(path, "/proc/self/fd/");
}

/* Without O_NONBLOCK, opening a pipe without a reader would wait for one. */
static int open_direct(const char *path) {
    const int named = descriptor_of(path);
    if (named >= 0) {
        fflush(stdout);
        return fcntl(named, F_DUPFD_CLOEXEC, 0);
    }
    const int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor >= 0 && fcntl(descriptor, F_SETFL, 0) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static void release(AtomicFile *file) {
    if (file->stream != NULL) {
        fclose(file->stream);
        file->stream = NULL;
    }
    if (file->contents >= 0) {
        close(file->contents);
        file->contents = -1;
    }
}

/* The stream has a descriptor of its own: closing it may report an error, and contents are needed
 * after that. */
static Status open_stream(AtomicFile *file) {
    const int own = fcntl(file->contents, F_DUPFD_CLOEXEC, 0);
    file->stream = own >= 0 ? fdopen(own, "w") : NULL;
    if (file->stream != NULL) {
        return status_ok();
    }
    const int error = errno;
    if (own >= 0) {
        close(own);
    }
    if (file->kind == ATOMIC_BESIDE) {
        unlink(file->part);
    }
    release(file);
    return cannot_write(file->path, error);
}

Status atomic_file_open(AtomicFile *file, const char *path) {
    file->stream = NULL;
    file->contents = -1;
    file->kind = ATOMIC_DIRECT;
    if (snprintf(file->path, sizeof file->path, "%s", path) >= (int)sizeof file->path) {
        return path_too_long(path);
    }
    if (is_folder(path)) {
        return cannot_write(path, EISDIR);
    }
    if (is_special(path) || descriptor_of(path) >= 0) {
        file->contents = open_direct(path);
        return file->contents >= 0 ? open_stream(file) : cannot_write(path, errno);
    }
    STATUS_TRY(input_guard_check(path));
    STATUS_TRY(target_of(path, file->target));
    STATUS_TRY(open_contents(file));
    return open_stream(file);
}

/* A full disk may be reported only when the buffer is flushed or the file is closed. */
static int close_stream(AtomicFile *file) {
    int error = 0;
    if (fflush(file->stream) != 0 || ferror(file->stream)) {
        error = errno != 0 ? errno : EIO;
    }
    if (fclose(file->stream) != 0 && error == 0) {
        error = errno;
    }
    file->stream = NULL;
    return error;
}

Status atomic_file_commit(AtomicFile *file) {
    const int error = close_stream(file);
    Status status = error == 0 ? status_ok() : cannot_write(file->path, error);
    if (error == 0 && file->kind == ATOMIC_BESIDE) {
        status = replace(file->part, file->target);
    } else if (error == 0 && file->kind == ATOMIC_IN_PLACE) {
        status = write_in_place(file->contents, file->target);
    } else if (file->kind == ATOMIC_BESIDE) {
        unlink(file->part);
    }
    release(file);
    return status;
}

void atomic_file_abandon(AtomicFile *file) {
    if (file->stream != NULL && file->kind == ATOMIC_BESIDE) {
        unlink(file->part);
    }
    if (file->stream != NULL) {
        release(file);
    }
}

Status atomic_file_end(AtomicFile *file, Status written) {
    if (status_is_ok(&written)) {
        return atomic_file_commit(file);
    }
    atomic_file_abandon(file);
    return written;
}

Status atomic_file_check(const char *path) {
    char target[ATOMIC_FILE_PATH_SIZE];
    struct stat info;
    STATUS_TRY(input_guard_check(path));
    if (is_folder(path)) {
        return cannot_write(path, EISDIR);
    }
    STATUS_TRY(target_of(path, target));
    if (stat(target, &info) == 0) {
        return !S_ISREG(info.st_mode) || access(target, W_OK) == 0 ? status_ok()
                                                                   : cannot_write(path, errno);
    }
    const size_t folder = folder_length(target);
    target[folder > 1 ? folder - 1 : folder] = '\0';
    return access(folder > 0 ? target : ".", W_OK | X_OK) == 0 ? status_ok()
                                                               : cannot_write(path, errno);
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
