/* Two runs read, matched cell by cell and judged. */

#include "compare_internal.h"
#include "number.h"
#include "results.h"
#include "row.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"
#include "list.h"
#include "text.h"
#include "utf8.h"

/* === Measured run ============================================================================= */

enum { NAME_SIZE = 1024 };

static uint64_t name_hash(const char *name) {
    return fnv_bytes(FNV_START, name, strlen(name));
}

Status measured_run_add(MeasuredRun *run, const char *name, MeasuredCell **cell) {
    STATUS_TRY(LIST_ROOM(NULL, run->cells, run->count, run->capacity, "cells of a run"));
    char *copy = strdup(name);
    STATUS_MEMORY(copy, "for the names of cells");
    *cell = &run->cells[run->count++];
    **cell = (MeasuredCell){.name = copy};
    return hash_index_add(&run->names, name_hash(name));
}

MeasuredCell *measured_run_find(const MeasuredRun *run, const char *name) {
    size_t i = hash_index_first(&run->names, name_hash(name));
    while (i != HASH_INDEX_END && strcmp(run->cells[i].name, name) != 0) {
        i = hash_index_next(&run->names, i);
    }
    return i != HASH_INDEX_END ? &run->cells[i] : NULL;
}

UntimedCell *measured_run_find_untimed(const MeasuredRun *run, const char *name) {
    size_t i = hash_index_first(&run->untimed_names, name_hash(name));
    while (i != HASH_INDEX_END && strcmp(run->untimed[i].name, name) != 0) {
        i = hash_index_next(&run->untimed_names, i);
    }
    return i != HASH_INDEX_END ? &run->untimed[i] : NULL;
}

static bool is_failed(const MeasuredRun *run, const char *name) {
    const UntimedCell *cell = measured_run_find_untimed(run, name);
    return cell != NULL && cell->failed;
}

const UntimedCell *measured_run_failure(const MeasuredRun *run) {
    size_t i = 0;
    while (i < run->untimed_count && !run->untimed[i].failed) {
        i++;
    }
    return i < run->untimed_count ? &run->untimed[i] : NULL;
}

static void untimed_release(UntimedCell *cell) {
    free(cell->name);
    free(cell->why);
}

Status measured_run_add_untimed(MeasuredRun *run, const char *name, bool failed, const char *why) {
    const char *unknown = failed ? "no verified time" : "no reason was given";
    UntimedCell *known = measured_run_find_untimed(run, name);
    if (known != NULL && (known->failed || !failed)) {
        return status_ok();
    }
    STATUS_TRY(LIST_ROOM(NULL, run->untimed, run->untimed_count, run->untimed_capacity,
                         "cells without a time"));
    UntimedCell cell = {.name = strdup(name),
                        .why = strdup(why != NULL && why[0] != '\0' ? why : unknown),
                        .failed = failed};
    if (cell.name == NULL || cell.why == NULL) {
        untimed_release(&cell);
        return status_no_memory("for the names of cells");
    }
    if (known != NULL) {
        untimed_release(known);
        *known = cell;
        return status_ok();
    }
    run->untimed[run->untimed_count++] = cell;
    return hash_index_add(&run->untimed_names, name_hash(name));
}

Status measured_cell_add(MeasuredCell *cell, double median) {
    LIST_ADD(NULL, cell->launches, cell->launch_count, cell->launch_capacity, "launches of a cell",
             median);
    return status_ok();
}

/* Adds the launches of these samples. */
static Status add_samples(MeasuredCell *cell, const Samples *samples) {
    double medians[LAUNCHES_MAX];
    const size_t count = samples_launch_medians(samples, medians);
    if (count == 0) {
        return status_no_memory("for the launches of a cell");
    }
    cell->sample_count += samples->count;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(medians[i])) {
            STATUS_TRY(measured_cell_add(cell, medians[i]));
        }
    }
    return status_ok();
}

static void cell_release(MeasuredCell *cell) {
    free(cell->name);
    free(cell->launches);
}

/* Drops the cells that `keeps` does not want. */
static Status keep_cells(MeasuredRun *run,
                         bool (*keeps)(const MeasuredRun *other, const char *name),
                         const MeasuredRun *other) {
    size_t kept = 0;
    hash_index_release(&run->names);
    for (size_t i = 0; i < run->count; i++) {
        if (keeps(other, run->cells[i].name)) {
            run->cells[kept++] = run->cells[i];
        } else {
            cell_release(&run->cells[i]);
        }
    }
    run->count = kept;
    for (size_t i = 0; i < kept; i++) {
        STATUS_TRY(hash_index_add(&run->names, name_hash(run->cells[i].name)));
    }
    return status_ok();
}

