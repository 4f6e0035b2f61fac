#include "study.h"

#include <string.h>

#include "owned_memory.h"

const StudyStep *study_step(const Study *study, const char *name) {
    for (size_t i = 0; i < study->step_count; i++) {
        if (strcmp(study->steps[i].name, name) == 0) {
            return &study->steps[i];
        }
    }
    return NULL;
}

const StudyTable *study_table(const Study *study, const char *name) {
    for (size_t i = 0; i < study->table_count; i++) {
        if (strcmp(study->tables[i].name, name) == 0) {
            return &study->tables[i];
        }
    }
    return NULL;
}

void study_release(Study *study) {
    owned_release(&study->memory);
    *study = (Study){.name = NULL};
}
