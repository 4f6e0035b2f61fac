/* Text in columns on a terminal of 100 columns. */
#ifndef BENCH_TEXT_WRAP_H
#define BENCH_TEXT_WRAP_H

#include <stddef.h>
#include <stdio.h>

enum { TEXT_COLUMNS = 100 };

/*
 * Prints `term` at `indent` and `text` from column `column` on, broken between words before
 * TEXT_COLUMNS and continued at the same column; a term that reaches the column gets a line of its
 * own. Ends the line.
 */
void text_entry(FILE *stream, size_t indent, const char *term, size_t column, const char *text);

#endif
