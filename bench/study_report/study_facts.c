#include "study_facts.h"

#include <string.h>

static const StepFact *fact_at(const StudyResult *result, size_t step, size_t index) {
    const StepRecords *records = &result->records[step];
    return index < records->fact_count ? &records->facts[index] : NULL;
}

const char *study_fact(const StudyResult *result, const char *key, Document *document) {
    Tally values = {0};
    for (size_t step = 0; step < result->study->step_count; step++) {
        const char *value = step_fact(&result->records[step], key);
        if (value[0] != '\0') {
            tally_add(&values, document, value, NULL);
        }
    }
    const char *text = tally_keys(&values, document, "; ");
    tally_release(&values);
    return text;
}

static bool is_of_the_run(const char *key) {
    static const char *const keys[] = {"started",  "arguments", "interleaved",
                                       "complete", "warning",   "input_note"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(keys[i], key) == 0) {
            return true;
        }
    }
    return false;
}

void study_facts(const StudyResult *result, Document *document, Tally *facts) {
    for (size_t step = 0; step < result->study->step_count; step++) {
        const StepFact *fact;
        for (size_t i = 0; (fact = fact_at(result, step, i)) != NULL; i++) {
            if (!is_of_the_run(fact->key)) {
                tally_add(facts, document, fact->key, fact->value);
            }
        }
    }
}

void study_warnings(const StudyResult *result, Document *document, Tally *warnings) {
    for (size_t step = 0; step < result->study->step_count; step++) {
        const StepFact *fact;
        for (size_t i = 0; (fact = fact_at(result, step, i)) != NULL; i++) {
            if (strcmp(fact->key, "warning") == 0 || strcmp(fact->key, "input_note") == 0) {
                tally_add(warnings, document, fact->value, result->study->steps[step].name);
            }
        }
    }
}
