#include "utf8.h"

#include <string.h>

/* Bytes after the first one; -1 when no sequence begins with it. */
static int bytes_to_come(unsigned char first) {
    return first < 0x80   ? 0
           : first < 0xC0 ? -1
           : first < 0xE0 ? 1
           : first < 0xF0 ? 2
           : first < 0xF8 ? 3
                          : -1;
}

size_t utf8_decode(const char *text, uint32_t *code) {
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)text[0];
    const int more = bytes_to_come(first);
    if (more <= 0) {
        *code = more == 0 ? first : *code;
        return more == 0 ? 1 : 0;
    }
    uint32_t number = first & (0x3FU >> more);
    for (int i = 1; i <= more; i++) {
        if (!utf8_continues(text[i])) {
            return 0;
        }
        number = number << 6 | ((unsigned char)text[i] & 0x3FU);
    }
    if (number < least[more]) {
        return 0;
    }
    *code = number;
    return (size_t)more + 1;
}

bool utf8_is_character(uint32_t code) {
    return code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
}

bool utf8_continues(char byte) {
    return ((unsigned char)byte & 0xC0U) == 0x80U;
}

size_t utf8_width(const char *text, size_t bytes) {
    size_t width = 0;
    for (size_t i = 0; i < bytes; i++) {
        width += !utf8_continues(text[i]);
    }
    return width;
}

/* What remains of the first bytes without a sequence at their end that is not complete. */
static size_t without_cut_character(const char *text, size_t bytes) {
    enum { MOST_CONTINUING = 3 };
    size_t start = bytes;
    while (start > 0 && bytes - start < MOST_CONTINUING && utf8_continues(text[start - 1])) {
        start--;
    }
    const bool cut = start > 0 && bytes_to_come((unsigned char)text[start - 1]) >= 0 &&
                     (size_t)bytes_to_come((unsigned char)text[start - 1]) > bytes - start;
    return cut ? start - 1 : bytes;
}

size_t utf8_cut(const char *text, size_t size) {
    const size_t length = strnlen(text, size);
    return length < size ? length : without_cut_character(text, size > 0 ? size - 1 : 0);
}

void utf8_copy(char *copy, size_t size, const char *text) {
    const size_t length = utf8_cut(text, size);
    memmove(copy, text, length);
    copy[length] = '\0';
}

void utf8_trim(char *text, size_t size) {
    const size_t length = strlen(text);
    if (length + 1 >= size) {
        text[without_cut_character(text, length)] = '\0';
    }
}
