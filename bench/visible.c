#include "visible.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "utf8.h"

enum { LINE_SIZE = 2 * 4096 + 512 };

/* U+2028 and U+2029 end a line, U+202A to U+202E and U+2066 to U+2069 turn the direction. */
static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

/* XML knows no U+FFFE and U+FFFF, HTML none of these. */
static bool is_noncharacter(uint32_t code) {
    return (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFE) == 0xFFFE;
}

size_t visible_character(const char *text, const char *kept, char escape[VISIBLE_ESCAPE_SIZE]) {
    uint32_t code = 0;
    const size_t length = utf8_decode(text, &code);
    escape[0] = '\0';
    if (length == 0 || !utf8_is_character(code)) {
        snprintf(escape, VISIBLE_ESCAPE_SIZE, "\\x%02x", (unsigned)(unsigned char)*text);
        return 1;
    }
    const bool harmful = is_control(code) || is_noncharacter(code);
    if (harmful && (code >= 0x80 || strchr(kept, (int)code) == NULL)) {
        snprintf(escape, VISIBLE_ESCAPE_SIZE, code < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)code);
    }
    return length;
}

void text_visible(const char *text, char *visible, size_t size) {
    size_t used = 0;
    while (*text != '\0') {
        char escape[VISIBLE_ESCAPE_SIZE];
        const size_t taken = visible_character(text, "", escape);
        const size_t length = escape[0] != '\0' ? strlen(escape) : taken;
        if (used + length >= size) {
            break;
        }
        memcpy(visible + used, escape[0] != '\0' ? escape : text, length);
        used += length;
        text += taken;
    }
    visible[used] = '\0';
}

void text_visible_print(FILE *stream, const char *text) {
    while (*text != '\0') {
        char escape[VISIBLE_ESCAPE_SIZE];
        const size_t taken = visible_character(text, "", escape);
        fputs(escape, stream);
        fwrite(text, 1, escape[0] == '\0' ? taken : 0, stream);
        text += taken;
    }
}

void visible_line(FILE *stream, const char *format, ...) {
    char line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    utf8_trim(line, sizeof line);
    text_visible_print(stream, line);
    fputc('\n', stream);
}

/* In JSON the controls of ASCII are escaped already: those between the strings are line ends. */
void visible_json_write(FILE *stream, const char *json) {
    while (*json != '\0') {
        char escape[VISIBLE_ESCAPE_SIZE];
        const size_t taken = visible_character(json, "\n\t", escape);
        if (strcmp(escape, "\\x7f") == 0) {
            fputs("\\u007f", stream);
        } else if (escape[0] != '\0' && escape[1] == 'x') {
            fprintf(stream, "\\%s", escape);
        } else if (strlen(escape) == strlen("\\u0000")) {
            fputs(escape, stream);
        } else {
            fwrite(json, 1, taken, stream);
        }
        json += taken;
    }
}
