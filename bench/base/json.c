/* JSON files: reading and writing whole documents. */

#include <cjson/cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "json.h"
#include "text.h"
#include "utf8.h"

/* --- Numbers that JSON has not ---------------------------------------------------------------- */

/* The length of NaN, Infinity or either with a minus, as other programs write them; 0: none. */
static size_t no_number(const char *text) {
    static const char *const words[] = {"NaN", "Infinity"};
    const size_t sign = text[0] == '-';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strncmp(text + sign, words[i], strlen(words[i])) == 0) {
            return sign + strlen(words[i]);
        }
    }
    return 0;
}

/* Writes the text with null in place of each of them, outside strings, unless `copy` is NULL.
 * Returns its length, and how many there were in `*found`. */
static size_t replace(const char *text, size_t length, char *copy, size_t *found) {
    static const char null[] = "null";
    size_t used = 0;
    bool quoted = false;
    *found = 0;
    for (size_t i = 0; i < length;) {
        const size_t word = quoted ? 0 : no_number(text + i);
        const bool escape = quoted && text[i] == '\\' && i + 1 < length;
        const size_t taken = word > 0 ? word : escape ? 2 : 1;
        const size_t put = word > 0 ? sizeof null - 1 : taken;
        if (copy != NULL) {
            memcpy(copy + used, word > 0 ? null : text + i, put);
        }
        quoted ^= text[i] == '"';
        *found += word > 0;
        used += put;
        i += taken;
    }
    return used;
}

/* `end` is where the text is no JSON. */
static cJSON *parse(const char *text, size_t length, const char **end) {
    size_t found = 0;
    cJSON *root = cJSON_ParseWithLengthOpts(text, length + 1, end, true);
    const size_t size = root == NULL ? replace(text, length, NULL, &found) : 0;
    char *replaced = found > 0 ? calloc(size + 1, 1) : NULL;
    if (replaced != NULL) {
        replace(text, length, replaced, &found);
        root = cJSON_ParseWithLengthOpts(replaced, size + 1, NULL, true);
    }
    free(replaced);
    return root;
}

/* --- Documents -------------------------------------------------------------------------------- */

Status json_text_read(const char *path, const char *text, size_t length, cJSON **root) {
    const char *end = NULL;
    *root = parse(text, length, &end);
    if (*root != NULL) {
        return status_ok();
    }
    size_t line = 1;
    for (const char *c = text; end != NULL && c < end && *c != '\0'; c++) {
        line += *c == '\n';
    }
    return length == 0 ? status_make(STATUS_FILE, "%s is empty", path)
                       : status_make(STATUS_FILE, "%s is not valid JSON or was cut off (line %zu)",
                                     path, line);
}

Status json_file_read(const char *path, const char *what, uint64_t most, cJSON **root) {
    *root = NULL;
    char *text;
    size_t length;
    STATUS_TRY(file_text_read(path, what, most, &text, &length));
    const Status status = json_text_read(path, text, length, root);
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
    STATUS_MEMORY(text, "to write %.200s", what);
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
    return atomic_file_end(&file, json_print(file.stream, root, path));
}

bool json_copy_text(const cJSON *object, const char *key, char *text, size_t size) {
    const char *value = json_text(object, key);
    utf8_copy(text, size, value != NULL ? value : "");
    return value != NULL;
}

bool number_possible(double number) {
    return fabs(number) <= NUMBER_MOST;
}

double json_number_or(const cJSON *object, const char *key, double fallback) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) && number_possible(item->valuedouble) ? item->valuedouble
                                                                      : fallback;
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

cJSON *json_add_object(cJSON *list) {
    cJSON *object = cJSON_CreateObject();
    if (!cJSON_AddItemToArray(list, object)) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}
