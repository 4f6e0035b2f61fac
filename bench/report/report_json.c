#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build_info.h"
#include "ceilings_json.h"
#include "command_line.h"
#include "complexity_json.h"
#include "json_file.h"
#include "reporters.h"
#include "row_json.h"

enum { ENTRY_NAME_SIZE = 512 };

/* compare.py stops with an error on any other version. */
static const double google_schema_version = 1;

static const char *fact_text(const Machine *machine, const char *key) {
    const Fact *fact = machine_fact(machine, key);
    return fact != NULL && fact->kind == FACT_TEXT ? fact->text : "";
}

static bool add_caches(cJSON *context, const Machine *machine) {
    cJSON *caches = cJSON_AddArrayToObject(context, "caches");
    bool complete = caches != NULL;
    for (size_t i = 0; complete && i < machine->cache_count; i++) {
        const Cache *cache = &machine->caches[i];
        cJSON *entry = cJSON_CreateObject();
        complete = cJSON_AddItemToArray(caches, entry) &&
                   cJSON_AddStringToObject(entry, "type", cache->type) != NULL &&
                   cJSON_AddNumberToObject(entry, "level", cache->level) != NULL &&
                   cJSON_AddNumberToObject(entry, "size", (double)cache->size) != NULL &&
                   cJSON_AddNumberToObject(entry, "num_sharing", cache->sharing) != NULL;
    }
    return complete;
}

static bool add_load(cJSON *context, const Machine *machine) {
    static const char *const keys[] = {"load_average_1_min", "load_average_5_min",
                                       "load_average_15_min"};
    cJSON *loads = cJSON_AddArrayToObject(context, "load_avg");
    bool complete = loads != NULL;
    for (size_t i = 0; complete && i < sizeof keys / sizeof keys[0]; i++) {
        const Fact *fact = machine_fact(machine, keys[i]);
        complete = fact == NULL || cJSON_AddItemToArray(loads, cJSON_CreateNumber(fact->number));
    }
    return complete;
}

/* What Google Benchmark's own reporter says about where it ran. */
static bool add_google_context(cJSON *context, const RunRecord *record) {
    const Machine *machine = record->machine;
    const RunOptions *options = record->options;
    const char *program = options->argc > 0 ? options->argv[0] : "bench";
    const char *governor = fact_text(machine, "cpu_governor");
    const bool scaling = governor[0] != '\0' && strcmp(governor, "performance") != 0;
    const bool aslr = strcmp(fact_text(machine, "aslr"), "yes") == 0;
    const bool debug = strcmp(BUILD_TYPE, "Debug") == 0;
    bool complete = cJSON_AddStringToObject(context, "date", record->started) != NULL;
    complete &=
        cJSON_AddStringToObject(context, "host_name", fact_text(machine, "host_name")) != NULL;
    complete &= cJSON_AddStringToObject(context, "executable", program) != NULL;
    complete &= cJSON_AddNumberToObject(context, "num_cpus", machine->cpu_count) != NULL;
    complete &= cJSON_AddNumberToObject(context, "mhz_per_cpu", round(machine->mhz)) != NULL;
    complete &= cJSON_AddBoolToObject(context, "cpu_scaling_enabled", scaling) != NULL;
    complete &= cJSON_AddBoolToObject(context, "aslr_enabled", aslr) != NULL;
    complete &= add_caches(context, machine);
    complete &= add_load(context, machine);
    complete &= cJSON_AddStringToObject(context, "library_version", BUILD_VERSION) != NULL;
    complete &=
        cJSON_AddStringToObject(context, "library_build_type", debug ? "debug" : "release") != NULL;
    complete &=
        cJSON_AddNumberToObject(context, "json_schema_version", google_schema_version) != NULL;
    return complete;
}

