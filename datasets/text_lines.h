/*
 * Text lines: a text of lines with fields between commas, split where it lies. It need not
 * end in a zero byte. Lines end in LF, CR LF or CR; a byte-order mark of UTF-8 at the beginning is
 * skipped.
 */
#ifndef DATASETS_TEXT_LINES_H
#define DATASETS_TEXT_LINES_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef struct TextSpan {
    const char *text; /* within the text that was given; NULL: nothing is left */
    size_t size;
} TextSpan;

typedef struct TextLines {
    const char *name; /* of the file, for messages */
    TextSpan rest;
    size_t number; /* of the last line, from 1 */
} TextLines;

/* `name` and the bytes must outlive the lines. */
TextLines text_lines(const char *name, const void *bytes, size_t size);

/* STATUS_FILE for text in UTF-16, with a byte-order mark or without. */
Status text_check_encoding(const char *name, const void *bytes, size_t size);

/* Takes the next line that is not blank, without the blanks around it. False at the end. */
bool text_next_line(TextLines *lines, TextSpan *line);

/* Whether a line begins with '#'; `comment` (may be NULL) gets what follows. */
bool text_is_comment(TextSpan line, TextSpan *comment);

/* Takes the next field of a line, without the blanks and the quotes around it; a comma within
 * quotes belongs to the field. False at the end. */
bool text_next_field(TextSpan *line, TextSpan *field);

bool text_equals(TextSpan span, const char *word);

/* Whether `span` begins with `word`; `rest` gets what follows, without the blanks around it. */
bool text_begins(TextSpan span, const char *word, TextSpan *rest);

/* A decimal number, finite as float32; in a plain locale (below). */
bool text_number(TextSpan field, float *number);

/* Why text_number refused: "<name>: line 3: <what> is "abc"; a number would be right". */
Status text_number_error(const TextLines *lines, const char *what, TextSpan field);

enum { TEXT_EXCERPT_SIZE = 40 };

/* The beginning of a span for a message: what is not printable becomes '?'. Returns `excerpt`. */
const char *text_excerpt(TextSpan span, char excerpt[TEXT_EXCERPT_SIZE]);

/* Plain locale: numbers are read and written with a point, whatever locale the program has. */

typedef struct PlainLocale {
    locale_t plain, before;
} PlainLocale;

/* For the calling thread alone, until plain_locale_leave. Without memory for it the program's
 * locale stays. */
static inline PlainLocale plain_locale_enter(void) {
    PlainLocale locale;
    locale.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale.before = uselocale(locale.plain);
    return locale;
}

static inline void plain_locale_leave(const PlainLocale *locale) {
    uselocale(locale->before);
    if (locale->plain != (locale_t)0) {
        freelocale(locale->plain);
    }
}

#endif
