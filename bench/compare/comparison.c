#include "comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "comparable.h"

static Status allocate(Comparison *comparison) {
    const size_t before = comparison->before->count;
    const size_t now = comparison->now->count;
    comparison->cells = calloc(before + 1, sizeof *comparison->cells);
    comparison->missing = calloc(before + 1, sizeof *comparison->missing);
    comparison->added = calloc(now + 1, sizeof *comparison->added);
    const bool all =
        comparison->cells != NULL && comparison->missing != NULL && comparison->added != NULL;
    return all ? status_ok() : status_skip("no memory left to compare %zu cells", before);
}

static void pair_cells(Comparison *comparison) {
    for (size_t i = 0; i < comparison->before->count; i++) {
        const MeasuredCell *before = &comparison->before->cells[i];
        const MeasuredCell *now = measured_run_find(comparison->now, before->name);
        if (now == NULL) {
            comparison->missing[comparison->missing_count++] = before->name;
        } else {
            comparison->cells[comparison->count++] = (ComparedCell){.before = before, .now = now};
        }
    }
    for (size_t i = 0; i < comparison->now->count; i++) {
        const char *name = comparison->now->cells[i].name;
        if (measured_run_find(comparison->before, name) == NULL) {
            comparison->added[comparison->added_count++] = name;
        }
    }
}

static Status check_comparable(const Comparison *comparison) {
    STATUS_TRY(comparable_machines(&comparison->before->machine, &comparison->now->machine));
    for (size_t i = 0; i < comparison->count; i++) {
        STATUS_TRY(comparable_cells(comparison->cells[i].before, comparison->cells[i].now));
    }
    return status_ok();
}

static Status judge_all(Comparison *comparison) {
    for (size_t i = 0; i < comparison->count; i++) {
        ComparedCell *cell = &comparison->cells[i];
        STATUS_TRY(judge_cell(&cell->before->samples, &cell->now->samples, &comparison->criteria,
                              comparison->count, comparison->noise_floor, &cell->judgement));
        comparison->changes[cell->judgement.change]++;
        comparison->old_total += cell->before->median;
        comparison->new_total += cell->now->median;
    }
    return status_ok();
}

static Status compare(Comparison *comparison, bool force) {
    STATUS_TRY(allocate(comparison));
    pair_cells(comparison);
    const Status comparable = check_comparable(comparison);
    if (!status_is_ok(&comparable)) {
        memcpy(comparison->difference, comparable.why, sizeof comparison->difference);
        if (!force) {
            return status_make(STATUS_USAGE,
                               "the runs cannot be compared: %.240s; --force compares "
                               "them all the same",
                               comparable.why);
        }
    }
    if (comparison->count == 0) {
        return status_make(STATUS_NO_MATCH,
                           "the runs have no cell in common: %zu in the old one, %zu in the new "
                           "one",
                           comparison->before->count, comparison->now->count);
    }
    return judge_all(comparison);
}

Status comparison_make(const MeasuredRun *before, const MeasuredRun *now,
                       const CompareCriteria *criteria, bool force, Comparison *comparison) {
    *comparison = (Comparison){.before = before,
                               .now = now,
                               .criteria = *criteria,
                               .noise_floor = fmax(before->noise_floor, now->noise_floor)};
    const Status status = compare(comparison, force);
    if (!status_is_ok(&status)) {
        comparison_release(comparison);
    }
    return status;
}

void comparison_release(Comparison *comparison) {
    free(comparison->cells);
    free(comparison->missing);
    free(comparison->added);
    comparison->cells = NULL;
    comparison->missing = comparison->added = NULL;
    comparison->count = comparison->missing_count = comparison->added_count = 0;
}

ExitCode comparison_exit_code(const Comparison *comparison, bool strict) {
    if (comparison->changes[CHANGE_SLOWER] > 0) {
        return EXIT_REGRESSION;
    }
    return strict && comparison->changes[CHANGE_AMBIGUOUS] > 0 ? EXIT_AMBIGUOUS : EXIT_OK;
}

double comparison_total_ratio(const Comparison *comparison) {
    return comparison->new_total / comparison->old_total;
}
