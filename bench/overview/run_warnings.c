#include "run_warnings.h"

#include <stdio.h>

#include "run_groups.h"

void run_warnings(const StoredRun *stored, Warnings *warnings) {
    MachineUse use = {.threads = 0};
    for (size_t i = 0; i < stored->results.count; i++) {
        const Row *row = &stored->results.rows[i];
        if (row->status == CELL_OK) {
            use.threads = row->threads > use.threads ? row->threads : use.threads;
            use.gpu |= !row_is_on_cpu(row);
        }
    }
    machine_warnings(&stored->machine, &use, warnings);
    if (stored->input_note[0] != '\0' && warnings->count < WARNINGS_MAX) {
        snprintf(warnings->text[warnings->count++], WARNING_SIZE, "input %s", stored->input_note);
    }
}
