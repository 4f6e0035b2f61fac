/* Texts in HTML and in Markdown. */

#include "base_internal.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* === Html text ================================================================================ */

void html_escape(FILE *stream, const char *text) {
    const char *at = text != NULL ? text : "";
    while (*at != '\0') {
        switch (*at) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        case '\'': fputs("&#39;", stream); break;
        default: at += visible_put(stream, at, "\n\t"); continue;
        }
        at++;
    }
}

void html_attribute(FILE *stream, const char *name, const char *text) {
    fprintf(stream, " %s=\"", name);
    html_escape(stream, text);
    fputc('"', stream);
}

/* === Markdown text ============================================================================ */

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
    case '~':
    case '$': return true;
    case '_': return c == text || !is_letter_or_digit(c[-1]) || !is_letter_or_digit(c[1]);
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

/* Entities: to some readers \< is a backslash and the beginning of a tag. */
static const char *entity_of(const char *c) {
    if (*c == '<') {
        return "&lt;";
    }
    return *c == '&' && (is_letter_or_digit(c[1]) || c[1] == '#') ? "&amp;" : NULL;
}

/* Writes one character; returns its bytes. */
static size_t write_character(FILE *stream, const char *c, bool marked) {
    char escape[VISIBLE_ESCAPE_SIZE];
    const char *entity = entity_of(c);
    visible_character(c, "", escape);
    if (entity != NULL) {
        fputs(entity, stream);
        return 1;
    }
    fputs(marked || escape[0] != '\0' ? "\\" : "", stream);
    return visible_put(stream, c, "");
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
        c += write_character(stream, c, c == mark || is_markup(start, c) || (cell && *c == '|'));
    }
}

void markdown_text(FILE *stream, const char *text) {
    write_text(stream, text, " ", false);
}

void markdown_cell_text(FILE *stream, const char *text) {
    write_text(stream, text, "<br>", true);
}

/* Characters that are markup in Markdown or HTML. */
static const char code_signs[] = "<>&[]`";

/* The lines as they are, or with their signs as entities. */
static void write_lines(FILE *stream, const char *text, bool entities) {
    while (*text != '\0') {
        if (entities && strchr(code_signs, *text) != NULL) {
            fprintf(stream, "&#%d;", *text++);
        } else {
            text += visible_put(stream, text, "\n\t");
        }
    }
}

/* Some readers of Markdown know no fences, and read on within HTML. */
void markdown_code(FILE *stream, const char *text) {
    const bool fenced = strpbrk(text, code_signs) == NULL;
    const size_t length = strlen(text);
    fputs(fenced ? "```\n" : "<pre><code>", stream);
    write_lines(stream, text, !fenced);
    fputs(length > 0 && text[length - 1] == '\n' ? "" : "\n", stream);
    fputs(fenced ? "```\n" : "</code></pre>\n", stream);
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
