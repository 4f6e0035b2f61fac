/* The verdict about one cell. */

#include "compare_internal.h"

#include <math.h>
#include <stdio.h>

const char *change_name(CellChange change) {
    static const char *const names[CHANGE_COUNT] = {
        [CHANGE_SAME] = "same",     [CHANGE_FASTER] = "faster",
        [CHANGE_SLOWER] = "slower", [CHANGE_AMBIGUOUS] = "ambiguous",
        [CHANGE_ROOF] = "roof",     [CHANGE_ACCEPTED] = "accepted",
        [CHANGE_FAILED] = "failed"};
    return names[change];
}

CellJudgement judgement_of_failure(void) {
    return (CellJudgement){.change = CHANGE_FAILED,
                           .ratio = {.value = NAN, .low = NAN, .high = NAN},
                           .level = NAN,
                           .p = NAN};
}

static RunTimes times_of(const MeasuredCell *cell) {
    return (RunTimes){
        .launches = cell->launches, .count = cell->launch_count, .median = cell->median};
}

static void explain(const MeasuredCell *before, const MeasuredCell *now,
                    const RunDifference *difference, char why[JUDGE_WHY_SIZE]) {
    const RunTimes old_times = times_of(before);
    const RunTimes new_times = times_of(now);
    if (difference_why(&old_times, &new_times, difference, why, JUDGE_WHY_SIZE) &&
        (before->aggregated || now->aggregated)) {
        text_append(why, JUDGE_WHY_SIZE,
                    "; the %s file has aggregates alone, without "
                    "--benchmark_report_aggregates_only it has the repetitions",
                    now->aggregated ? "new" : "old");
    }
}

Status judge_cell(const MeasuredCell *before, const MeasuredCell *now,
                  const CompareCriteria *criteria, size_t cells, CellJudgement *judgement) {
    static const CellChange changes[] = {[SIDE_SAME] = CHANGE_SAME,
                                         [SIDE_FASTER] = CHANGE_FASTER,
                                         [SIDE_SLOWER] = CHANGE_SLOWER,
                                         [SIDE_UNDECIDED] = CHANGE_AMBIGUOUS};
    const RunTimes old_times = times_of(before);
    const RunTimes new_times = times_of(now);
    RunDifference difference;
    STATUS_TRY(difference_judge(&old_times, &new_times, criteria, cells, &difference));
    *judgement = (CellJudgement){.change = changes[difference.side],
                                 .ratio = difference.ratio,
                                 .level = difference.level,
                                 .p = difference.p,
                                 .exact = difference.exact};
    if (difference.side != SIDE_SAME && before->held != now->held) {
        judgement->change = CHANGE_AMBIGUOUS;
        snprintf(judgement->why, JUDGE_WHY_SIZE,
                 "the %s time includes waiting for the host to launch, the %s one does not",
                 before->held ? "new" : "old", before->held ? "old" : "new");
    } else if (difference.side == SIDE_UNDECIDED) {
        explain(before, now, &difference, judgement->why);
    }
    return status_ok();
}
