/* Two runs read, matched cell by cell and judged. */

#include "compare_internal.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

Status measured_run_finish(MeasuredRun *run) {
    for (size_t i = 0; i < run->count; i++) {
        Summary summary;
        STATUS_TRY(summarize(&run->cells[i].samples, &summary));
        run->cells[i].median = summary.median;
    }
    return status_ok();
}

/* The noise floor among the facts of a machine; 0 when it was not measured. */
static double measured_run_noise(const Machine *machine) {
    const double floor = machine_number(machine, "noise_floor");
    return floor > 0 && isfinite(floor) ? floor : 0;
}

static Status add_row(MeasuredRun *run, const Row *row) {
    char name[NAME_SIZE];
    row_name(row, name, sizeof name);
    MeasuredCell *cell;
    STATUS_TRY(measured_run_add(run, name, &cell));
    snprintf(cell->hash, sizeof cell->hash, "%016" PRIx64, row->input_hash);
    snprintf(cell->mode, sizeof cell->mode, "%s", row->cold ? "cold" : "hot");
    return samples_copy(&row->kernel, &cell->samples);
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
        status = measured_run_finish(run);
    }
    if (!status_is_ok(&status)) {
        measured_run_release(run);
    }
    return status;
}

Status measured_run_replace(MeasuredRun *run, const MeasuredRun *again) {
    for (size_t i = 0; i < again->count; i++) {
        MeasuredCell *cell = measured_run_find(run, again->cells[i].name);
        if (cell == NULL) {
            continue;
        }
        Samples copy = {.count = 0};
        STATUS_TRY(samples_copy(&again->cells[i].samples, &copy));
        samples_release(&cell->samples);
        cell->samples = copy;
        cell->median = again->cells[i].median;
    }
    return status_ok();
}

void measured_run_release(MeasuredRun *run) {
    for (size_t i = 0; i < run->count; i++) {
        free(run->cells[i].name);
        samples_release(&run->cells[i].samples);
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
    bool right = samples_json_read(entry, "kernel_samples_s", &cell->samples);
    for (size_t i = 0; right && i < cell->samples.count; i++) {
        right = is_time(cell->samples.seconds[i]);
    }
    if (!right) {
        return bad_entry(run, name, "has a sample in \"kernel_samples_s\" that is no time");
    }
    if (cell->samples.count == 0) {
        return bad_entry(run, name, "has no sample in \"kernel_samples_s\"");
    }
    return status_ok();
}

/* Seconds of a unit of Google Benchmark, nanoseconds where none is named; NAN when unknown. */
static double unit_seconds(const cJSON *entry) {
    const char *word = json_text(entry, "time_unit");
    const TimeUnit *unit = time_unit_find(word != NULL ? word : "ns", TIME_NS, TIME_S);
    return unit != NULL ? unit->seconds : (double)NAN;
}

/* One repetition, as Google Benchmark writes it. */
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
    return samples_add(&cell->samples, seconds);
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
    return measured_run_finish(run);
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
    STATUS_TRY(machine_comparable(&comparison->before->machine, &comparison->now->machine));
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
