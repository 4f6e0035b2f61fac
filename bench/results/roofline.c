/* Ceilings of a machine, and each row's share of them. */

#include "algorithm.h"
#include "ceilings.h"
#include "number.h"
#include "results_internal.h"
#include "scaling.h"
#include "table.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ceilings_file.h"
#include "json.h"
#include "resources.h"
#include "text.h"

/* === The roof of a row ======================================================================== */

/* A row is over its roof above this fraction; below, the difference is measurement noise. */
#define ROOF_TOLERANCE 1.02

/* Size of a cache over the working set of its ceiling (Ceiling.working_set): a row whose bytes fit
 * the whole cache gets that ceiling. */
static const double cache_fill_cpu = 2.0, cache_fill_device = 4.0;

/* The memory levels, nearest first. The last one holds what fits no cache and what is cold. */
static const struct {
    const char *key, *bound; /* of its ceiling, and of what it is the roof of */
} levels[] = {{"copy_l1", "l1"}, {"copy_l2", "l2"}, {"copy_llc", "llc"}, {"copy_dram", "dram"}};

enum { LEVELS = sizeof levels / sizeof levels[0], CACHES = LEVELS - 1 };

/* LEVELS: the ceiling is none of memory. */
static size_t level_of(const Ceiling *ceiling) {
    size_t level = 0;
    while (level < LEVELS && strcmp(ceiling->key, levels[level].key) != 0) {
        level++;
    }
    return level;
}

/* The ceiling of this key with the most threads. */
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
    Ceiling ceiling = {.threads = threads, .devices = 1, .value = NAN, .working_set = NAN};
    snprintf(ceiling.key, sizeof ceiling.key, "%s", key);
    return ceiling;
}

/* The ceiling for n threads: n times the one-thread ceiling, capped at the all-threads ceiling.
 * 0 threads is a device. `value` and `working_set` are NAN when there is no such ceiling. */
static Ceiling ceiling_for_threads(const Ceilings *ceilings, const char *key, int threads) {
    const Ceiling *exact = ceilings_find(ceilings, key, threads);
    if (exact != NULL) {
        return *exact;
    }
    const Ceiling *one = ceilings_find(ceilings, key, 1);
    const Ceiling *all = find_all(ceilings, key);
    if (threads < 1 || one == NULL) {
        return no_ceiling(key, threads);
    }
    const bool beyond = threads > all->threads;
    Ceiling scaled = *one;
    scaled.threads = threads;
    scaled.value = beyond ? all->value : fmin(one->value * threads, all->value);
    scaled.working_set =
        beyond ? all->working_set : fmin(one->working_set * threads, all->working_set);
    return scaled;
}

/* On how many devices at once the ceilings of a row were measured. */
static int devices_of(const Row *row) {
    const int gpus = row_gpus(row);
    return gpus > 1 ? gpus : 1;
}

/* The ceiling that holds for a row: of its threads, or of as many devices as it used, since several
 * devices may share what one has alone. NAN as in ceiling_for_threads. */
static Ceiling ceiling_of(const Ceilings *ceilings, const char *key, const Row *row) {
    const int devices = devices_of(row);
    if (devices == 1) {
        return ceiling_for_threads(ceilings, key, row->threads);
    }
    const Ceiling *found = ceilings_find_on(ceilings, devices, key, 0);
    return found != NULL ? *found : no_ceiling(key, 0);
}

/* The ceiling of the memory level that holds a row's bytes. */
static Ceiling bandwidth_of(const Ceilings *ceilings, const Row *row) {
    const double fill = row->threads > 0 ? cache_fill_cpu : cache_fill_device;
    for (size_t i = 0; !row->cold && i < CACHES; i++) {
        const Ceiling level = ceiling_of(ceilings, levels[i].key, row);
        if (row->cost.bytes <= fill * level.working_set) {
            return level;
        }
    }
    return ceiling_of(ceilings, levels[CACHES].key, row);
}

/* What the first launch of a sample adds, by run: an empty kernel's time where the device waited
 * for it; 0 where it was held until all were queued, and on the CPU. */
static double launch_seconds(const Ceilings *ceilings, const Row *row) {
    const bool waited = row->threads == 0 && !row->held;
    const Ceiling empty =
        waited ? ceiling_of(ceilings, "empty_kernel", row) : no_ceiling("empty_kernel", 0);
    const double runs = row->batch > 1 ? (double)row->batch : 1.0;
    return isfinite(empty.value) ? empty.value / runs : 0.0;
}

