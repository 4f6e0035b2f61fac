#include "ceilings_json.h"

#include <math.h>
#include <string.h>

static const char *const kind_words[] = {[CEILING_BANDWIDTH] = "bandwidth",
                                         [CEILING_OPERATIONS] = "operations",
                                         [CEILING_TIME] = "time"};
static const char *const kind_units[] = {
    [CEILING_BANDWIDTH] = "bytes/s", [CEILING_OPERATIONS] = "operations/s", [CEILING_TIME] = "s"};
enum { KIND_COUNT = sizeof kind_words / sizeof kind_words[0] };

static bool add_one(cJSON *list, const Ceiling *ceiling) {
    cJSON *entry = cJSON_CreateObject();
    if (!cJSON_AddItemToArray(list, entry)) {
        cJSON_Delete(entry);
        return false;
    }
    return cJSON_AddStringToObject(entry, "key", ceiling->key) != NULL &&
           cJSON_AddStringToObject(entry, "kind", kind_words[ceiling->kind]) != NULL &&
           cJSON_AddNumberToObject(entry, "threads", ceiling->threads) != NULL &&
           cJSON_AddNumberToObject(entry, "value", ceiling->value) != NULL &&
           cJSON_AddStringToObject(entry, "unit", kind_units[ceiling->kind]) != NULL &&
           (ceiling->working_set <= 0.0 ||
            cJSON_AddNumberToObject(entry, "working_set_bytes", ceiling->working_set) != NULL);
}

bool ceilings_json_add(cJSON *object, const Ceilings *ceilings) {
    cJSON *list = cJSON_AddArrayToObject(object, "ceilings");
    bool complete = list != NULL;
    for (size_t i = 0; complete && i < ceilings->count; i++) {
        complete = add_one(list, &ceilings->list[i]);
    }
    return complete;
}

static bool read_one(const cJSON *entry, Ceilings *ceilings) {
    const char *key = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "key"));
    const char *word = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "kind"));
    const cJSON *threads = cJSON_GetObjectItemCaseSensitive(entry, "threads");
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(entry, "value");
    const cJSON *set = cJSON_GetObjectItemCaseSensitive(entry, "working_set_bytes");
    int kind = 0;
    while (word != NULL && kind < KIND_COUNT && strcmp(kind_words[kind], word) != 0) {
        kind++;
    }
    if (key == NULL || key[0] == '\0' || strlen(key) >= CEILING_KEY_SIZE || word == NULL ||
        kind == KIND_COUNT || !cJSON_IsNumber(threads) || threads->valueint < 0 ||
        !cJSON_IsNumber(value) || !isfinite(value->valuedouble) || !(value->valuedouble > 0.0) ||
        (set != NULL && !cJSON_IsNumber(set))) {
        return false;
    }
    ceilings_add(ceilings, key, (CeilingKind)kind, threads->valueint, value->valuedouble,
                 set != NULL ? set->valuedouble : 0.0);
    return true;
}

bool ceilings_json_read(const cJSON *object, Ceilings *ceilings) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "ceilings");
    bool complete = cJSON_IsArray(list);
    *ceilings = (Ceilings){.count = 0};
    const cJSON *entry;
    cJSON_ArrayForEach(entry, list) {
        complete = read_one(entry, ceilings) && complete;
    }
    return complete;
}
