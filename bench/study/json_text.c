#include "json_text.h"

#include "atomic_file.h"

Status json_text_write(const char *path, const cJSON *root) {
    char *text = cJSON_Print(root);
    if (text == NULL) {
        return status_fail("no memory left for %.200s", path);
    }
    AtomicFile file;
    Status status = atomic_file_open(&file, path);
    if (status_is_ok(&status)) {
        fprintf(file.stream, "%s\n", text);
        status = atomic_file_commit(&file);
    }
    cJSON_free(text);
    return status;
}

bool json_text_copy(const cJSON *root, const char *key, char *text, size_t size) {
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItem(root, key));
    if (value != NULL) {
        snprintf(text, size, "%s", value);
    }
    return value != NULL;
}