/* A lower bound of a time; seconds NAN: unknown. */
typedef struct Floor {
    double seconds;
    char bound[sizeof((Row *)0)->bound];
    char name[RESULT_LABEL_SIZE];
    RoofParts parts;
} Floor;

static RoofParts parts_of(const Ceiling *ceiling) {
    RoofParts parts = {.devices = ceiling->devices};
    memcpy(parts.name, ceiling->key, sizeof parts.name);
    return parts;
}

static Floor floor_of(const Ceiling *ceiling, double work, double launch) {
    Floor floor = {.seconds = work / ceiling->value + launch, .parts = parts_of(ceiling)};
    const size_t level = level_of(ceiling);
    snprintf(floor.bound, sizeof floor.bound, "%.20s",
             level < LEVELS ? levels[level].bound : ceiling->key);
    if (work / ceiling->value < launch) {
        snprintf(floor.bound, sizeof floor.bound, "launch");
    }
    ceiling_name(ceiling, floor.name, sizeof floor.name);
    return floor;
}

static Floor floor_of_copy(const Row *copy, double bytes) {
    Floor floor = {.seconds = NAN, .bound = "copy"};
    char label[RESULT_LABEL_SIZE];
    if (copy != NULL) {
        floor.seconds = bytes * copy->kernel_summary.median / copy->cost.bytes;
        floor.parts.copy = true;
        snprintf(floor.parts.name, sizeof floor.parts.name, "%s", copy->variant->name);
        variant_label(copy->variant, &copy->tuning, label, sizeof label);
        snprintf(floor.name, sizeof floor.name, "%s/%.*s", copy->algorithm->name,
                 RESULT_LABEL_SIZE - 32, label);
    }
    return floor;
}

/* A run is at least one kernel, and kernels that are queued start no faster than this. */
static Floor floor_of_launch(const Ceilings *ceilings, const Row *row) {
    const Ceiling launch =
        row->held ? ceiling_of(ceilings, "launch", row) : no_ceiling("launch", 0);
    Floor floor = {.seconds = launch.value, .bound = "launch", .parts = parts_of(&launch)};
    ceiling_name(&launch, floor.name, sizeof floor.name);
    return floor;
}

static Floor longer(Floor a, Floor b) {
    return !isfinite(a.seconds) || b.seconds > a.seconds ? b : a;
}

void row_roof_derive(const Ceilings *ceilings, const Row *copy, Row *row) {
    const char *operation = row->cost.operation != NULL ? row->cost.operation : "int32";
    const Ceiling bandwidth = bandwidth_of(ceilings, row);
    const Ceiling rate = ceiling_of(ceilings, operation, row);
    const double launch = launch_seconds(ceilings, row);
    const Floor level = floor_of(&bandwidth, row->cost.bytes, launch);
    const Floor copied = floor_of_copy(copy, row->cost.bytes);
    const Floor operations = floor_of(&rate, row->cost.operations, launch);
    const bool copy_is_faster = !(level.seconds <= copied.seconds) && isfinite(copied.seconds);
    row->ceiling_bandwidth = copy_is_faster ? row->cost.bytes / copied.seconds : bandwidth.value;
    row->ceiling_operations = rate.value;
    const Floor bytes = copy_is_faster ? copied : level;
    const Floor roof = longer(longer(bytes, operations), floor_of_launch(ceilings, row));
    if (!isfinite(roof.seconds)) {
        return;
    }
    snprintf(row->roof, sizeof row->roof, "%s", roof.name);
    snprintf(row->bound, sizeof row->bound, "%s", roof.bound);
    row->roof_parts = roof.parts;
    row->roof_seconds = roof.seconds;
    row->roof_fraction = roof.seconds / row->kernel_summary.median;
    row->over_roof = row->roof_fraction > ROOF_TOLERANCE;
}

void row_roof_clear(Row *row) {
    row->roof[0] = row->bound[0] = '\0';
    row->roof_parts = (RoofParts){.copy = false};
    row->roof_seconds = row->roof_fraction = NAN;
    row->ceiling_bandwidth = row->ceiling_operations = NAN;
    row->over_roof = false;
}

/* === Ceilings as JSON ========================================================================= */

