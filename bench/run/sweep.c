/* The sweep: walks the plan and gives each cell its row. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend_runner.h"
#include "budget.h"
#include "calls.h"
#include "cell.h"
#include "datasets.h"
#include "interrupt.h"
#include "kept.h"
#include "modules.h"
#include "plan.h"
#include "proofs.h"
#include "resources.h"
#include "sealed.h"
#include "sweep.h"
#include "times.h"
#include "verify.h"
#include "wall_time.h"
#include "winners.h"

/* Cells first … end - 1 of the plan. */
typedef struct CellRange {
    size_t first, end;
} CellRange;

/* Host memory that is page-locked through every backend that can. */
typedef struct Pinned {
    void *memory; /* NULL: none */
    const Backend *backends[DEVICES_MAX];
    size_t count;
} Pinned;

/* The cells of one workload, algorithm and answer point, and what they share. */
typedef struct Group {
    Sweep *sweep;
    CellRange range;
    const Workload *workload;
    Output scratch;     /* guarded memory that variants write their answers to */
    Pinned pinned;      /* that memory, with --pinned */
    Oracle oracle;      /* empty where the first launch has verified every cell */
    OtherInput other;   /* of a module's algorithm, whose cells are tried on it as well */
    bool in_file;       /* `scratch` lies in a mapped file */
    Status seq;         /* how seq's own cell ended */
    bool exact;         /* the answer of some cell was equal to the oracle's */
    double seq_seconds; /* of a run of it; NAN: not measured yet */
} Group;

/* === Order ==================================================================================== */

static bool same_workload(const PlanCell *a, const PlanCell *b) {
    return a->workload == b->workload;
}

static bool same_group(const PlanCell *a, const PlanCell *b) {
    return a->group == b->group;
}

static bool same_cell(const PlanCell *a, const PlanCell *b) {
    return a == b;
}

/* Takes the next cells that belong together out of those that are left: from the front, or in every
 * other launch from the back, so that no cell always follows the same one. False at the end and
 * after an interrupt. */
static bool take_range(const Sweep *sweep, bool (*same)(const PlanCell *, const PlanCell *),
                       CellRange *left, CellRange *next) {
    const PlanCell *cells = sweep->plan->cells;
    if (left->first >= left->end || interrupt_requested()) {
        return false;
    }
    *next = *left;
    if (sweep->options->pass % 2 == 0 && sweep->options->pass > 0) {
        next->first = left->end - 1;
        while (next->first > left->first && same(&cells[next->first - 1], &cells[left->end - 1])) {
            next->first--;
        }
        left->end = next->first;
    } else {
        next->end = left->first + 1;
        while (next->end < left->end && same(&cells[next->end], &cells[left->first])) {
            next->end++;
        }
        left->first = next->end;
    }
    return true;
}

static bool take_cell(const Sweep *sweep, CellRange *left, CellRange *next) {
    return take_range(sweep, same_cell, left, next);
}

/* Whether a cell waits for its last row, and its turn is in this process. */
static bool is_pending(const Sweep *sweep, size_t index) {
    return !sweep->store->finished[index] && cell_is_due(sweep->plan, &sweep->plan->cells[index]);
}

/* === Devices ================================================================================== */

static void probe(Device *device, const Backend *backend) {
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
    probe(device, backend);
    return device;
}

bool device_is_lost(const Backend *lost, const Backend *backend, int gpus) {
    Status (*const usable_of)(int devices) = backend->runner->usable;
    if (backend != lost && (usable_of == NULL || usable_of != lost->runner->usable)) {
        return false;
    }
    const Status usable = usable_of != NULL ? usable_of(gpus) : status_skip("lost");
    return !status_is_ok(&usable);
}

/* No later cell of the device can run; of several devices, none that works on the lost one,
 * through whichever backend. */
static void set_lost(Devices *devices, const Device *device, const char *cell_name,
                     const char *why) {
    const Backend *backend = device->backend;
    Status (*const usable)(int devices) = backend->runner->usable;
    const Status lost = status_skip("the device was lost in %.120s: %.220s", cell_name, why);
    for (size_t i = 0; i < devices->count; i++) {
        Device *row = &devices->rows[i];
        if (row->backend == backend && usable == NULL) {
            row->usable = lost;
        } else if (usable != NULL && row->backend->runner->usable == usable) {
            row->lost = lost;
        }
    }
}

/* Page-locks memory, with --pinned, through every usable device. If a backend refuses, its
 * Device.pinning has the reason. */
static void pin(Sweep *sweep, void *memory, size_t bytes, Pinned *pinned) {
    *pinned = (Pinned){.memory = memory};
    for (size_t i = 0; sweep->options->pinned && i < sweep->devices.count; i++) {
        Device *device = &sweep->devices.rows[i];
        if (device->backend->runner->pin == NULL || !status_is_ok(&device->usable)) {
            continue;
        }
        const Status status = device->backend->runner->pin(memory, bytes);
        if (status_is_ok(&status)) {
            pinned->backends[pinned->count++] = device->backend;
        } else {
            device->pinning =
                status_skip("host memory could not be page-locked: %.300s", status.why);
        }
    }
}

