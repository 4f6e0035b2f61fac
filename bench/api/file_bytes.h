/*
 * File bytes: the one way in which a file that a person names is opened and read. Nothing but an
 * ordinary file is: a pipe could be waited for, a device read, without end.
 */
#ifndef BENCH_API_FILE_BYTES_H
#define BENCH_API_FILE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

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