/* How a kind of ceiling is written: in JSON, and for people in a unit of `size`. */
static const struct {
    const char *word, *unit;
    const char *name;
    double size;
} kinds[] = {
    [CEILING_BANDWIDTH] = {"bandwidth", "bytes/s", "GB/s", 1e9},
    [CEILING_OPERATIONS] = {"operations", "operations/s", "Gop/s", 1e9},
    [CEILING_TIME] = {"time", "s", "µs", 1e-6},
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static bool add_one(cJSON *list, const Ceiling *ceiling) {
    cJSON *entry = json_add_object(list);
    return json_add_text(entry, "key", ceiling->key) &&
           json_add_text(entry, "kind", kinds[ceiling->kind].word) &&
           json_add_number(entry, "threads", ceiling->threads) &&
           (ceiling->devices == 1 || json_add_number(entry, "devices", ceiling->devices)) &&
           json_add_number(entry, "value", ceiling->value) &&
           json_add_text(entry, "unit", kinds[ceiling->kind].unit) &&
           (ceiling->working_set <= 0.0 ||
            json_add_number(entry, "working_set_bytes", ceiling->working_set));
}

bool ceilings_json_add(cJSON *object, const Ceilings *ceilings) {
    cJSON *list = cJSON_AddArrayToObject(object, "ceilings");
    bool complete = list != NULL;
    for (size_t i = 0; complete && i < ceilings->count; i++) {
        complete = add_one(list, &ceilings->list[i]);
    }
    return complete;
}

static bool read_one(const cJSON *entry, Ceilings *ceilings) {
    const char *key = json_text(entry, "key"), *word = json_text(entry, "kind");
    const double threads = json_number_or(entry, "threads", NAN);
    const bool several = cJSON_HasObjectItem(entry, "devices");
    const double devices = json_number_or(entry, "devices", several ? NAN : 1);
    const double value = json_number_or(entry, "value", NAN);
    const bool sized = cJSON_HasObjectItem(entry, "working_set_bytes");
    const double set = json_number_or(entry, "working_set_bytes", sized ? NAN : 0);
    int kind = 0;
    while (word != NULL && kind < KIND_COUNT && strcmp(kinds[kind].word, word) != 0) {
        kind++;
    }
    if (key == NULL || key[0] == '\0' || strlen(key) >= CEILING_KEY_SIZE || word == NULL ||
        kind == KIND_COUNT || !(threads >= 0 && threads <= INT_MAX) ||
        !(devices >= 1 && devices <= INT_MAX) || !isfinite(value) || !(value > 0) || isnan(set)) {
        return false;
    }
    ceilings_add_on(ceilings, (int)devices, key, (CeilingKind)kind, (int)threads, value, set);
    return true;
}

bool ceilings_json_read(const cJSON *object, Ceilings *ceilings) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "ceilings");
    bool complete = cJSON_IsArray(list);
    *ceilings = (Ceilings){.count = 0};
    const cJSON *entry;
    cJSON_ArrayForEach(entry, list) {
        complete = read_one(entry, ceilings) && complete;
    }
    return complete;
}

/* === The file of ceilings ===================================================================== */

/* Of the format and of the measurement: ceilings of an earlier method cannot be compared. */
static const double file_version = 3;

enum { FILE_SIZE_MAX = 1 << 20 };

/* --- Contradictions --------------------------------------------------------------------------- */

/* Tolerances. Threads that share a saturated resource reach a little less than one thread alone. A
 * higher clock with all threads, or a last cache level that is hardly faster than memory, gives a
 * little more. Larger deviations mean that another program was running. */
static const double least_of_one = 0.8;
static const double most_of_share = 1.5;
static const double most_of_nearer = 1.5;

enum { CEILING_TEXT_SIZE = 48 };

static bool several_contradict_one(const Ceiling *several, const Ceiling *one, char *why,
                                   size_t size) {
    const bool below = several->value < least_of_one * one->value;
    const bool above = several->value > most_of_share * several->threads * one->value;
    char left[CEILING_TEXT_SIZE], right[CEILING_TEXT_SIZE];
    if (!below && !above) {
        return false;
    }
    ceiling_text(several, left, sizeof left);
    ceiling_text(one, right, sizeof right);
    snprintf(why, size, "%s is %s on %d threads and %s on one", several->key, left,
             several->threads, right);
    return true;
}

