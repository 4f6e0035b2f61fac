#include "machine_json.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

static bool is_identity(const cJSON *identity, const char *key) {
    const cJSON *item;
    cJSON_ArrayForEach(item, identity) {
        const char *text = cJSON_GetStringValue(item);
        if (text != NULL && strcmp(text, key) == 0) {
            return true;
        }
    }
    return false;
}

void machine_json_read(const cJSON *context, Machine *machine) {
    const cJSON *facts = cJSON_GetObjectItemCaseSensitive(context, "machine");
    const cJSON *identity = cJSON_GetObjectItemCaseSensitive(context, "machine_identity");
    const cJSON *item;
    cJSON_ArrayForEach(item, facts) {
        if (machine->count == FACTS_MAX || (!cJSON_IsNumber(item) && !cJSON_IsString(item))) {
            continue;
        }
        Fact *fact = &machine->facts[machine->count++];
        utf8_copy(fact->key, sizeof fact->key, item->string);
        fact->identity = is_identity(identity, item->string);
        if (cJSON_IsNumber(item)) {
            fact->kind = FACT_NUMBER;
            fact->number = item->valuedouble;
        } else {
            fact->kind = FACT_TEXT;
            utf8_copy(fact->text, sizeof fact->text, item->valuestring);
        }
    }
}
