#include "html_text.h"

#include "visible.h"

void html_escape(FILE *stream, const char *text) {
    const char *at = text != NULL ? text : "";
    while (*at != '\0') {
        char escape[VISIBLE_ESCAPE_SIZE];
        const size_t taken = visible_character(at, "\n\t", escape);
        switch (*at) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        case '\'': fputs("&#39;", stream); break;
        default: fputs(escape, stream); fwrite(at, 1, escape[0] == '\0' ? taken : 0, stream);
        }
        at += taken;
    }
}

void html_attribute(FILE *stream, const char *name, const char *text) {
    fprintf(stream, " %s=\"", name);
    html_escape(stream, text);
    fputc('"', stream);
}