static bool is_above_nearer(const Ceilings *ceilings, const Ceiling *ceiling, char *why,
                            size_t size) {
    const size_t level = level_of(ceiling);
    for (size_t i = 0; level < LEVELS && i < level; i++) {
        const Ceiling *nearer =
            ceilings_find_on(ceilings, ceiling->devices, levels[i].key, ceiling->threads);
        if (nearer != NULL && ceiling->value > most_of_nearer * nearer->value) {
            char left[CEILING_TEXT_SIZE], right[CEILING_TEXT_SIZE];
            ceiling_text(ceiling, left, sizeof left);
            ceiling_text(nearer, right, sizeof right);
            snprintf(why, size, "%s is %s and %s %s", ceiling->key, left, nearer->key, right);
            return true;
        }
    }
    return false;
}

/* Devices choose their own way for an all-reduce: four may leave out the slow link that two have.
 */
static bool is_all_reduce(const Ceiling *ceiling) {
    return strncmp(ceiling->key, "allreduce", 9) == 0;
}

/*
 * The first `fewer` devices do the same beside the others, and the slowest of all counts: each
 * device is no faster than among fewer. How much slower says nothing: they may share a link to the
 * host, and the others may be slower ones.
 */
static bool more_devices_contradict(const Ceiling *more, const Ceiling *fewer, char *why,
                                    size_t size) {
    const bool alike = more->kind == fewer->kind && more->threads == fewer->threads &&
                       strcmp(more->key, fewer->key) == 0 && !is_all_reduce(more);
    const double ratio = more->kind == CEILING_TIME
                             ? fewer->value / more->value
                             : more->value / more->devices / (fewer->value / fewer->devices);
    char left[CEILING_TEXT_SIZE], right[CEILING_TEXT_SIZE];
    if (!alike || more->devices <= fewer->devices || !(ratio > most_of_share)) {
        return false;
    }
    ceiling_text(more, left, sizeof left);
    ceiling_text(fewer, right, sizeof right);
    snprintf(why, size, "%s is %s on %d devices and %s on %d", more->key, left, more->devices,
             right, fewer->devices);
    return true;
}

static bool contradicts_fewer(const Ceilings *ceilings, const Ceiling *more, char *why,
                              size_t size) {
    for (size_t i = 0; more->devices > 1 && i < ceilings->count; i++) {
        if (more_devices_contradict(more, &ceilings->list[i], why, size)) {
            return true;
        }
    }
    return false;
}

bool ceilings_contradict(const Ceilings *ceilings, char *why, size_t size) {
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        const Ceiling *one = ceilings_find(ceilings, ceiling->key, 1);
        if (ceiling->threads > 1 && one != NULL &&
            several_contradict_one(ceiling, one, why, size)) {
            return true;
        }
        if (is_above_nearer(ceilings, ceiling, why, size) ||
            contradicts_fewer(ceilings, ceiling, why, size)) {
            return true;
        }
    }
    return false;
}

/* --- Reading and writing ---------------------------------------------------------------------- */

Status ceilings_file_write(const char *path, const char *identity, int64_t measured,
                           const Ceilings *ceilings) {
    cJSON *root = cJSON_CreateObject();
    const bool complete = json_add_number(root, "version", file_version) &&
                          cJSON_AddStringToObject(root, "identity", identity) != NULL &&
                          json_add_number(root, "measured_unix_s", (double)measured) &&
                          ceilings_json_add(root, ceilings);
    return json_file_write(path, json_whole(root, complete));
}

/* Of a line "key=value". */
static const char *line_value(const char *line) {
    const size_t key = strcspn(line, "=\n");
    return line + key + (line[key] == '=');
}

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return line + (line[0] == '\n');
}

/* The value that `lines` have for the key of `line`; NULL: none. */
static const char *find_value(const char *lines, const char *line) {
    const size_t key = strcspn(line, "=\n") + 1;
    while (lines[0] != '\0' && strncmp(lines, line, key) != 0) {
        lines = next_line(lines);
    }
    return lines[0] != '\0' ? line_value(lines) : NULL;
}

/* The longest part of a fact that a message has, and the most facts. */
enum { FACT_SHOWN = 40, FACTS_SHOWN = 3 };

static void append_value(const char *value, char *text, size_t size) {
    const char *shown = value != NULL ? value : "unknown";
    const size_t length = strcspn(shown, "\n");
    text_append(text, size, "%.*s%s", length > FACT_SHOWN ? FACT_SHOWN : (int)length, shown,
                length > FACT_SHOWN ? "..." : "");
}

static bool same_value(const char *a, const char *b) {
    const size_t length = strcspn(a, "\n");
    return length == strcspn(b, "\n") && strncmp(a, b, length) == 0;
}