static bool has_not_failed(const MeasuredRun *run, const char *name) {
    return !is_failed(run, name);
}

Status measured_run_finish(MeasuredRun *run) {
    STATUS_TRY(keep_cells(run, has_not_failed, run));
    for (size_t i = 0; i < run->count; i++) {
        MeasuredCell *cell = &run->cells[i];
        if (cell->launch_count == 0) {
            cell->aggregated = true;
            cell->sample_count = 1;
            STATUS_TRY(measured_cell_add(cell, cell->aggregate));
        }
        cell->median = median_in_place(cell->launches, cell->launch_count);
    }
    return status_ok();
}

/* The noise floor among the facts of a machine; NAN when it was not measured. */
static double measured_run_noise(const Machine *machine) {
    const double floor = machine_number(machine, fact_noise_floor);
    return floor > 0 && isfinite(floor) ? floor : (double)NAN;
}

static Status add_row(MeasuredRun *run, const Row *row) {
    char name[NAME_SIZE];
    row_name(row, name, sizeof name);
    MeasuredCell *cell;
    if (run->path[0] != '\0' && measured_run_find(run, name) != NULL) {
        return status_make(STATUS_FILE, "%.150s: \"%.120s\" is there twice; a cell has one entry",
                           run->path, name);
    }
    STATUS_TRY(measured_run_add(run, name, &cell));
    if (row->input_hash != 0) {
        snprintf(cell->hash, sizeof cell->hash, "%016" PRIx64, row->input_hash);
    }
    snprintf(cell->mode, sizeof cell->mode, "%s", row->cold ? "cold" : "hot");
    cell->held = row->held;
    cell->roof = row_is_roof(row);
    STATUS_TRY(add_samples(cell, &row->kernel));
    cell->disturber = row->kernel.disturber;
    cell->disturbed = cell->disturber != DISTURBER_NONE ? cell->launch_count : 0;
    cell->undisturbed = row->kernel.undisturbed;
    return status_ok();
}

static Status add_untimed_row(MeasuredRun *run, const Row *row) {
    char name[NAME_SIZE];
    row_name(row, name, sizeof name);
    return measured_run_add_untimed(run, name, row->status != CELL_SKIP, row->why);
}

Status measured_run_add_rows(MeasuredRun *run, const Results *results, const Machine *machine) {
    run->machine = *machine;
    run->noise_floor = measured_run_noise(machine);
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        const bool timed = row->status == CELL_OK && row->verified && row->kernel.count > 0;
        STATUS_TRY(timed ? add_row(run, row) : add_untimed_row(run, row));
    }
    return measured_run_finish(run);
}

Status measured_run_of_results(const Results *results, const Machine *machine, MeasuredRun *run) {
    *run = (MeasuredRun){.count = 0};
    const Status status = measured_run_add_rows(run, results, machine);
    if (!status_is_ok(&status)) {
        measured_run_release(run);
    }
    return status;
}

static Status join_cell(MeasuredRun *whole, const MeasuredCell *more) {
    MeasuredCell *cell = measured_run_find(whole, more->name);
    if (cell == NULL) {
        STATUS_TRY(measured_run_add(whole, more->name, &cell));
        memcpy(cell->hash, more->hash, sizeof cell->hash);
        memcpy(cell->mode, more->mode, sizeof cell->mode);
        cell->held = more->held;
        cell->roof = more->roof;
        cell->undisturbed = more->undisturbed;
    }
    cell->undisturbed = fmin(cell->undisturbed, more->undisturbed);
    cell->disturber = disturber_of_either(cell->disturber, more->disturber);
    cell->disturbed += more->disturbed;
    for (size_t i = 0; i < more->launch_count; i++) {
        STATUS_TRY(measured_cell_add(cell, more->launches[i]));
    }
    cell->sample_count += more->sample_count;
    return status_ok();
}

Status measured_run_join(MeasuredRun *whole, const MeasuredRun *more) {
    if (whole->count == 0) {
        whole->machine = more->machine;
        whole->noise_floor = more->noise_floor;
        memcpy(whole->started, more->started, sizeof whole->started);
    }
    for (size_t i = 0; i < more->count; i++) {
        STATUS_TRY(join_cell(whole, &more->cells[i]));
    }
    for (size_t i = 0; i < more->untimed_count; i++) {
        const UntimedCell *cell = &more->untimed[i];
        STATUS_TRY(measured_run_add_untimed(whole, cell->name, cell->failed, cell->why));
    }
    return measured_run_finish(whole);
}

