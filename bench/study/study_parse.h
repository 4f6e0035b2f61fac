/* A text in the format of study.txt to a Study, wherever the text is from. */
#ifndef BENCH_STUDY_PARSE_H
#define BENCH_STUDY_PARSE_H

#include <stddef.h>

#include "status.h"
#include "study.h"

/* `path` is for messages; the text, which has a NUL behind its `length` bytes, is copied. As
 * study_file_read, but `study->folder` is NULL. */
Status study_parse(const char *path, const char *text, size_t length, Study *study);

#endif
