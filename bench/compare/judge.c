/* The verdict about one cell. */

#include "compare_internal.h"
#include "text.h"
#include "two_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *change_name(CellChange change) {
    static const char *const names[CHANGE_COUNT] = {
        [CHANGE_SAME] = "same",     [CHANGE_FASTER] = "faster",
        [CHANGE_SLOWER] = "slower", [CHANGE_UNDECIDED] = "undecided",
        [CHANGE_ROOF] = "roof",     [CHANGE_ACCEPTED] = "accepted",
        [CHANGE_FAILED] = "failed"};
    return names[change];
}

CellJudgement judgement_of_failure(void) {
    return (CellJudgement){
        .change = CHANGE_FAILED,
        .difference = {.ratio = {.value = NAN, .low = NAN, .high = NAN}, .level = NAN, .p = NAN}};
}

Disturber measured_cell_disturber(const MeasuredCell *cell) {
    return 2 * cell->disturbed >= cell->launch_count ? cell->disturber : DISTURBER_NONE;
}

static RunTimes times_of(const MeasuredCell *cell) {
    return (RunTimes){.launches = cell->launches,
                      .count = cell->launch_count,
                      .median = cell->median,
                      .held = cell->held,
                      .disturber = measured_cell_disturber(cell),
                      .undisturbed = cell->undisturbed};
}

static void explain(ComparedCell *cell, const CompareCriteria *criteria) {
    char *why = cell->judgement.why;
    if (difference_why(&cell->judgement.difference, criteria, why, JUDGE_WHY_SIZE) &&
        (cell->before->aggregated || cell->now->aggregated)) {
        text_append(why, JUDGE_WHY_SIZE,
                    "; the %s file has aggregates alone, without "
                    "--benchmark_report_aggregates_only it has the repetitions",
                    cell->now->aggregated ? "new" : "old");
    }
}

static void judge_cell(ComparedCell *cell, const CompareCriteria *criteria) {
    static const CellChange changes[] = {[SIDE_SAME] = CHANGE_SAME,
                                         [SIDE_FASTER] = CHANGE_FASTER,
                                         [SIDE_SLOWER] = CHANGE_SLOWER,
                                         [SIDE_UNDECIDED] = CHANGE_UNDECIDED};
    CellJudgement *judgement = &cell->judgement;
    judgement->change = changes[judgement->difference.side];
    if (judgement->change == CHANGE_UNDECIDED) {
        explain(cell, criteria);
    }
}

/* Fills `judged` with those that are. */
static Status measure_cells(ComparedCell *cells, size_t count, RunDifference **judged,
                            size_t *judged_count) {
    for (size_t i = 0; i < count; i++) {
        ComparedCell *cell = &cells[i];
        if (cell->judgement.change == CHANGE_FAILED) {
            continue;
        }
        const RunTimes before = times_of(cell->before);
        const RunTimes now = times_of(cell->now);
        STATUS_TRY(difference_measure(&before, &now, &cell->judgement.difference));
        if (!cell->before->roof) {
            judged[(*judged_count)++] = &cell->judgement.difference;
        }
    }
    return status_ok();
}

Status judge_cells(ComparedCell *cells, size_t count, const CompareCriteria *criteria) {
    RunDifference **judged = malloc((count + 1) * sizeof *judged);
    size_t judged_count = 0;
    STATUS_MEMORY(judged, "to judge %zu cells", count);
    Status status = measure_cells(cells, count, judged, &judged_count);
    STATUS_THEN(status, differences_decide(judged, judged_count, criteria));
    STATUS_THEN(status, differences_detectable(judged, judged_count, criteria));
    free(judged);
    for (size_t i = 0; i < count && status_is_ok(&status); i++) {
        if (cells[i].judgement.change == CHANGE_FAILED) {
            continue;
        }
        if (cells[i].before->roof) {
            cells[i].judgement.change = CHANGE_ROOF;
        } else {
            judge_cell(&cells[i], criteria);
        }
    }
    return status;
}