static bool names_cell(const MeasuredRun *run, const char *name) {
    return measured_run_find(run, name) != NULL || measured_run_find_untimed(run, name) != NULL;
}

Status measured_run_keep(MeasuredRun *run, const MeasuredRun *named) {
    size_t kept = 0;
    hash_index_release(&run->untimed_names);
    for (size_t i = 0; i < run->untimed_count; i++) {
        if (names_cell(named, run->untimed[i].name)) {
            run->untimed[kept++] = run->untimed[i];
        } else {
            untimed_release(&run->untimed[i]);
        }
    }
    run->untimed_count = kept;
    for (size_t i = 0; i < kept; i++) {
        STATUS_TRY(hash_index_add(&run->untimed_names, name_hash(run->untimed[i].name)));
    }
    return keep_cells(run, names_cell, named);
}

void measured_run_release(MeasuredRun *run) {
    for (size_t i = 0; i < run->count; i++) {
        cell_release(&run->cells[i]);
    }
    for (size_t i = 0; i < run->untimed_count; i++) {
        untimed_release(&run->untimed[i]);
    }
    hash_index_release(&run->names);
    hash_index_release(&run->untimed_names);
    free(run->cells);
    free(run->untimed);
    run->cells = NULL;
    run->untimed = NULL;
    run->count = run->capacity = run->untimed_count = run->untimed_capacity = 0;
}

/* === Comparable =============================================================================== */

static bool differ(const char *before, const char *now) {
    return before[0] != '\0' && now[0] != '\0' && strcmp(before, now) != 0;
}

/* STATUS_USAGE naming the cell when its input or its cache mode is another in the new run; what is
 * not known on one side does not count. */
static Status comparable_cells(const MeasuredCell *old_cell, const MeasuredCell *new_cell) {
    if (differ(old_cell->hash, new_cell->hash)) {
        return status_make(STATUS_USAGE, "%.160s was measured on another input", old_cell->name);
    }
    if (differ(old_cell->mode, new_cell->mode)) {
        return status_make(STATUS_USAGE, "%.160s was measured with %s caches, now with %s ones",
                           old_cell->name, old_cell->mode, new_cell->mode);
    }
    return status_ok();
}

/* === Comparison =============================================================================== */

static Status allocate(Comparison *comparison) {
    const size_t before = comparison->before->count;
    const size_t now = comparison->now->count;
    const size_t failed = comparison->now->untimed_count;
    comparison->cells = calloc(before + failed + 1, sizeof *comparison->cells);
    comparison->missing = calloc(before + 1, sizeof *comparison->missing);
    comparison->added = calloc(now + 1, sizeof *comparison->added);
    const bool all =
        comparison->cells != NULL && comparison->missing != NULL && comparison->added != NULL;
    return all ? status_ok() : status_no_memory("to compare %zu cells", before);
}

static void add_failed(Comparison *comparison, const UntimedCell *failed) {
    const bool before = is_failed(comparison->before, failed->name);
    ComparedCell *cell = &comparison->cells[comparison->count++];
    *cell = (ComparedCell){.name = failed->name,
                           .before = measured_run_find(comparison->before, failed->name),
                           .judgement = judgement_of_failure()};
    snprintf(cell->judgement.why, sizeof cell->judgement.why, "%s%.340s",
             before ? "in the old run too: " : "", failed->why);
    comparison->changes[CHANGE_FAILED]++;
}

/* Why `other`, of the run named `run`, has no time of a cell that the other run has. */
static UnpairedCell unpaired(const char *name, const UntimedCell *other, bool in_new) {
    static const char *const alone[] = {"in the old run alone", "in the new run alone"};
    static const char *const skipped[] = {"skipped in the new run", "skipped in the old run"};
    if (other == NULL) {
        return (UnpairedCell){.name = name, .where = alone[in_new], .why = ""};
    }
    return (UnpairedCell){.name = name,
                          .where = other->failed ? "failed in the old run" : skipped[in_new],
                          .why = other->why};
}

