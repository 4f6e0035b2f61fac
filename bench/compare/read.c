/* Runs read to be compared: of this program, or of Google Benchmark. */

#include "compare_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal.h"
#include "json.h"
#include "number.h"
#include "stored_run.h"

/* === Google Benchmark ========================================================================= */

/* --- Entries ---------------------------------------------------------------------------------- */

static Status bad_entry(const MeasuredRun *run, const char *name, const char *what) {
    return status_make(STATUS_FILE, "%.150s: \"%.120s\" %s", run->path, name, what);
}

/* Seconds of a unit of Google Benchmark, nanoseconds where none is named; NAN when unknown. */
static double unit_seconds(const cJSON *entry) {
    const char *word = json_text(entry, "time_unit");
    const TimeUnit *unit = time_unit_find(word != NULL ? word : "ns", TIME_NS, TIME_S);
    return unit != NULL ? unit->seconds : (double)NAN;
}

static Status read_real_time(MeasuredRun *run, const cJSON *entry, const char *name,
                             MeasuredCell **cell, double *seconds) {
    const double unit = unit_seconds(entry);
    *seconds = json_number_or(entry, "real_time", (double)NAN) * unit;
    if (isnan(unit)) {
        return bad_entry(run, name, "has an unknown \"time_unit\"; ns, us, ms and s are known");
    }
    if (!seconds_possible(*seconds)) {
        return bad_entry(run, name, "has no \"real_time\" above 0 and at most 1e6 s");
    }
    *cell = measured_run_find(run, name);
    return *cell == NULL ? measured_run_add(run, name, cell) : status_ok();
}

/* One repetition, as Google Benchmark writes it: it counts as a launch. */
static Status read_repetition(MeasuredRun *run, const cJSON *entry, const char *name) {
    MeasuredCell *cell;
    double seconds;
    STATUS_TRY(read_real_time(run, entry, name, &cell, &seconds));
    cell->sample_count++;
    return measured_cell_add(cell, seconds);
}

/* The median of repetitions, which may not be in the file; other aggregates are no time of a run.
 */
static Status read_aggregate(MeasuredRun *run, const cJSON *entry, const char *name) {
    const char *kind = json_text(entry, "aggregate_name");
    MeasuredCell *cell;
    double seconds;
    if (kind == NULL || strcmp(kind, "median") != 0) {
        return status_ok();
    }
    STATUS_TRY(read_real_time(run, entry, name, &cell, &seconds));
    cell->aggregate = seconds;
    return status_ok();
}

static bool is_aggregate(const cJSON *entry) {
    const char *type = json_text(entry, "run_type");
    return (type != NULL && strcmp(type, "iteration") != 0) ||
           cJSON_HasObjectItem(entry, "aggregate_name");
}

static bool is_true(const cJSON *entry, const char *key) {
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, key));
}

static Status read_entry(MeasuredRun *run, const cJSON *entry) {
    const char *name = json_text(entry, "run_name");
    name = name != NULL ? name : json_text(entry, "name");
    if (name == NULL || name[0] == '\0') {
        return status_make(STATUS_FILE, "%.200s: an entry of \"benchmarks\" has no \"name\"",
                           run->path);
    }
    const bool failed = is_true(entry, "error_occurred");
    if (failed || is_true(entry, "skipped")) {
        return measured_run_add_untimed(
            run, name, failed, json_text(entry, failed ? "error_message" : "skip_message"));
    }
    return is_aggregate(entry) ? read_aggregate(run, entry, name)
                               : read_repetition(run, entry, name);
}

/* --- Context --------------------------------------------------------------------------------- */

/* The facts of Google Benchmark that identify a machine and a build. Not the host name: hosted
 * runners have a new one each time. */
static void read_machine(const cJSON *context, Machine *machine) {
    const char *build = json_text(context, "library_build_type");
    machine_add_number(machine, fact_cpu_count, json_number_or(context, "num_cpus", (double)NAN),
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

static Status google_read(const cJSON *root, MeasuredRun *run) {
    const cJSON *entries = cJSON_GetObjectItemCaseSensitive(root, "benchmarks");
    const cJSON *context = cJSON_GetObjectItemCaseSensitive(root, "context");
    if (!cJSON_IsArray(entries)) {
        return status_make(STATUS_FILE,
                           "%.200s has no list \"benchmarks\": it is neither a results file of "
                           "this program nor one of Google Benchmark",
                           run->path);
    }
    read_machine(context, &run->machine);
    run->noise_floor = NAN;
    json_copy_text(context, "date", run->started, sizeof run->started);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, entries) {
        STATUS_TRY(read_entry(run, entry));
    }
    return measured_run_finish(run);
}

/* === Either =================================================================================== */

static Status read_rows(const cJSON *root, MeasuredRun *run) {
    StoredRun *stored = malloc(sizeof *stored);
    STATUS_MEMORY(stored, "for a stored run");
    Status status = stored_run_of(run->path, root, stored);
    if (status_is_ok(&status)) {
        snprintf(run->started, sizeof run->started, "%s", stored->started);
        status = measured_run_add_rows(run, &stored->results, &stored->machine);
        stored_run_release(stored);
    }
    free(stored);
    return status;
}

Status measured_run_read(const char *path, MeasuredRun *run) {
    *run = (MeasuredRun){.count = 0};
    STATUS_TRY(stored_run_path(path, run->path, sizeof run->path));
    cJSON *root = NULL;
    STATUS_TRY(journal_read_results(run->path, &root));
    const Status status = stored_run_is(root) ? read_rows(root, run) : google_read(root, run);
    cJSON_Delete(root);
    if (!status_is_ok(&status)) {
        measured_run_release(run);
    }
    return status;
}