static void unpin(Pinned *pinned) {
    for (size_t i = 0; i < pinned->count; i++) {
        pinned->backends[i]->runner->unpin(pinned->memory);
    }
    *pinned = (Pinned){.memory = NULL};
}

static void forget_pinning(Devices *devices) {
    for (size_t i = 0; i < devices->count; i++) {
        devices->rows[i].pinning = status_ok();
    }
}

/* === Memory of a group ======================================================================== */

/* STATUS_SKIP "needs X, Y free" when `bytes` more do not fit beside the `held` ones. */
static Status check_memory(uint64_t bytes, uint64_t held) {
    const uint64_t available = available_memory();
    return bytes <= available ? status_ok() : memory_short(bytes + held, available + held);
}

static uint64_t image_bytes(const Image *image) {
    return (uint64_t)image->stride * (uint64_t)image->height;
}

/* Where answers lie that memory has no room for. */
static const char *answer_folder(const Sweep *sweep) {
    const char *folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : sweep->store->folder->path;
}

static Status alloc_scratch(Group *group, const OutputLayout *layout) {
    if (group->in_file) {
        return answer_alloc_in_file(answer_folder(group->sweep), layout, &group->scratch);
    }
    STATUS_TRY(answer_alloc_guarded(layout, &group->scratch));
    pin(group->sweep, group->scratch.data, layout->bytes, &group->pinned);
    return status_ok();
}

/* STATUS_SKIP "needs X, Y free", or why there is no answer. */
static Status open_scratch(Group *group, const PlanCell *cell) {
    OutputLayout layout = STRUCT_OF(OutputLayout, .count = 0);
    STATUS_TRY(algorithm_layout(cell->algorithm, group->workload, &cell->answer, &layout));
    const Image *image = &group->workload->image;
    const bool mapped = image_is_mapped(image);
    const int answers = plan_answers_in_memory(cell->algorithm, mapped, layout.bytes);
    group->in_file = answers == 0;
    STATUS_TRY(
        check_memory((uint64_t)answers * layout.bytes,
                     (mapped ? 0 : image_bytes(image)) + image_bytes(&group->workload->second)));
    const Status status = alloc_scratch(group, &layout);
    if (status_is_ok(&status) || !group->in_file) {
        return status;
    }
    const Status memory = check_memory(layout.bytes, 0);
    return status_skip("%s in memory; as a file: %s; TMPDIR names its folder", memory.why,
                       status.why);
}

static void close_scratch(Group *group) {
    unpin(&group->pinned);
    answer_release_guarded(&group->scratch);
}

/* A guard band that was written stays damaged: the next variant gets new memory. No state that
 * knows the old one is open. */
static Status renew_scratch(Group *group) {
    const OutputLayout layout = group->scratch.layout;
    close_scratch(group);
    return alloc_scratch(group, &layout);
}

/* === Saved answers ============================================================================ */

/* `variant` and `tuning` may be NULL: not part of the files' names. */
static void save(Group *group, const PlanCell *cell, const Variant *variant, const Point *tuning,
                 const Output *output) {
    Sweep *sweep = group->sweep;
    const char *folder = sweep->options->save;
    if (folder == NULL) {
        return;
    }
    const SavedAnswer saved = {.algorithm = cell->algorithm,
                               .input_stem = sweep->plan->workloads[cell->workload].input->stem,
                               .workload = group->workload,
                               .answer = &cell->answer,
                               .variant = variant,
                               .tuning = tuning,
                               .output = output,
                               .draw_histogram = sweep->options->draw_histogram};
    Status status = save_answer(folder, &saved);
    if (status_is_ok(&status) && sweep->options->save_table) {
        status = save_table(folder, &saved);
    }
    if (!status_is_ok(&status)) {
        progress_note(&sweep->store->progress, status.why);
        sweep->save_trouble = status;
    }
}

/* The number of cells of the group that can run; of one variant, or of all (NULL). */
static size_t count_ready(const Group *group, const Variant *variant) {
    size_t count = 0;
    for (size_t i = group->range.first; i < group->range.end; i++) {
        const PlanCell *cell = &group->sweep->plan->cells[i];
        count += status_is_ok(&cell->ready) && (variant == NULL || cell->variant == variant);
    }
    return count;
}

/* Saves the accepted answer of a cell, in `scratch`, if it differs from the oracle's, or is the
 * first that equals an oracle of which only the digest is kept. The file's name has the variant
 * (and tuning) if it differs, unless the group has no other cell that can run. */
static void save_accepted(Group *group, const PlanCell *cell, double agreement) {
    if (agreement >= 1) {
        if (group->oracle.digest != 0 && !group->exact) {
            save(group, cell, NULL, NULL, &group->scratch);
        }
        group->exact = true;
        return;
    }
    const bool alone = count_ready(group, NULL) == 1;
    const bool tuned = !alone && count_ready(group, cell->variant) > 1;
    save(group, cell, alone ? NULL : cell->variant, tuned ? &cell->tuning : NULL, &group->scratch);
}

