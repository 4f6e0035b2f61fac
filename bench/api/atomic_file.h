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
#ifndef BENCH_API_ATOMIC_FILE_H
#define BENCH_API_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
