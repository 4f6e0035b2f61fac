#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "json_file.h"
#include "machine_facts.h"
#include "machine_json.h"
#include "measured_run.h"
#include "stats.h"

static const char *text_of(const cJSON *object, const char *key) {
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

/* NAN when there is no such number. */
static double number_of(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

static bool is_time(double seconds) {
    return isfinite(seconds) && seconds > 0;
}

/* --- Entries --------------------------------------------------------------------------------- */

static Status bad_entry(const MeasuredRun *run, const char *name, const char *what) {
    return status_make(STATUS_FILE, "%.150s: \"%.120s\" %s", run->path, name, what);
}

/* An entry with all samples of a cell, as this program writes it. */
static Status read_own(MeasuredRun *run, const cJSON *entry, const char *name,
                       const cJSON *samples) {
    if (measured_run_find(run, name) != NULL) {
        return bad_entry(run, name, "is there twice; a cell has one entry");
    }
    MeasuredCell *cell;
    STATUS_TRY(measured_run_add(run, name, &cell));
    const char *hash = text_of(entry, "input_hash");
    const char *mode = text_of(entry, "mode");
    snprintf(cell->hash, sizeof cell->hash, "%s", hash != NULL ? hash : "");
    snprintf(cell->mode, sizeof cell->mode, "%s", mode != NULL ? mode : "");
    const cJSON *item;
    cJSON_ArrayForEach(item, samples) {
        if (!cJSON_IsNumber(item) || !is_time(item->valuedouble)) {
            return bad_entry(run, name, "has a sample in \"kernel_samples_s\" that is no time");
        }
        STATUS_TRY(samples_add(&cell->samples, item->valuedouble));
    }
    if (cell->samples.count == 0) {
        return bad_entry(run, name, "has no sample in \"kernel_samples_s\"");
    }
    return status_ok();
}

/* Seconds of a unit of Google Benchmark, nanoseconds where none is named; NAN when unknown. */
static double unit_seconds(const cJSON *entry) {
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}};
    const char *unit = text_of(entry, "time_unit");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit != NULL ? unit : "ns", units[i].unit) == 0) {
            return units[i].seconds;
        }
    }
    return (double)NAN;
}

/* One repetition, as Google Benchmark writes it. */
static Status read_repetition(MeasuredRun *run, const cJSON *entry, const char *name) {
    const double unit = unit_seconds(entry);
    const double seconds = number_of(entry, "real_time") * unit;
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

/* Means and the like, and entries that only say why there is no time. */
static bool is_no_sample(const cJSON *entry) {
    const char *type = text_of(entry, "run_type");
    return (type != NULL && strcmp(type, "iteration") != 0) ||
           cJSON_HasObjectItem(entry, "aggregate_name") ||
           cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, "error_occurred")) ||
           cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, "skipped"));
}

static Status read_entry(MeasuredRun *run, const cJSON *entry) {
    const char *name = text_of(entry, "run_name");
    name = name != NULL ? name : text_of(entry, "name");
    if (name == NULL || name[0] == '\0') {
        return status_make(STATUS_FILE, "%.200s: an entry of \"benchmarks\" has no \"name\"",
                           run->path);
    }
    if (is_no_sample(entry)) {
        return status_ok();
    }
    const cJSON *samples = cJSON_GetObjectItemCaseSensitive(entry, "kernel_samples_s");
    return cJSON_IsArray(samples) ? read_own(run, entry, name, samples)
                                  : read_repetition(run, entry, name);
}

/* --- Context --------------------------------------------------------------------------------- */

/* What Google Benchmark knows of a machine and a build that makes times differ. Host names are not
 * it: hosted runners have a new one each time. */
static void read_google_machine(const cJSON *context, Machine *machine) {
    const char *build = text_of(context, "library_build_type");
    machine_add_number(machine, "cpu_count", number_of(context, "num_cpus"), true);
    machine_add_text(machine, "library_build_type", build != NULL ? build : "", true);
    const cJSON *cache;
    cJSON_ArrayForEach(cache, cJSON_GetObjectItemCaseSensitive(context, "caches")) {
        char key[FACT_KEY_SIZE];
        const char *type = text_of(cache, "type");
        snprintf(key, sizeof key, "l%.0f_%.16s_bytes", number_of(cache, "level"),
                 type != NULL ? type : "");
        machine_add_number(machine, key, number_of(cache, "size"), true);
    }
}

static void read_context(const cJSON *context, MeasuredRun *run) {
    if (cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(context, "machine"))) {
        machine_json_read(context, &run->machine);
    } else {
        read_google_machine(context, &run->machine);
    }
    const double stored = number_of(context, "noise_floor");
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
    struct stat facts;
    const bool folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    if (snprintf(run->path, sizeof run->path, "%s%s", path, folder ? "/results.json" : "") >=
        (int)sizeof run->path) {
        return status_make(STATUS_FILE, "%.64s…: the path is too long", path);
    }
    cJSON *root = NULL;
    STATUS_TRY(json_file_read(run->path, "a stored run", RUN_FILE_MOST, &root));
    const Status status = read_document(root, run);
    cJSON_Delete(root);
    if (!status_is_ok(&status)) {
        measured_run_release(run);
    }
    return status;
}
