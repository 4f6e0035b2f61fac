#include "sweep_group.h"

#include <stdio.h>
#include <string.h>

#include "cell.h"
#include "interrupt.h"
#include "save.h"
#include "verify.h"

enum { NAME_SIZE = 512 };

typedef struct Group {
    Sweep *sweep;
    const Workload *workload;
    Output scratch; /* what variants write to */
    Pinned pinned;  /* its memory, with --pinned */
    Oracle oracle;
    Status seq;    /* how seq's own cell ended */
    bool verified; /* some cell agreed with the oracle */
} Group;

static bool is_seq(const PlanCell *cell) {
    return cell->variant == &cell->algorithm->cpu.rows[0];
}

static void pin_scratch(Group *group) {
    if (group->sweep->options->pinned) {
        devices_pin(&group->sweep->devices, group->scratch.data, group->scratch.layout.bytes,
                    &group->pinned);
    }
}

/* A guard band that was written stays damaged: the next variant gets fresh ones. */
static Status renew_scratch(Group *group) {
    const OutputLayout layout = group->scratch.layout;
    devices_unpin(&group->pinned);
    answer_release_guarded(&group->scratch);
    STATUS_TRY(answer_alloc_guarded(&layout, &group->scratch));
    pin_scratch(group);
    return status_ok();
}

/* Why a cell need not be tried; STATUS_OK when it does. */
static Status reason_to_skip(const Group *group, const PlanCell *cell, const Device *device) {
    if (!status_is_ok(&device->usable)) {
        return status_skip("%s", device->usable.why);
    }
    if (group->sweep->options->pinned && !status_is_ok(&device->pinning)) {
        return device->pinning;
    }
    if (is_seq(cell) && group->oracle.stood_in) {
        return status_skip("%s", group->oracle.why);
    }
    if (!status_is_ok(&group->seq)) {
        return status_skip("cannot be verified, because %s is wrong: %.300s",
                           cell->algorithm->cpu.rows[0].name, group->seq.why);
    }
    return status_ok();
}

/* What later workloads will want to know. */
static void remember(Group *group, const Row *row) {
    History *history = &group->sweep->history;
    const double work = cost_work(&row->cost);
    const double seconds = row->kernel_summary.median;
    const Variant *seq = &row->algorithm->cpu.rows[0];
    group->verified = true;
    if (row->variant == seq) {
        history_note_seq(history, row->algorithm, work, seconds, row->size_name);
    } else if (row->variant->backend == seq->backend && !group->oracle.stood_in) {
        history_note_verified(history, row->algorithm, row->variant, &row->tuning, work, seconds);
    }
}

static void conclude(Group *group, const PlanCell *cell, const Status *status, const char *name,
                     Device *device, Row *row) {
    snprintf(row->device, sizeof row->device, "%s", device->description);
    memcpy(row->why, status->why, sizeof row->why);
    switch (status->code) {
    case STATUS_OK:
        row->status = CELL_OK;
        remember(group, row);
        return;
    case STATUS_SKIP: row->status = CELL_SKIP; return;
    default: row->status = CELL_FAIL;
    }
    if (status->code == STATUS_DEVICE_LOST) {
        device_lost(device, name, status->why);
    }
    if (is_seq(cell)) {
        group->seq = *status;
    }
}

static Status run_cell(Group *group, size_t index) {
    Sweep *sweep = group->sweep;
    const PlanCell *cell = &sweep->plan->cells[index];
    Device *device = devices_get(&sweep->devices, cell->variant->backend);
    const Status skip = reason_to_skip(group, cell, device);
    if (!status_is_ok(&skip)) {
        return sweep_add_failure(sweep, index, &skip);
    }
    Row row = plan_row(sweep->plan, cell, sweep->options->cold);
    char name[NAME_SIZE];
    row_name(&row, name, sizeof name);
    progress_cell(&sweep->progress, name);
    const CellJob job = {.options = sweep->options,
                         .cell = cell,
                         .workload = group->workload,
                         .oracle = &group->oracle,
                         .scratch = &group->scratch,
                         .timer_overhead = device->timer_overhead};
    const Status status = cell_run(&job, &row);
    if (interrupt_requested()) {
        row_release(&row);
        return status_ok();
    }
    conclude(group, cell, &status, name, device, &row);
    STATUS_TRY(sweep_add_row(sweep, index, &row, true));
    return row.status == CELL_FAIL ? renew_scratch(group) : status_ok();
}

