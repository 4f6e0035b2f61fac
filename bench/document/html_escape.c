/* Text that a browser shows as it was written, whatever is in it. */
#include <stdint.h>

#include "html_parts.h"
#include "utf8.h"

/* What HTML calls a control or a noncharacter, and what is no character at all. */
static bool is_harmful(uint32_t code) {
    const bool control =
        (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0);
    const bool noncharacter = (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFE) == 0xFFFE;
    return control || noncharacter || !utf8_is_character(code);
}

void html_escape(FILE *stream, const char *text) {
    const char *at = text != NULL ? text : "";
    while (*at != '\0') {
        uint32_t code = UINT32_MAX;
        const size_t length = utf8_decode(at, &code);
        switch (code) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        case '\'': fputs("&#39;", stream); break;
        default:
            if (is_harmful(code)) {
                fputs("\uFFFD", stream);
            } else {
                fwrite(at, 1, length, stream);
            }
        }
        /* A byte that begins no sequence is taken alone. */
        at += length > 0 ? length : 1;
    }
}

void html_attribute(FILE *stream, const char *name, const char *text) {
    fprintf(stream, " %s=\"", name);
    html_escape(stream, text);
    fputc('"', stream);
}
