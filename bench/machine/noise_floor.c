/* The noise floor of this machine, as `bench selftest` stores it. */

#include "machine_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "files.h"
#include "fnv.h"

enum { PATH_SIZE = 4096, FILE_SIZE_MAX = 1 << 20 };

/* The facts that identify a machine as far as noise goes. */
static const char *const identity_keys[] = {"host_name", "cpu_model", "cpu_count", "gpu_model"};

static uint64_t hash_text(uint64_t hash, const char *text) {
    return fnv_bytes(fnv_bytes(hash, text, strlen(text)), "\n", 1);
}

static uint64_t fingerprint(const Machine *machine) {
    uint64_t hash = FNV_START;
    for (size_t i = 0; i < sizeof identity_keys / sizeof identity_keys[0]; i++) {
        const Fact *fact = machine_fact(machine, identity_keys[i]);
        char number[32] = "";
        if (fact != NULL && fact->kind == FACT_NUMBER) {
            snprintf(number, sizeof number, "%.17g", fact->number);
        }
        hash = hash_text(hash, fact != NULL && fact->kind == FACT_TEXT ? fact->text : number);
    }
    return hash;
}

Status noise_floor_path(const Machine *machine, char *path, size_t size) {
    char folder[PATH_SIZE];
    STATUS_TRY(cache_folder(folder, sizeof folder));
    return path_make(path, size, "%s/noise-%016" PRIx64 ".json", folder, fingerprint(machine));
}

double noise_floor_of(const NoiseCell *cells, size_t count) {
    double greatest = 0;
    for (size_t i = 0; i < count; i++) {
        greatest = fmax(greatest, cells[i].floor);
    }
    return greatest;
}

/* --- The file -------------------------------------------------------------------------------- */

static bool add_cell(cJSON *list, const NoiseCell *cell) {
    cJSON *entry = cJSON_CreateObject();
    if (!cJSON_AddItemToArray(list, entry)) {
        cJSON_Delete(entry);
        return false;
    }
    bool complete = cJSON_AddStringToObject(entry, "name", cell->name) != NULL;
    complete &= cJSON_AddNumberToObject(entry, "pairs", (double)cell->pairs) != NULL;
    complete &=
        cJSON_AddNumberToObject(entry, "excluding_one", (double)cell->excluding_one) != NULL;
    complete &=
        cJSON_AddNumberToObject(entry, "beyond_threshold", (double)cell->beyond_threshold) != NULL;
    complete &= cJSON_AddNumberToObject(entry, "typical", cell->typical) != NULL;
    complete &= cJSON_AddNumberToObject(entry, "noise_floor", cell->floor) != NULL;
    return complete;
}

static char *document(const char *measured, double threshold, const NoiseCell *cells,
                      size_t count) {
    cJSON *root = cJSON_CreateObject();
    bool complete = cJSON_AddNumberToObject(root, "noise_floor", noise_floor_of(cells, count)) &&
                    cJSON_AddStringToObject(root, "measured", measured) &&
                    cJSON_AddNumberToObject(root, "threshold", threshold);
    cJSON *list = cJSON_AddArrayToObject(root, "cells");
    complete = complete && list != NULL;
    for (size_t i = 0; complete && i < count; i++) {
        complete = add_cell(list, &cells[i]);
    }
    char *text = complete ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}

Status noise_floor_write(const char *path, const char *measured, double threshold,
                         const NoiseCell *cells, size_t count) {
    AtomicFile file = {.stream = NULL};
    char *text = document(measured, threshold, cells, count);
    if (text == NULL) {
        return status_no_memory("to write %.200s", path);
    }
    Status status = folder_make_for(path);
    if (status_is_ok(&status)) {
        status = atomic_file_open(&file, path);
    }
    if (status_is_ok(&status)) {
        visible_json_write(file.stream, text);
        fputc('\n', file.stream);
        status = atomic_file_commit(&file);
    }
    cJSON_free(text);
    return status;
}

double noise_floor_read(const char *path) {
    char *text;
    size_t length;
    const Status status = file_text_read(path, "a noise floor", FILE_SIZE_MAX, &text, &length);
    if (!status_is_ok(&status)) {
        return NAN;
    }
    cJSON *root = cJSON_ParseWithLength(text, length);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, "noise_floor");
    const double number = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    cJSON_Delete(root);
    free(text);
    return number >= 0 && isfinite(number) ? number : NAN;
}

void machine_read_noise(Machine *machine) {
    char path[PATH_SIZE];
    const Status status = noise_floor_path(machine, path, sizeof path);
    if (status_is_ok(&status)) {
        machine_add_number(machine, "noise_floor", noise_floor_read(path), false);
    }
}
