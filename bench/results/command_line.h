/* The arguments are stored with every run: as the list "argv" in results.json, and as one line of
 * text for people ("arguments", also in the head of results.csv). */

#ifndef BENCH_RESULTS_COMMAND_LINE_H
#define BENCH_RESULTS_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef struct ArgumentList ArgumentList; /* arguments.h */

enum { COMMAND_LINE_SIZE = 1024 };

/* Writes the arguments as one line for a shell, cut to `size`: special characters are put in single
 * quotes; an argument with controls or bytes that are not UTF-8 is written as $'\x1b'. */
void command_line_text(const ArgumentList *list, char *text, size_t size);

/* Splits a line of command_line_text into arguments as a shell would, with single quotes and
 * backslashes. For files without "argv". `open`: the line ends within quotes, so its last argument
 * is cut. STATUS_SKIP without memory; then there is nothing to release. */
Status command_line_split(const char *line, ArgumentList *list, bool *open);

#endif
