#include "study_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "text_file.h"
#include "text_list.h"

enum { PATH_SHOWN = 120, WORD_SHOWN = 61 };

Status study_text_error(const char *path, int line, const char *word, const char *format, ...) {
    char text[STATUS_WHY_SIZE];
    const size_t length = strlen(path);
    const bool cut = length > PATH_SHOWN;
    snprintf(text, sizeof text, "%s%s:%d: ", cut ? "…" : "", path + (cut ? length - PATH_SHOWN : 0),
             line);
    if (word != NULL) {
        char shown[WORD_SHOWN];
        text_visible(word, shown, sizeof shown);
        text_append(text, sizeof text, "'%s' ", shown);
    }
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    return status_make(STATUS_FILE, "%s", text);
}

/* Bytes of the character at the start of `text`; 0 when it is none of UTF-8. */
static size_t character_length(const unsigned char *text) {
    static const struct {
        unsigned char first, last, low, high; /* of the first byte, of the second */
        size_t length;
    } forms[] = {
        {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    if (text[0] < 0x80) {
        return 1;
    }
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (text[0] < forms[i].first || text[0] > forms[i].last) {
            continue;
        }
        size_t length = text[1] >= forms[i].low && text[1] <= forms[i].high ? 2 : 0;
        while (length > 0 && length < forms[i].length) {
            length = (text[length] & 0xc0u) == 0x80u ? length + 1 : 0;
        }
        return length;
    }
    return 0;
}

Status study_text_check(const char *path, const char *text, size_t length) {
    const unsigned char *bytes = (const unsigned char *)text;
    int line = 1;
    for (size_t at = 0; at < length;) {
        const unsigned char byte = bytes[at];
        const bool blank = byte == '\t' || byte == '\n' || byte == '\r';
        if ((byte < 0x20 && !blank) || byte == 0x7f) {
            return study_text_error(path, line, NULL,
                                    "has the control character 0x%02x; text is expected", byte);
        }
        const size_t step = character_length(bytes + at);
        if (step == 0) {
            return study_text_error(path, line, NULL,
                                    "has the byte 0x%02x, which is not UTF-8; save it as UTF-8",
                                    byte);
        }
        line += byte == '\n';
        at += step;
    }
    return status_ok();
}

Status study_text_read(const char *path, char **text, size_t *length) {
    struct stat facts;
    *text = NULL;
    if (stat(path, &facts) != 0) {
        return status_make(STATUS_FILE, "cannot read %s: %s", path, strerror(errno));
    }
    if (!S_ISREG(facts.st_mode) || facts.st_size > STUDY_TEXT_MAX) {
        return status_make(STATUS_FILE, "%s: is no file of at most %d bytes", path, STUDY_TEXT_MAX);
    }
    STATUS_TRY(text_file_read(path, text, length));
    const Status status = study_text_check(path, *text, *length);
    if (!status_is_ok(&status)) {
        free(*text);
        *text = NULL;
    }
    return status;
}
