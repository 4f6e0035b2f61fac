/* Whole files as text. */
#ifndef BENCH_TEXT_FILE_H
#define BENCH_TEXT_FILE_H

#include <stddef.h>

#include "status.h"

/* Reads a file into `*text`, with a NUL behind its `*length` bytes; free it. STATUS_FILE with path
 * and reason when it cannot be read, and nothing to free. */
Status text_file_read(const char *path, char **text, size_t *length);

#endif
