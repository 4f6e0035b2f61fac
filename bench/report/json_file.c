#include "json_file.h"

#include <stdlib.h>

#include "text_file.h"

Status json_file_read(const char *path, cJSON **root) {
    *root = NULL;
    char *text;
    size_t length;
    STATUS_TRY(text_file_read(path, &text, &length));
    Status status = status_ok();
    const char *end = NULL;
    *root = cJSON_ParseWithLengthOpts(text, length + 1, &end, true);
    if (*root == NULL) {
        size_t line = 1;
        for (const char *c = text; end != NULL && c < end && *c != '\0'; c++) {
            line += *c == '\n';
        }
        status = length == 0
                     ? status_make(STATUS_FILE, "%s is empty", path)
                     : status_make(STATUS_FILE, "%s is not valid JSON or was cut off (line %zu)",
                                   path, line);
    }
    free(text);
    return status;
}
