#include "text_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_SIZE = 128 }; /* longer than any number that is worth its digits */

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static TextSpan trimmed(TextSpan span) {
    while (span.size > 0 && is_blank(span.text[0])) {
        span.text++;
        span.size--;
    }
    while (span.size > 0 && is_blank(span.text[span.size - 1])) {
        span.size--;
    }
    return span;
}

static TextSpan behind(TextSpan span, size_t count) {
    return (TextSpan){.text = span.text + count, .size = span.size - count};
}

TextLines text_lines(const char *name, const void *bytes, size_t size) {
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    TextLines lines = {.name = name, .rest = {.text = bytes, .size = size}};
    if (size >= sizeof mark && memcmp(bytes, mark, sizeof mark) == 0) {
        lines.rest = behind(lines.rest, sizeof mark);
    }
    return lines;
}

/* Of text in Latin letters every second byte is zero, with a mark before it or without. */
static bool is_utf16(const char *bytes, size_t size) {
    const bool marked =
        size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0);
    return marked ||
           (size >= 4 && (bytes[0] == '\0') != (bytes[1] == '\0') &&
            (bytes[0] == '\0') == (bytes[2] == '\0') && (bytes[1] == '\0') == (bytes[3] == '\0'));
}

Status text_check_encoding(const char *name, const void *bytes, size_t size) {
    return is_utf16(bytes, size)
               ? status_make(STATUS_FILE, "%s: is text in UTF-16; save it as UTF-8", name)
               : status_ok();
}

/* Bytes up to the end of the first line, and of that end: LF, CR LF, or CR as of old. */
static size_t line_length(TextSpan text, size_t *end) {
    size_t length = 0;
    while (length < text.size && text.text[length] != '\n' && text.text[length] != '\r') {
        length++;
    }
    const bool two = text.size - length >= 2 && memcmp(text.text + length, "\r\n", 2) == 0;
    *end = two ? 2 : length < text.size;
    return length;
}

bool text_next_line(TextLines *lines, TextSpan *line) {
    while (lines->rest.size > 0) {
        const TextSpan rest = lines->rest;
        size_t end = 0;
        const size_t length = line_length(rest, &end);
        lines->rest = behind(rest, length + end);
        lines->number++;
        *line = trimmed((TextSpan){.text = rest.text, .size = length});
        if (line->size > 0) {
            return true;
        }
    }
    return false;
}

bool text_is_comment(TextSpan line, TextSpan *comment) {
    if (line.size == 0 || line.text[0] != '#') {
        return false;
    }
    if (comment != NULL) {
        *comment = trimmed(behind(line, 1));
    }
    return true;
}

/* Bytes up to the comma that ends the first field, or all. */
static size_t field_length(TextSpan line) {
    bool quoted = false;
    for (size_t i = 0; i < line.size; i++) {
        if (line.text[i] == '"') {
            quoted = !quoted;
        } else if (line.text[i] == ',' && !quoted) {
            return i;
        }
    }
    return line.size;
}

bool text_next_field(TextSpan *line, TextSpan *field) {
    if (line->text == NULL) {
        return false;
    }
    const size_t length = field_length(*line);
    *field = trimmed((TextSpan){.text = line->text, .size = length});
    if (field->size >= 2 && field->text[0] == '"' && field->text[field->size - 1] == '"') {
        *field = (TextSpan){.text = field->text + 1, .size = field->size - 2};
    }
    *line = length < line->size ? behind(*line, length + 1) : (TextSpan){0};
    return true;
}

bool text_equals(TextSpan span, const char *word) {
    return span.size == strlen(word) && memcmp(span.text, word, span.size) == 0;
}

bool text_begins(TextSpan span, const char *word, TextSpan *rest) {
    const size_t length = strlen(word);
    if (span.size < length || memcmp(span.text, word, length) != 0) {
        return false;
    }
    *rest = trimmed(behind(span, length));
    return true;
}

/* Copies a field that is made of a decimal number's characters alone, of which strtof accepts more:
 * hexadecimal, words. */
static bool copy_number(TextSpan field, char number[NUMBER_SIZE]) {
    if (field.size == 0 || field.size >= NUMBER_SIZE) {
        return false;
    }
    for (size_t i = 0; i < field.size; i++) {
        if (field.text[i] == '\0' || strchr("0123456789+-.eE", field.text[i]) == NULL) {
            return false;
        }
        number[i] = field.text[i];
    }
    number[field.size] = '\0';
    return true;
}

bool text_number(TextSpan field, float *number) {
    char text[NUMBER_SIZE];
    if (!copy_number(field, text)) {
        return false;
    }
    char *end = text;
    *number = strtof(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}

/* Not a number, infinite, or beyond float32. */
static bool is_not_finite(TextSpan field) {
    static const char *const words[] = {"nan", "inf", "infinity"};
    const bool sign = field.size > 0 && (field.text[0] == '-' || field.text[0] == '+');
    const TextSpan bare = behind(field, sign ? 1 : 0);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (bare.size == strlen(words[i]) && strncasecmp(bare.text, words[i], bare.size) == 0) {
            return true;
        }
    }
    char text[NUMBER_SIZE];
    char *end = text;
    return copy_number(field, text) && isinf(strtof(text, &end)) && *end == '\0';
}

Status text_number_error(const TextLines *lines, const char *what, TextSpan field) {
    char excerpt[TEXT_EXCERPT_SIZE];
    return status_make(STATUS_FILE, "%s: line %zu: %s is \"%s\"; a %snumber would be right",
                       lines->name, lines->number, what, text_excerpt(field, excerpt),
                       is_not_finite(field) ? "finite " : "");
}

const char *text_excerpt(TextSpan span, char excerpt[TEXT_EXCERPT_SIZE]) {
    const size_t length = span.size < TEXT_EXCERPT_SIZE - 1 ? span.size : TEXT_EXCERPT_SIZE - 1;
    for (size_t i = 0; i < length; i++) {
        excerpt[i] = span.text[i] >= ' ' && span.text[i] <= '~' ? span.text[i] : '?';
    }
    excerpt[length] = '\0';
    return excerpt;
}
