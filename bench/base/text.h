/* Texts: made visible, appended, taken apart, wrapped; suggestions for misspelt names. */

#ifndef BENCH_BASE_TEXT_H
#define BENCH_BASE_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "status.h"

/* --- Text from outside ------------------------------------------------------------------------ */

/*
 * Arguments, names of files and folders and the contents of stored files may hold any bytes. They
 * are kept as they are, since paths name files, and every writer escapes them with the function of
 * its language. Names of inputs and facts of the machine, which are compared with stored ones, are
 * escaped once, where they are read.
 *
 *   terminal       visible_line, text_visible, text_visible_print, table_print
 *   JSON           visible_json_write, which json_file_write uses
 *   HTML, SVG, XML html_escape
 *   manual pages   roff_text, roff_paragraph
 *   Markdown       markdown_text, markdown_cell_text, markdown_code, markdown_link_path
 *   LaTeX          latex_text
 *   CSV            csv_write_field, csv_write_comment
 *   gnuplot        chart_text, gnuplot_text_write
 *   file names     chart_name_append, document_slug
 *
 * All of these use visible_character: what they write is valid UTF-8 without invisible characters
 * that control terminals and other programs.
 */

enum { VISIBLE_ESCAPE_SIZE = 12 };

/*
 * Returns the number of bytes of the first character of a text that is not empty. `escape` is empty
 * when they can be written as they are; otherwise it is the text to write instead: "\xff" for a
 * byte that is not UTF-8 and for an ASCII control, "\u202e" for other controls (C1, line
 * separators, changes of direction) and for noncharacters of Unicode. The ASCII controls in `kept`
 * are not escaped.
 */
size_t visible_character(const char *text, const char *kept, char escape[VISIBLE_ESCAPE_SIZE]);

/* Writes the first character of a text, or its escape. Returns as visible_character does. */
size_t visible_put(FILE *stream, const char *text, const char *kept);

/* Copies a text for a terminal, on one line, cut between characters to `size`. */
void text_visible(const char *text, char *visible, size_t size);

/* Writes a text of any length for a terminal, on one line. */
void text_visible_print(FILE *stream, const char *text);

/* Writes one printf-like line for a terminal and its line end. Cut to the length of two paths. */
void visible_line(FILE *stream, const char *format, ...) STATUS_PRINTF(2, 3);

/* Writes JSON that holds such texts: controls become \u escapes, which readers decode to the same
 * text; bytes that are not UTF-8 become "\xff" in the string. */
void visible_json_write(FILE *stream, const char *json);

/* "1 cell", "2 cells": the word behind a count. */
const char *plural(size_t count, const char *one, const char *many);

/* --- Comma lists, and appending to a text ----------------------------------------------------- */

enum { LIST_WORD_SIZE = 64 };

/* Copies the next word of a comma list to `word` and moves `*list` past it; `*list` becomes NULL
 * after the last word. STATUS_USAGE when the word is empty or too long for any name. */
Status list_next(const char **list, char word[LIST_WORD_SIZE]);

/* Whether a comma list has the word, in any case; NULL has every word. */
bool list_has(const char *list, const char *word);

/* Whether a text for people, with `separator` (", ", "; ") between its items, has this one, which
 * is not empty; and appends an item that it has not. */
bool text_has_item(const char *text, const char *separator, const char *item);
void text_add_item(char *text, size_t size, const char *separator, const char *item);

/* What a text has behind `start`; NULL: it does not begin with that. */
const char *text_after(const char *text, const char *start);

/* Appends a printf-like text to the string in `buffer`, cut between characters to `size`. */
void text_append(char *buffer, size_t size, const char *format, ...) STATUS_PRINTF(3, 4);

/* --- Suggestions ------------------------------------------------------------------------------ */

/* The known name that is most similar to a misspelt one. Names are offered one at a time, since
 * they are in tables of different types. */
enum { SUGGEST_KNOWN_SIZE = STATUS_WHY_SIZE / 2, SUGGEST_TEXT_SIZE = 96 };

typedef struct Suggestion {
    const char *given;
    const char *nearest; /* NULL: none is similar enough so far */
    size_t distance;
    char known[SUGGEST_KNOWN_SIZE]; /* names with commas between; "…": there are more */
} Suggestion;

Suggestion suggest_start(const char *given);
/* `name` must outlive the suggestion. Of equally similar names the first is kept. */
void suggest_offer(Suggestion *suggestion, const char *name);

/* Writes "; did you mean 'NAME'?", or "" when no name is similar. Returns `text`. */
const char *suggest_text(const Suggestion *suggestion, char text[SUGGEST_TEXT_SIZE]);

/* STATUS_USAGE "'GIVEN' is no NOUN; did you mean 'NAME'? (known: A, B)". */
Status suggest_unknown(const Suggestion *suggestion, const char *noun);

/* --- Wrapped text ----------------------------------------------------------------------------- */

/* Prints `term` at column `indent` and `text` from column `column`, wrapped between words, and ends
 * the line. A line has at most 100 columns, and no more than the window of a terminal, where the
 * text begins in its first two fifths. A term that reaches the text gets a line of its own. */
void text_entry(FILE *stream, size_t indent, const char *term, size_t column, const char *text);

#endif