/* The seq cell failed if seq did; the others merely have nothing to be compared with. */
static Status add_without_oracle(Group *group, CellRange range, const Status *why) {
    Sweep *sweep = group->sweep;
    sweep->oracle_failed |= why->code != STATUS_SKIP;
    for (size_t i = range.first; i < range.end; i++) {
        const PlanCell *cell = &sweep->plan->cells[i];
        if (sweep->finished[i]) {
            continue;
        }
        const bool culprit = is_seq(cell) && !group->oracle.stood_in && why->code != STATUS_SKIP;
        const Status status =
            culprit ? status_fail("%s", why->why)
                    : status_skip(why->code == STATUS_SKIP ? "no oracle: %.300s"
                                                           : "no oracle, because it failed: %.300s",
                                  why->why);
        STATUS_TRY(sweep_add_failure(sweep, i, &status));
    }
    return status_ok();
}

static void save(Group *group, const PlanCell *cell) {
    Sweep *sweep = group->sweep;
    if (sweep->options->save == NULL || cell->roof || !group->verified) {
        return;
    }
    const PlanWorkload *planned = &sweep->plan->workloads[cell->workload];
    const Status status =
        save_answer(sweep->options->save, cell->algorithm, planned->input->stem,
                    planned->shape.size_name, &cell->answer, &group->oracle.answer);
    if (!status_is_ok(&status)) {
        progress_note(&sweep->progress, status.why);
        sweep->save_trouble = status;
    }
}

/* The oracle may take as long as --max-cell allows. */
static void announce_oracle(Group *group, const PlanCell *first) {
    char what[NAME_SIZE];
    snprintf(what, sizeof what, "oracle of %s on %s %s", first->algorithm->name,
             group->workload->input, group->workload->size_name);
    progress_activity(&group->sweep->progress, what);
}

static Status run_cells(Group *group, CellRange range) {
    const PlanCell *first = &group->sweep->plan->cells[range.first];
    announce_oracle(group, first);
    const Status status =
        oracle_compute(&group->sweep->history, group->sweep->options, first->algorithm,
                       group->workload, &first->answer, &group->scratch, &group->oracle);
    if (!status_is_ok(&status)) {
        return add_without_oracle(group, range, &status);
    }
    for (size_t i = range.first; i < range.end && !interrupt_requested(); i++) {
        if (!group->sweep->finished[i]) {
            STATUS_TRY(run_cell(group, i));
        }
    }
    save(group, first);
    return status_ok();
}

static Status open_scratch(Group *group, const PlanCell *cell) {
    OutputLayout layout = {0};
    STATUS_TRY(cell->algorithm->output_layout(group->workload, &cell->answer, &layout));
    const Image *image = &group->workload->image;
    STATUS_TRY(sweep_check_memory(2 * (uint64_t)layout.bytes,
                                  (uint64_t)image->stride * (uint64_t)image->height));
    STATUS_TRY(answer_alloc_guarded(&layout, &group->scratch));
    pin_scratch(group);
    return status_ok();
}

Status sweep_group(Sweep *sweep, CellRange range, const Workload *workload) {
    if (!sweep_has_pending(sweep, range)) {
        return status_ok();
    }
    Group group = {.sweep = sweep, .workload = workload};
    Status status = open_scratch(&group, &sweep->plan->cells[range.first]);
    if (!status_is_ok(&status)) {
        return sweep_add_failures(sweep, range, &status);
    }
    status = run_cells(&group, range);
    oracle_release(&group.oracle);
    devices_unpin(&group.pinned);
    answer_release_guarded(&group.scratch);
    return status;
}
