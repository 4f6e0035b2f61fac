#include "row_roof.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A cache is measured on this part of it, so that what else is in it does not push the data out:
 * what fits the whole cache is held against it. The ceilings of processor and device say so. */
static const double cache_fill_cpu = 2.0, cache_fill_device = 4.0;

/* Nearest first. What fits none of the caches, or is cold, is in memory. */
static const char *const cache_keys[] = {"copy_l1", "copy_l2", "copy_llc"};
static const char *const memory_key = "copy_dram";

/* The ceiling of the most threads. */
static const Ceiling *find_all(const Ceilings *ceilings, const char *key) {
    const Ceiling *all = NULL;
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        if (strcmp(ceiling->key, key) == 0 && ceiling->threads > 0 &&
            (all == NULL || ceiling->threads > all->threads)) {
            all = ceiling;
        }
    }
    return all;
}

static Ceiling no_ceiling(const char *key, int threads) {
    Ceiling ceiling = {.threads = threads, .value = NAN, .working_set = NAN};
    snprintf(ceiling.key, sizeof ceiling.key, "%s", key);
    return ceiling;
}

Ceiling ceiling_for_threads(const Ceilings *ceilings, const char *key, int threads) {
    const Ceiling *exact = ceilings_find(ceilings, key, threads);
    if (exact != NULL) {
        return *exact;
    }
    const Ceiling *one = ceilings_find(ceilings, key, 1);
    const Ceiling *all = find_all(ceilings, key);
    if (threads < 1 || one == NULL) {
        return no_ceiling(key, threads);
    }
    Ceiling between = *one;
    between.threads = threads;
    between.value = fmin(one->value * threads, all->value);
    between.working_set = fmin(one->working_set * threads, all->working_set);
    if (threads > all->threads) {
        between.value = all->value;
        between.working_set = all->working_set;
    }
    return between;
}

/* The level that a row's bytes come from. */
static Ceiling bandwidth_of(const Ceilings *ceilings, const Row *row) {
    const double fill = row->threads > 0 ? cache_fill_cpu : cache_fill_device;
    for (size_t i = 0; !row->cold && i < sizeof cache_keys / sizeof cache_keys[0]; i++) {
        const Ceiling level = ceiling_for_threads(ceilings, cache_keys[i], row->threads);
        if (row->cost.bytes <= fill * level.working_set) {
            return level;
        }
    }
    return ceiling_for_threads(ceilings, memory_key, row->threads);
}

/* From the start of a device's work to its end there is at least an empty kernel, once for all the
 * runs of a sample. */
static double launch_seconds(const Ceilings *ceilings, const Row *row) {
    const Ceiling *empty = row->threads == 0 ? ceilings_find(ceilings, "empty_kernel", 0) : NULL;
    const double runs = row->batch > 1 ? (double)row->batch : 1.0;
    return empty != NULL ? empty->value / runs : 0.0;
}

/* A time that something takes at least; NAN seconds: not known. */
typedef struct Floor {
    double seconds;
    char bound[sizeof((Row *)0)->bound];
    char name[RESULT_LABEL_SIZE];
} Floor;

static Floor floor_of(const Ceiling *ceiling, double work, double launch) {
    Floor floor = {.seconds = work / ceiling->value + launch};
    const char *key = ceiling->key;
    snprintf(floor.bound, sizeof floor.bound, "%.20s",
             strncmp(key, "copy_", 5) == 0 ? key + 5 : key);
    if (work / ceiling->value < launch) {
        snprintf(floor.bound, sizeof floor.bound, "launch");
    }
    if (ceiling->threads > 0) {
        snprintf(floor.name, sizeof floor.name, "%s/threads:%d", key, ceiling->threads);
    } else {
        snprintf(floor.name, sizeof floor.name, "%s", key);
    }
    return floor;
}

static Floor floor_of_copy(const Row *copy, double bytes) {
    Floor floor = {.seconds = NAN, .bound = "copy"};
    char label[RESULT_LABEL_SIZE];
    if (copy != NULL) {
        floor.seconds = bytes * copy->kernel_summary.median / copy->cost.bytes;
        variant_label(copy->variant, &copy->tuning, label, sizeof label);
        snprintf(floor.name, sizeof floor.name, "%s/%.*s", copy->algorithm->name,
                 RESULT_LABEL_SIZE - 32, label);
    }
    return floor;
}

void row_roof_derive(const Ceilings *ceilings, const Row *copy, Row *row) {
    const char *operation = row->cost.operation != NULL ? row->cost.operation : "int32";
    const Ceiling bandwidth = bandwidth_of(ceilings, row);
    const Ceiling rate = ceiling_for_threads(ceilings, operation, row->threads);
    const double launch = launch_seconds(ceilings, row);
    const Floor level = floor_of(&bandwidth, row->cost.bytes, launch);
    const Floor copied = floor_of_copy(copy, row->cost.bytes);
    const Floor operations = floor_of(&rate, row->cost.operations, launch);
    const bool copy_is_faster = !(level.seconds <= copied.seconds) && isfinite(copied.seconds);
    row->ceiling_bandwidth = copy_is_faster ? row->cost.bytes / copied.seconds : bandwidth.value;
    row->ceiling_operations = rate.value;
    Floor roof = copy_is_faster ? copied : level;
    if (!isfinite(roof.seconds) || operations.seconds > roof.seconds) {
        roof = operations;
    }
    if (!isfinite(roof.seconds)) {
        return;
    }
    snprintf(row->roof, sizeof row->roof, "%s", roof.name);
    snprintf(row->bound, sizeof row->bound, "%s", roof.bound);
    row->roof_seconds = roof.seconds;
    row->roof_fraction = roof.seconds / row->kernel_summary.median;
    row->over_roof = row->roof_fraction > ROOF_TOLERANCE;
}

void row_roof_clear(Row *row) {
    row->roof[0] = row->bound[0] = '\0';
    row->roof_seconds = row->roof_fraction = NAN;
    row->ceiling_bandwidth = row->ceiling_operations = NAN;
    row->over_roof = false;
}
