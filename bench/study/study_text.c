#include "study_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_bytes.h"
#include "text_list.h"
#include "utf8.h"
#include "visible.h"

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
static size_t character_length(const char *text) {
    uint32_t code = 0;
    const size_t length = utf8_decode(text, &code);
    return utf8_is_character(code) ? length : 0;
}

Status study_text_check(const char *path, const char *text, size_t length) {
    int line = 1;
    for (size_t at = 0; at < length;) {
        const unsigned char byte = (unsigned char)text[at];
        const bool blank = byte == '\t' || byte == '\n' || byte == '\r';
        if ((byte < 0x20 && !blank) || byte == 0x7f) {
            return study_text_error(path, line, NULL,
                                    "has the control character 0x%02x; text is expected", byte);
        }
        const size_t step = character_length(text + at);
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
    STATUS_TRY(file_text_read(path, "a file of a study", STUDY_TEXT_MAX, text, length));
    const Status status = study_text_check(path, *text, *length);
    if (!status_is_ok(&status)) {
        free(*text);
        *text = NULL;
    }
    return status;
}