/* At the end of the group: saves the oracle's answer if some cell had the same. */
static void save_exact(Group *group, const PlanCell *first) {
    if (group->exact && group->oracle.digest == 0) {
        save(group, first, NULL, NULL, &group->oracle.answer);
    }
}

/* === One cell ================================================================================= */

static size_t index_of(const Cell *cell) {
    return (size_t)(cell->job.cell - cell->job.plan->cells);
}

/* The row of a cell in the first launch; NULL: this is the first. */
static const Row *first_row(const Sweep *sweep, const PlanCell *cell) {
    StoredRun *first = sweep->store->first;
    return first != NULL ? plan_find(sweep->plan, cell, sweep->options->cold, &first->results)
                         : NULL;
}

/* The same if its answer verifies that of this launch: right, and always the same. */
static const Row *known_row(const Sweep *sweep, const PlanCell *cell) {
    const Row *row = first_row(sweep, cell);
    return row != NULL && row->status == CELL_OK && row->answer_digest != 0 ? row : NULL;
}

/* Why a cell is not run; STATUS_OK if it is. */
static Status reason_to_skip(const Group *group, const PlanCell *cell, const Device *device) {
    const Row *first = first_row(group->sweep, cell);
    if (first != NULL && first->status != CELL_OK) {
        return status_skip("%.400s", first->why);
    }
    if (!status_is_ok(&device->usable)) {
        return status_skip("%s", device->usable.why);
    }
    if (!status_is_ok(&device->lost) &&
        device_is_lost(device->backend, device->backend, plan_gpus(&cell->tuning))) {
        return device->lost;
    }
    if (group->sweep->options->pinned && !status_is_ok(&device->pinning)) {
        return device->pinning;
    }
    if (plan_cell_is_seq(cell) && group->oracle.stood_in) {
        return status_skip("%s", group->oracle.why);
    }
    if (group->oracle.digest != 0 && variant_may_differ(cell->variant)) {
        return status_skip(
            "its answer is compared element by element, which needs two of %zu bytes "
            "in memory",
            group->scratch.layout.bytes);
    }
    if (!status_is_ok(&group->seq)) {
        return status_skip("cannot be verified, because %s is wrong: %.300s",
                           cell->algorithm->cpu.rows[0].name, group->seq.why);
    }
    return status_ok();
}

/* Keeps the time of a CPU variant, for the estimates and stand-ins of later workloads. */
static void add_to_history(Group *group, const PlanCell *cell, const Row *row) {
    History *history = &group->sweep->history;
    const double work = cost_work(&row->cost);
    const double seconds = row->kernel_summary.median;
    if (plan_cell_is_seq(cell)) {
        group->seq_seconds = seconds;
        history_note_seq(history, row->algorithm, work, seconds, row->size_name);
    } else if (row->variant->backend == row->algorithm->cpu.rows[0].backend &&
               !group->oracle.stood_in) {
        history_note_verified(history, row->algorithm, row->variant, &row->tuning, work, seconds);
    }
}

/* Records how a cell ended, in its row and for the cells after it. */
static void set_outcome(Group *group, Cell *cell, const Status *status) {
    const PlanCell *planned = cell->job.cell;
    Row *row = &cell->row;
    memcpy(row->why, status->why, sizeof row->why);
    if (status_is_ok(status)) {
        row->status = CELL_OK;
        add_to_history(group, planned, row);
        return;
    }
    row->status = status->code == STATUS_SKIP ? CELL_SKIP : CELL_FAIL;
    cell_drop_numbers(cell);
    if (status->code == STATUS_DEVICE_LOST) {
        set_lost(&group->sweep->devices, cell->job.device, cell->name, status->why);
    }
    /* A skipped seq is not wrong: its answer was the oracle's. */
    if (plan_cell_is_seq(planned) && status->code != STATUS_SKIP) {
        group->seq = *status;
    }
}

static Status store_cell(Group *group, Cell *cell, const Status *status) {
    set_outcome(group, cell, status);
    Row row = cell->row;
    /* The results own its samples now. */
    cell->row = row_empty();
    STATUS_TRY(store_add(group->sweep->store, index_of(cell), &row, true));
    if (row.status == CELL_OK) {
        save_accepted(group, cell->job.cell, row.agreement);
    }
    return row.status == CELL_FAIL ? renew_scratch(group) : status_ok();
}

/* === Cells of a group ========================================================================= */

/* A cell that was sampled before an interrupt is not sampled again. */
static Status restore(const Group *group, Cell *cell) {
    const Row *row = store_row(group->sweep->store, index_of(cell));
    return row != NULL && resume_is_sampled(row) ? cell_restore(cell, row) : status_ok();
}

