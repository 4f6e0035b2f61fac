/*
 * Texts that come from outside (arguments, names of files and folders, what stored files hold) as
 * text that is safe to write. Paths are not changed where they enter, since they name files; each
 * writer passes texts through the one function of its language. Names of inputs and facts of the
 * machine, which are compared with stored ones, are made visible once, where they are taken.
 *
 *   terminal       visible_line and its siblings (here), text_table_print
 *   JSON           visible_json_write (here), for json_file_write and all others
 *   HTML, SVG, XML html_escape
 *   Markdown       markdown_text and its siblings
 *   LaTeX          latex_text
 *   CSV            csv_write_field, csv_write_comment
 *   gnuplot        chart_text, chart_table_field, chart_table_put
 *   file names     chart_name_append, document_slug
 *
 * All of these build on visible_character, which makes the text valid UTF-8 without characters that
 * nobody sees but programs obey.
 */
#ifndef BENCH_VISIBLE_H
#define BENCH_VISIBLE_H

#include <stddef.h>
#include <stdio.h>

#include "status.h"

enum { VISIBLE_ESCAPE_SIZE = 12 };

/*
 * Takes the character at the start of a text that does not end there; returns its bytes. `escape`
 * is empty when they can be written as they are. Otherwise it is what stands for them, a backslash
 * and letters and digits: "\xff" for a byte that is no UTF-8 and for a control of ASCII, "\u202e"
 * for other controls (C1, line separators, overrides of the direction) and for numbers that Unicode
 * never makes characters. The controls in `kept` are left alone.
 */
size_t visible_character(const char *text, const char *kept, char escape[VISIBLE_ESCAPE_SIZE]);

/* Copies a text for a terminal, on one line; what does not fit `size` is cut between characters. */
void text_visible(const char *text, char *visible, size_t size);

/* Writes a text of any length for a terminal, on one line. */
void text_visible_print(FILE *stream, const char *text);

/* Writes one printf-like line for a terminal, and its end. What is longer than two paths is cut. */
void visible_line(FILE *stream, const char *format, ...) STATUS_PRINTF(2, 3);

/* Writes JSON that was built of texts from outside: controls become \u escapes, which a reader
 * takes for the same text, and bytes that are no UTF-8 stand as "\xff" within the string. */
void visible_json_write(FILE *stream, const char *json);

#endif
