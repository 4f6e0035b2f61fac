#include "json_text.h"

#include <stdio.h>

bool json_text_copy(const cJSON *root, const char *key, char *text, size_t size) {
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItem(root, key));
    if (value != NULL) {
        snprintf(text, size, "%s", value);
    }
    return value != NULL;
}
