#include "text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Status cannot_read(const char *path, const char *reason) {
    return status_make(STATUS_FILE, "cannot read %s: %s", path, reason);
}

static Status read_stream(FILE *file, const char *path, char **text, size_t *length) {
    size_t capacity = 0;
    for (;;) {
        if (*length + 1 >= capacity) {
            capacity = capacity > 0 ? capacity * 2 : (size_t)1 << 16;
            char *grown = realloc(*text, capacity);
            if (grown == NULL) {
                return cannot_read(path, "not enough memory");
            }
            *text = grown;
        }
        const size_t got = fread(*text + *length, 1, capacity - 1 - *length, file);
        *length += got;
        if (got == 0) {
            break;
        }
    }
    (*text)[*length] = '\0';
    return ferror(file) ? cannot_read(path, strerror(errno)) : status_ok();
}

Status text_file_read(const char *path, char **text, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return cannot_read(path, strerror(errno));
    }
    *text = NULL;
    *length = 0;
    const Status status = read_stream(file, path, text, length);
    fclose(file);
    if (!status_is_ok(&status)) {
        free(*text);
        *text = NULL;
    }
    return status;
}
