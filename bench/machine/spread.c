/* The launch-to-launch spread of this machine, as `bench selftest --launches` measures it. */

#include "machine_internal.h"
#include "spread_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "two_runs.h"

/* === Classes ================================================================================== */

/* Decades. What varies from launch to launch changes with the duration: below 10 µs the rate of
 * launches and the clock's steps, up to 1 ms where pages lie in the caches, above it what else runs
 * on the machine. */
static const double class_ends[SPREAD_CLASSES] = {1e-5, 1e-4, 1e-3, 1e-2, INFINITY};

/* A ratio of two launches beyond this is none that was measured. */
static const double value_most = 1e6;

static const char *const class_names[SPREAD_CLASSES] = {"below 10 µs", "10 to 100 µs",
                                                        "0.1 to 1 ms", "1 to 10 ms", "above 10 ms"};

/* In files, and for people. */
static const struct {
    const char *word, *name;
} kinds[SPREAD_KINDS] = {
    [SPREAD_ONE_THREAD] = {"one thread", "CPU, one thread"},
    [SPREAD_THREADS] = {"threads", "CPU, several threads"},
    [SPREAD_DEVICE] = {"device", "GPU"},
    [SPREAD_END_TO_END] = {"device end to end", "GPU, with copies"},
    [SPREAD_RATIO] = {"ratio of threads", "CPU over CPU"},
    [SPREAD_RATIO_DEVICE] = {"ratio of device", "GPU over CPU"},
    [SPREAD_RATIO_END_TO_END] = {"ratio of device end to end", "GPU over CPU, with copies"},
};

SpreadKind spread_kind_of(int threads, bool end_to_end) {
    return threads == 1  ? SPREAD_ONE_THREAD
           : threads > 1 ? SPREAD_THREADS
           : end_to_end  ? SPREAD_END_TO_END
                         : SPREAD_DEVICE;
}

SpreadKind spread_ratio_of(int threads, bool end_to_end) {
    return threads > 0 ? SPREAD_RATIO : end_to_end ? SPREAD_RATIO_END_TO_END : SPREAD_RATIO_DEVICE;
}

SpreadKind spread_kind_named(const char *word) {
    size_t kind = 0;
    while (word != NULL && kind < SPREAD_KINDS && strcmp(kinds[kind].word, word) != 0) {
        kind++;
    }
    return word != NULL ? (SpreadKind)kind : SPREAD_KINDS;
}

const char *spread_kind_word(SpreadKind kind) {
    return kinds[kind].word;
}

size_t spread_class_of(double seconds) {
    size_t decade = 0;
    while (decade + 1 < SPREAD_CLASSES && !(seconds < class_ends[decade])) {
        decade++;
    }
    return decade;
}

double spread_class_start(size_t decade) {
    return decade > 0 ? class_ends[decade - 1] : 0;
}

const char *spread_kind_name(SpreadKind kind) {
    return kinds[kind].name;
}

const char *spread_class_name(size_t decade) {
    return class_names[decade];
}

/* === Pooling ================================================================================== */

void launch_spread_add(LaunchSpread *spread, int threads, double seconds, double of_cell,
                       size_t launches) {
    if (launches < 2 || !isfinite(of_cell) || !isfinite(seconds)) {
        return;
    }
    Spread *pool = &spread->of[spread_kind_of(threads, false)][spread_class_of(seconds)];
    const double before = (double)pool->degrees;
    const double added = (double)(launches - 1);
    const double squares = before * pool->value * pool->value + added * of_cell * of_cell;
    pool->value = sqrt(squares / (before + added));
    pool->degrees += launches - 1;
    pool->cells++;
}

const Spread *launch_spread_find(const LaunchSpread *spread, int threads, double seconds) {
    const Spread *pool = &spread->of[spread_kind_of(threads, false)][spread_class_of(seconds)];
    return pool->degrees > 0 && isfinite(seconds) ? pool : NULL;
}

void launch_spread_keep(const LaunchSpread *earlier, LaunchSpread *spread) {
    for (size_t kind = 0; kind < SPREAD_KINDS; kind++) {
        for (size_t decade = 0; decade < SPREAD_CLASSES; decade++) {
            if (spread->of[kind][decade].degrees == 0) {
                spread->of[kind][decade] = earlier->of[kind][decade];
            }
        }
    }
}

/* === What a spread hides ====================================================================== */

double spread_smallest_change(double spread, double power) {
    static struct { double power, shift; } known[2]; /* few powers are asked for, each many times */
    static size_t next;
    size_t i = known[0].power == power ? 0 : 1;
    if (known[i].power != power) {
        i = next++ % 2;
        known[i].power = power;
        const Status status =
            launches_shift(SPREAD_LAUNCHES_A_SIDE, SPREAD_ALPHA, power, &known[i].shift);
        known[i].shift = status_is_ok(&status) ? known[i].shift : INFINITY;
    }
    return spread > 0 ? exp(spread * known[i].shift) - 1 : 0;
}

/* === JSON ===================================================================================== */

static bool add_spread(cJSON *list, SpreadKind kind, size_t decade, const Spread *spread) {
    cJSON *entry = json_add_object(list);
    return json_add_text(entry, "processor", kinds[kind].word) &&
           json_add_number(entry, "from_s", spread_class_start(decade)) &&
           json_add_number(entry, "below_s", class_ends[decade]) &&
           json_add_number(entry, "spread", spread->value) &&
           json_add_number(entry, "cells", (double)spread->cells) &&
           json_add_number(entry, "degrees_of_freedom", (double)spread->degrees) &&
           json_add_text(entry, "measured", spread->measured);
}

bool launch_spread_json_add(cJSON *object, const LaunchSpread *spread) {
    cJSON *list = NULL;
    bool complete = true;
    for (size_t kind = 0; kind < SPREAD_KINDS; kind++) {
        for (size_t decade = 0; decade < SPREAD_CLASSES; decade++) {
            const Spread *pool = &spread->of[kind][decade];
            if (pool->degrees > 0 && list == NULL) {
                list = cJSON_AddArrayToObject(object, "launch_spread");
            }
            complete = complete && (pool->degrees == 0 ||
                                    (list != NULL && add_spread(list, kind, decade, pool)));
        }
    }
    return complete;
}

static void read_spread(const cJSON *entry, LaunchSpread *spread) {
    const char *word = json_text(entry, "processor");
    const double from = json_number_or(entry, "from_s", NAN);
    const double value = json_number_or(entry, "spread", NAN);
    const double cells = json_number_or(entry, "cells", 0);
    const double degrees = json_number_or(entry, "degrees_of_freedom", 0);
    const SpreadKind kind = spread_kind_named(word);
    const size_t decade = spread_class_of(from);
    if (kind == SPREAD_KINDS || from != spread_class_start(decade) ||
        !(value >= 0 && value <= value_most) || !(degrees >= 1 && degrees < 1e9) ||
        !(cells >= 1 && cells < 1e9)) {
        return;
    }
    Spread *pool = &spread->of[kind][decade];
    *pool = (Spread){.value = value, .cells = (size_t)cells, .degrees = (size_t)degrees};
    json_copy_text(entry, "measured", pool->measured, sizeof pool->measured);
}

void launch_spread_json_read(const cJSON *object, LaunchSpread *spread) {
    const cJSON *entry;
    memset(spread, 0, sizeof *spread);
    cJSON_ArrayForEach(entry, cJSON_GetObjectItemCaseSensitive(object, "launch_spread")) {
        read_spread(entry, spread);
    }
}
