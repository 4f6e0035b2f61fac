/* The small text files in which Linux says what the machine is and does, under a root folder: ""
 * for this machine's own, another folder in tests. */
#ifndef BENCH_SYSTEM_FILES_H
#define BENCH_SYSTEM_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

enum { SYSTEM_PATH_SIZE = 512, SYSTEM_FLAGS_SIZE = 4096 };

/* BENCH_SYSTEM_ROOT, for containers that see the host's /sys and /proc elsewhere; "" without it. */
const char *system_root(void);

/* First line of the file at the path, without its newline. False, with an empty line, when it
 * cannot be read. */
bool system_line(char *line, size_t size, const char *format, ...) STATUS_PRINTF(3, 4);
/* The number that the file starts with; NAN when there is none. */
double system_number(const char *format, ...) STATUS_PRINTF(1, 2);

/* What /proc/cpuinfo says under `key` about logical processor `processor`. False, with an empty
 * value, when it says nothing. Long values are cut. */
bool system_cpuinfo(const char *root, int processor, const char *key, char *value, size_t size);

/* Whether `word` is one of the words in `text`, which spaces separate. */
bool system_has_word(const char *text, const char *word);

#endif
