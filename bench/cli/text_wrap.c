#include "text_wrap.h"

#include <string.h>

#include "utf8.h"

static void spaces(FILE *stream, size_t count) {
    fprintf(stream, "%*s", (int)count, "");
}

static void wrap(FILE *stream, size_t column, const char *text) {
    size_t at = column;
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        const size_t bytes = strcspn(text, " ");
        const size_t width = utf8_width(text, bytes);
        if (at > column && at + 1 + width > TEXT_COLUMNS) {
            fputc('\n', stream);
            spaces(stream, column);
            at = column;
        }
        if (at > column) {
            fputc(' ', stream);
            at++;
        }
        fwrite(text, 1, bytes, stream);
        at += width;
        text += bytes;
    }
    fputc('\n', stream);
}

void text_entry(FILE *stream, size_t indent, const char *term, size_t column, const char *text) {
    size_t at = indent + utf8_width(term, strlen(term));
    spaces(stream, indent);
    fputs(term, stream);
    if (text[0] == '\0') {
        fputc('\n', stream);
        return;
    }
    if (at >= column) {
        fputc('\n', stream);
        at = 0;
    }
    spaces(stream, column - at);
    wrap(stream, column, text);
}