/* A cell that failed in the new run is no missing one, and whatever it was in the old one. */
static void pair_old_cell(Comparison *comparison, const MeasuredCell *before) {
    const MeasuredCell *now = measured_run_find(comparison->now, before->name);
    const UntimedCell *untimed = measured_run_find_untimed(comparison->now, before->name);
    if (now != NULL) {
        comparison->cells[comparison->count++] =
            (ComparedCell){.name = before->name, .before = before, .now = now};
    } else if (untimed != NULL && untimed->failed) {
        add_failed(comparison, untimed);
    } else if (!before->roof) {
        comparison->missing[comparison->missing_count++] = unpaired(before->name, untimed, false);
    }
}

static void pair_cells(Comparison *comparison) {
    const MeasuredRun *before = comparison->before;
    const MeasuredRun *now = comparison->now;
    for (size_t i = 0; i < before->count; i++) {
        pair_old_cell(comparison, &before->cells[i]);
    }
    for (size_t i = 0; i < now->untimed_count; i++) {
        const UntimedCell *untimed = &now->untimed[i];
        if (untimed->failed && measured_run_find(before, untimed->name) == NULL) {
            add_failed(comparison, untimed);
        }
    }
    for (size_t i = 0; i < now->count; i++) {
        const char *name = now->cells[i].name;
        if (!now->cells[i].roof && measured_run_find(before, name) == NULL) {
            comparison->added[comparison->added_count++] =
                unpaired(name, measured_run_find_untimed(before, name), true);
        }
    }
}

static bool is_paired(const ComparedCell *cell) {
    return cell->judgement.change != CHANGE_FAILED;
}

static Status check_comparable(const Comparison *comparison) {
    STATUS_TRY(machine_comparable(&comparison->before->machine, &comparison->now->machine));
    for (size_t i = 0; i < comparison->count; i++) {
        const ComparedCell *cell = &comparison->cells[i];
        STATUS_TRY(is_paired(cell) ? comparable_cells(cell->before, cell->now) : status_ok());
    }
    return status_ok();
}

static Status judge_all(Comparison *comparison) {
    STATUS_TRY(judge_cells(comparison->cells, comparison->count, &comparison->criteria));
    for (size_t i = 0; i < comparison->count; i++) {
        const ComparedCell *cell = &comparison->cells[i];
        if (!is_paired(cell)) {
            continue;
        }
        if (!cell->before->roof) {
            comparison->old_total += cell->before->median;
            comparison->new_total += cell->now->median;
        }
        comparison->changes[cell->judgement.change]++;
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
    if (comparison_judged(comparison) + comparison->changes[CHANGE_FAILED] == 0) {
        return status_make(STATUS_NO_MATCH,
                           "the runs have no cell in common%s: %zu in the old one, %zu in the new "
                           "one",
                           comparison->count > 0 ? " but roofs, which decide nothing" : "",
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

size_t comparison_accept(Comparison *comparison, const char *pattern, const char *reason) {
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        CellJudgement *judgement = &comparison->cells[i].judgement;
        if (judgement->change == CHANGE_SLOWER &&
            fnmatch(pattern, comparison->cells[i].name, 0) == 0) {
            judgement->change = CHANGE_ACCEPTED;
            utf8_copy(judgement->why, sizeof judgement->why, reason);
            comparison->changes[CHANGE_SLOWER]--;
            comparison->changes[CHANGE_ACCEPTED]++;
            count++;
        }
    }
    return count;
}

Status comparison_failure(const Comparison *comparison) {
    for (size_t i = 0; i < comparison->count; i++) {
        const ComparedCell *cell = &comparison->cells[i];
        if (cell->judgement.change == CHANGE_FAILED) {
            return status_fail("%zu of %zu %s failed in the new run; the first is %.120s: %.200s",
                               comparison->changes[CHANGE_FAILED], comparison->count,
                               plural(comparison->count, "cell", "cells"), cell->name,
                               cell->judgement.why);
        }
    }
    return status_ok();
}

ExitCode comparison_exit_code(const Comparison *comparison, bool strict) {
    if (comparison->changes[CHANGE_FAILED] > 0) {
        return EXIT_WRONG;
    }
    if (comparison->changes[CHANGE_SLOWER] > 0) {
        return EXIT_REGRESSION;
    }
    return strict && comparison->changes[CHANGE_UNDECIDED] > 0 ? EXIT_AMBIGUOUS : EXIT_OK;
}

size_t comparison_judged(const Comparison *comparison) {
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        count += is_paired(&comparison->cells[i]) && !comparison->cells[i].before->roof;
    }
    return count;
}

double comparison_total_ratio(const Comparison *comparison) {
    return comparison->new_total / comparison->old_total;
}
