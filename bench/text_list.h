/* Comma lists on the command line, and texts that grow in a buffer. */
#ifndef BENCH_TEXT_LIST_H
#define BENCH_TEXT_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

enum { LIST_WORD_SIZE = 64 };

/* Takes the next word of a comma list into `word` and moves `*list` past it; `*list` becomes NULL
 * after the last word. STATUS_USAGE for an empty word or one that is too long for any name. */
Status list_next(const char **list, char word[LIST_WORD_SIZE]);

/* Appends a printf-like text to the string in `buffer`, cut between characters to `size`. */
void text_append(char *buffer, size_t size, const char *format, ...) STATUS_PRINTF(3, 4);

#endif