/* All facts by key, and the keys of those that make the machine and build what they are. */
static bool add_machine(cJSON *context, const Machine *machine) {
    cJSON *facts = cJSON_AddObjectToObject(context, "machine");
    cJSON *identity = cJSON_AddArrayToObject(context, "machine_identity");
    bool complete = facts != NULL && identity != NULL;
    for (size_t i = 0; complete && i < machine->count; i++) {
        const Fact *fact = &machine->facts[i];
        if (fact->kind == FACT_TEXT) {
            complete = cJSON_AddStringToObject(facts, fact->key, fact->text) != NULL;
        } else if (isfinite(fact->number)) {
            complete = cJSON_AddNumberToObject(facts, fact->key, fact->number) != NULL;
        }
        if (complete && fact->identity) {
            complete = cJSON_AddItemToArray(identity, cJSON_CreateString(fact->key));
        }
    }
    return complete;
}

static bool add_warnings(cJSON *context, const Warnings *warnings) {
    cJSON *list = cJSON_AddArrayToObject(context, "warnings");
    bool complete = list != NULL;
    for (size_t i = 0; complete && i < warnings->count; i++) {
        complete = cJSON_AddItemToArray(list, cJSON_CreateString(warnings->text[i]));
    }
    return complete;
}

static bool add_seconds(cJSON *object, const char *key, double seconds) {
    return !isfinite(seconds) || cJSON_AddNumberToObject(object, key, seconds) != NULL;
}

static bool add_run(cJSON *context, const RunRecord *record) {
    char arguments[COMMAND_LINE_SIZE];
    command_line_text(record->options, arguments, sizeof arguments);
    bool complete = cJSON_AddStringToObject(context, "arguments", arguments) != NULL;
    if (record->input_note[0] != '\0') {
        complete &= cJSON_AddStringToObject(context, "input_note", record->input_note) != NULL;
    }
    complete &= cJSON_AddNumberToObject(context, "seed", (double)record->options->seed) != NULL;
    if (record->options->density > 0) {
        complete &= cJSON_AddNumberToObject(context, "density", record->options->density) != NULL;
    }
    complete &= cJSON_AddBoolToObject(context, "interleaved", record->options->interleave) != NULL;
    complete &= cJSON_AddBoolToObject(context, "complete", record->complete) != NULL;
    complete &= cJSON_AddNumberToObject(context, "planned_cells", (double)record->planned) != NULL;
    complete &= add_seconds(context, "elapsed_s", record->elapsed);
    complete &= add_seconds(context, "timer_overhead_cpu_s", record->timer_overhead_cpu);
    complete &= add_seconds(context, "timer_overhead_cuda_s", record->timer_overhead_cuda);
    return complete;
}

/* A family is an algorithm's variant; its instances are numbered in the order of the rows. */
typedef struct Family {
    const Variant *variant;
    size_t instances;
} Family;

typedef struct Families {
    Family *list;
    size_t count;
} Families;

/* `list` has room for every row, so there is always a place for one more. */
static Family *find_family(Families *families, const Variant *variant) {
    for (size_t i = 0; i < families->count; i++) {
        if (families->list[i].variant == variant) {
            return &families->list[i];
        }
    }
    families->list[families->count] = (Family){.variant = variant};
    return &families->list[families->count++];
}

/* The keys that compare.py, github-action-benchmark and Bencher read. Tools take cpu_time for
 * granted; where CPU time was not measured it repeats the wall clock, and our own cpu_s is absent.
 * Nanoseconds, because compare.py prints whole units. */
