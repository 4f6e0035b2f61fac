/* Colour and width of a terminal. */

#ifndef BENCH_BASE_TERMINAL_H
#define BENCH_BASE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "ink.h"
#include "status.h"

/* Columns that output is fitted to, and those of a stream that is no terminal. */
enum { TERMINAL_LEAST = 60, TERMINAL_USUAL = 80, TERMINAL_MOST = 200 };

/* False for NULL. */
bool stream_is_terminal(FILE *stream);

/* Columns of the window that the stream is shown in, between TERMINAL_LEAST and TERMINAL_MOST;
 * TERMINAL_USUAL where there is none. */
int terminal_columns(FILE *stream);

typedef enum ColourChoice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourChoice;

/* Reads "auto", "always" or "never"; false for anything else. */
bool colour_choice_parse(const char *text, ColourChoice *choice);

/* For the whole process. COLOUR_AUTO, with which it starts: where a stream is a terminal that is
 * not dumb, unless NO_COLOR is set. */
void terminal_choose_colour(ColourChoice choice);
bool terminal_has_colour(FILE *stream);

/* Writes a text made visible, on one line, in that ink where the stream has colour. */
void terminal_write(FILE *stream, Ink ink, const char *text);

/* Words that are wrapped between blanks at `columns`; further lines begin at `indent`. */
typedef struct Flow {
    FILE *stream;
    size_t indent, columns;
    size_t at;  /* columns of the line so far */
    bool begun; /* it has a word */
} Flow;

/* Writes words made visible. Without a blank at its beginning a text belongs to the word before
 * it, which may then be that much longer than the line. */
void flow_words(Flow *flow, Ink ink, const char *words);
void flow_end(Flow *flow);

/* Writes one printf-like line made visible: whole in a file or pipe, wrapped in a terminal that is
 * narrower, where further lines begin at `indent`. */
Flow flow_whole(FILE *stream, size_t indent);
void flow_line(FILE *stream, size_t indent, const char *format, ...) STATUS_PRINTF(3, 4);

#endif