/* Appends the facts of `lines` whose value in `others` is another one, or that are missing there.
 * `only_missing`: those alone. Returns how many there are now. */
static size_t append_differences(const char *lines, const char *others, bool only_missing,
                                 size_t count, char *text, size_t size) {
    while (lines[0] != '\0') {
        const char *other = find_value(others, lines);
        const char *own = line_value(lines);
        if (other == NULL || (!only_missing && !same_value(own, other))) {
            if (count < FACTS_SHOWN) {
                text_append(text, size, "%s%.*s changed from ", count > 0 ? ", " : "",
                            (int)strcspn(lines, "=\n"), lines);
                append_value(only_missing ? own : other, text, size);
                text_append(text, size, " to ");
                append_value(only_missing ? other : own, text, size);
            }
            count++;
        }
        lines = next_line(lines);
    }
    return count;
}

/* Whether facts changed; `text` names the first of them. */
static bool identity_changed(const char *before, const char *now, char *text, size_t size) {
    text[0] = '\0';
    size_t count = append_differences(now, before, false, 0, text, size);
    count = append_differences(before, now, true, count, text, size);
    if (count > FACTS_SHOWN) {
        text_append(text, size, " and %zu more", count - FACTS_SHOWN);
    }
    return count > 0;
}

/* Goes on from "the stored ceilings ". */
static Status document_check(const cJSON *root, const char *identity, int64_t earliest,
                             int64_t latest, Ceilings *ceilings) {
    const double measured = json_number_or(root, "measured_unix_s", NAN);
    const char *stored = json_text(root, "identity");
    char why[STATUS_WHY_SIZE - 32];
    if (json_number_or(root, "version", NAN) != file_version || stored == NULL) {
        return status_make(STATUS_FILE, "are of another version of the file");
    }
    if (identity_changed(stored, identity, why, sizeof why)) {
        return status_make(STATUS_FILE, "are older than a change: %s", why);
    }
    if (!(measured >= (double)earliest && measured <= (double)latest)) {
        return status_make(STATUS_FILE, "are too old");
    }
    if (!ceilings_json_read(root, ceilings) || ceilings->count == 0) {
        return status_make(STATUS_FILE, "are damaged");
    }
    if (ceilings_contradict(ceilings, why, sizeof why)) {
        return status_make(STATUS_FILE, "contradict each other: %s", why);
    }
    return status_ok();
}

Status ceilings_file_read(const char *path, const char *identity, int64_t earliest, int64_t latest,
                          Ceilings *ceilings) {
    cJSON *root = NULL;
    Status status = json_file_read(path, "a file of ceilings", FILE_SIZE_MAX, &root);
    if (status_is_ok(&status)) {
        status = document_check(root, identity, earliest, latest, ceilings);
    } else {
        status = status_make(STATUS_FILE, "cannot be read");
    }
    cJSON_Delete(root);
    if (!status_is_ok(&status)) {
        *ceilings = (Ceilings){.count = 0};
    }
    return status;
}

/* === Ceilings for people ====================================================================== */

static void value_text(const Ceiling *ceiling, char text[SIGNIFICANT_SIZE]) {
    const double value = ceiling->value / kinds[ceiling->kind].size;
    measured_text(value, value < 100 ? 3 : 4, text);
}

void ceiling_name(const Ceiling *ceiling, char *name, size_t size) {
    snprintf(name, size, "%s", ceiling->key);
    if (ceiling->threads > 0) {
        text_append(name, size, "/threads:%d", ceiling->threads);
    } else if (ceiling->devices > 1) {
        text_append(name, size, "/gpus:%d", ceiling->devices);
    }
}

void ceiling_text(const Ceiling *ceiling, char *text, size_t size) {
    char value[SIGNIFICANT_SIZE];
    value_text(ceiling, value);
    snprintf(text, size, "%.30s %s", value, kinds[ceiling->kind].name);
}

static void add_ceiling(TextTable *table, const Ceiling *ceiling) {
    char text[NUMBER_WORDS_SIZE];
    text_table_put(table, "%s", ceiling->key);
    if (ceiling->threads > 0) {
        text_table_put(table, "%d", ceiling->threads);
    } else {
        text_table_skip(table);
    }
    value_text(ceiling, text);
    text_table_put(table, "%s", text);
    text_table_put(table, "%s", kinds[ceiling->kind].name);
    text[0] = '\0';
    if (ceiling->working_set > 0.0) {
        bytes_text((uint64_t)ceiling->working_set, text, sizeof text);
    }
    text_table_put(table, "%s", text);
}

