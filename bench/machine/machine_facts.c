#include "machine_facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "visible.h"

static Fact *next_fact(Machine *machine, const char *key, bool identity) {
    if (machine->count == FACTS_MAX) {
        return NULL;
    }
    Fact *fact = &machine->facts[machine->count++];
    *fact = (Fact){.identity = identity};
    snprintf(fact->key, sizeof fact->key, "%s", key);
    return fact;
}

void machine_add_text(Machine *machine, const char *key, const char *text, bool identity) {
    Fact *fact = text[0] != '\0' ? next_fact(machine, key, identity) : NULL;
    if (fact != NULL) {
        fact->kind = FACT_TEXT;
        /* As results store it: the stored machine is compared with this one. */
        text_visible(text, fact->text, sizeof fact->text);
    }
}

void machine_add_number(Machine *machine, const char *key, double number, bool identity) {
    Fact *fact = isfinite(number) ? next_fact(machine, key, identity) : NULL;
    if (fact != NULL) {
        fact->kind = FACT_NUMBER;
        fact->number = number;
    }
}

const Fact *machine_fact(const Machine *machine, const char *key) {
    for (size_t i = 0; i < machine->count; i++) {
        if (strcmp(machine->facts[i].key, key) == 0) {
            return &machine->facts[i];
        }
    }
    return NULL;
}