/* The seconds of a run of a cell that is not verified before it is sampled, because its answer is
 * compared after the samples: the first launch has verified it, or it is seq, a run of which was
 * the oracle and took so long that the samples are taken on poison. 0: it is to be verified. */
static double seconds_of_unverified(const Group *group, const CellJob *job) {
    if (job->known != NULL && job->known->kernel_summary.count > 0) {
        return job->known->kernel_summary.median;
    }
    const Oracle *oracle = &group->oracle;
    const bool is_oracle = job->known == NULL && plan_cell_is_seq(job->cell);
    return is_oracle && measure_is_long(job->options, oracle->seconds) ? oracle->seconds : 0;
}

static CellJob job_of(Group *group, const PlanCell *planned) {
    Sweep *sweep = group->sweep;
    return (CellJob){.options = sweep->options,
                     .plan = sweep->plan,
                     .cell = planned,
                     .workload = group->workload,
                     .oracle = &group->oracle,
                     .known = known_row(sweep, planned),
                     .other = &group->other,
                     .scratch = &group->scratch,
                     .device = devices_get(&sweep->devices, planned->variant->backend)};
}

/* What long runs may take in this launch; INFINITY: any time. */
static double left_for_long_runs(const Sweep *sweep) {
    return sweep->store->first == NULL ? long_runs_left(sweep->options, sweep->long_seconds)
                                       : INFINITY;
}

static void note_run(Sweep *sweep, double seconds) {
    sweep->long_seconds += seconds >= LONG_RUN_BRIEF ? seconds : 0;
}

/* Whether another cell of the CPU is measured in the group. */
static bool has_rival(const Group *group, size_t index) {
    for (size_t i = group->range.first; i < group->range.end; i++) {
        const PlanCell *cell = &group->sweep->plan->cells[i];
        const bool skipped = plan_cell_is_seq(cell) && group->oracle.stood_in;
        if (i != index && variant_is_on_cpu(cell->variant) && status_is_ok(&cell->ready) &&
            !skipped) {
            return true;
        }
    }
    return false;
}

/* Of a run of the fastest variant; INFINITY: the cell is the only one that was asked for. */
static double least_seconds(const Group *group, size_t index) {
    return has_rival(group, index) ? group->oracle.seconds : INFINITY;
}

/* Where another variant stands in for seq, it has been compared with the others on a crop. */
static Status has_time(const Group *group, size_t index) {
    const Sweep *sweep = group->sweep;
    const PlanCell *cell = &sweep->plan->cells[index];
    const double expected =
        group->oracle.stood_in
            ? group->oracle.seconds * history_times_slower(&sweep->history, cell->algorithm,
                                                           cell->variant, &cell->tuning)
            : NAN;
    return budget_has_time(sweep->plan, sweep->store->results, index, left_for_long_runs(sweep),
                           expected, least_seconds(group, index));
}

/* Verifies one cell where it has to be. If it is `right`, `cell` is initialised; otherwise it has
 * its row. */
static Status verify_cell(Group *group, size_t index, Cell *cell, bool *right) {
    Sweep *sweep = group->sweep;
    const PlanCell *planned = &sweep->plan->cells[index];
    const CellJob job = job_of(group, planned);
    const Status skip = reason_to_skip(group, planned, job.device);
    *right = false;
    if (!status_is_ok(&skip)) {
        return store_add_reason(sweep->store, index, &skip);
    }
    Status reason = cell_ended(sweep->plan, planned);
    STATUS_THEN(reason, has_time(group, index));
    if (!status_is_ok(&reason)) {
        return store_add_reason(sweep->store, index, &reason);
    }
    cell_init(cell, &job);
    progress_show(&sweep->store->progress, cell->name, NULL);
    cell->run_seconds = seconds_of_unverified(group, &job);
    const WallPart before = wall_enter(WALL_PROOFS);
    Status status = cell->run_seconds > 0 ? status_ok() : cell_verify(cell);
    wall_leave(before);
    if (variant_is_on_cpu(planned->variant) && !plan_cell_is_seq(planned)) {
        note_run(sweep, cell->run_seconds); /* that has verified it */
        STATUS_THEN(status, budget_has_time_again(cell->run_seconds, left_for_long_runs(sweep),
                                                  least_seconds(group, index)));
        note_run(sweep, cell->run_seconds);
    }
    *right = status_is_ok(&status);
    if (*right) {
        return restore(group, cell);
    }
    return interrupt_requested() ? status_ok() : store_cell(group, cell, &status);
}

static Status verify_cells(Group *group, CellRange range, Cell *cells, size_t *count) {
    for (CellRange left = range, next; take_cell(group->sweep, &left, &next);) {
        host_lock_alone();
        if (is_pending(group->sweep, next.first)) {
            bool right = false;
            STATUS_TRY(verify_cell(group, next.first, &cells[*count], &right));
            *count += right;
        }
    }
    return status_ok();
}

/* The other cells may need much longer: what there is of this one is stored at once. */
static Status on_sampled(void *context, const Cell *cell) {
    const Group *group = context;
    Row row;
    STATUS_TRY(cell_sampled_row(cell, &row));
    return store_add_samples(group->sweep->store, index_of(cell), &row);
}

