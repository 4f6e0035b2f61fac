#include "sweep_group.h"

#include <stdio.h>
#include <string.h>

#include "interrupt.h"
#include "sweep_cells.h"

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

Status sweep_group(Sweep *sweep, CellRange range, const Workload *workload) {
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
