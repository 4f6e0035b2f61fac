/* Files: inputs are read within limits, outputs appear whole or not at all, and no output replaces
 * an input. */
#ifndef BENCH_API_FILES_H
#define BENCH_API_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Input guard ------------------------------------------------------------------------------ */

/*
 * Input guard: the files that a command reads, so that it replaces none of them.
 *
 * Commands name their inputs before they try their outputs. Files are told apart by device and
 * inode, so an input is found under any of its names and behind links. Every file that
 * atomic_file.h writes is held against the list. The list lasts as long as the process.
 */

/* Adds an ordinary file; anything else, and a path that leads nowhere, is passed over: there is
 * nothing to lose. STATUS_SKIP without memory. */
Status input_guard_add(const char *path);

/* STATUS_USAGE when a file of this name is there and was added. */
Status input_guard_check(const char *path);

/* --- Atomic files ----------------------------------------------------------------------------- */

/*
 * Files that are there whole or not at all: text goes to a part file beside the target, which is
 * renamed onto it once everything has reached the file system.
 *
 * A part file is "<target>.<8 hex digits>.part", the digits random and the target's name cut where
 * that would be too long for a file system. It is created exclusively: whatever has that name
 * already, a link too, is not opened. A process that is killed may leave one behind;
 * atomic_file_sweep removes those.
 *
 * A target that exists and is not an ordinary file (a terminal, a pipe) is written directly.
 */

enum { ATOMIC_FILE_PATH_SIZE = 4096 };

typedef struct AtomicFile {
    FILE *stream; /* for the caller to write to; owned by this structure */
    bool direct;  /* the target is not an ordinary file: nothing is renamed */
    char path[ATOMIC_FILE_PATH_SIZE];
    char part[ATOMIC_FILE_PATH_SIZE];
} AtomicFile;

/* STATUS_FILE with path and reason when it cannot be created, STATUS_USAGE when the target is an
 * input (input_guard.h). */
Status atomic_file_open(AtomicFile *file, const char *path);
/* Closes and renames. On STATUS_FILE the target is as it was and the part file is gone. */
Status atomic_file_commit(AtomicFile *file);
/* Closes and removes the part file. */
void atomic_file_abandon(AtomicFile *file);

/* For files that another program writes: makes an empty part file, which is the caller's to rename
 * or to remove, and puts its name into `part`; and the rename after it, which removes the part file
 * when it fails. Errors as above. */
Status atomic_file_part_make(const char *path, char part[ATOMIC_FILE_PATH_SIZE]);
Status atomic_file_rename(const char *part, const char *path);

/* Removes the part files of a folder that nothing was written to for an hour: writing one file
 * takes seconds, so whoever made them was killed. What cannot be removed stays. */
void atomic_file_sweep(const char *folder);

/* --- Reading a file --------------------------------------------------------------------------- */

/*
 * File bytes: the one way in which a file that a person names is opened and read. Nothing but an
 * ordinary file is: a pipe could be waited for, a device read, without end.
 */

typedef struct FileBytes {
    uint8_t *bytes;     /* with a NUL behind them */
    size_t size;        /* bytes read */
    uint64_t file_size; /* bytes the file had when it was opened */
} FileBytes;

/*
 * Reads a whole file. Folders, devices, pipes and sockets are refused without waiting on them, and
 * so is a file of more than `most` bytes: "…; WHAT of at most … is read", WHAT being "a model".
 * STATUS_FILE with the path and the reason; STATUS_SKIP when the file is larger than the free
 * memory. Release with file_bytes_free.
 */
Status file_bytes_read(const char *path, const char *what, uint64_t most, FileBytes *contents);

/* The same for the first `limit` bytes of a file of any size. */
Status file_bytes_read_start(const char *path, size_t limit, FileBytes *contents);
void file_bytes_free(FileBytes *contents);

/* A whole file as text, unpacked where it begins as gzip does, up to `most` bytes; PATH.gz where
 * there is no PATH. `*text` has a NUL behind its `*length` bytes; free it. STATUS_FILE for want of
 * memory too. On errors there is nothing to free. */
Status file_text_read(const char *path, const char *what, uint64_t most, char **text,
                      size_t *length);

#ifdef __cplusplus
}
#endif

#endif
