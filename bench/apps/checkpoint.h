/* Checkpoints: the files that trainings go on from. */

#ifndef BENCH_APPS_CHECKPOINT_H
#define BENCH_APPS_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

#include "files.h"

/*
 * One line, "bench checkpoint 1 TRAINING BYTES CHECKSUM" with both numbers as 16 hexadecimal
 * digits, and behind it what the training keeps, as many bytes. The checksum is FNV-1a 64 of the
 * training's name and the bytes: no single changed byte goes unseen.
 */

typedef struct CheckpointPart {
    const void *bytes;
    size_t size;
} CheckpointPart;

/* Writes the parts one after the other. `training` is a word. STATUS_FILE. */
Status checkpoint_file_write(const char *path, const char *training, const CheckpointPart *parts,
                             size_t count);

/* The bytes of a checkpoint of that training. `anew` is how to start from the beginning, for
 * messages. STATUS_FILE when it is not there, damaged, or of another training or an earlier
 * version; STATUS_SKIP when memory is short. Release with checkpoint_file_release. */
typedef struct CheckpointFile {
    FileBytes whole;
    const char *bytes; /* in it, followed by a NUL */
    size_t size;
} CheckpointFile;

Status checkpoint_file_read(const char *path, const char *training, const char *anew,
                            CheckpointFile *file);
void checkpoint_file_release(CheckpointFile *file);

#endif
