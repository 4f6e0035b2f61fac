/*
 * What this machine remembers of its runs, in the file of the launch-to-launch spread: the last
 * times and speedups of every cell, and how far they lie apart.
 *
 *   {"version": 1,
 *    "launch_spread": […],
 *    "cells": [{"id": "0123456789abcdef", "processor": "threads", "from_s": 0.001,
 *               "when": [1767323045, 1767326645], "values": [0.0012, 0.0013]}]}
 *
 * Cells of the latest run come first.
 */

#include "machine_internal.h"
#include "number.h"
#include "spread_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "list.h"
#include "paths.h"
#include "samples.h"

enum { PATH_SIZE = 4096, FILE_SIZE_MAX = 1 << 23 };

/* Of the format and of the classes. */
static const double file_version = 1;

/* What is kept: of a cell that is measured again and again the runs thin out with their age. */
enum { CELLS_MOST = 8192, RUNS_MOST = 8 };

typedef struct KnownRun {
    double when; /* seconds of the epoch */
    double value;
} KnownRun;

typedef struct KnownCell {
    uint64_t id;
    SpreadKind kind;
    size_t decade; /* of SPREAD_CLASSES, in its last run */
    size_t count;
    KnownRun runs[RUNS_MOST + 1]; /* by when; one too many while it is added */
} KnownCell;

/* Starts zeroed. */
typedef struct Memory {
    LaunchSpread spread; /* `of` alone */
    KnownCell *cells;
    size_t count, capacity;
} Memory;

/* === The cells of the file ==================================================================== */

static int compare_runs(const void *a, const void *b) {
    const KnownRun *left = a, *right = b;
    return compare_doubles(&left->when, &right->when);
}

/* Removes one run, neither the first nor the last: the one whose neighbours are the nearest, by its
 * age. So minutes are remembered of today, hours of yesterday, days of last month. */
static void thin_out(KnownCell *cell) {
    const KnownRun *runs = cell->runs;
    const double latest = runs[cell->count - 1].when;
    size_t least = 1;
    double nearest = INFINITY;
    for (size_t i = 1; i + 1 < cell->count; i++) {
        const double apart = (runs[i + 1].when - runs[i - 1].when) / (latest - runs[i].when + 1);
        if (apart < nearest) {
            nearest = apart;
            least = i;
        }
    }
    cell->count--;
    memmove(&cell->runs[least], &cell->runs[least + 1],
            (cell->count - least) * sizeof cell->runs[0]);
}

static bool run_possible(double when, double value) {
    return when > 0 && when < 1e12 && value > 1e-12 && value < 1e12;
}

static void add_run(KnownCell *cell, double when, double value) {
    if (!run_possible(when, value)) {
        return;
    }
    cell->runs[cell->count++] = (KnownRun){.when = when, .value = value};
    qsort(cell->runs, cell->count, sizeof cell->runs[0], compare_runs);
    if (cell->count > RUNS_MOST) {
        thin_out(cell);
    }
}

static Status read_cell(const cJSON *entry, Memory *memory) {
    const char *id = json_text(entry, "id");
    const cJSON *when = cJSON_GetObjectItemCaseSensitive(entry, "when");
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(entry, "values");
    const double from = json_number_or(entry, "from_s", NAN);
    KnownCell cell = {.kind = spread_kind_named(json_text(entry, "processor")),
                      .decade = spread_class_of(from)};
    char *end = NULL;
    cell.id = id != NULL ? strtoull(id, &end, 16) : 0;
    if (id == NULL || strlen(id) != 16 || *end != '\0' || cell.kind == SPREAD_KINDS ||
        from != spread_class_start(cell.decade) || !cJSON_IsArray(when) || !cJSON_IsArray(values)) {
        return status_ok();
    }
    const cJSON *second = values->child;
    for (const cJSON *first = when->child; first != NULL && second != NULL;
         first = first->next, second = second->next) {
        if (cJSON_IsNumber(first) && cJSON_IsNumber(second)) {
            add_run(&cell, first->valuedouble, second->valuedouble);
        }
    }
    if (cell.count == 0 || memory->count == CELLS_MOST) {
        return status_ok();
    }
    LIST_ADD(NULL, memory->cells, memory->count, memory->capacity, "cells", cell);
    return status_ok();
}

/* A file that is missing or damaged has nothing. STATUS_SKIP without memory. */
static Status memory_read(const char *path, Memory *memory) {
    cJSON *root;
    *memory = (Memory){.count = 0};
    Status status = json_file_read(path, "a spread of launches", FILE_SIZE_MAX, &root);
    if (!status_is_ok(&status) || json_number_or(root, "version", NAN) != file_version) {
        cJSON_Delete(root);
        return status.code == STATUS_SKIP ? status : status_ok();
    }
    launch_spread_json_read(root, &memory->spread);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItemCaseSensitive(root, "cells")) {
        STATUS_THEN(status, read_cell(entry, memory));
    }
    cJSON_Delete(root);
    return status;
}

