/* The sweep: groups of cells, their rows, checkpoints. */

#include "run_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "base.h"
#include "interrupt.h"
#include "output.h"
#include "resources.h"
#include "results.h"
#include "status.h"
#include "variant.h"
#include "workload.h"

/* === Devices ================================================================================== */

static void meet(Device *device, const Backend *backend) {
    *device = (Device){.backend = backend, .timer_overhead = NAN};
    device->usable = backend->probe(device->description, sizeof device->description);
    if (status_is_ok(&device->usable)) {
        device->usable = measure_timer_overhead(backend, &device->timer_overhead);
    }
}

Device *devices_get(Devices *devices, const Backend *backend) {
    for (size_t i = 0; i < devices->count; i++) {
        if (devices->rows[i].backend == backend) {
            return &devices->rows[i];
        }
    }
    /* There are two backends; a table of eight does not fill up. */
    Device *device = &devices->rows[devices->count < DEVICES_MAX ? devices->count++ : 0];
    meet(device, backend);
    return device;
}

/* No later cell of this backend can run: `name` is the cell that lost it. */
static void device_lost(Device *device, const char *name, const char *why) {
    device->usable = status_skip("the device was lost in %.120s: %.220s", name, why);
}

/* Pins through every usable device met so far. One that refuses has the reason in Device.pinning,
 * until devices_pin_reset. */
static void devices_pin(Devices *devices, void *memory, size_t bytes, Pinned *pinned) {
    *pinned = (Pinned){.memory = memory};
    for (size_t i = 0; i < devices->count; i++) {
        Device *device = &devices->rows[i];
        if (device->backend->pin == NULL || !status_is_ok(&device->usable)) {
            continue;
        }
        const Status status = device->backend->pin(memory, bytes);
        if (status_is_ok(&status)) {
            pinned->backends[pinned->count++] = device->backend;
        } else {
            device->pinning =
                status_skip("host memory could not be page-locked: %.300s", status.why);
        }
    }
}

static void devices_unpin(Pinned *pinned) {
    for (size_t i = 0; i < pinned->count; i++) {
        pinned->backends[i]->unpin(pinned->memory);
    }
    *pinned = (Pinned){.memory = NULL};
}

static void devices_pin_reset(Devices *devices) {
    for (size_t i = 0; i < devices->count; i++) {
        devices->rows[i].pinning = status_ok();
    }
}

/* === Sweep rows =============================================================================== */

/* Seconds, and share of the time, that writing the files over and over may take in all. */
static const double write_seconds = 0.25;
static const double write_share = 0.05;

/* --- Files ------------------------------------------------------------------------------------ */

bool sweep_has_result(const Sweep *sweep) {
    for (size_t i = 0; i < sweep->results->count; i++) {
        if (sweep->results->rows[i].status != CELL_SKIP) {
            return true;
        }
    }
    return false;
}

static void keep_trouble(Sweep *sweep, const Status *status) {
    if (!status_is_ok(status) && status_is_ok(&sweep->file_trouble)) {
        progress_note(&sweep->progress, status->why);
    }
    sweep->file_trouble = *status;
}

static Status write_files(Sweep *sweep) {
    STATUS_TRY(report_csv(sweep->folder->csv, sweep->record, sweep->results));
    STATUS_TRY(report_json(sweep->folder->json, sweep->record, sweep->results));
    journal_remove(&sweep->journal, sweep->folder->json);
    sweep->journal = (Journal){.date = sweep->record->started, .elapsed = sweep->record->elapsed};
    return status_ok();
}

void sweep_write(Sweep *sweep) {
    const double started = clock_now();
    if (sweep->folder->holds_results && !sweep_has_result(sweep)) {
        return;
    }
    sweep->record->elapsed = sweep->elapsed_before + started - sweep->started;
    results_derive(sweep->results, sweep->options->seed);
    const Status status = write_files(sweep);
    keep_trouble(sweep, &status);
    sweep->latest_write = clock_now() - started;
    sweep->writing += sweep->latest_write;
}

static bool can_write(const Sweep *sweep) {
    const double allowed = write_seconds + write_share * (clock_now() - sweep->started);
    return sweep->writing + sweep->latest_write <= allowed;
}

