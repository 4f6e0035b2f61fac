#include "sweep_cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell_set.h"
#include "interrupt.h"

enum { NAME_SIZE = 512 };

/* A cell whose variant gave the right answer. */
typedef struct Entry {
    size_t index; /* in the plan */
    Device *device;
    Cell cell;
    Status status; /* how sampling it went */
    char name[NAME_SIZE];
} Entry;

/* Why a cell need not be tried; STATUS_OK when it does. */
static Status reason_to_skip(const Group *group, const PlanCell *cell, const Device *device) {
    if (!status_is_ok(&device->usable)) {
        return status_skip("%s", device->usable.why);
    }
    if (group->sweep->options->pinned && !status_is_ok(&device->pinning)) {
        return device->pinning;
    }
    if (group_is_seq(cell) && group->oracle.stood_in) {
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
    if (row->variant == seq) {
        history_note_seq(history, row->algorithm, work, seconds, row->size_name);
    } else if (row->variant->backend == seq->backend && !group->oracle.stood_in) {
        history_note_verified(history, row->algorithm, row->variant, &row->tuning, work, seconds);
    }
}

/* How a cell ended, for its row and for the cells after it. */
static void conclude(Group *group, Entry *entry, const Status *status) {
    const PlanCell *cell = entry->cell.job.cell;
    Row *row = &entry->cell.row;
    snprintf(row->device, sizeof row->device, "%s", entry->device->description);
    memcpy(row->why, status->why, sizeof row->why);
    switch (status->code) {
    case STATUS_OK:
        row->status = CELL_OK;
        remember(group, row);
        return;
    case STATUS_SKIP: row->status = CELL_SKIP; break;
    default: row->status = CELL_FAIL;
    }
    cell_drop_numbers(&entry->cell);
    if (status->code == STATUS_DEVICE_LOST) {
        device_lost(entry->device, entry->name, status->why);
    }
    /* One that could not be measured is not wrong: its answer was the oracle's. */
    if (group_is_seq(cell) && status->code != STATUS_SKIP) {
        group->seq = *status;
    }
}

static Status add_row(Group *group, Entry *entry, const Status *status) {
    conclude(group, entry, status);
    Row row = entry->cell.row;
    /* The results own its samples now. */
    entry->cell.row = row_empty();
    STATUS_TRY(sweep_add_row(group->sweep, entry->index, &row, true));
    if (row.status == CELL_OK) {
        group_take_answer(group, entry->cell.job.cell, row.agreement);
    }
    return row.status == CELL_FAIL ? group_renew_scratch(group) : status_ok();
}

static void init_entry(Group *group, size_t index, Device *device, Entry *entry) {
    const Sweep *sweep = group->sweep;
    const PlanCell *planned = &sweep->plan->cells[index];
    Row row = plan_row(sweep->plan, planned, sweep->options->cold);
    row.cost = group->cost;
    const CellJob job = {.options = sweep->options,
                         .cell = planned,
                         .workload = group->workload,
                         .oracle = &group->oracle,
                         .scratch = &group->scratch,
                         .timer_overhead = device->timer_overhead};
    entry->index = index;
    entry->device = device;
    cell_init(&entry->cell, &job, &row);
    row_name(&row, entry->name, sizeof entry->name);
}

/* --- Steps ----------------------------------------------------------------------------------- */

/* A cell that an interrupted run has sampled is not sampled again. */
static Status restore(const Group *group, Entry *entry) {
    const Row *row = sweep_row(group->sweep, entry->index);
    return row != NULL && resume_is_sampled(row) ? cell_restore(&entry->cell, row) : status_ok();
}

/* Verifies one cell. `entry` is filled when it is right; otherwise it has its row. */
static Status verify_cell(Group *group, size_t index, Entry *entry, bool *right) {
    Sweep *sweep = group->sweep;
    const PlanCell *planned = &sweep->plan->cells[index];
    Device *device = devices_get(&sweep->devices, planned->variant->backend);
    const Status skip = reason_to_skip(group, planned, device);
    *right = false;
    if (!status_is_ok(&skip)) {
        return sweep_add_failure(sweep, index, &skip);
    }
    init_entry(group, index, device, entry);
    progress_cell(&sweep->progress, entry->name);
    const Status status = cell_verify(&entry->cell);
    *right = status_is_ok(&status);
    if (*right) {
        return restore(group, entry);
    }
    return interrupt_requested() ? status_ok() : add_row(group, entry, &status);
}

static Status verify_cells(Group *group, CellRange range, Entry *entries, size_t *count) {
    for (size_t i = range.first; i < range.end && !interrupt_requested(); i++) {
        if (!group->sweep->finished[i]) {
            bool right = false;
            STATUS_TRY(verify_cell(group, i, &entries[*count], &right));
            *count += right;
        }
    }
    return status_ok();
}

/* Entries that are sampled in turns. */
typedef struct Sampling {
    Group *group;
    Entry *entries;
} Sampling;

/* Its neighbours may need much longer: what there is of it is stored at once. */
static Status store_samples(void *context, const SetMember *member) {
    const Sampling *sampling = context;
    const Entry *entry = &sampling->entries[member->index];
    Row row;
    STATUS_TRY(cell_sampled_row(&entry->cell, &row));
    snprintf(row.device, sizeof row.device, "%s", entry->device->description);
    return sweep_add_samples(sampling->group->sweep, entry->index, &row);
}

static void catch_up(void *context) {
    const Sampling *sampling = context;
    sweep_catch_up(sampling->group->sweep);
}

/* Samples entries in turns that are not sampled yet, as far as they fit beside each other. A device
 * that was lost is known to be before the first of them is finished. */
static Status sample_entries(Group *group, Entry *entries, size_t count) {
    Sampling sampling = {group, entries};
    const SetWatch watch = {&group->sweep->progress, store_samples, catch_up, &sampling};
    size_t member_count = 0;
    SetMember *members = calloc(count, sizeof *members);
    if (members == NULL) {
        return status_skip("no memory left for %zu cells", count);
    }
    for (size_t i = 0; i < count; i++) {
        if (!entries[i].cell.sampled) {
            members[member_count++] = (SetMember){.cell = &entries[i].cell, .index = i};
        }
    }
    const Status status =
        member_count > 0 ? cell_set_sample(members, member_count, &watch) : status_ok();
    for (size_t i = 0; i < member_count; i++) {
        entries[members[i].index].status = members[i].status;
    }
    free(members);
    return status;
}

/* What did not go well beside others gets its verdict alone. */
static Status sample_again(Group *group, Entry *entry) {
    cell_drop_numbers(&entry->cell);
    /* A guard band may have been damaged by any of the others. */
    STATUS_TRY(group_renew_scratch(group));
    return sample_entries(group, entry, 1);
}

static Status finish_entry(Group *group, Entry *entry, bool alone) {
    Sweep *sweep = group->sweep;
    const bool lost = entry->status.code == STATUS_DEVICE_LOST;
    const Status skip = reason_to_skip(group, entry->cell.job.cell, entry->device);
    if (!status_is_ok(&skip) && !lost) {
        return sweep_add_failure(sweep, entry->index, &skip);
    }
    progress_activity(&sweep->progress, entry->name);
    if (!entry->cell.sampled && !lost && !alone) {
        STATUS_TRY(sample_again(group, entry));
    }
    Status status = entry->status;
    if (entry->cell.sampled && !interrupt_requested()) {
        status = cell_finish(&entry->cell);
    }
    return interrupt_requested() ? status_ok() : add_row(group, entry, &status);
}

static Status measure_entries(Group *group, Entry *entries, size_t count) {
    STATUS_TRY(sample_entries(group, entries, count));
    for (size_t i = 0; i < count; i++) {
        if (entries[i].status.code == STATUS_DEVICE_LOST) {
            device_lost(entries[i].device, entries[i].name, entries[i].status.why);
        }
    }
    for (size_t i = 0; i < count && !interrupt_requested(); i++) {
        STATUS_TRY(finish_entry(group, &entries[i], count == 1));
    }
    return status_ok();
}

Status sweep_cells(Group *group, CellRange range) {
    Entry *entries = calloc(range.end - range.first, sizeof *entries);
    if (entries == NULL) {
        return status_skip("no memory left for %zu cells", range.end - range.first);
    }
    size_t count = 0;
    Status status = verify_cells(group, range, entries, &count);
    if (status_is_ok(&status) && count > 0) {
        status = measure_entries(group, entries, count);
    }
    for (size_t i = 0; i < count; i++) {
        cell_release(&entries[i].cell);
    }
    free(entries);
    progress_settle(&group->sweep->progress);
    return status;
}