static bool add_google_entry(cJSON *entry, const char *name, const Row *row, Families *families) {
    Family *family = find_family(families, row->variant);
    const double real = row->kernel_summary.median * 1e9;
    const double cpu = isfinite(row->cpu_seconds) ? row->cpu_seconds * 1e9 : real;
    const size_t batch = row->batch > 0 ? row->batch : 1;
    const double iterations = (double)row->kernel_summary.count * (double)batch;
    bool complete = cJSON_AddStringToObject(entry, "name", name) != NULL;
    complete &=
        cJSON_AddNumberToObject(entry, "family_index", (double)(family - families->list)) != NULL;
    complete &= cJSON_AddNumberToObject(entry, "per_family_instance_index",
                                        (double)family->instances++) != NULL;
    complete &= cJSON_AddStringToObject(entry, "run_name", name) != NULL;
    complete &= cJSON_AddStringToObject(entry, "run_type", "iteration") != NULL;
    complete &= cJSON_AddNumberToObject(entry, "repetitions", 1) != NULL;
    complete &= cJSON_AddNumberToObject(entry, "repetition_index", 0) != NULL;
    complete &=
        cJSON_AddNumberToObject(entry, "threads", row->threads > 0 ? row->threads : 1) != NULL;
    complete &= cJSON_AddNumberToObject(entry, "iterations", iterations) != NULL;
    complete &= cJSON_AddNumberToObject(entry, "real_time", real) != NULL;
    complete &= cJSON_AddNumberToObject(entry, "cpu_time", cpu) != NULL;
    complete &= cJSON_AddStringToObject(entry, "time_unit", "ns") != NULL;
    return complete;
}

/* A cell without a proof or without a time must not look like a measurement to any tool. */
static bool is_measurement(const Row *row) {
    return row->status == CELL_OK && row->verified && row->kernel_summary.median > 0.0;
}

static const char *list_of(const Row *row) {
    return is_measurement(row) ? "benchmarks" : row->status == CELL_SKIP ? "skipped" : "failures";
}

static bool fill_entry(cJSON *entry, const Row *row, size_t cell, Families *families) {
    char name[ENTRY_NAME_SIZE];
    row_name(row, name, sizeof name);
    bool complete = entry != NULL;
    if (is_measurement(row)) {
        complete = complete && add_google_entry(entry, name, row, families);
    } else {
        const bool skipped = row->status == CELL_SKIP;
        const char *why = row->why[0] != '\0' ? row->why : "no verified time";
        complete =
            complete && cJSON_AddStringToObject(entry, "name", name) != NULL &&
            cJSON_AddStringToObject(entry, skipped ? "skip_message" : "error_message", why) != NULL;
    }
    return complete && cJSON_AddNumberToObject(entry, "cell", (double)cell) != NULL &&
           row_json_write(entry, row);
}

cJSON *row_json_entry(const Row *row, const char **list) {
    Family family;
    Families families = {.list = &family};
    cJSON *entry = cJSON_CreateObject();
    *list = list_of(row);
    if (!fill_entry(entry, row, 0, &families)) {
        cJSON_Delete(entry);
        return NULL;
    }
    return entry;
}

static bool add_row(cJSON *root, const Row *row, size_t cell, Families *families) {
    cJSON *entry = cJSON_CreateObject();
    if (!cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(root, list_of(row)), entry)) {
        cJSON_Delete(entry);
        return false;
    }
    return fill_entry(entry, row, cell, families);
}

static bool fill_document(cJSON *root, const RunRecord *record, const Results *results) {
    cJSON *context = cJSON_AddObjectToObject(root, "context");
    bool complete = context != NULL && cJSON_AddArrayToObject(root, "benchmarks") != NULL &&
                    cJSON_AddArrayToObject(root, "failures") != NULL &&
                    cJSON_AddArrayToObject(root, "skipped") != NULL;
    Families families = {.list = calloc(results->count + 1, sizeof *families.list)};
    complete = complete && families.list != NULL && add_google_context(context, record) &&
               add_machine(context, record->machine) && add_warnings(context, &record->warnings) &&
               add_run(context, record) && ceilings_json_add(context, &results->ceilings);
    for (size_t i = 0; complete && i < results->count; i++) {
        complete = add_row(root, &results->rows[i], i, &families);
    }
    complete = complete && complexity_json_write(root, results);
    free(families.list);
    return complete;
}

Status report_json(const char *path, const RunRecord *record, const Results *results) {
    cJSON *root = cJSON_CreateObject();
    if (root != NULL && !fill_document(root, record, results)) {
        cJSON_Delete(root);
        root = NULL;
    }
    return json_file_write(path, root);
}
