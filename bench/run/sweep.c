#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "interrupt.h"
#include "sweep_group.h"
#include "sweep_rows.h"

enum { NAME_SIZE = 512 };

void sweep_release(Sweep *sweep) {
    journal_close(&sweep->journal);
    free(sweep->places);
    free(sweep->finished);
    sweep->places = NULL;
    sweep->finished = NULL;
}

/* Rows of the stored run: those that are finished stand as they are, and each of the others until
 * its cell has been run. */
static Status keep_stored_rows(Sweep *sweep) {
    for (size_t i = 0; sweep->stored != NULL && i < sweep->plan->cell_count; i++) {
        const Row planned = plan_row(sweep->plan, &sweep->plan->cells[i], sweep->options->cold);
        Row row;
        if (resume_take(sweep->stored, &planned, &row)) {
            STATUS_TRY(sweep_keep_row(sweep, i, &row));
        }
    }
    return status_ok();
}

/* A file with fewer rows must not take the place of the stored one. */
static Status check_all_kept(const Sweep *sweep) {
    const Row *left = NULL;
    size_t count = 0;
    for (size_t i = 0; sweep->stored != NULL && i < sweep->stored->results.count; i++) {
        const Row *row = &sweep->stored->results.rows[i];
        if (row->algorithm != NULL && resume_is_sampled(row)) {
            left = count++ == 0 ? row : left;
        }
    }
    if (left == NULL) {
        return status_ok();
    }
    char name[NAME_SIZE];
    row_name(left, name, sizeof name);
    return status_make(STATUS_USAGE,
                       "%.100s holds %zu cell%s that this run would not have, such as %.120s; "
                       "resume with the inputs that it was started with, or start a new run",
                       sweep->options->resume, count, count == 1 ? "" : "s", name);
}

Status sweep_start(Sweep *sweep, FILE *notes) {
    const size_t count = sweep->plan->cell_count;
    sweep->places = calloc(count, sizeof *sweep->places);
    sweep->finished = calloc(count, sizeof *sweep->finished);
    if (sweep->places == NULL || sweep->finished == NULL) {
        sweep_release(sweep);
        return status_skip("no memory left for the sweep");
    }
    sweep->started = clock_now();
    size_t to_run = 0;
    for (size_t i = 0; i < count; i++) {
        to_run += status_is_ok(&sweep->plan->cells[i].ready);
    }
    progress_start(&sweep->progress, notes, count, to_run, sweep->options->quiet);
    Status status = keep_stored_rows(sweep);
    if (status_is_ok(&status)) {
        status = check_all_kept(sweep);
    }
    if (!status_is_ok(&status)) {
        sweep_release(sweep);
    }
    return status;
}

/* Every device is met before the first pinning, which is through all of them. */
static void meet_devices(Sweep *sweep) {
    for (size_t i = 0; i < sweep->plan->cell_count; i++) {
        const PlanCell *cell = &sweep->plan->cells[i];
        if (!status_is_ok(&cell->ready)) {
            continue;
        }
        const Device *device = devices_get(&sweep->devices, cell->variant->backend);
        if (device->backend == &cpu_backend) {
            sweep->record->timer_overhead_cpu = device->timer_overhead;
        } else if (device->backend == &cuda_backend) {
            sweep->record->timer_overhead_cuda = device->timer_overhead;
        }
    }
}

static Status add_unready(Sweep *sweep, CellRange range) {
    for (size_t i = range.first; i < range.end; i++) {
        const Status *ready = &sweep->plan->cells[i].ready;
        if (!sweep->finished[i] && !status_is_ok(ready)) {
            STATUS_TRY(sweep_add_failure(sweep, i, ready));
        }
    }
    return status_ok();
}

/* A picture that does not fit is not even generated. */
static Status check_input_fits(const Workload *shape) {
    return sweep_check_memory((uint64_t)shape->image.stride * (uint64_t)shape->image.height, 0);
}

static Status run_groups(Sweep *sweep, CellRange range, const Workload *workload) {
    size_t first = range.first;
    while (first < range.end && !interrupt_requested()) {
        size_t end = first + 1;
        while (end < range.end &&
               sweep->plan->cells[end].group == sweep->plan->cells[first].group) {
            end++;
        }
        STATUS_TRY(sweep_group(sweep, (CellRange){first, end}, workload));
        first = end;
    }
    return status_ok();
}

static Status run_loaded(Sweep *sweep, CellRange range, Workload *workload) {
    Pinned pinned = {.memory = NULL};
    if (sweep->options->pinned) {
        devices_pin_reset(&sweep->devices);
        devices_pin(&sweep->devices, workload->image.pixels,
                    workload->image.stride * (size_t)workload->image.height, &pinned);
    }
    const Status status = run_groups(sweep, range, workload);
    devices_unpin(&pinned);
    return status;
}

static Status run_workload(Sweep *sweep, CellRange range) {
    const PlanWorkload *planned = &sweep->plan->workloads[sweep->plan->cells[range.first].workload];
    STATUS_TRY(add_unready(sweep, range));
    if (!sweep_has_pending(sweep, range)) {
        return status_ok();
    }
    Workload workload = planned->shape;
    Status status = check_input_fits(&planned->shape);
    if (status_is_ok(&status)) {
        status = workload_load(planned->input, &planned->size, sweep->options->seed, &workload);
    }
    if (status.code == STATUS_SKIP) {
        return sweep_add_failures(sweep, range, &status);
    }
    STATUS_TRY(status);
    status = run_loaded(sweep, range, &workload);
    workload_release(&workload);
    return status;
}

Status sweep_run(Sweep *sweep) {
    const Plan *plan = sweep->plan;
    meet_devices(sweep);
    size_t first = 0;
    while (first < plan->cell_count && !interrupt_requested()) {
        size_t end = first + 1;
        while (end < plan->cell_count && plan->cells[end].workload == plan->cells[first].workload) {
            end++;
        }
        STATUS_TRY(run_workload(sweep, (CellRange){first, end}));
        first = end;
    }
    return status_ok();
}