static bool add_cell(cJSON *list, const KnownCell *cell) {
    double when[RUNS_MOST], values[RUNS_MOST];
    char id[17];
    cJSON *entry = json_add_object(list);
    for (size_t i = 0; i < cell->count; i++) {
        when[i] = cell->runs[i].when;
        values[i] = cell->runs[i].value;
    }
    snprintf(id, sizeof id, "%016" PRIx64, cell->id);
    return json_add_text(entry, "id", id) &&
           json_add_text(entry, "processor", spread_kind_word(cell->kind)) &&
           json_add_number(entry, "from_s", spread_class_start(cell->decade)) &&
           cJSON_AddItemToObject(entry, "when", cJSON_CreateDoubleArray(when, (int)cell->count)) &&
           cJSON_AddItemToObject(entry, "values",
                                 cJSON_CreateDoubleArray(values, (int)cell->count));
}

static Status memory_write(const char *path, const Memory *memory) {
    cJSON *root = cJSON_CreateObject();
    bool complete = json_add_number(root, "version", file_version) &&
                    launch_spread_json_add(root, &memory->spread);
    cJSON *list = memory->count > 0 ? cJSON_AddArrayToObject(root, "cells") : NULL;
    for (size_t i = 0; complete && i < memory->count; i++) {
        complete = list != NULL && add_cell(list, &memory->cells[i]);
    }
    return json_file_write(path, json_whole(root, complete));
}

/* === Adding =================================================================================== */

/* The cell of the time, moved behind the `first` ones of this run. A new one takes the place of the
 * one that was measured longest ago where there are too many. */
static Status find_cell(Memory *memory, const RunTime *time, size_t first) {
    size_t place = first;
    while (place < memory->count && memory->cells[place].id != time->cell) {
        place++;
    }
    KnownCell cell = {.id = time->cell};
    if (place < memory->count) {
        cell = memory->cells[place];
    } else if (memory->count == CELLS_MOST) {
        place--;
    } else {
        STATUS_TRY(LIST_ROOM(NULL, memory->cells, memory->count, memory->capacity, "cells"));
        memory->count++;
    }
    cell.kind = time->kind;
    cell.decade = spread_class_of(time->seconds);
    memmove(&memory->cells[first + 1], &memory->cells[first],
            (place - first) * sizeof memory->cells[0]);
    memory->cells[first] = cell;
    return status_ok();
}

static Status add_times(Memory *memory, double when, const RunTime *times, size_t count) {
    for (size_t i = 0, added = 0; i < count && added < CELLS_MOST; i++) {
        if (run_possible(when, times[i].value)) {
            STATUS_TRY(find_cell(memory, &times[i], added));
            add_run(&memory->cells[added++], when, times[i].value);
        }
    }
    return status_ok();
}

/* What one writer does to the file at a time. */
typedef Status Change(Memory *memory, const void *context);

static Status change_file(const char *path, Change *change, const void *context) {
    char folder[PATH_SIZE];
    Memory memory;
    int lock = -1;
    STATUS_TRY(path_make(folder, sizeof folder, "%s", path));
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        return status_make(STATUS_FILE, "%.300s is in no folder", path);
    }
    *slash = '\0';
    STATUS_TRY(folder_lock_wait(folder, &lock));
    Status status = memory_read(path, &memory);
    STATUS_THEN(status, change(&memory, context));
    STATUS_THEN(status, memory_write(path, &memory));
    free(memory.cells);
    if (lock >= 0) {
        close(lock);
    }
    return status;
}

typedef struct Addition {
    double when;
    const RunTime *times;
    size_t count;
} Addition;

static Status add_run_times(Memory *memory, const void *context) {
    const Addition *addition = context;
    return add_times(memory, addition->when, addition->times, addition->count);
}

Status run_times_add(const char *path, double when, const RunTime *times, size_t count) {
    const Addition addition = {when, times, count};
    return count > 0 ? change_file(path, add_run_times, &addition) : status_ok();
}

static Status set_spread(Memory *memory, const void *context) {
    memory->spread = *(const LaunchSpread *)context;
    return status_ok();
}

Status launch_spread_write(const char *path, const LaunchSpread *spread) {
    return change_file(path, set_spread, spread);
}

Status launch_spread_path(const Machine *machine, char *path, size_t size) {
    return machine_file_path(machine, "spread", path, size);
}

/* === How far runs lie apart =================================================================== */

/* The least time between two runs of each distance. */
static const double distances[RUN_DISTANCES] = {
    [RUNS_MINUTES] = 0, [RUNS_HOURS] = 600, [RUNS_DAYS] = 43200};

