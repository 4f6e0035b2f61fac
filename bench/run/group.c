#include "group.h"

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
