#include "machine.h"

#include <stdio.h>
#include <string.h>

#include "machine_parts.h"
#include "system_files.h"

void machine_read(Machine *machine) {
    *machine = (Machine){.count = 0};
    machine_read_system(machine);
    machine_read_topology(machine);
    machine_read_processor(machine, system_root());
    machine->count +=
        cuda_device_facts(machine->facts + machine->count, FACTS_MAX - machine->count);
    machine_read_gpu(machine);
    machine_read_noise(machine);
    machine_read_build(machine);
}

static void fact_value(const Fact *fact, char *value, size_t size) {
    if (fact == NULL) {
        snprintf(value, size, "absent");
    } else if (fact->kind == FACT_TEXT) {
        snprintf(value, size, "%s", fact->text);
    } else {
        snprintf(value, size, "%.17g", fact->number);
    }
}

/* Every identity fact of `from` has to be the same in `other`. */
static Status same_in(const Machine *from, const Machine *other, bool from_is_stored) {
    for (size_t i = 0; i < from->count; i++) {
        const Fact *fact = &from->facts[i];
        if (!fact->identity) {
            continue;
        }
        char mine[FACT_VALUE_SIZE], theirs[FACT_VALUE_SIZE];
        fact_value(fact, mine, sizeof mine);
        fact_value(machine_fact(other, fact->key), theirs, sizeof theirs);
        if (strcmp(mine, theirs) != 0) {
            return status_make(STATUS_USAGE, "%s differs: stored %.120s, here %.120s", fact->key,
                               from_is_stored ? mine : theirs, from_is_stored ? theirs : mine);
        }
    }
    return status_ok();
}

Status machine_same(const Machine *stored, const Machine *here) {
    STATUS_TRY(same_in(stored, here, true));
    return same_in(here, stored, false);
}
