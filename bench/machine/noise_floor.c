/* The noise floor of this machine, as `bench selftest` stores it. */

#include "noise_floor.h"
#include "machine_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"
#include "json.h"
#include "paths.h"

enum { PATH_SIZE = 4096, FILE_SIZE_MAX = 1 << 20 };

/* The facts that identify a machine as far as noise goes. */
static const char *const identity_keys[] = {fact_host_name, fact_cpu_model, fact_cpu_count,
                                            fact_gpu_model};

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

Status machine_file_path(const Machine *machine, const char *what, char *path, size_t size) {
    char folder[PATH_SIZE];
    STATUS_TRY(cache_folder(folder, sizeof folder));
    return path_make(path, size, "%s/%s-%016" PRIx64 ".json", folder, what, fingerprint(machine));
}

Status noise_floor_path(const Machine *machine, char *path, size_t size) {
    return machine_file_path(machine, "noise", path, size);
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
    cJSON *entry = json_add_object(list);
    return cJSON_AddStringToObject(entry, "name", cell->name) != NULL &&
           json_add_number(entry, "pairs", (double)cell->pairs) &&
           json_add_number(entry, "excluding_one", (double)cell->excluding_one) &&
           json_add_number(entry, "beyond_threshold", (double)cell->beyond_threshold) &&
           json_add_number(entry, "typical", cell->typical) &&
           json_add_number(entry, "noise_floor", cell->floor);
}

static bool fill(cJSON *root, const char *measured, double threshold, const NoiseCell *cells,
                 size_t count) {
    bool complete = json_add_number(root, "noise_floor", noise_floor_of(cells, count)) &&
                    json_add_text(root, "measured", measured) &&
                    json_add_number(root, "threshold", threshold);
    cJSON *list = cJSON_AddArrayToObject(root, "cells");
    complete = complete && list != NULL;
    for (size_t i = 0; complete && i < count; i++) {
        complete = add_cell(list, &cells[i]);
    }
    return complete;
}

Status noise_floor_write(const char *path, const char *measured, double threshold,
                         const NoiseCell *cells, size_t count) {
    STATUS_TRY(folder_make_for(path));
    cJSON *root = cJSON_CreateObject();
    const bool complete = fill(root, measured, threshold, cells, count);
    return json_file_write(path, json_whole(root, complete));
}

double noise_floor_read(const char *path) {
    cJSON *root;
    const Status status = json_file_read(path, "a noise floor", FILE_SIZE_MAX, &root);
    const double number =
        status_is_ok(&status) ? json_number_or(root, "noise_floor", NAN) : (double)NAN;
    cJSON_Delete(root);
    return number >= 0 && isfinite(number) ? number : NAN;
}

void machine_read_noise(Machine *machine) {
    char path[PATH_SIZE];
    const Status status = noise_floor_path(machine, path, sizeof path);
    if (status_is_ok(&status)) {
        machine_add_number(machine, fact_noise_floor, noise_floor_read(path), false);
    }
}
