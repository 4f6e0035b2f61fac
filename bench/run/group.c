#include "group.h"

#include "save.h"
#include "verify.h"

bool group_is_seq(const PlanCell *cell) {
    return cell->variant == &cell->algorithm->cpu.rows[0];
}

static void pin_scratch(Group *group) {
    if (group->sweep->options->pinned) {
        devices_pin(&group->sweep->devices, group->scratch.data, group->scratch.layout.bytes,
                    &group->pinned);
    }
}

Status group_open_scratch(Group *group, const PlanCell *cell) {
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

void group_close_scratch(Group *group) {
    devices_unpin(&group->pinned);
    answer_release_guarded(&group->scratch);
}

/* A guard band that was written stays damaged: the next variant gets fresh ones. */
Status group_renew_scratch(Group *group) {
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

void group_take_answer(Group *group, const PlanCell *cell, double agreement) {
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

void group_save_exact(Group *group, const PlanCell *first) {
    if (group->exact) {
        save(group, first, NULL, &group->oracle.answer);
    }
}
