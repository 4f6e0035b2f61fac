#include "comparable.h"

#include <stdio.h>
#include <string.h>

static bool may_differ(const char *key) {
    return strcmp(key, "commit") == 0 || strcmp(key, "dirty") == 0;
}

static void value_text(const Fact *fact, char *text, size_t size) {
    if (fact == NULL) {
        snprintf(text, size, "not known");
    } else if (fact->kind == FACT_TEXT) {
        snprintf(text, size, "%s", fact->text);
    } else {
        snprintf(text, size, "%.17g", fact->number);
    }
}

static Status check_fact(const char *key, const Machine *old_machine, const Machine *new_machine) {
    char before[FACT_VALUE_SIZE];
    char now[FACT_VALUE_SIZE];
    value_text(machine_fact(old_machine, key), before, sizeof before);
    value_text(machine_fact(new_machine, key), now, sizeof now);
    if (strcmp(before, now) == 0) {
        return status_ok();
    }
    return status_make(STATUS_USAGE, "%s differs: old %.100s, new %.100s", key, before, now);
}

Status comparable_machines(const Machine *old_machine, const Machine *new_machine) {
    const Machine *machines[] = {old_machine, new_machine};
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < machines[m]->count; i++) {
            const Fact *fact = &machines[m]->facts[i];
            if (fact->identity && !may_differ(fact->key)) {
                STATUS_TRY(check_fact(fact->key, old_machine, new_machine));
            }
        }
    }
    return status_ok();
}

static bool differ(const char *before, const char *now) {
    return before[0] != '\0' && now[0] != '\0' && strcmp(before, now) != 0;
}

Status comparable_cells(const MeasuredCell *old_cell, const MeasuredCell *new_cell) {
    if (differ(old_cell->hash, new_cell->hash)) {
        return status_make(STATUS_USAGE, "%.160s was measured on another input", old_cell->name);
    }
    if (differ(old_cell->mode, new_cell->mode)) {
        return status_make(STATUS_USAGE, "%.160s was measured with %s caches, now with %s ones",
                           old_cell->name, old_cell->mode, new_cell->mode);
    }
    return status_ok();
}
