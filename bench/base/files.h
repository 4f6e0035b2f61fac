/* Files: inputs are read up to a limit, outputs appear whole or not at all, and no output replaces
 * an input. */
#ifndef BENCH_API_FILES_H
#define BENCH_API_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "status.h"
#include "text_sizes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Input guard ------------------------------------------------------------------------------ */

/*
 * The files that a command reads, so that it overwrites none of them.
 *
 * A command adds its inputs before it opens its outputs. Files are identified by device and inode,
 * so another name or a link of an input is found too. Every file that is opened below is checked
 * against the list, which lasts as long as the process.
 */

/* Adds an ordinary file; ignores other files and paths that do not exist. STATUS_SKIP without
 * memory. */
Status input_guard_add(const char *path);

/* STATUS_USAGE when the path names a file that was added. */
Status input_guard_check(const char *path);

/* --- Named outputs ---------------------------------------------------------------------------- */

/* A file that a person names to write to, and not the program: a link of this name is followed,
 * while one among the program's own files, in a folder that may come from anybody, is replaced. The
 * path, compared as a text, must stay as it is. STATUS_SKIP without memory. */
Status output_follow_links(const char *path);

/* --- Atomic files ----------------------------------------------------------------------------- */

/*
 * Files that appear whole or not at all: text is written to a part file beside the target, which is
 * renamed to the target once everything has reached the file system. The new file has the mode of
 * the old one and, where the system allows it, its owner. A target that cannot be replaced, such as
 * one that something is mounted on, and can be written, is written in place in the end.
 *
 * A part file is "<target>.<8 random hex digits>.part", with the target's name cut if that would be
 * too long for the file system. It is created exclusively: an existing file or link of that name is
 * not opened. It is locked (flock) while its process lives: what a killed one has left is removed
 * when the target is written again.
 *
 * A target that exists and is not an ordinary file (a terminal, a pipe), or is a descriptor of this
 * process (/dev/stdout), is written directly.
 */

typedef enum AtomicKind { ATOMIC_DIRECT, ATOMIC_BESIDE, ATOMIC_IN_PLACE } AtomicKind;

typedef struct AtomicFile {
    FILE *stream; /* the caller writes to it; owned by this structure */
    AtomicKind kind;
    int contents;                       /* what is written, open for reading too; owned */
    char path[ATOMIC_FILE_PATH_SIZE];   /* as it was given, for messages */
    char target[ATOMIC_FILE_PATH_SIZE]; /* where links lead */
    char part[ATOMIC_FILE_PATH_SIZE];   /* of ATOMIC_BESIDE */
} AtomicFile;

/* STATUS_FILE with path and reason when it cannot be created, STATUS_USAGE when the target is an
 * input (input_guard_check). */
Status atomic_file_open(AtomicFile *file, const char *path);
/* Closes and replaces the target. On STATUS_FILE the target is unchanged, unless it is written in
 * place, and the part file is removed. */
Status atomic_file_commit(AtomicFile *file);
/* Closes and removes the part file. */
void atomic_file_abandon(AtomicFile *file);
/* Commits what was written, or abandons it when writing failed. */
Status atomic_file_end(AtomicFile *file, Status written);

/* The errors of atomic_file_open, as far as they show without writing anything. */
Status atomic_file_check(const char *path);

/* For files that another program writes: creates an empty part file and sets `part` to its name.
 * The caller renames it, which removes it on failure, or removes it. Errors as above. */
Status atomic_file_part_make(const char *path, char part[ATOMIC_FILE_PATH_SIZE]);
Status atomic_file_rename(const char *part, const char *path);

/* Removes all part files of a folder whose processes are gone. Ignores errors. */
void atomic_file_sweep(const char *folder);

/* --- Reading a file --------------------------------------------------------------------------- */

/* Files that a person names are read with these functions only. They accept nothing but ordinary
 * files: reading a pipe or a device might never end. */

typedef struct FileBytes {
    uint8_t *bytes;     /* followed by a NUL */
    size_t size;        /* bytes read */
    uint64_t file_size; /* bytes the file had when it was opened */
} FileBytes;

/*
 * Reads a whole file of at most `most` bytes. `what` is what it should hold, for the message:
 * "a model". STATUS_FILE with path and reason for larger files, folders, devices, pipes and
 * sockets; STATUS_SKIP when the file is larger than the free memory. Release with file_bytes_free.
 */
Status file_bytes_read(const char *path, const char *what, uint64_t most, FileBytes *contents);

/* The same for the first `limit` bytes of a file of any size. */
Status file_bytes_read_start(const char *path, size_t limit, FileBytes *contents);
void file_bytes_free(FileBytes *contents);

/* Reads a whole file of at most `most` bytes as text and unpacks it if it is gzip. If there is no
 * PATH, PATH.gz is read. `*text` has `*length` bytes and a NUL; free it. STATUS_FILE, also without
 * memory; then there is nothing to free. */
Status file_text_read(const char *path, const char *what, uint64_t most, char **text,
                      size_t *length);

/* --- Byte stream ------------------------------------------------------------------------------ */

/* Reads a file that is in memory, unpacking it if it is gzip. */

/* A file in memory, or its beginning. */
typedef struct ByteSource {
    const char *name; /* for messages */
    const uint8_t *bytes;
    size_t size;
    uint64_t file_size; /* of all of it; `size` when everything is there */
} ByteSource;

typedef struct ByteStream {
    const ByteSource *source;
    size_t position; /* bytes of the source consumed */
    bool gzip, ended;
    struct z_stream_s *unpacking; /* zlib's, owned; NULL for a plain file */
} ByteStream;

/* Whether the bytes begin with the signature of gzip. */
bool byte_stream_is_gzip(const uint8_t *bytes, size_t size);

/* The source must outlive the stream. Close the stream only if the status is STATUS_OK. */
Status byte_stream_open(const ByteSource *source, ByteStream *stream);
void byte_stream_close(ByteStream *stream);

/* Reads `wanted` bytes, or fewer at the end of the data: `*got`. STATUS_FILE when the gzip
 * data are damaged, end too early, or are followed by something that is not gzip. */
Status byte_stream_read(ByteStream *stream, uint8_t *bytes, size_t wanted, size_t *got);

/* The most bytes that the whole file can unpack to. */
uint64_t byte_stream_most(const ByteStream *stream);

/* Versions of a library: the one in use (NULL: it does not tell), and the one this was compiled
 * with. */
typedef struct LibraryVersion {
    const char *name, *used, *built;
} LibraryVersion;

LibraryVersion byte_stream_library(void); /* zlib */

#ifdef __cplusplus
}
#endif

#endif
