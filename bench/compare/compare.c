/* Two runs read, matched cell by cell and judged. */

#include "compare_internal.h"

#include <cjson/cJSON.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

/* === Measured run ============================================================================= */

enum { NAME_SIZE = 1024 };

Status measured_run_add(MeasuredRun *run, const char *name, MeasuredCell **cell) {
    STATUS_TRY(LIST_ROOM(NULL, run->cells, run->count, run->capacity, "cells of a run"));
    char *copy = strdup(name);
    if (copy == NULL) {
        return status_no_memory("for the names of cells");
    }
    *cell = &run->cells[run->count++];
    **cell = (MeasuredCell){.name = copy};
    return status_ok();
}

MeasuredCell *measured_run_find(const MeasuredRun *run, const char *name) {
    for (size_t i = 0; i < run->count; i++) {
        if (strcmp(run->cells[i].name, name) == 0) {
            return &run->cells[i];
        }
    }
    return NULL;
}

Status measured_cell_add(MeasuredCell *cell, double median) {
    STATUS_TRY(LIST_ROOM(NULL, cell->launches, cell->launch_count, cell->launch_capacity,
                         "launches of a cell"));
    cell->launches[cell->launch_count++] = median;
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

void measured_run_finish(MeasuredRun *run) {
    for (size_t i = 0; i < run->count; i++) {
        MeasuredCell *cell = &run->cells[i];
        cell->median = median_in_place(cell->launches, cell->launch_count);
    }
}

/* Whether the name of this program's cell is one of `copy`. */
static bool is_roof(const char *name) {
    return strncmp(name, "copy/", strlen("copy/")) == 0;
}

/* The noise floor among the facts of a machine; NAN when it was not measured. */
static double measured_run_noise(const Machine *machine) {
    const double floor = machine_number(machine, "noise_floor");
    return floor > 0 && isfinite(floor) ? floor : (double)NAN;
}

static Status add_row(MeasuredRun *run, const Row *row) {
    char name[NAME_SIZE];
    row_name(row, name, sizeof name);
    MeasuredCell *cell;
    STATUS_TRY(measured_run_add(run, name, &cell));
    snprintf(cell->hash, sizeof cell->hash, "%016" PRIx64, row->input_hash);
    snprintf(cell->mode, sizeof cell->mode, "%s", row->cold ? "cold" : "hot");
    cell->held = row->held;
    cell->roof = is_roof(name);
    return add_samples(cell, &row->kernel);
}

Status measured_run_of_results(const Results *results, const Machine *machine, MeasuredRun *run) {
    *run = (MeasuredRun){.machine = *machine, .noise_floor = measured_run_noise(machine)};
    Status status = status_ok();
    for (size_t i = 0; i < results->count && status_is_ok(&status); i++) {
        const Row *row = &results->rows[i];
        if (row->status == CELL_OK && row->verified && row->kernel_summary.median > 0) {
            status = add_row(run, row);
        }
    }
    if (status_is_ok(&status)) {
        measured_run_finish(run);
    } else {
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
    }
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
    measured_run_finish(whole);
    return status_ok();
}

static void cell_release(MeasuredCell *cell) {
    free(cell->name);
    free(cell->launches);
}

void measured_run_keep(MeasuredRun *run, const MeasuredRun *named) {
    size_t kept = 0;
    for (size_t i = 0; i < run->count; i++) {
        if (measured_run_find(named, run->cells[i].name) != NULL) {
            run->cells[kept++] = run->cells[i];
        } else {
            cell_release(&run->cells[i]);
        }
    }
    run->count = kept;
}

void measured_run_release(MeasuredRun *run) {
    for (size_t i = 0; i < run->count; i++) {
        cell_release(&run->cells[i]);
    }
    free(run->cells);
    run->cells = NULL;
    run->count = run->capacity = 0;
}

/* === Measured run read ======================================================================== */

static bool is_time(double seconds) {
    return isfinite(seconds) && seconds > 0;
}

/* --- Entries --------------------------------------------------------------------------------- */

static Status bad_entry(const MeasuredRun *run, const char *name, const char *what) {
    return status_make(STATUS_FILE, "%.150s: \"%.120s\" %s", run->path, name, what);
}

/* An entry with all samples of a cell, as this program writes it. */
static Status read_own(MeasuredRun *run, const cJSON *entry, const char *name) {
    if (measured_run_find(run, name) != NULL) {
        return bad_entry(run, name, "is there twice; a cell has one entry");
    }
    MeasuredCell *cell;
    STATUS_TRY(measured_run_add(run, name, &cell));
    const char *hash = json_text(entry, "input_hash");
    const char *mode = json_text(entry, "mode");
    snprintf(cell->hash, sizeof cell->hash, "%s", hash != NULL ? hash : "");
    snprintf(cell->mode, sizeof cell->mode, "%s", mode != NULL ? mode : "");
    cell->held = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, "held"));
    cell->roof = is_roof(name);
    Samples samples = {.count = 0};
    const bool right = samples_json_read(entry, "kernel_samples_s", &samples) == NULL;
    Status status;
    if (!right) {
        status = bad_entry(run, name, "has a sample in \"kernel_samples_s\" that is no time");
    } else if (samples.count == 0) {
        status = bad_entry(run, name, "has no sample in \"kernel_samples_s\"");
    } else {
        status = add_samples(cell, &samples);
    }
    samples_release(&samples);
    return status;
}

