#include "measured_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

enum { NAME_SIZE = 1024 };

static Status no_memory(void) {
    return status_skip("no memory left for the cells of a run");
}

Status measured_run_add(MeasuredRun *run, const char *name, MeasuredCell **cell) {
    if (run->count == run->capacity) {
        const size_t capacity = run->capacity == 0 ? 64 : 2 * run->capacity;
        MeasuredCell *grown = realloc(run->cells, capacity * sizeof *grown);
        if (grown == NULL) {
            return no_memory();
        }
        run->cells = grown;
        run->capacity = capacity;
    }
    char *copy = strdup(name);
    if (copy == NULL) {
        return no_memory();
    }
    *cell = &run->cells[run->count++];
    **cell = (MeasuredCell){.name = copy};
    return status_ok();
}

MeasuredCell *measured_run_find(const MeasuredRun *run, const char *name) {
    for (size_t i = 0; i < run->count; i++) {
        if (strcmp(run->cells[i].name, name) == 0) {
            return &run->cells[i];
        }
    }
    return NULL;
}

Status measured_run_finish(MeasuredRun *run) {
    for (size_t i = 0; i < run->count; i++) {
        Summary summary;
        STATUS_TRY(summarize(&run->cells[i].samples, &summary));
        run->cells[i].median = summary.median;
    }
    return status_ok();
}

double measured_run_noise(const Machine *machine) {
    const Fact *fact = machine_fact(machine, "noise_floor");
    const bool known = fact != NULL && fact->kind == FACT_NUMBER && fact->number > 0;
    return known && isfinite(fact->number) ? fact->number : 0;
}

static Status add_row(MeasuredRun *run, const Row *row) {
    char name[NAME_SIZE];
    row_name(row, name, sizeof name);
    MeasuredCell *cell;
    STATUS_TRY(measured_run_add(run, name, &cell));
    snprintf(cell->hash, sizeof cell->hash, "%016" PRIx64, row->input_hash);
    snprintf(cell->mode, sizeof cell->mode, "%s", row->cold ? "cold" : "hot");
    return samples_copy(&row->kernel, &cell->samples);
}

Status measured_run_of_results(const Results *results, const Machine *machine, MeasuredRun *run) {
    *run = (MeasuredRun){.machine = *machine, .noise_floor = measured_run_noise(machine)};
    Status status = status_ok();
    for (size_t i = 0; i < results->count && status_is_ok(&status); i++) {
        const Row *row = &results->rows[i];
        if (row->status == CELL_OK && row->verified && row->kernel_summary.median > 0) {
            status = add_row(run, row);
        }
    }
    if (status_is_ok(&status)) {
        status = measured_run_finish(run);
    }
    if (!status_is_ok(&status)) {
        measured_run_release(run);
    }
    return status;
}

Status measured_run_replace(MeasuredRun *run, const MeasuredRun *again) {
    for (size_t i = 0; i < again->count; i++) {
        MeasuredCell *cell = measured_run_find(run, again->cells[i].name);
        if (cell == NULL) {
            continue;
        }
        Samples copy = {.count = 0};
        STATUS_TRY(samples_copy(&again->cells[i].samples, &copy));
        samples_release(&cell->samples);
        cell->samples = copy;
        cell->median = again->cells[i].median;
    }
    return status_ok();
}

void measured_run_release(MeasuredRun *run) {
    for (size_t i = 0; i < run->count; i++) {
        free(run->cells[i].name);
        samples_release(&run->cells[i].samples);
    }
    free(run->cells);
    run->cells = NULL;
    run->count = run->capacity = 0;
}