/* Those of the CPU and of one device. */
static Status print_single(FILE *stream, const Ceilings *ceilings) {
    TextTable table = TEXT_TABLE(WORDS("ceiling"), NUMBERS("threads"), NUMBERS("value"),
                                 WORDS("unit"), NUMBERS("working set"));
    for (size_t i = 0; i < ceilings->count; i++) {
        if (ceilings->list[i].devices == 1) {
            add_ceiling(&table, &ceilings->list[i]);
        }
    }
    return text_table_end(&table, stream, table_print);
}

enum { DEVICE_COUNTS_MAX = 8 };

/* The numbers of devices that there are ceilings of, ascending, 1 among them. */
static size_t list_devices(const Ceilings *ceilings, int counts[DEVICE_COUNTS_MAX]) {
    size_t used = 0;
    counts[used++] = 1;
    for (size_t i = 0; i < ceilings->count; i++) {
        const int devices = ceilings->list[i].devices;
        size_t at = used;
        while (at > 0 && counts[at - 1] > devices) {
            at--;
        }
        if (counts[at > 0 ? at - 1 : 0] != devices && used < DEVICE_COUNTS_MAX) {
            memmove(&counts[at + 1], &counts[at], (used - at) * sizeof *counts);
            counts[at] = devices;
            used++;
        }
    }
    return used;
}

/* Whether no ceiling of several devices before this one has its key. */
static bool is_first_of_key(const Ceilings *ceilings, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (ceilings->list[i].devices > 1 &&
            strcmp(ceilings->list[i].key, ceilings->list[index].key) == 0) {
            return false;
        }
    }
    return ceilings->list[index].devices > 1;
}

static void add_counts(TextTable *table, const Ceilings *ceilings, const Ceiling *ceiling,
                       const int *counts, size_t count) {
    text_table_put(table, "%s", ceiling->key);
    for (size_t i = 0; i < count; i++) {
        const Ceiling *of = ceilings_find_on(ceilings, counts[i], ceiling->key, 0);
        char text[NUMBER_WORDS_SIZE];
        if (of != NULL) {
            value_text(of, text);
            text_table_put(table, "%s", text);
        } else {
            text_table_skip(table);
        }
    }
    text_table_put(table, "%s", kinds[ceiling->kind].name);
}

static bool has_all_reduce(const Ceilings *ceilings) {
    for (size_t i = 0; i < ceilings->count; i++) {
        if (is_all_reduce(&ceilings->list[i])) {
            return true;
        }
    }
    return false;
}

/* A row for each key, a column for each number of devices. */
static Status print_several(FILE *stream, const Ceilings *ceilings, const int *counts,
                            size_t count) {
    DocColumn columns[DEVICE_COUNTS_MAX + 2] = {{.title = "devices at the same time"}};
    char titles[DEVICE_COUNTS_MAX][16];
    for (size_t i = 0; i < count; i++) {
        snprintf(titles[i], sizeof titles[i], "%d", counts[i]);
        columns[i + 1] = (DocColumn){.title = titles[i], .numeric = true};
    }
    columns[count + 1] = (DocColumn){.title = "unit"};
    TextTable table = text_table_start(columns, count + 2);
    for (size_t i = 0; i < ceilings->count; i++) {
        if (is_first_of_key(ceilings, i)) {
            add_counts(&table, ceilings, &ceilings->list[i], counts, count);
        }
    }
    fputc('\n', stream);
    STATUS_TRY(text_table_end(&table, stream, table_print));
    if (!has_all_reduce(ceilings)) {
        fputs("No all-reduce: NCCL could not be used when these were measured.\n", stream);
    }
    return status_ok();
}

Status ceilings_print(FILE *stream, const Ceilings *ceilings) {
    int counts[DEVICE_COUNTS_MAX];
    const size_t count = list_devices(ceilings, counts);
    STATUS_TRY(print_single(stream, ceilings));
    return count > 1 ? print_several(stream, ceilings, counts, count) : status_ok();
}

Status ceilings_print_json(FILE *stream, const Ceilings *ceilings) {
    cJSON *root = cJSON_CreateObject();
    const bool complete = ceilings_json_add(root, ceilings);
    return json_print(stream, json_whole(root, complete), "the list of ceilings");
}
