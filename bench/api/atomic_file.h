/*
 * Files that are there whole or not at all: text goes to "<path>.part" beside the target, which is
 * renamed onto it once everything has reached the file system.
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

/* STATUS_FILE with path and reason when it cannot be created. */
Status atomic_file_open(AtomicFile *file, const char *path);
/* Closes and renames. On STATUS_FILE the target is as it was and the part file is gone. */
Status atomic_file_commit(AtomicFile *file);
/* Closes and removes the part file. */
void atomic_file_abandon(AtomicFile *file);

/* For files that another program writes: the name to write to, and the rename after it. */
Status atomic_file_part_name(const char *path, char *part, size_t size);
Status atomic_file_rename(const char *part, const char *path);

#ifdef __cplusplus
}
#endif

#endif
