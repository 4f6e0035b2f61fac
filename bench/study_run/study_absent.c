#include "study_absent.h"

#include <stdio.h>
#include <string.h>

#include "visible.h"

static bool is_somewhere(const StepRecords *records, Condition *condition) {
    const ConditionList alone = {.items = condition, .count = 1};
    for (size_t i = 0; i < records->count; i++) {
        if (step_record_matches(records, &records->records[i], &alone)) {
            return true;
        }
    }
    return false;
}

void study_absent_words(const StepRecords *records, const ConditionList *conditions, char *why,
                        size_t size) {
    char words[1024];
    if (records->count == 0) {
        snprintf(why, size, "the step left no records");
        return;
    }
    snprintf(words, sizeof words, "no record has all of");
    for (size_t i = 0; i < conditions->count; i++) {
        Condition *condition = &conditions->items[i];
        if (!is_somewhere(records, condition)) {
            snprintf(words, sizeof words, "no record has %s=%s", condition->key, condition->value);
            break;
        }
        const size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, "%s%s=%s", i > 0 ? ", " : " ",
                 condition->key, condition->value);
    }
    text_visible(words, why, size);
}
