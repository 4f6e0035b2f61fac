/* Texts in HTML, in Markdown and in roff, which manual pages are written in. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "markup_text.h"
#include "text.h"
#include "utf8.h"

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

/* === Roff ===================================================================================== */

enum { ROFF_ESCAPE_SIZE = 16, ROFF_LINE = 78 };

/* Characters that roff takes for something else: commands, or signs of typography ('-' would become
 * a hyphen that no shell knows). */
static const struct {
    char character;
    const char *escape;
} roff_escapes[] = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"}, {'`', "\\(ga"},
                    {'"', "\\(dq"}, {'^', "\\(ha"}, {'~', "\\(ti"}};

/* What stands for the first character of a text; returns the character's bytes. */
static size_t roff_character(const char *text, char escape[ROFF_ESCAPE_SIZE]) {
    uint32_t code = (unsigned char)*text;
    char visible[VISIBLE_ESCAPE_SIZE];
    const size_t length = visible_character(text, "", visible);
    if (visible[0] == '\\') {
        snprintf(escape, ROFF_ESCAPE_SIZE, "\\e%s", visible + 1);
        return length;
    }
    if (code >= 0x80) {
        utf8_decode(text, &code);
        snprintf(escape, ROFF_ESCAPE_SIZE, "\\[u%04X]", (unsigned)code);
        return length;
    }
    snprintf(escape, ROFF_ESCAPE_SIZE, "%c", *text);
    for (size_t i = 0; i < sizeof roff_escapes / sizeof roff_escapes[0]; i++) {
        if (roff_escapes[i].character == *text) {
            snprintf(escape, ROFF_ESCAPE_SIZE, "%s", roff_escapes[i].escape);
        }
    }
    return length;
}

/* Writes the first `length` bytes unless `stream` is NULL; returns how many bytes that takes. */
static size_t roff_put(FILE *stream, const char *text, size_t length) {
    char escape[ROFF_ESCAPE_SIZE];
    size_t written = 0;
    for (size_t i = 0; i < length;) {
        /* A dot at the beginning of a line would make it a command. */
        const bool guarded = i == 0 && *text == '.';
        i += roff_character(text + i, escape);
        written += strlen(escape) + (guarded ? strlen("\\&") : 0);
        if (stream != NULL) {
            fprintf(stream, "%s%s", guarded ? "\\&" : "", escape);
        }
    }
    return written;
}

void roff_text(FILE *stream, const char *text) {
    roff_put(stream, text, strlen(text));
}

void roff_paragraph(FILE *stream, const char *text) {
    size_t at = 0;
    char last = ' ';
    for (const char *word = skip_blanks(text); *word != '\0';) {
        const size_t length = strcspn(word, " \t\r\n");
        const size_t width = roff_put(NULL, word, length);
        if (at > 0 && at + 1 + width > ROFF_LINE) {
            /* A line that ends like a sentence would get a wider blank than one within a line. */
            fputs(last == '.' || last == '?' || last == '!' ? "\\&\n" : "\n", stream);
            at = 0;
        }
        fputs(at > 0 ? " " : "", stream);
        at += (at > 0) + roff_put(stream, word, length);
        last = word[length - 1];
        word = skip_blanks(word + length);
    }
    fputc('\n', stream);
}
