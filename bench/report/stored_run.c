#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ceilings_json.h"
#include "json_file.h"
#include "machine_json.h"
#include "reporters.h"
#include "row_json.h"

static double number_or(const cJSON *object, const char *key, double fallback) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : fallback;
}

/* cJSON saturates valueint, so a wild number cannot overflow. */
static int integer_or_zero(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valueint : 0;
}

static void read_caches(const cJSON *context, Machine *machine) {
    const size_t capacity = sizeof machine->caches / sizeof machine->caches[0];
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(context, "caches")) {
        if (machine->cache_count == capacity) {
            break;
        }
        Cache *cache = &machine->caches[machine->cache_count++];
        json_copy_text(item, "type", cache->type, sizeof cache->type);
        cache->level = integer_or_zero(item, "level");
        cache->sharing = integer_or_zero(item, "num_sharing");
        const double size = number_or(item, "size", 0.0);
        cache->size = size > 0.0 && size < 1e15 ? (size_t)size : 0;
    }
}

static void read_context(const cJSON *context, StoredRun *stored) {
    Machine *machine = &stored->machine;
    machine_json_read(context, machine);
    read_caches(context, machine);
    machine->cpu_count = integer_or_zero(context, "num_cpus");
    machine->mhz = number_or(context, "mhz_per_cpu", 0.0);
    json_copy_text(context, "arguments", stored->argv, sizeof stored->argv);
    json_copy_text(context, "date", stored->started, sizeof stored->started);
    stored->elapsed = number_or(context, "elapsed_s", (double)NAN);
    stored->complete = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(context, "complete"));
    ceilings_json_read(context, &stored->results.ceilings);
}

/* The three lists of a file are one list of cells, taken apart by status; `cell` puts them back
 * into the order in which they were planned. */
typedef struct Source {
    const char *key, *why_key;
    CellStatus status;
    const cJSON *next;
} Source;

static Source *first_source(Source *sources, size_t count) {
    Source *first = NULL;
    double least = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (sources[i].next == NULL) {
            continue;
        }
        const double cell = number_or(sources[i].next, "cell", 0.0);
        if (first == NULL || cell < least) {
            first = &sources[i];
            least = cell;
        }
    }
    return first;
}

static Status read_row(const char *path, const Source *source, StoredRun *stored) {
    Row row;
    const char *key = "";
    switch (row_json_read(source->next, &row, &key)) {
    case ROW_UNKNOWN: stored->ignored++; return status_ok();
    case ROW_INVALID:
        return status_make(STATUS_FILE, "%s: an entry of \"%s\" has no valid \"%s\"", path,
                           source->key, key);
    case ROW_READ: break;
    }
    row.status = source->status;
    if (source->why_key != NULL) {
        json_copy_text(source->next, source->why_key, row.why, sizeof row.why);
    }
    const Status status = results_add(&stored->results, &row);
    if (status.code != STATUS_OK) {
        row_release(&row);
    }
    return status;
}

static Status read_rows(const char *path, const cJSON *root, StoredRun *stored) {
    Source sources[] = {
        {.key = "benchmarks", .status = CELL_OK},
        {.key = "failures", .why_key = "error_message", .status = CELL_FAIL},
        {.key = "skipped", .why_key = "skip_message", .status = CELL_SKIP},
    };
    const size_t count = sizeof sources / sizeof sources[0];
    for (size_t i = 0; i < count; i++) {
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, sources[i].key);
        if (!cJSON_IsArray(list)) {
            return status_make(STATUS_FILE,
                               "%s has no list \"%s\": it is not a results file of "
                               "this program",
                               path, sources[i].key);
        }
        sources[i].next = list->child;
    }
    Source *source;
    while ((source = first_source(sources, count)) != NULL) {
        STATUS_TRY(read_row(path, source, stored));
        source->next = source->next->next;
    }
    return status_ok();
}

static Status read_document(const char *path, const cJSON *root, StoredRun *stored) {
    const cJSON *context = cJSON_GetObjectItemCaseSensitive(root, "context");
    if (!cJSON_IsObject(context)) {
        return status_make(STATUS_FILE, "%s has no \"context\": it is not a results file", path);
    }
    const double version = number_or(context, "json_schema_version", 0.0);
    if (version != 1.0) {
        return status_make(STATUS_FILE, "%s has json_schema_version %g, this program reads 1", path,
                           version);
    }
    read_context(context, stored);
    return read_rows(path, root, stored);
}

Status stored_run_read(const char *path, StoredRun *stored) {
    *stored = (StoredRun){.elapsed = (double)NAN};
    cJSON *root = NULL;
    STATUS_TRY(json_file_read(path, "a stored run", RUN_FILE_MOST, &root));
    const Status status = read_document(path, root, stored);
    cJSON_Delete(root);
    if (status.code != STATUS_OK) {
        stored_run_release(stored);
    }
    return status;
}

void stored_run_release(StoredRun *stored) {
    results_release(&stored->results);
    stored->results = (Results){.rows = NULL};
}
