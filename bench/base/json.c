/* JSON files: reading and writing whole documents. */

#include "base_internal.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

Status json_file_read(const char *path, const char *what, uint64_t most, cJSON **root) {
    *root = NULL;
    char *text;
    size_t length;
    STATUS_TRY(file_text_read(path, what, most, &text, &length));
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

Status json_format_check(const char *path, const cJSON *root, const char *format, int version,
                         const char *otherwise) {
    const char *text = json_text(root, "format");
    if (text == NULL || strcmp(text, format) != 0) {
        return status_make(STATUS_FILE, "%.200s %s", path, otherwise);
    }
    if (json_number_or(root, "version", -1) != version) {
        return status_make(STATUS_FILE,
                           "%.200s is not of version %d, the only one that is understood", path,
                           version);
    }
    return status_ok();
}

cJSON *json_whole(cJSON *root, bool complete) {
    if (complete) {
        return root;
    }
    cJSON_Delete(root);
    return NULL;
}

Status json_print(FILE *stream, cJSON *root, const char *what) {
    char *text = root != NULL ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    if (text == NULL) {
        return status_no_memory("to write %.200s", what);
    }
    visible_json_write(stream, text);
    fputc('\n', stream);
    cJSON_free(text);
    return status_ok();
}

Status json_file_write(const char *path, cJSON *root) {
    AtomicFile file;
    Status status =
        root != NULL ? atomic_file_open(&file, path) : status_no_memory("to write %.200s", path);
    if (!status_is_ok(&status)) {
        cJSON_Delete(root);
        return status;
    }
    status = json_print(file.stream, root, path);
    if (!status_is_ok(&status)) {
        atomic_file_abandon(&file);
        return status;
    }
    return atomic_file_commit(&file);
}

bool json_copy_text(const cJSON *object, const char *key, char *text, size_t size) {
    const char *value = json_text(object, key);
    utf8_copy(text, size, value != NULL ? value : "");
    return value != NULL;
}

double json_number_or(const cJSON *object, const char *key, double fallback) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : fallback;
}

const char *json_text(const cJSON *object, const char *key) {
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

bool json_add_number(cJSON *object, const char *key, double number) {
    return !isfinite(number) || cJSON_AddNumberToObject(object, key, number) != NULL;
}

bool json_add_text(cJSON *object, const char *key, const char *text) {
    return text[0] == '\0' || cJSON_AddStringToObject(object, key, text) != NULL;
}