/* Rows of cells that were left out go along with the next. */
static void store(Sweep *sweep, const Row *row) {
    if (row->status == CELL_SKIP) {
        return;
    }
    if (can_write(sweep)) {
        sweep_write(sweep);
    } else if (sweep->journal.date != NULL) { /* there is a results.json that it goes with */
        const Status status = journal_add(&sweep->journal, sweep->folder->json, row);
        keep_trouble(sweep, &status);
    }
}

/* Writes the run's files when rows are in the journal alone and there is time for it. */
static void sweep_catch_up(Sweep *sweep) {
    if (sweep->journal.stream != NULL && can_write(sweep)) {
        interrupt_hold();
        sweep_write(sweep);
        interrupt_release();
    }
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* How many rows there are of cells up to `index`. */
static size_t place_of(const Sweep *sweep, size_t index) {
    size_t place = sweep->results->count;
    while (place > 0 && sweep->places[place - 1] > index) {
        place--;
    }
    return place;
}

/* The row that a cell has now; NULL: none. Good until the next one is added. */
static const Row *sweep_row(const Sweep *sweep, size_t index) {
    const size_t place = place_of(sweep, index);
    return place > 0 && sweep->places[place - 1] == index ? &sweep->results->rows[place - 1] : NULL;
}

/* Moves the last row, that of cell `index`, to its place, of which the other rows know. */
static void sort_in(Sweep *sweep, size_t place, size_t index) {
    Row *rows = sweep->results->rows;
    const size_t last = sweep->results->count - 1;
    const Row row = rows[last];
    memmove(&rows[place + 1], &rows[place], (last - place) * sizeof *rows);
    memmove(&sweep->places[place + 1], &sweep->places[place],
            (last - place) * sizeof *sweep->places);
    rows[place] = row;
    sweep->places[place] = index;
}

static Status put_row(Sweep *sweep, size_t index, Row *row) {
    const size_t place = place_of(sweep, index);
    if (place > 0 && sweep->places[place - 1] == index) {
        row_release(&sweep->results->rows[place - 1]);
        sweep->results->rows[place - 1] = *row;
        return status_ok();
    }
    const Status status = results_add(sweep->results, row);
    if (!status_is_ok(&status)) {
        row_release(row);
        return status;
    }
    sort_in(sweep, place, index);
    return status_ok();
}

static void finish_cell(Sweep *sweep, size_t index, bool ran) {
    sweep->finished[index] = true;
    sweep->finished_count++;
    progress_done(&sweep->progress, ran);
}

static Status add_row(Sweep *sweep, size_t index, Row *row, bool ran) {
    STATUS_TRY(put_row(sweep, index, row));
    finish_cell(sweep, index, ran);
    store(sweep, row);
    return status_ok();
}

/*
 * The rows' samples belong to the results afterwards, whatever is returned. A cell has one row: the
 * next takes its place. A row with a result is stored at once, in the run's files or, where writing
 * them whole takes too large a share of the time, in the journal beside them: who is killed loses
 * nothing that was measured before.
 */
/* The last row of cell `index`. `ran`: time was spent on it. */
static Status sweep_add_row(Sweep *sweep, size_t index, Row *row, bool ran) {
    interrupt_hold();
    const Status status = add_row(sweep, index, row, ran);
    interrupt_release();
    return status;
}

static Status add_samples(Sweep *sweep, size_t index, Row *row) {
    STATUS_TRY(put_row(sweep, index, row));
    store(sweep, row);
    return status_ok();
}

/* The row of a cell that has its samples and is not finished (cell_sampled_row). */
static Status sweep_add_samples(Sweep *sweep, size_t index, Row *row) {
    interrupt_hold();
    const Status status = add_samples(sweep, index, row);
    interrupt_release();
    return status;
}

static Status keep_row(Sweep *sweep, size_t index, Row *row) {
    STATUS_TRY(put_row(sweep, index, row));
    if (resume_is_finished(row)) {
        sweep->progress.to_run -= status_is_ok(&sweep->plan->cells[index].ready);
        finish_cell(sweep, index, false);
    }
    return status_ok();
}

/* The row of a run that is resumed, which is stored already. */
static Status sweep_keep_row(Sweep *sweep, size_t index, Row *row) {
    interrupt_hold();
    const Status status = keep_row(sweep, index, row);
    interrupt_release();
    return status;
}

/* Adds a row that says why there is no measurement: a failure for STATUS_FAIL, else a skip. */
static Status sweep_add_failure(Sweep *sweep, size_t index, const Status *why) {
    const PlanCell *cell = &sweep->plan->cells[index];
    Row row = plan_row(sweep->plan, cell, sweep->options->cold);
    row.status = why->code == STATUS_FAIL ? CELL_FAIL : CELL_SKIP;
    memcpy(row.why, why->why, sizeof row.why);
    /* One that was expected to run and cannot leaves less to do. */
    sweep->progress.to_run -= status_is_ok(&cell->ready);
    return sweep_add_row(sweep, index, &row, false);
}

/* The same for every cell of the range that has no row yet. */
static Status sweep_add_failures(Sweep *sweep, CellRange range, const Status *why) {
    for (size_t i = range.first; i < range.end; i++) {
        if (!sweep->finished[i]) {
            STATUS_TRY(sweep_add_failure(sweep, i, why));
        }
    }
    return status_ok();
}

static bool sweep_has_pending(const Sweep *sweep, CellRange range) {
    for (size_t i = range.first; i < range.end; i++) {
        if (!sweep->finished[i]) {
            return true;
        }
    }
    return false;
}

/* STATUS_SKIP "needs X, Y free" when `bytes` more do not fit beside `held` that are had already. */
static Status sweep_check_memory(uint64_t bytes, uint64_t held) {
    const uint64_t available = available_memory();
    return bytes <= available ? status_ok() : memory_short(bytes + held, available + held);
}

/* === Group ==================================================================================== */

/* Whether a cell is that of the oracle's variant. */
static bool group_is_seq(const PlanCell *cell) {
    return cell->variant == &cell->algorithm->cpu.rows[0];
}

static void pin_scratch(Group *group) {
    if (group->sweep->options->pinned) {
        devices_pin(&group->sweep->devices, group->scratch.data, group->scratch.layout.bytes,
                    &group->pinned);
    }
}

/* Guarded memory for the answers of the group that `cell` belongs to, and what they cost.
 * STATUS_SKIP "needs X, Y free", or why there is no answer. */
static Status group_open_scratch(Group *group, const PlanCell *cell) {
    OutputLayout layout = {0};
    STATUS_TRY(cell->algorithm->output_layout(group->workload, &cell->answer, &layout));
    const Image *image = &group->workload->image;
    STATUS_TRY(sweep_check_memory(2 * (uint64_t)layout.bytes,
                                  (uint64_t)image->stride * (uint64_t)image->height));
    STATUS_TRY(answer_alloc_guarded(&layout, &group->scratch));
    pin_scratch(group);
    group->cost = cell->algorithm->cost(group->workload, &cell->answer);
    return status_ok();
}

static void group_close_scratch(Group *group) {
    devices_unpin(&group->pinned);
    answer_release_guarded(&group->scratch);
}

/* Guarded memory afresh. Every state that knows the old one is closed. */
/* A guard band that was written stays damaged: the next variant gets fresh ones. */
static Status group_renew_scratch(Group *group) {
    const OutputLayout layout = group->scratch.layout;
    group_close_scratch(group);
    STATUS_TRY(answer_alloc_guarded(&layout, &group->scratch));
    pin_scratch(group);
    return status_ok();
}

/* --- Saved answers ---------------------------------------------------------------------------- */

static void save(Group *group, const PlanCell *cell, const SaveBy *by, const Output *output) {
    Sweep *sweep = group->sweep;
    const char *folder = sweep->options->save;
    if (folder == NULL || cell->roof) {
        return;
    }
    const char *stem = sweep->plan->workloads[cell->workload].input->stem;
    Status status =
        save_answer_by(folder, cell->algorithm, stem, group->workload, &cell->answer, by, output);
    if (status_is_ok(&status) && sweep->options->save_table) {
        status =
            save_table(folder, cell->algorithm, stem, group->workload, &cell->answer, by, output);
    }
    if (!status_is_ok(&status)) {
        progress_note(&sweep->progress, status.why);
        sweep->save_trouble = status;
    }
}

/* Cells of the group that can run; of one variant, or of all (NULL). */
static size_t count_ready(const Group *group, const Variant *variant) {
    size_t count = 0;
    for (size_t i = group->range.first; i < group->range.end; i++) {
        const PlanCell *cell = &group->sweep->plan->cells[i];
        count += status_is_ok(&cell->ready) && (variant == NULL || cell->variant == variant);
    }
    return count;
}

/* Called once for each cell whose answer, in `scratch`, was accepted. With --save an answer that
 * differs from the oracle's is written as its own, named by variant (and tuning) unless the group
 * has no other cell that can run. */
static void group_take_answer(Group *group, const PlanCell *cell, double agreement) {
    if (agreement >= 1) {
        group->exact = true;
        return;
    }
    SaveBy by = {.variant = cell->variant};
    if (count_ready(group, cell->variant) > 1) {
        by.tuning = cell->tuning;
    }
    save(group, cell, count_ready(group, NULL) > 1 ? &by : NULL, &group->scratch);
}

/* With --save, at the end of the group: the oracle's answer, if some cell had the same. */
static void group_save_exact(Group *group, const PlanCell *first) {
    if (group->exact) {
        save(group, first, NULL, &group->oracle.answer);
    }
}

/* === Sweep cells ============================================================================== */

/* Cells of one group of a sweep, from their proofs to their rows. For sweep_group only. */

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

static Status add_cell_row(Group *group, Entry *entry, const Status *status) {
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
    return interrupt_requested() ? status_ok() : add_cell_row(group, entry, &status);
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
    return interrupt_requested() ? status_ok() : add_cell_row(group, entry, &status);
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

/* Gives each cell of the range its row: verifies every one alone, samples those that were right in
 * turns, and finishes them one by one. An interrupt leaves the unfinished ones without a row. */
static Status sweep_cells(Group *group, CellRange range) {
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

/* === Sweep group ============================================================================== */

/* One group of a sweep: the cells that share a workload and an answer point, hence an oracle. For
 * sweep only. */

/* The seq cell failed if seq did; the others merely have nothing to be compared with. */
static Status add_without_oracle(Group *group, CellRange range, const Status *why) {
    Sweep *sweep = group->sweep;
    sweep->oracle_failed |= why->code != STATUS_SKIP;
    for (size_t i = range.first; i < range.end; i++) {
        const PlanCell *cell = &sweep->plan->cells[i];
        if (sweep->finished[i]) {
            continue;
        }
        const bool culprit =
            group_is_seq(cell) && !group->oracle.stood_in && why->code != STATUS_SKIP;
        const Status status =
            culprit ? status_fail("%s", why->why)
                    : status_skip(why->code == STATUS_SKIP ? "no oracle: %.300s"
                                                           : "no oracle, because it failed: %.300s",
                                  why->why);
        STATUS_TRY(sweep_add_failure(sweep, i, &status));
    }
    return status_ok();
}

/* The oracle may take as long as --max-cell allows. */
static void announce_oracle(Group *group, const PlanCell *first) {
    char what[512];
    snprintf(what, sizeof what, "oracle of %s on %s %s", first->algorithm->name,
             group->workload->input, group->workload->size_name);
    progress_activity(&group->sweep->progress, what);
}

/* All cells in turns, or one after the other. */
static Status run_sets(Group *group, CellRange range) {
    if (group->sweep->options->interleave) {
        return sweep_cells(group, range);
    }
    for (size_t i = range.first; i < range.end && !interrupt_requested(); i++) {
        STATUS_TRY(sweep_cells(group, (CellRange){i, i + 1}));
    }
    return status_ok();
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
    STATUS_TRY(run_sets(group, range));
    group_save_exact(group, first);
    return status_ok();
}

static Status sweep_group(Sweep *sweep, CellRange range, const Workload *workload) {
    if (!sweep_has_pending(sweep, range)) {
        return status_ok();
    }
    Group group = {.sweep = sweep, .range = range, .workload = workload};
    Status status = group_open_scratch(&group, &sweep->plan->cells[range.first]);
    if (!status_is_ok(&status)) {
        return sweep_add_failures(sweep, range, &status);
    }
    status = run_cells(&group, range);
    oracle_release(&group.oracle);
    group_close_scratch(&group);
    return status;
}

/* === Sweep ==================================================================================== */

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