/* A cell in two runs. */
typedef struct Pair {
    double older, newer; /* when */
    RunDistance distance;
    SpreadKind kind;
    size_t decade;
    double apart; /* logarithms */
} Pair;

static RunDistance distance_of(double seconds) {
    return seconds >= distances[RUNS_DAYS]    ? RUNS_DAYS
           : seconds >= distances[RUNS_HOURS] ? RUNS_HOURS
                                              : RUNS_MINUTES;
}

static Pair pair_of(const KnownCell *cell, const KnownRun *older, const KnownRun *newer) {
    return (Pair){.older = older->when,
                  .newer = newer->when,
                  .distance = distance_of(newer->when - older->when),
                  .kind = cell->kind,
                  .decade = cell->decade,
                  .apart = fabs(log(newer->value / older->value))};
}

/* Release them. NULL without any, or without memory. */
static Pair *all_pairs(const Memory *memory, size_t *count) {
    size_t most = 0;
    for (size_t i = 0; i < memory->count; i++) {
        most += memory->cells[i].count * (memory->cells[i].count - 1) / 2;
    }
    Pair *pairs = most > 0 ? malloc(most * sizeof *pairs) : NULL;
    *count = 0;
    for (size_t i = 0; pairs != NULL && i < memory->count; i++) {
        const KnownCell *cell = &memory->cells[i];
        for (size_t newer = 1; newer < cell->count; newer++) {
            for (size_t older = 0; older < newer; older++) {
                pairs[(*count)++] = pair_of(cell, &cell->runs[older], &cell->runs[newer]);
            }
        }
    }
    return pairs;
}

static int compare_classes(const void *a, const void *b) {
    const Pair *left = a, *right = b;
    const int distance = (int)left->distance - (int)right->distance;
    const int kind = (int)left->kind - (int)right->kind;
    return distance != 0 ? distance : kind != 0 ? kind : (int)left->decade - (int)right->decade;
}

/* Runs of these pairs that are at least `apart` seconds behind the one counted before. */
static size_t count_runs(const Pair *pairs, size_t count, double apart, double *scratch) {
    size_t runs = 0;
    double last = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        scratch[2 * i] = pairs[i].older;
        scratch[2 * i + 1] = pairs[i].newer;
    }
    qsort(scratch, 2 * count, sizeof *scratch, compare_doubles);
    for (size_t i = 0; i < 2 * count; i++) {
        if (scratch[i] > last && scratch[i] - last >= apart) {
            last = scratch[i];
            runs++;
        }
    }
    return runs;
}

static RunSpread spread_of_pairs(const Pair *pairs, size_t count, double *scratch) {
    RunSpread spread = {.pairs = count,
                        .runs = count_runs(pairs, count, distances[pairs->distance], scratch)};
    for (size_t i = 0; i < count; i++) {
        scratch[i] = pairs[i].apart;
    }
    qsort(scratch, count, sizeof *scratch, compare_doubles);
    spread.apart = quantile_sorted(scratch, count, 0.95);
    return spread;
}

static void set_runs(Pair *pairs, size_t count, double *scratch, LaunchSpread *spread) {
    qsort(pairs, count, sizeof *pairs, compare_classes);
    for (size_t from = 0, to = 0; from < count; from = to) {
        const Pair *first = &pairs[from];
        while (to < count && compare_classes(first, &pairs[to]) == 0) {
            to++;
        }
        spread->runs[first->distance][first->kind][first->decade] =
            spread_of_pairs(first, to - from, scratch);
    }
}

void launch_spread_read(const char *path, LaunchSpread *spread) {
    Memory memory;
    size_t count = 0;
    const Status status = memory_read(path, &memory);
    *spread = memory.spread;
    Pair *pairs = status_is_ok(&status) ? all_pairs(&memory, &count) : NULL;
    double *scratch = pairs != NULL ? malloc(2 * count * sizeof *scratch) : NULL;
    if (scratch != NULL) {
        set_runs(pairs, count, scratch, spread);
    }
    free(scratch);
    free(pairs);
    free(memory.cells);
}

void machine_read_spread(Machine *machine) {
    char path[PATH_SIZE];
    const Status status = launch_spread_path(machine, path, sizeof path);
    if (status_is_ok(&status)) {
        launch_spread_read(path, &machine->spread);
    }
}

/* === What they demand ========================================================================= */

double run_spread_width(const LaunchSpread *spread, SpreadKind kind, double seconds) {
    double width = 0;
    for (size_t distance = 0; distance < RUN_DISTANCES; distance++) {
        const RunSpread *runs = &spread->runs[distance][kind][spread_class_of(seconds)];
        width = fmax(width, width_of_runs(runs->runs, runs->apart));
    }
    return width;
}