static void on_turn(void *context) {
    const Group *group = context;
    store_catch_up(group->sweep->store);
}

static Status sample_cells(Group *group, Cell *cells, size_t count) {
    RowStore *store = group->sweep->store;
    const SetWatch watch = {.progress = &store->progress,
                            .prices = store->prices,
                            .seq = group->seq_seconds,
                            .sampled = on_sampled,
                            .turn = on_turn,
                            .context = group};
    return cell_set_sample(cells, count, &watch);
}

/* A cell that failed beside others is sampled once more, alone. */
static Status sample_again(Group *group, Cell *cell) {
    cell_drop_numbers(cell);
    /* A guard band may have been damaged by any of the others. */
    STATUS_TRY(renew_scratch(group));
    return sample_cells(group, cell, 1);
}

static Status finish_cell(Group *group, Cell *cell, bool alone) {
    Sweep *sweep = group->sweep;
    const bool lost = cell->status.code == STATUS_DEVICE_LOST;
    const Status skip = reason_to_skip(group, cell->job.cell, cell->job.device);
    if (!status_is_ok(&skip) && !lost) {
        return store_add_reason(sweep->store, index_of(cell), &skip);
    }
    cell_show(cell, group->seq_seconds, &sweep->store->progress);
    if (!cell->sampled && !lost && !alone) {
        STATUS_TRY(sample_again(group, cell));
    }
    Status status = cell->status;
    if (cell->sampled && !interrupt_requested()) {
        const WallPart before = wall_enter(WALL_TRANSFERS);
        status = cell_finish(cell);
        wall_leave(before);
    }
    return interrupt_requested() ? status_ok() : store_cell(group, cell, &status);
}

/* Of one variant and one answer of one input. */
static bool is_other_tuning(const Cell *cell, const Cell *other) {
    return cell->job.cell->variant == other->job.cell->variant &&
           cell->job.cell->group == other->job.cell->group;
}

/* Of the tunings of the first cell's variant all but the fastest. */
static void mark_slower_than_fastest(Cell *cells, size_t count) {
    const Samples *samples[RIVALS_MAX];
    Cell *tunings[RIVALS_MAX];
    size_t found = 0;
    for (size_t i = 0; i < count && found < RIVALS_MAX; i++) {
        if (cells[i].sampled && is_other_tuning(cells, &cells[i])) {
            samples[found] = &cells[i].measurement.samples;
            tunings[found++] = &cells[i];
        }
    }
    const size_t fastest = times_least(samples, found);
    for (size_t i = 0; i < found; i++) {
        tunings[i]->is_slower_tuning = fastest != WINNER_NONE && i != fastest;
    }
}

static void mark_slower_tunings(Cell *cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bool first = cells[i].sampled;
        for (size_t j = 0; j < i && first; j++) {
            first = !cells[j].sampled || !is_other_tuning(&cells[j], &cells[i]);
        }
        if (first) {
            mark_slower_than_fastest(&cells[i], count - i);
        }
    }
}

/* Samples verified cells in turns, then finishes each. A lost device is recorded before the first
 * of them is finished. */
static Status measure_cells(Group *group, Cell *cells, size_t count) {
    STATUS_TRY(sample_cells(group, cells, count));
    for (size_t i = 0; i < count; i++) {
        if (cells[i].status.code == STATUS_DEVICE_LOST) {
            set_lost(&group->sweep->devices, cells[i].job.device, cells[i].name,
                     cells[i].status.why);
        }
    }
    mark_slower_tunings(cells, count);
    for (size_t i = 0; i < count && !interrupt_requested(); i++) {
        STATUS_TRY(finish_cell(group, &cells[i], count == 1));
    }
    return status_ok();
}

/* Gives each cell of the range its row: verifies each alone, samples the right ones in turns, and
 * finishes them one by one. An interrupt leaves the unfinished ones without a row. */
static Status run_cells(Group *group, CellRange range) {
    Cell *cells = calloc(range.end - range.first, sizeof *cells);
    STATUS_MEMORY(cells, "for %zu cells", range.end - range.first);
    size_t count = 0;
    Status status = verify_cells(group, range, cells, &count);
    if (status_is_ok(&status) && count > 0) {
        status = measure_cells(group, cells, count);
    }
    for (size_t i = 0; i < count; i++) {
        cell_release(&cells[i]);
    }
    free(cells);
    progress_under_way(&group->sweep->store->progress, 0);
    return status;
}

/* === Groups =================================================================================== */

/* Gives every cell of the range that is not finished a row with the reason. */
static Status skip_range(Sweep *sweep, CellRange range, const Status *why) {
    for (size_t i = range.first; i < range.end; i++) {
        if (is_pending(sweep, i)) {
            STATUS_TRY(store_add_reason(sweep->store, i, why));
        }
    }
    return status_ok();
}

