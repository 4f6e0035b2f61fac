/* Text that a browser shows as it was written, whatever is in it. */
#include <stdint.h>

#include "html.h"

/* The code point at `*at`, which moves behind it; a byte that begins no UTF-8 sequence of the
 * shortest form is taken alone and gives UINT32_MAX. */
static uint32_t next_code_point(const unsigned char **at) {
    const unsigned char *bytes = *at;
    const unsigned first = *(*at)++;
    if (first < 0x80) {
        return first;
    }
    const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    uint32_t code = first & (0x3Fu >> more);
    for (int i = 1; i <= more; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return UINT32_MAX;
        }
        code = code << 6 | (bytes[i] & 0x3Fu);
    }
    if (first < 0xC0 || first >= 0xF8 || code < least[more]) {
        return UINT32_MAX;
    }
    *at = bytes + more + 1;
    return code;
}

/* What HTML calls a control, a surrogate or a noncharacter, and what is no code point at all. */
static bool is_harmful(uint32_t code) {
    const bool control =
        (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0);
    const bool noncharacter = (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFE) == 0xFFFE;
    return control || noncharacter || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF;
}

void html_escape(FILE *stream, const char *text) {
    const unsigned char *at = (const unsigned char *)(text != NULL ? text : "");
    while (*at != '\0') {
        const unsigned char *start = at;
        const uint32_t code = next_code_point(&at);
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
                fwrite(start, 1, (size_t)(at - start), stream);
            }
        }
    }
}
