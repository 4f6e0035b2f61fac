/* File bytes: a whole file, or its beginning, in memory. */
#ifndef DATASETS_FILE_BYTES_H
#define DATASETS_FILE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef struct FileBytes {
    uint8_t *bytes;
    size_t size;        /* bytes read */
    uint64_t file_size; /* bytes the file had when it was opened */
} FileBytes;

/*
 * Reads at most `limit` bytes of a regular file. Folders, devices, pipes and sockets are refused
 * without waiting on them. STATUS_FILE with the path and the reason; STATUS_SKIP when the file is
 * larger than the free memory. Release with file_bytes_free.
 */
Status file_bytes_read(const char *path, size_t limit, FileBytes *contents);
void file_bytes_free(FileBytes *contents);

#endif