static bool has_pending(const Sweep *sweep, CellRange range) {
    for (size_t i = range.first; i < range.end; i++) {
        if (is_pending(sweep, i)) {
            return true;
        }
    }
    return false;
}

/* If seq itself failed, its cell is a failure; the others have nothing to be compared with. */
static Status skip_without_oracle(Group *group, const Status *why) {
    Sweep *sweep = group->sweep;
    const bool failed = why->code != STATUS_SKIP;
    const Status skip = status_skip(
        failed ? "no oracle, because it failed: %.300s" : "no oracle: %.300s", why->why);
    sweep->oracle_failed |= failed;
    for (size_t i = group->range.first; i < group->range.end; i++) {
        const bool culprit =
            failed && plan_cell_is_seq(&sweep->plan->cells[i]) && !group->oracle.stood_in;
        const Status reason = culprit ? status_fail("%s", why->why) : skip;
        STATUS_TRY(skip_range(sweep, (CellRange){i, i + 1}, &reason));
    }
    return status_ok();
}

/* The oracle may take as long as --max-cell allows. */
static void announce_oracle(Group *group, const PlanCell *first) {
    char what[512];
    snprintf(what, sizeof what, "oracle of %s on %s %s", first->algorithm->name,
             group->workload->input, group->workload->size_name);
    progress_show(&group->sweep->store->progress, what, NULL);
}

/* Runs the cells in turns, or one after the other. */
static Status run_sets(Group *group) {
    const CellRange range = group->range;
    if (group->sweep->options->interleave) {
        return run_cells(group, range);
    }
    for (CellRange left = range, next; take_cell(group->sweep, &left, &next);) {
        STATUS_TRY(run_cells(group, next));
    }
    return status_ok();
}

static const PlanCell *first_pending(const Group *group) {
    const Sweep *sweep = group->sweep;
    size_t i = group->range.first;
    while (i < group->range.end && !is_pending(sweep, i)) {
        i++;
    }
    return i < group->range.end ? &sweep->plan->cells[i] : NULL;
}

static bool needs_oracle(const Group *group) {
    const Sweep *sweep = group->sweep;
    for (size_t i = group->range.first; i < group->range.end; i++) {
        const Row *first = first_row(sweep, &sweep->plan->cells[i]);
        const bool skipped = first != NULL && first->status != CELL_OK;
        if (is_pending(sweep, i) && !skipped && known_row(sweep, &sweep->plan->cells[i]) == NULL) {
            return true;
        }
    }
    return false;
}

/* Whether the first launch measured seq: then every launch does, though this one may estimate that
 * it takes longer than the limit. */
static bool was_measured(const Sweep *sweep, const PlanCell *cell) {
    const Row *row = first_row(sweep, cell);
    return plan_cell_is_seq(cell) && row != NULL && row->status == CELL_OK;
}

/* A launch with little time has none for two long runs of seq. The row is stored, and restored when
 * the cell's turn comes. */
static Status sample_seq(void *context, double expected, double *seconds) {
    Group *group = context;
    const CellJob job = job_of(group, first_pending(group));
    Cell cell;
    cell_init(&cell, &job);
    cell.run_seconds = expected;
    group->oracle.pending = true;
    Status status = sample_cells(group, &cell, 1);
    group->oracle.pending = false;
    if (status_is_ok(&status) && !interrupt_requested()) {
        status = cell.status;
    }
    *seconds = cell.sampled ? cell.measurement.latest : 0;
    cell_release(&cell);
    return status;
}

static Status compute_oracle(Group *group, const PlanCell *first) {
    Sweep *sweep = group->sweep;
    announce_oracle(group, first);
    RunOptions options = *sweep->options;
    if (was_measured(sweep, first)) {
        options.max_cell = INFINITY;
    }
    options.max_long = left_for_long_runs(sweep);
    const PlanCell *pending = first_pending(group);
    const SeqSample sample = {.take = sample_seq, .context = group};
    const bool samples = options.budget > 0 && plan_cell_is_seq(pending) &&
                         known_row(sweep, pending) == NULL &&
                         store_row(sweep->store, (size_t)(pending - sweep->plan->cells)) == NULL;
    call_for_cell(sweep->plan, pending);
    const WallPart before = wall_enter(WALL_ORACLE);
    const Status status =
        oracle_compute(&sweep->history, &options, first->algorithm, group->workload, &first->answer,
                       &group->scratch, samples ? &sample : NULL, &group->oracle);
    wall_leave(before);
    call_for_cell(sweep->plan, NULL);
    note_run(sweep, group->oracle.stood_in ? 0 : group->oracle.seconds);
    return status;
}

/* Of cells without a digest of their answer every launch needs the oracle. */
static void keep_oracle(const Group *group) {
    for (size_t i = group->range.first; i < group->range.end; i++) {
        const Row *row = store_row(group->sweep->store, i);
        if (row != NULL && row->status == CELL_OK && row->answer_digest == 0) {
            kept_add_oracle(group->sweep->plan, group->sweep->plan->cells[i].group, &group->oracle);
            return;
        }
    }
}

