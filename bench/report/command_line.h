/* The command line of a run as one line of text, for the record that every result carries; and that
 * line as arguments again. */
#ifndef BENCH_COMMAND_LINE_H
#define BENCH_COMMAND_LINE_H

#include <stddef.h>

#include "options.h"
#include "status.h"

enum { COMMAND_LINE_SIZE = 1024 };

/* Joins the arguments after the program's name. An argument that a shell would take apart is put in
 * single quotes, so that the line can be pasted; one with controls or bytes that are no UTF-8 is
 * written as $'\x1b', which keeps every byte of it. Cut to `size`. */
void command_line_text(const RunOptions *options, char *text, size_t size);

/* Arguments, and NULL behind the last; owns all of its text. Starts zeroed. */
typedef struct ArgumentList {
    int argc;
    char **argv;
} ArgumentList;

/* Takes a line apart as a shell would: spaces part arguments, single quotes and backslashes
 * protect. STATUS_FILE when the quotes do not close, STATUS_FAIL when memory is short; then there
 * is nothing to release. */
Status command_line_split(const char *line, ArgumentList *list);
/* Adds a copy. STATUS_FAIL when memory is short. */
Status argument_list_add(ArgumentList *list, const char *argument);
void argument_list_release(ArgumentList *list);

#endif
