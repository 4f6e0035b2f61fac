#include "markdown_text.h"

#include <stdbool.h>
#include <string.h>

static bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* "cuda_naive" stays as it is: an underscore between letters is never emphasis. */
static bool is_markup(const char *text, const char *c) {
    switch (*c) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']':
    case '<':
    case '~':
    case '$': return true;
    case '_': return c == text || !is_letter_or_digit(c[-1]) || !is_letter_or_digit(c[1]);
    case '&': return is_letter_or_digit(c[1]) || c[1] == '#';
    default: return false;
    }
}

/* The character at the start of a line that makes the line something else than text: NULL for none.
 */
static const char *block_mark(const char *line) {
    const size_t digits = strspn(line, "0123456789");
    if (digits > 0) {
        const char *mark = line + digits;
        return (*mark == '.' || *mark == ')') && (is_blank(mark[1]) || mark[1] == '\0') ? mark
                                                                                        : NULL;
    }
    if (*line == '#' || *line == '>' || *line == '=' || *line == '|') {
        return line;
    }
    const bool rule = line[0] == '-' && line[1] == '-';
    const bool item = (*line == '-' || *line == '+') && (is_blank(line[1]) || line[1] == '\0');
    return rule || item ? line : NULL;
}

static const char *skip_blanks(const char *text) {
    while (is_blank(*text)) {
        text++;
    }
    return text;
}

/* Runs of blanks with a line end in them become `line_end`; those around the text are left out. */
static void write_text(FILE *stream, const char *text, const char *line_end, bool cell) {
    const char *start = skip_blanks(text);
    const char *mark = cell ? NULL : block_mark(start);
    for (const char *c = start; *c != '\0';) {
        if (is_blank(*c)) {
            const char *next = skip_blanks(c);
            const bool line = memchr(c, '\n', (size_t)(next - c)) != NULL;
            if (*next != '\0') {
                fputs(line ? line_end : " ", stream);
            }
            c = next;
            continue;
        }
        if (c == mark || is_markup(start, c) || (cell && *c == '|')) {
            fputc('\\', stream);
        }
        fputc(*c++, stream);
    }
}

void markdown_text(FILE *stream, const char *text) {
    write_text(stream, text, " ", false);
}

void markdown_cell_text(FILE *stream, const char *text) {
    write_text(stream, text, "<br>", true);
}

static size_t longest_fence(const char *text) {
    size_t longest = 0;
    while ((text = strchr(text, '`')) != NULL) {
        const size_t run = strspn(text, "`");
        longest = run > longest ? run : longest;
        text += run;
    }
    return longest;
}

static void write_fence(FILE *stream, size_t length) {
    for (size_t i = 0; i < length; i++) {
        fputc('`', stream);
    }
    fputc('\n', stream);
}

void markdown_code(FILE *stream, const char *text) {
    const size_t longest = longest_fence(text);
    const size_t fence = longest < 3 ? 3 : longest + 1;
    const size_t length = strlen(text);
    write_fence(stream, fence);
    fputs(text, stream);
    if (length > 0 && text[length - 1] != '\n') {
        fputc('\n', stream);
    }
    write_fence(stream, fence);
}

void markdown_link_path(FILE *stream, const char *path) {
    for (const char *c = path; *c != '\0'; c++) {
        const bool plain =
            strchr("/.-_", *c) != NULL || (is_letter_or_digit(*c) && (unsigned char)*c < 0x80);
        if (plain) {
            fputc(*c, stream);
        } else {
            fprintf(stream, "%%%02X", (unsigned)(unsigned char)*c);
        }
    }
}