/* Seconds of a unit of Google Benchmark, nanoseconds where none is named; NAN when unknown. */
static double unit_seconds(const cJSON *entry) {
    const char *word = json_text(entry, "time_unit");
    const TimeUnit *unit = time_unit_find(word != NULL ? word : "ns", TIME_NS, TIME_S);
    return unit != NULL ? unit->seconds : (double)NAN;
}

/* One repetition, as Google Benchmark writes it: it counts as a launch. */
static Status read_repetition(MeasuredRun *run, const cJSON *entry, const char *name) {
    const double unit = unit_seconds(entry);
    const double seconds = json_number_or(entry, "real_time", (double)NAN) * unit;
    if (isnan(unit)) {
        return bad_entry(run, name, "has an unknown \"time_unit\"; ns, us, ms and s are known");
    }
    if (!is_time(seconds)) {
        return bad_entry(run, name, "has no \"real_time\" above 0");
    }
    MeasuredCell *cell = measured_run_find(run, name);
    if (cell == NULL) {
        STATUS_TRY(measured_run_add(run, name, &cell));
    }
    cell->sample_count++;
    return measured_cell_add(cell, seconds);
}

/* Aggregates, entries without a time, and launches whose samples are in another entry. */
static bool is_no_sample(const cJSON *entry) {
    const char *type = json_text(entry, "run_type");
    return cJSON_HasObjectItem(entry, "launch") ||
           (type != NULL && strcmp(type, "iteration") != 0) ||
           cJSON_HasObjectItem(entry, "aggregate_name") ||
           cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, "error_occurred")) ||
           cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, "skipped"));
}

static Status read_entry(MeasuredRun *run, const cJSON *entry) {
    const char *name = json_text(entry, "run_name");
    name = name != NULL ? name : json_text(entry, "name");
    if (name == NULL || name[0] == '\0') {
        return status_make(STATUS_FILE, "%.200s: an entry of \"benchmarks\" has no \"name\"",
                           run->path);
    }
    if (is_no_sample(entry)) {
        return status_ok();
    }
    const cJSON *samples = cJSON_GetObjectItemCaseSensitive(entry, "kernel_samples_s");
    return cJSON_IsArray(samples) ? read_own(run, entry, name) : read_repetition(run, entry, name);
}

/* --- Context --------------------------------------------------------------------------------- */

/* The facts of Google Benchmark that identify a machine and a build. Not the host name: hosted
 * runners have a new one each time. */
static void read_google_machine(const cJSON *context, Machine *machine) {
    const char *build = json_text(context, "library_build_type");
    machine_add_number(machine, "cpu_count", json_number_or(context, "num_cpus", (double)NAN),
                       true);
    machine_add_text(machine, "library_build_type", build != NULL ? build : "", true);
    const cJSON *cache;
    cJSON_ArrayForEach(cache, cJSON_GetObjectItemCaseSensitive(context, "caches")) {
        char key[FACT_KEY_SIZE];
        const char *type = json_text(cache, "type");
        snprintf(key, sizeof key, "l%.0f_%.16s_bytes", json_number_or(cache, "level", (double)NAN),
                 type != NULL ? type : "");
        machine_add_number(machine, key, json_number_or(cache, "size", (double)NAN), true);
    }
}

static void read_context(const cJSON *context, MeasuredRun *run) {
    if (cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(context, "machine"))) {
        machine_json_read(context, &run->machine);
    } else {
        read_google_machine(context, &run->machine);
    }
    json_copy_text(context, "date", run->started, sizeof run->started);
    const double stored = json_number_or(context, "noise_floor", (double)NAN);
    run->noise_floor = stored > 0 && isfinite(stored) ? stored : measured_run_noise(&run->machine);
}

