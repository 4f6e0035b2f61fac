/* The files of a study as text: of a sane size, UTF-8, without control characters, since all of it
 * goes into reports. */
#ifndef BENCH_STUDY_TEXT_H
#define BENCH_STUDY_TEXT_H

#include <stddef.h>

#include "status.h"

enum { STUDY_TEXT_MAX = 1 << 20 };

/* The file's text with a NUL behind it; free it. STATUS_FILE naming path and line. */
Status study_text_read(const char *path, char **text, size_t *length);

/* STATUS_FILE "<path>:<line>: …" unless the bytes are such a text. */
Status study_text_check(const char *path, const char *text, size_t length);

/* STATUS_FILE "<path>:<line>: '<word>' …"; a long path loses its beginning. Without a word: NULL.
 */
Status study_text_error(const char *path, int line, const char *word, const char *format, ...)
    STATUS_PRINTF(4, 5);

#endif