/* Seconds of a run of seq, at most, for a launch to compute what another input's answer is: as long
 * as a few turns of a cell. */
static const double other_seconds = 0.1;

/* The digest of the right answer, where the first launch has found it out; 0: it has not. */
static uint64_t known_digest(const Group *group) {
    for (size_t i = group->range.first; i < group->range.end; i++) {
        const Row *row = known_row(group->sweep, &group->sweep->plan->cells[i]);
        if (row != NULL) {
            return row->answer_digest;
        }
    }
    return 0;
}

/* Seconds of a run of seq; INFINITY where that is not known. */
static double seconds_of_seq(const Group *group, const PlanCell *first) {
    const Row *row = first_row(group->sweep, first);
    if (row != NULL && plan_cell_is_seq(first) && row->kernel_summary.count > 0) {
        return row->kernel_summary.median;
    }
    return group->oracle.answer.data != NULL && !group->oracle.stood_in ? group->oracle.seconds
                                                                        : INFINITY;
}

/* Its input and the answer lie where they can be changed, and are not what a long run takes. */
static Status make_other(Group *group, const PlanCell *first) {
    enum { ONE_OUT_OF = 2 }; /* later launches, which nobody can foresee */
    const Output *answer = &group->oracle.answer;
    const uint64_t digest = known_digest(group);
    if (module_of(first->algorithm) == NULL || image_is_mapped(&group->workload->image) ||
        (answer->data == NULL && digest == 0) || seconds_of_seq(group, first) > other_seconds ||
        (group->sweep->store->first != NULL && proof_draw(ONE_OUT_OF) != 0)) {
        return status_ok();
    }
    call_for_cell(group->sweep->plan, first_pending(group));
    const WallPart before = wall_enter(WALL_ORACLE);
    const Status status =
        oracle_of_other(first->algorithm, group->workload, &first->answer, &group->scratch,
                        answer->data != NULL ? answer : NULL, digest, &group->other);
    wall_leave(before);
    call_for_cell(group->sweep->plan, NULL);
    return status;
}

/* What the variants of a module cannot read they cannot copy. */
static Status run_proved(Group *group, const PlanCell *first) {
    const Status status = make_other(group, first);
    if (!status_is_ok(&status)) {
        return skip_without_oracle(group, &status);
    }
    if (module_of(first->algorithm) != NULL) {
        answer_seal(&group->oracle.answer);
        answer_seal(&group->other.answer);
    }
    STATUS_TRY(run_sets(group));
    seal_break(group->oracle.answer.data);
    return status_ok();
}

static Status run_with_oracle(Group *group, const PlanCell *first) {
    if (!needs_oracle(group)) {
        return run_proved(group, first);
    }
    const WallPart before = wall_enter(WALL_ORACLE);
    const bool kept = kept_oracle(first->group, &group->scratch.layout, &group->oracle);
    wall_leave(before);
    const Status status = kept ? status_ok() : compute_oracle(group, first);
    if (!status_is_ok(&status)) {
        return skip_without_oracle(group, &status);
    }
    STATUS_TRY(run_proved(group, first));
    save_exact(group, first);
    keep_oracle(group);
    return status_ok();
}

static Status run_group(Sweep *sweep, CellRange range, const Workload *workload) {
    const PlanCell *first = &sweep->plan->cells[range.first];
    Group group = {.sweep = sweep, .range = range, .workload = workload, .seq_seconds = NAN};
    if (!has_pending(sweep, range)) {
        return status_ok();
    }
    const WallPart before = wall_enter(WALL_OPENING);
    Status status = open_scratch(&group, first);
    wall_leave(before);
    if (!status_is_ok(&status)) {
        return skip_range(sweep, range, &status);
    }
    status = run_with_oracle(&group, first);
    oracle_release(&group.oracle);
    other_input_release(&group.other);
    close_scratch(&group);
    return status;
}

/* === Workloads ================================================================================ */

static Status skip_unready(Sweep *sweep, CellRange range) {
    for (size_t i = range.first; i < range.end; i++) {
        const Status *ready = &sweep->plan->cells[i].ready;
        if (!status_is_ok(ready)) {
            STATUS_TRY(skip_range(sweep, (CellRange){i, i + 1}, ready));
        }
    }
    return status_ok();
}

static Status run_groups(Sweep *sweep, CellRange range, const Workload *workload) {
    for (CellRange left = range, next; take_range(sweep, same_group, &left, &next);) {
        STATUS_TRY(run_group(sweep, next, workload));
    }
    return status_ok();
}

/* What uploads read. */
typedef struct PinnedInput {
    Pinned image, second, keypoints, weights[WEIGHTS_MAX];
} PinnedInput;

