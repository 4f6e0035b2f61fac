/* The command line of a run as one line of text, for the record that every result carries. */
#ifndef BENCH_COMMAND_LINE_H
#define BENCH_COMMAND_LINE_H

#include <stddef.h>

#include "options.h"

enum { COMMAND_LINE_SIZE = 1024 };

/* Joins the arguments after the program's name. An argument that a shell would take apart is put in
 * single quotes, so that the line can be pasted; one with controls or bytes that are no UTF-8 is
 * written as $'\x1b', which keeps every byte of it. Cut to `size`. */
void command_line_text(const RunOptions *options, char *text, size_t size);

#endif