static Status read_document(const cJSON *root, MeasuredRun *run) {
    const cJSON *entries = cJSON_GetObjectItemCaseSensitive(root, "benchmarks");
    if (!cJSON_IsArray(entries)) {
        return status_make(STATUS_FILE,
                           "%.200s has no list \"benchmarks\": it is neither a results file of "
                           "this program nor one of Google Benchmark",
                           run->path);
    }
    read_context(cJSON_GetObjectItemCaseSensitive(root, "context"), run);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, entries) {
        STATUS_TRY(read_entry(run, entry));
    }
    measured_run_finish(run);
    return status_ok();
}

Status measured_run_read(const char *path, MeasuredRun *run) {
    *run = (MeasuredRun){.count = 0};
    STATUS_TRY(stored_run_path(path, run->path, sizeof run->path));
    cJSON *root = NULL;
    STATUS_TRY(journal_read_results(run->path, &root));
    const Status status = read_document(root, run);
    cJSON_Delete(root);
    if (!status_is_ok(&status)) {
        measured_run_release(run);
    }
    return status;
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
    comparison->cells = calloc(before + 1, sizeof *comparison->cells);
    comparison->missing = calloc(before + 1, sizeof *comparison->missing);
    comparison->added = calloc(now + 1, sizeof *comparison->added);
    const bool all =
        comparison->cells != NULL && comparison->missing != NULL && comparison->added != NULL;
    return all ? status_ok() : status_no_memory("to compare %zu cells", before);
}

static void pair_cells(Comparison *comparison) {
    for (size_t i = 0; i < comparison->before->count; i++) {
        const MeasuredCell *before = &comparison->before->cells[i];
        const MeasuredCell *now = measured_run_find(comparison->now, before->name);
        if (now == NULL && before->roof) {
            continue;
        }
        if (now == NULL) {
            comparison->missing[comparison->missing_count++] = before->name;
        } else {
            comparison->cells[comparison->count++] = (ComparedCell){.before = before, .now = now};
        }
    }
    for (size_t i = 0; i < comparison->now->count; i++) {
        const MeasuredCell *now = &comparison->now->cells[i];
        if (!now->roof && measured_run_find(comparison->before, now->name) == NULL) {
            comparison->added[comparison->added_count++] = now->name;
        }
    }
}

static Status check_comparable(const Comparison *comparison) {
    STATUS_TRY(machine_comparable(&comparison->before->machine, &comparison->now->machine));
    for (size_t i = 0; i < comparison->count; i++) {
        STATUS_TRY(comparable_cells(comparison->cells[i].before, comparison->cells[i].now));
    }
    return status_ok();
}

static Status judge_all(Comparison *comparison) {
    const size_t cells = comparison_judged(comparison);
    for (size_t i = 0; i < comparison->count; i++) {
        ComparedCell *cell = &comparison->cells[i];
        CellJudgement *judgement = &cell->judgement;
        STATUS_TRY(judge_cell(cell->before, cell->now, &comparison->criteria, cells, judgement));
        if (cell->before->roof) {
            judgement->change = CHANGE_ROOF;
            judgement->why[0] = '\0';
        } else {
            comparison->old_total += cell->before->median;
            comparison->new_total += cell->now->median;
        }
        comparison->changes[judgement->change]++;
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
    if (comparison_judged(comparison) == 0) {
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
            fnmatch(pattern, comparison->cells[i].before->name, 0) == 0) {
            judgement->change = CHANGE_ACCEPTED;
            utf8_copy(judgement->why, sizeof judgement->why, reason);
            comparison->changes[CHANGE_SLOWER]--;
            comparison->changes[CHANGE_ACCEPTED]++;
            count++;
        }
    }
    return count;
}

ExitCode comparison_exit_code(const Comparison *comparison, bool strict) {
    if (comparison->changes[CHANGE_SLOWER] > 0) {
        return EXIT_REGRESSION;
    }
    return strict && comparison->changes[CHANGE_AMBIGUOUS] > 0 ? EXIT_AMBIGUOUS : EXIT_OK;
}

size_t comparison_judged(const Comparison *comparison) {
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        count += !comparison->cells[i].before->roof;
    }
    return count;
}

double comparison_total_ratio(const Comparison *comparison) {
    return comparison->new_total / comparison->old_total;
}