static void pin_input(Sweep *sweep, const Workload *workload, PinnedInput *input) {
    const KeypointList *keypoints = &workload->keypoints;
    *input = (PinnedInput){.image = {.memory = NULL}};
    /* Pages of a file cannot be locked. */
    if (!image_is_mapped(&workload->image)) {
        pin(sweep, workload->image.pixels, (size_t)image_bytes(&workload->image), &input->image);
    }
    if (workload->second.pixels != NULL) {
        pin(sweep, workload->second.pixels, (size_t)image_bytes(&workload->second), &input->second);
    }
    if (keypoints->keypoints != NULL && keypoints->count > 0) {
        pin(sweep, keypoints->keypoints, (size_t)keypoints->count * sizeof *keypoints->keypoints,
            &input->keypoints);
    }
    for (int32_t i = 0; i < workload->weights.count; i++) {
        const Weights *weights = &workload->weights.list[i];
        pin(sweep, weights->values,
            (size_t)weights->bits * (size_t)weights->columns * sizeof *weights->values,
            &input->weights[i]);
    }
}

static void unpin_input(PinnedInput *input) {
    unpin(&input->image);
    unpin(&input->second);
    unpin(&input->keypoints);
    for (int i = 0; i < WEIGHTS_MAX; i++) {
        unpin(&input->weights[i]);
    }
}

static Status run_loaded(Sweep *sweep, CellRange range, Workload *workload) {
    PinnedInput input;
    forget_pinning(&sweep->devices);
    pin_input(sweep, workload, &input);
    const Status status = run_groups(sweep, range, workload);
    unpin_input(&input);
    return status;
}

/* A large file takes minutes to hash. */
static void announce_input(Sweep *sweep, const PlanWorkload *planned) {
    char what[WORKLOAD_NAME_SIZE + WORKLOAD_SIZE_NAME_SIZE + sizeof "input  "];
    snprintf(what, sizeof what, "input %s %s", planned->shape.input, planned->shape.size_name);
    progress_show(&sweep->store->progress, what, NULL);
}

static Status load_workload(Sweep *sweep, size_t index, Workload *workload) {
    const PlanWorkload *planned = &sweep->plan->workloads[index];
    const uint64_t seed = sweep->options->seed;
    Workload shape = planned->shape;
    shape.seed = seed;
    if (kept_workload(index, &shape, workload)) {
        return status_ok();
    }
    STATUS_TRY(workload_load(planned->input, &planned->size, seed, workload));
    kept_add_workload(sweep->plan, index, workload);
    return status_ok();
}

static Status run_workload(Sweep *sweep, CellRange range) {
    const size_t index = sweep->plan->cells[range.first].workload;
    const PlanWorkload *planned = &sweep->plan->workloads[index];
    STATUS_TRY(skip_unready(sweep, range));
    if (!has_pending(sweep, range)) {
        return status_ok();
    }
    Workload workload = planned->shape;
    /* An image that does not fit is not even generated. */
    Status status = check_memory(plan_pixel_bytes(planned), 0);
    if (status_is_ok(&status)) {
        if (planned->input->mapped) {
            announce_input(sweep, planned);
        }
        const WallPart before = wall_enter(WALL_INPUT);
        status = load_workload(sweep, index, &workload);
        wall_leave(before);
    }
    if (status.code == STATUS_SKIP) {
        return skip_range(sweep, range, &status);
    }
    STATUS_TRY(status);
    status = run_loaded(sweep, range, &workload);
    workload_release(&workload);
    return status;
}

/* === Sweep ==================================================================================== */

/* Probes every device before anything is page-locked, which registers memory with all of them. */
static void probe_devices(Sweep *sweep) {
    RunRecord *record = sweep->store->record;
    for (size_t i = 0; i < sweep->plan->cell_count; i++) {
        const PlanCell *cell = &sweep->plan->cells[i];
        if (!status_is_ok(&cell->ready)) {
            continue;
        }
        const Device *device = devices_get(&sweep->devices, cell->variant->backend);
        if (device->backend == &cpu_backend) {
            record->timer_overhead_cpu = device->timer_overhead;
        } else if (device->backend == &cuda_backend) {
            record->timer_overhead_cuda = device->timer_overhead;
        }
    }
}

static Status run_workloads(Sweep *sweep) {
    for (CellRange left = {0, sweep->plan->cell_count}, next;
         take_range(sweep, same_workload, &left, &next);) {
        STATUS_TRY(run_workload(sweep, next));
    }
    return status_ok();
}

Status sweep_run(Sweep *sweep) {
    if (sweep->options->share.count > 0) {
        STATUS_TRY(
            host_lock_open(machine_text(sweep->store->record->machine, fact_gpu_pci_bus_id)));
        host_lock_alone();
    }
    call_offer_trials();
    const WallPart before = wall_enter(WALL_START);
    probe_devices(sweep);
    wall_leave(before);
    for (size_t i = 0; i < sweep->options->algorithm_count; i++) {
        const Status written = algorithm_has_written(sweep->options->algorithms[i]);
        sweep->save_trouble = status_is_ok(&written) ? sweep->save_trouble : written;
    }
    const Status status = run_workloads(sweep);
    host_lock_close();
    return status;
}
