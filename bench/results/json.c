/* results.json: writing and reading a run. */

#include "algorithm.h"
#include "command_line.h"
#include "journal.h"
#include "number.h"
#include "results_internal.h"
#include "spread_files.h"
#include "stored_run.h"
#include "variant.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_info.h"
#include "files.h"
#include "json.h"
#include "paths.h"
#include "run_options.h"
#include "utf8.h"

/* === Row json read ============================================================================ */

typedef enum RowRead {
    ROW_READ,    /* the row is filled and owns its samples */
    ROW_LAUNCH,  /* of a launch behind the first: there is no row */
    ROW_UNKNOWN, /* of an algorithm, variant or axis that does not exist here */
    ROW_INVALID  /* a key is missing or not valid; the reader has it */
} RowRead;

/* Keeps the first wrong key, for the message. */
typedef struct Reader {
    const cJSON *object;
    Strangers *strangers; /* NULL: none */
    const char *wrong;    /* NULL while everything was right */
    const char *why;      /* a clause; NULL: it is absent or of another type */
} Reader;

static void reject_for(Reader *reader, const char *key, const char *why) {
    if (reader->wrong == NULL) {
        reader->wrong = key;
        reader->why = why;
    }
}

static void reject(Reader *reader, const char *key) {
    reject_for(reader, key, NULL);
}

static double read_number(Reader *reader, const char *key, double fallback) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(reader->object, key);
    if (item == NULL) {
        return fallback;
    }
    if (!cJSON_IsNumber(item)) {
        reject(reader, key);
        return fallback;
    }
    return item->valuedouble;
}

/* NULL, with the key rejected, when there is no such text. */
static const char *read_text(Reader *reader, const char *key) {
    const char *text = json_text(reader->object, key);
    if (text == NULL) {
        reject(reader, key);
    }
    return text;
}

void samples_turns_key(const char *key, char name[64]) {
    const char *end = strstr(key, "_samples_");
    snprintf(name, 64, "%.*s_turns", end != NULL ? (int)(end - key) : 0, key);
}

/* One of three whole numbers, from 0 on. */
static bool is_turn(const cJSON *turn) {
    for (int i = 0; i < 3; i++) {
        const cJSON *item = cJSON_GetArrayItem(turn, i);
        const double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
        if (!(number >= 0 && number < 1e9 && number == floor(number))) {
            return false;
        }
    }
    return cJSON_GetArraySize(turn) == 3;
}

/* Fills the origins from a list of [launch, turn, samples]; absent in files of earlier versions.
 * False where the list does not fit the samples. */
static bool read_turns(const cJSON *list, Samples *samples) {
    size_t next = 0;
    SampleOrigin before = {0, 0};
    const cJSON *turn;
    cJSON_ArrayForEach(turn, list) {
        if (!is_turn(turn)) {
            return false;
        }
        const SampleOrigin origin = {(uint32_t)cJSON_GetArrayItem(turn, 0)->valuedouble,
                                     (uint32_t)cJSON_GetArrayItem(turn, 1)->valuedouble};
        const double count = cJSON_GetArrayItem(turn, 2)->valuedouble;
        if (origin.launch >= LAUNCHES_MAX || origin.launch < before.launch ||
            !(count <= (double)(samples->count - next))) {
            return false;
        }
        for (size_t i = 0; i < (size_t)count; i++) {
            samples->origins[next++] = origin;
        }
        before = origin;
    }
    return next == samples->count;
}

/* Appends the samples of an entry, and their turns if it has them. NULL, or why they are not valid:
 * a clause. */
static const char *samples_json_read(const cJSON *object, const char *key, Samples *samples) {
    char turns[64];
    samples_turns_key(key, turns);
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, key);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, turns);
    if (!cJSON_IsArray(array)) {
        return "it is a list of times";
    }
    const cJSON *item;
    cJSON_ArrayForEach(item, array) {
        if (!cJSON_IsNumber(item) || !seconds_possible(item->valuedouble)) {
            return seconds_words;
        }
        const Status status = samples_add(samples, item->valuedouble);
        if (!status_is_ok(&status)) {
            return "there is no memory for them";
        }
    }
    if (list != NULL) {
        return read_turns(list, samples)
                   ? NULL
                   : "its turns are [launch, turn, samples], by launch, and have every sample once";
    }
    free(samples->origins);
    samples->origins = NULL;
    return NULL;
}

static void read_samples(Reader *reader, const RowField *field, Samples *samples) {
    const char *key = field->json.name;
    if (field->json.rule == KEY_NONZERO && !cJSON_HasObjectItem(reader->object, key)) {
        return;
    }
    const char *why = samples_json_read(reader->object, key, samples);
    if (why != NULL) {
        reject_for(reader, key, why);
    }
}

static void read_possible(Reader *reader, const RowField *field, Row *row) {
    const double number = read_number(reader, field->json.name, (double)NAN);
    const char *why = row_number_wrong(field, number);
    if (why != NULL) {
        reject_for(reader, field->json.name, why);
    }
    row_number_set(field, number, row);
}

/* False when the point names an axis or a value that does not exist here, or an axis twice. */
static bool read_point(Reader *reader, const char *key, const Axis *const *axes, Point *point) {
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(reader->object, key);
    if (!cJSON_IsObject(values)) {
        reject(reader, key);
        return true;
    }
    const cJSON *item;
    cJSON_ArrayForEach(item, values) {
        const double number = cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
        if (!point_add(point, reader->strangers, axes, item->string, number,
                       cJSON_GetStringValue(item))) {
            return false;
        }
    }
    return true;
}

/* Members that are stored in another form. */
static void read_words(Reader *reader, Row *row) {
    const char *hash = read_text(reader, "input_hash");
    row->input_hash = hash != NULL ? strtoull(hash, NULL, 16) : 0;
    const char *mode = read_text(reader, "mode");
    row->cold = mode != NULL && strcmp(mode, "cold") == 0;
    /* Absent in files of earlier versions. The text has to outlive the file. */
    const cJSON *word = cJSON_GetObjectItemCaseSensitive(reader->object, "cost_operation");
    const char *text = cJSON_GetStringValue(word);
    row->cost.operation = text == NULL ? NULL : strcmp(text, "fp32") == 0 ? "fp32" : "int32";
}

/* By name: stages that the variant had in an earlier version and no longer has are left out. */
static void read_stages(Reader *reader, const RowField *field, Row *row) {
    const char *key = field->json.name;
    const cJSON *stages = cJSON_GetObjectItemCaseSensitive(reader->object, key);
    if (stages != NULL && !cJSON_IsObject(stages)) {
        reject(reader, key);
        return;
    }
    const cJSON *stage;
    cJSON_ArrayForEach(stage, stages) {
        strangers_add_stage(reader->strangers, row->variant, stage->string);
    }
    const size_t count = variant_stage_count(row->variant);
    for (size_t i = 0; i < count; i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(stages, row->variant->stages[i].name);
        row->stage_seconds[i] = cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
        const char *why = row_number_wrong(field, row->stage_seconds[i]);
        if (why != NULL || (item != NULL && !cJSON_IsNumber(item))) {
            reject_for(reader, key, why);
        }
    }
}

static void read_field(Reader *reader, const RowField *field, Row *row) {
    const char *key = field->json.name;
    char *member = (char *)row + field->offset;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(reader->object, key);
    switch (field->kind) {
    case ROW_COUNT:
        if (!row_count_set(field, read_number(reader, key, 0), row)) {
            reject(reader, key);
        }
        break;
    case ROW_NUMBER: read_possible(reader, field, row); break;
    case ROW_FLAG:
        *(bool *)member = cJSON_IsTrue(item);
        if (field->json.rule == KEY_REQUIRED && !cJSON_IsBool(item)) {
            reject(reader, key);
        }
        break;
    case ROW_TEXT:
        if (item != NULL) {
            const char *text = read_text(reader, key);
            utf8_copy(member, field->size, text != NULL ? text : "");
        }
        break;
    case ROW_STAGES: read_stages(reader, field, row); break;
    case ROW_SAMPLES: read_samples(reader, field, (Samples *)(void *)member); break;
    default: break; /* identifies the cell and was read before, or is calculated */
    }
}

static void read_fields(Reader *reader, Row *row) {
    read_words(reader, row);
    for (size_t i = 0; i < row_field_count; i++) {
        if (row_fields[i].json.name != NULL && row_fields[i].json.rule != KEY_DERIVED) {
            read_field(reader, &row_fields[i], row);
        }
    }
    const char *key = row_contradiction(row);
    if (key != NULL) {
        reject_for(reader, key, "the samples of its row say otherwise");
    }
}

/* Fills `row` from an object of row_json_write, status and `why` excepted. Nothing needs releasing
 * unless it returns ROW_READ. */
static RowRead row_json_read(Reader *reader, Row *row) {
    *row = row_empty();
    const char *algorithm = read_text(reader, "algorithm");
    const char *variant = read_text(reader, "variant");
    if (reader->wrong == NULL) {
        const char *backend = json_text(reader->object, "backend");
        if (!row_identify(row, reader->strangers, algorithm, variant, backend) ||
            !read_point(reader, "answer", row->algorithm->answer, &row->answer) ||
            !read_point(reader, "tuning", row->variant->tuning, &row->tuning)) {
            return ROW_UNKNOWN;
        }
        read_fields(reader, row);
    }
    if (reader->wrong != NULL) {
        row_release(row);
        return ROW_INVALID;
    }
    return ROW_READ;
}

/* === Row json write =========================================================================== */

/* cJSON's own numbers may lose their last bit; these do not. */
static cJSON *exact_number(double number) {
    if (!isfinite(number)) {
        return cJSON_CreateNull();
    }
    char text[32];
    number_text_exact(number, text, sizeof text);
    return cJSON_CreateRaw(text);
}

/* With all digits. What is not a number has no key. */
static bool add_number(cJSON *object, const char *key, double number) {
    return !isfinite(number) || cJSON_AddItemToObject(object, key, exact_number(number));
}

/* Adds an item to an array, which owns it then. */
static bool push_item(cJSON *array, cJSON *item) {
    if (item != NULL && cJSON_AddItemToArray(array, item)) {
        return true;
    }
    cJSON_Delete(item);
    return false;
}

static bool add_turn(cJSON *list, SampleOrigin origin, size_t count) {
    cJSON *turn = cJSON_CreateArray();
    if (!push_item(list, turn)) {
        return false;
    }
    return push_item(turn, cJSON_CreateNumber(origin.launch)) &&
           push_item(turn, cJSON_CreateNumber(origin.turn)) &&
           push_item(turn, cJSON_CreateNumber((double)count));
}

/* The turns that the samples were taken in, as [launch, turn, samples]. */
static bool add_turns(cJSON *object, const char *key, const Samples *samples) {
    char name[64];
    samples_turns_key(key, name);
    cJSON *list = cJSON_AddArrayToObject(object, name);
    bool complete = list != NULL;
    for (size_t from = 0, to; complete && from < samples->count; from = to) {
        const SampleOrigin origin = samples->origins[from];
        for (to = from + 1; to < samples->count && samples->origins[to].launch == origin.launch &&
                            samples->origins[to].turn == origin.turn;) {
            to++;
        }
        complete = add_turn(list, origin, to - from);
    }
    return complete;
}

static bool add_samples(cJSON *object, const RowField *field, const Samples *samples) {
    const char *key = field->json.name;
    if (samples->count == 0 && field->json.rule == KEY_NONZERO) {
        return true;
    }
    cJSON *array = cJSON_AddArrayToObject(object, key);
    bool complete = array != NULL;
    for (size_t i = 0; complete && i < samples->count; i++) {
        complete = push_item(array, exact_number(samples->seconds[i]));
    }
    return complete &&
           (samples->origins == NULL || samples->count == 0 || add_turns(object, key, samples));
}

static bool add_point(cJSON *object, const char *key, const Point *point) {
    cJSON *values = cJSON_AddObjectToObject(object, key);
    bool complete = values != NULL;
    for (size_t i = 0; complete && i < point->count; i++) {
        const AxisValue *value = &point->values[i];
        const char *axis = point->axes[i]->name;
        complete = point->axes[i]->kind == AXIS_INTEGER
                       ? cJSON_AddNumberToObject(values, axis, (double)value->number) != NULL
                       : cJSON_AddStringToObject(values, axis, value->text) != NULL;
    }
    return complete;
}

static bool add_stages(cJSON *object, const char *key, const Row *row) {
    const size_t count = variant_stage_count(row->variant);
    if (count == 0 || !isfinite(row->stage_seconds[0])) {
        return true;
    }
    cJSON *stages = cJSON_AddObjectToObject(object, key);
    bool complete = stages != NULL;
    for (size_t i = 0; complete && i < count; i++) {
        complete = add_number(stages, row->variant->stages[i].name, row->stage_seconds[i]);
    }
    return complete;
}

static bool add_whole(cJSON *object, const RowField *field, const Row *row) {
    const uint64_t count = row_count_get(field, row);
    return (count == 0 && field->json.rule == KEY_NONZERO) ||
           add_number(object, field->json.name, (double)count);
}

static bool add_field(cJSON *object, const RowField *field, const Row *row) {
    const char *key = field->json.name;
    const char *member = (const char *)row + field->offset;
    char text[RESULT_LABEL_SIZE] = "";
    switch (field->kind) {
    case ROW_COUNT: return add_whole(object, field, row);
    case ROW_NUMBER:
        if (row_number_get(field, row) == 0 && field->json.rule == KEY_NONZERO) {
            return true;
        }
        return add_number(object, key, row_number_get(field, row));
    case ROW_NUMBER_OF: return add_number(object, key, row_number_get(field, row));
    case ROW_FLAG:
        return (!row_flag_get(field, row) && field->json.rule == KEY_NONZERO) ||
               cJSON_AddBoolToObject(object, key, row_flag_get(field, row)) != NULL;
    case ROW_TEXT: return json_add_text(object, key, member);
    case ROW_TEXT_OF: field->text(row, text, sizeof text); return json_add_text(object, key, text);
    case ROW_POINT: return add_point(object, key, (const Point *)(const void *)member);
    case ROW_STAGES: return add_stages(object, key, row);
    case ROW_SAMPLES: return add_samples(object, field, (const Samples *)(const void *)member);
    case ROW_STATUS: break; /* each has a list of its own */
    }
    return true;
}

/* Adds the fields that have a key to `object`. False when memory runs out. */
static bool row_json_write(cJSON *object, const Row *row) {
    bool complete = true;
    for (size_t i = 0; complete && i < row_field_count; i++) {
        const RowKey *key = &row_fields[i].json;
        const bool written =
            key->name != NULL && (key->rule != KEY_DERIVED || row->kernel.count > 0);
        complete = !written || add_field(object, &row_fields[i], row);
    }
    return complete;
}

/* === Complexity json ========================================================================== */

static bool has_exponent(const Row *row) {
    return row->status == CELL_OK && isfinite(row->exponent);
}

static bool listed_before(const Results *results, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (has_exponent(&results->rows[i]) &&
            row_same_growth(&results->rows[i], &results->rows[index])) {
            return true;
        }
    }
    return false;
}

static bool add_entry(cJSON *list, const Row *row) {
    char answer[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    point_format(&row->answer, answer, sizeof answer);
    const char *item = row->algorithm->item != NULL ? row->algorithm->item : "";
    cJSON *entry = json_add_object(list);
    return json_add_text(entry, "algorithm", row->algorithm->name) &&
           json_add_text(entry, "variant", row->variant->name) &&
           json_add_text(entry, "input", row->input) &&
           cJSON_AddStringToObject(entry, "answer", answer) != NULL &&
           json_add_text(entry, "mode", row->cold ? "cold" : "hot") &&
           json_add_text(entry, "item", item) &&
           json_add_number(entry, "exponent", row->exponent) &&
           json_add_number(entry, "exponent_low", row->exponent_low) &&
           json_add_number(entry, "exponent_high", row->exponent_high);
}

/* Adds the list "complexity" to `root`: an object for each algorithm, variant, input, answer point
 * and mode that has an exponent. False when memory runs out. */
static bool complexity_json_write(cJSON *root, const Results *results) {
    cJSON *list = cJSON_AddArrayToObject(root, "complexity");
    bool complete = list != NULL;
    for (size_t i = 0; complete && i < results->count; i++) {
        if (has_exponent(&results->rows[i]) && !listed_before(results, i)) {
            complete = add_entry(list, &results->rows[i]);
        }
    }
    return complete;
}

/* === Report json ============================================================================== */

enum { ENTRY_NAME_SIZE = 512 };

/* compare.py stops with an error on any other version. */
static const double google_schema_version = 1;

static bool add_caches(cJSON *context, const Machine *machine) {
    cJSON *caches = cJSON_AddArrayToObject(context, "caches");
    bool complete = caches != NULL;
    for (size_t i = 0; complete && i < machine->cache_count; i++) {
        const Cache *cache = &machine->caches[i];
        cJSON *entry = json_add_object(caches);
        complete = entry != NULL && cJSON_AddStringToObject(entry, "type", cache->type) != NULL &&
                   json_add_number(entry, "level", cache->level) &&
                   json_add_number(entry, "size", (double)cache->size) &&
                   json_add_number(entry, "num_sharing", cache->sharing);
    }
    return complete;
}

static bool add_load(cJSON *context, const Machine *machine) {
    static const char *const keys[] = {fact_load_average_1_min, fact_load_average_5_min,
                                       fact_load_average_15_min};
    cJSON *loads = cJSON_AddArrayToObject(context, "load_avg");
    bool complete = loads != NULL;
    for (size_t i = 0; complete && i < sizeof keys / sizeof keys[0]; i++) {
        const double load = machine_number(machine, keys[i]);
        complete = isnan(load) || cJSON_AddItemToArray(loads, cJSON_CreateNumber(load));
    }
    return complete;
}

/* What Google Benchmark's own reporter writes about the machine. */
static bool add_google_context(cJSON *context, const RunRecord *record) {
    const Machine *machine = record->machine;
    const RunOptions *options = record->options;
    const char *program = options->program != NULL ? options->program : "bench";
    const bool scaling = machine_scales_clock(machine);
    const bool aslr = machine_says(machine, fact_aslr, "yes");
    const bool debug = strcmp(BUILD_TYPE, "Debug") == 0;
    return json_add_text(context, "date", record->started) &&
           cJSON_AddStringToObject(context, "host_name", machine_text(machine, fact_host_name)) !=
               NULL &&
           json_add_text(context, "executable", program) &&
           json_add_number(context, "num_cpus", machine->cpu_count) &&
           json_add_number(context, "mhz_per_cpu", round(machine->mhz)) &&
           cJSON_AddBoolToObject(context, "cpu_scaling_enabled", scaling) != NULL &&
           cJSON_AddBoolToObject(context, "aslr_enabled", aslr) != NULL &&
           add_caches(context, machine) && add_load(context, machine) &&
           json_add_text(context, "library_version", BUILD_VERSION) &&
           json_add_text(context, "library_build_type", debug ? "debug" : "release") &&
           json_add_number(context, "json_schema_version", google_schema_version);
}

/* All facts by key, and the keys of the identity facts. */
static bool add_machine(cJSON *context, const Machine *machine) {
    cJSON *facts = cJSON_AddObjectToObject(context, "machine");
    cJSON *identity = cJSON_AddArrayToObject(context, "machine_identity");
    bool complete = facts != NULL && identity != NULL;
    for (size_t i = 0; complete && i < machine->count; i++) {
        const Fact *fact = &machine->facts[i];
        if (fact->kind == FACT_TEXT) {
            complete = cJSON_AddStringToObject(facts, fact->key, fact->text) != NULL;
        } else {
            complete = json_add_number(facts, fact->key, fact->number);
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

/* Of a share of a plan: which, and the places of its cells in the whole. */
static bool add_share(cJSON *context, const RunRecord *record) {
    if (record->numbers == NULL) {
        return true;
    }
    char text[SHARE_TEXT_SIZE];
    share_text(&record->options->share, text);
    cJSON *list = cJSON_AddArrayToObject(context, "shard_cells");
    bool complete = list != NULL && json_add_text(context, "shard", text);
    for (size_t i = 0; complete && i < record->planned; i++) {
        complete = cJSON_AddItemToArray(list, cJSON_CreateNumber(record->numbers[i]));
    }
    return complete;
}

static bool add_wall(cJSON *context, const WallTime *wall) {
    if (!(wall_sum(wall) > 0)) {
        return true;
    }
    cJSON *object = cJSON_AddObjectToObject(context, "wall_time_s");
    bool complete = object != NULL;
    for (int part = 0; complete && part < WALL_PARTS; part++) {
        complete = json_add_number(object, wall_key((WallPart)part), wall->seconds[part]);
    }
    return complete;
}

static bool add_run(cJSON *context, const RunRecord *record) {
    const RunOptions *options = record->options;
    char line[COMMAND_LINE_SIZE];
    command_line_text(&options->arguments, line, sizeof line);
    return cJSON_AddStringToObject(context, "arguments", line) != NULL &&
           arguments_json_add(context, &options->arguments) &&
           json_add_text(context, "input_note", record->input_note) &&
           json_add_number(context, "seed", (double)options->seed) &&
           json_add_number(context, "density", options->density > 0 ? options->density : NAN) &&
           cJSON_AddBoolToObject(context, "interleaved", options->interleave) != NULL &&
           cJSON_AddBoolToObject(context, "complete", record->complete) != NULL &&
           json_add_number(context, "planned_cells", (double)record->planned) &&
           add_share(context, record) && json_add_number(context, "elapsed_s", record->elapsed) &&
           add_wall(context, &record->wall) &&
           json_add_number(context, "timer_overhead_cpu_s", record->timer_overhead_cpu) &&
           json_add_number(context, "timer_overhead_cuda_s", record->timer_overhead_cuda);
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

/* A launch is a repetition: the U tests of compare.py then compare launches. */
typedef struct Repetition {
    double family, instance;
    size_t index, count;
    double seconds; /* median */
    double cpu;     /* seconds; NAN: not known */
    size_t samples;
} Repetition;

static Repetition first_repetition(const Row *row, Families *families) {
    Family *family = find_family(families, row->variant);
    return (Repetition){.family = (double)(family - families->list),
                        .instance = (double)family->instances++,
                        .count = 1,
                        .seconds = row->kernel_summary.median,
                        .cpu = row->cpu_seconds,
                        .samples = row->kernel_summary.count};
}

/* The keys that compare.py, github-action-benchmark and Bencher read. Tools expect cpu_time;
 * where the CPU time of a launch is not known it repeats the wall clock. Nanoseconds, because
 * compare.py prints whole units. */
static bool add_google_entry(cJSON *entry, const char *name, const Row *row,
                             const Repetition *repetition) {
    const double real = repetition->seconds * 1e9;
    const double cpu = isfinite(repetition->cpu) ? repetition->cpu * 1e9 : real;
    const size_t batch = row->batch > 0 ? row->batch : 1;
    return json_add_text(entry, "name", name) &&
           json_add_number(entry, "family_index", repetition->family) &&
           json_add_number(entry, "per_family_instance_index", repetition->instance) &&
           json_add_text(entry, "run_name", name) &&
           json_add_text(entry, "run_type", "iteration") &&
           json_add_number(entry, "repetitions", (double)repetition->count) &&
           json_add_number(entry, "repetition_index", (double)repetition->index) &&
           json_add_number(entry, "threads", row->threads > 0 ? row->threads : 1) &&
           json_add_number(entry, "iterations", (double)(repetition->samples * batch)) &&
           json_add_number(entry, "real_time", real) && json_add_number(entry, "cpu_time", cpu) &&
           json_add_text(entry, "time_unit", "ns");
}

/* A cell that is unverified or has no time must not look like a measurement to any tool. */
static bool is_measurement(const Row *row) {
    return row->status == CELL_OK && row->verified && row->kernel_summary.median > 0.0;
}

static const char *list_of(const Row *row) {
    return is_measurement(row) ? "benchmarks" : row->status == CELL_SKIP ? "skipped" : "failures";
}

/* `repetition` is of a measurement; otherwise it may be NULL. */
static bool fill_entry(cJSON *entry, const Row *row, size_t cell, const Repetition *repetition) {
    char name[ENTRY_NAME_SIZE];
    row_name(row, name, sizeof name);
    const char *why_key = row->status == CELL_SKIP ? "skip_message" : "error_message";
    const char *why = row->why[0] != '\0' ? row->why : "no verified time";
    const bool begun =
        entry != NULL && (repetition != NULL ? add_google_entry(entry, name, row, repetition)
                                             : json_add_text(entry, "name", name) &&
                                                   json_add_text(entry, why_key, why));
    return begun && json_add_number(entry, "cell", (double)cell) && row_json_write(entry, row);
}

cJSON *row_json_entry(const Row *row, const char **list) {
    Family family;
    Families families = {.list = &family};
    const bool measured = is_measurement(row);
    const Repetition repetition = measured ? first_repetition(row, &families) : (Repetition){0};
    cJSON *entry = cJSON_CreateObject();
    *list = list_of(row);
    return json_whole(entry, fill_entry(entry, row, 0, measured ? &repetition : NULL));
}

/* What each launch of a row took; `slots` launches, NAN for one without samples. */
typedef struct LaunchTimes {
    double kernel[LAUNCHES_MAX], cpu[LAUNCHES_MAX];
    size_t slots;
} LaunchTimes;

static LaunchTimes launch_times(const Row *row) {
    LaunchTimes times;
    times.slots = samples_launch_medians(&row->kernel, times.kernel);
    const size_t known = samples_launch_medians(&row->cpu, times.cpu);
    for (size_t launch = known; launch < times.slots; launch++) {
        times.cpu[launch] = NAN;
    }
    return times;
}

static void take_launch(const LaunchTimes *times, size_t launch, Repetition *repetition) {
    repetition->seconds = times->kernel[launch];
    repetition->cpu = times->cpu[launch];
}

/* The launches behind the first, for Google Benchmark's tools; what this program reads is in the
 * entry of the first. "launch" marks them. */
static bool add_launches(cJSON *list, const Row *row, Repetition repetition,
                         const LaunchTimes *times) {
    char name[ENTRY_NAME_SIZE];
    row_name(row, name, sizeof name);
    bool complete = true;
    size_t skipped = 0; /* the first is not repeated */
    for (size_t launch = 0; complete && launch < times->slots; launch++) {
        if (isnan(times->kernel[launch]) || skipped++ == 0) {
            continue;
        }
        repetition.index++;
        take_launch(times, launch, &repetition);
        cJSON *entry = json_add_object(list);
        complete = entry != NULL && add_google_entry(entry, name, row, &repetition) &&
                   json_add_number(entry, "launch", (double)launch);
    }
    return complete;
}

static bool add_measurement(cJSON *list, const Row *row, size_t cell, Families *families) {
    Repetition repetition = first_repetition(row, families);
    const LaunchTimes times = launch_times(row);
    cJSON *entry = json_add_object(list);
    if (row->kernel_summary.launches > 1) {
        size_t first = 0;
        while (first + 1 < times.slots && isnan(times.kernel[first])) {
            first++;
        }
        repetition.count = row->kernel_summary.launches;
        repetition.samples /= repetition.count;
        take_launch(&times, first, &repetition);
    }
    return fill_entry(entry, row, cell, &repetition) && add_launches(list, row, repetition, &times);
}

static bool add_row(cJSON *root, const Row *row, size_t cell, Families *families) {
    cJSON *list = cJSON_GetObjectItemCaseSensitive(root, list_of(row));
    return is_measurement(row) ? add_measurement(list, row, cell, families)
                               : fill_entry(json_add_object(list), row, cell, NULL);
}

static bool fill_document(cJSON *root, const RunRecord *record, const Results *results) {
    cJSON *context = cJSON_AddObjectToObject(root, "context");
    bool complete = context != NULL && cJSON_AddArrayToObject(root, "benchmarks") != NULL &&
                    cJSON_AddArrayToObject(root, "failures") != NULL &&
                    cJSON_AddArrayToObject(root, "skipped") != NULL;
    Families families = {.list = calloc(results->count + 1, sizeof *families.list)};
    complete = complete && families.list != NULL && add_google_context(context, record) &&
               add_machine(context, record->machine) &&
               launch_spread_json_add(context, &record->machine->spread) &&
               add_warnings(context, &record->warnings) && add_run(context, record) &&
               ceilings_json_add(context, &results->ceilings);
    for (size_t i = 0; complete && i < results->count; i++) {
        complete = add_row(root, &results->rows[i], i, &families);
    }
    complete = complete && complexity_json_write(root, results);
    free(families.list);
    return complete;
}

Status report_json(const char *path, const RunRecord *record, const Results *results) {
    cJSON *root = cJSON_CreateObject();
    return json_file_write(path, json_whole(root, fill_document(root, record, results)));
}

/* === Stored run =============================================================================== */

/* A small number, as of processors. */
static int integer_or_zero(const cJSON *object, const char *key) {
    enum { MOST = 1 << 20 };
    const double number = json_number_or(object, key, 0);
    return number >= 0 && number <= MOST ? (int)number : 0;
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
        const double size = json_number_or(item, "size", 0.0);
        cache->size = size > 0.0 && size < 1e15 ? (size_t)size : 0;
    }
}

static Status read_arguments(const char *path, const cJSON *context, StoredRun *stored) {
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(context, "argv");
    if (array != NULL) {
        const Status status = arguments_json_read(array, &stored->arguments);
        return status.code == STATUS_FILE ? status_make(STATUS_FILE, "%s: %.120s", path, status.why)
                                          : status;
    }
    char line[COMMAND_LINE_SIZE];
    bool open;
    json_copy_text(context, "arguments", line, sizeof line);
    STATUS_TRY(command_line_split(line, &stored->arguments, &open));
    stored->arguments_cut = open || strlen(line) + 1 == sizeof line;
    return status_ok();
}

static void read_warnings(const cJSON *context, Warnings *warnings) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(context, "warnings");
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        if (cJSON_IsString(item) && warnings->count < WARNINGS_MAX) {
            snprintf(warnings->text[warnings->count++], WARNING_SIZE, "%s", item->valuestring);
        }
    }
}

static void read_context(const cJSON *context, StoredRun *stored) {
    Machine *machine = &stored->machine;
    machine_json_read(context, machine);
    /* Until it was a fact of the machine it stood beside these. */
    const double floor = json_number_or(context, "noise_floor", (double)NAN);
    if (isfinite(floor) && machine_fact(machine, fact_noise_floor) == NULL) {
        machine_add_number(machine, fact_noise_floor, floor, false);
    }
    read_caches(context, machine);
    machine->cpu_count = integer_or_zero(context, "num_cpus");
    machine->mhz = json_number_or(context, "mhz_per_cpu", 0.0);
    json_copy_text(context, "date", stored->started, sizeof stored->started);
    json_copy_text(context, "input_note", stored->input_note, sizeof stored->input_note);
    read_warnings(context, &stored->warnings);
    stored->elapsed = json_number_or(context, "elapsed_s", (double)NAN);
    const cJSON *wall = cJSON_GetObjectItemCaseSensitive(context, "wall_time_s");
    for (int part = 0; part < WALL_PARTS; part++) {
        stored->wall.seconds[part] = json_number_or(wall, wall_key((WallPart)part), 0.0);
    }
    stored->complete = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(context, "complete"));
    ceilings_json_read(context, &stored->results.ceilings);
}

/* A file has the cells in three lists, by status; `cell` is the place in the plan. Reading merges
 * the lists in that order. */
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
        const double cell = json_number_or(sources[i].next, "cell", 0.0);
        if (first == NULL || cell < least) {
            first = &sources[i];
            least = cell;
        }
    }
    return first;
}

static Status invalid_row(const char *path, const char *list, const Reader *reader) {
    const char *name = json_text(reader->object, "name");
    char entry[128];
    snprintf(entry, sizeof entry, name != NULL ? "\"%.120s\"" : "an entry", name);
    return status_make(STATUS_FILE, "%.120s: %s of \"%s\" has no valid \"%.60s\"%s%s", path, entry,
                       list, reader->wrong, reader->why != NULL ? ": " : "",
                       reader->why != NULL ? reader->why : "");
}

/* The entry of a launch behind the first is for other programs: this one finds its samples in the
 * cell's first entry. */
static RowRead read_launch(Reader *reader) {
    const double launch = read_number(reader, "launch", -1);
    if (!(launch >= 1 && launch < LAUNCHES_MAX)) {
        reject_for(reader, "launch", "behind the first there are launches 1 to 63");
    }
    return reader->wrong == NULL ? ROW_LAUNCH : ROW_INVALID;
}

/* Reads an entry as row_json_read does, one of "benchmarks" if it is `measured`. */
static RowRead read_entry(Reader *reader, bool measured, Row *row) {
    if (cJSON_HasObjectItem(reader->object, "launch")) {
        return read_launch(reader);
    }
    const RowRead read = row_json_read(reader, row);
    if (read != ROW_READ || !measured || (row->kernel.count > 0 && row->verified)) {
        return read;
    }
    if (row->verified) {
        reject_for(reader, "kernel_samples_s", "a measured cell has a sample");
    } else {
        reject_for(reader, "verified", "a measured cell is verified");
    }
    row_release(row);
    return ROW_INVALID;
}

/* A cell has one row, whatever list it is in: a second one would count its launches twice. */
static Status keep_row(const char *path, const Row *row, StoredRun *stored) {
    if (results_find(&stored->results, row) != NULL) {
        char name[CELL_NAME_SIZE];
        row_name(row, name, sizeof name);
        return status_make(STATUS_FILE, "%.150s: \"%.150s\" is there twice; a cell has one entry",
                           path, name);
    }
    return results_add(&stored->results, row);
}

static Status read_row(const char *path, const Source *source, StoredRun *stored) {
    Row row;
    Reader reader = {.object = source->next, .strangers = stored->strangers};
    switch (read_entry(&reader, source->status == CELL_OK, &row)) {
    case ROW_LAUNCH: return status_ok();
    case ROW_UNKNOWN: stored->ignored++; return status_ok();
    case ROW_INVALID: return invalid_row(path, source->key, &reader);
    case ROW_READ: break;
    }
    row.status = source->status;
    if (source->why_key != NULL) {
        json_copy_text(source->next, source->why_key, row.why, sizeof row.why);
    }
    const Status status = keep_row(path, &row, stored);
    if (!status_is_ok(&status)) {
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

static Status read_numbers(const char *path, const cJSON *list, StoredRun *stored) {
    size_t count = 0;
    stored->numbers = calloc(stored->results.count + 1, sizeof *stored->numbers);
    STATUS_MEMORY(stored->numbers, "for a stored run");
    for (const cJSON *item = list != NULL ? list->child : NULL; item != NULL; item = item->next) {
        const double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
        if (count == stored->results.count || !(number >= 0 && number < UINT32_MAX)) {
            count = SIZE_MAX;
            break;
        }
        stored->numbers[count++] = (uint32_t)number;
    }
    return count == stored->results.count
               ? status_ok()
               : status_make(STATUS_FILE, "%s: \"shard_cells\" does not have a place for each row",
                             path);
}

/* After the rows. A share that is not complete has rows of some of its cells only. */
static Status read_share(const char *path, const cJSON *context, StoredRun *stored) {
    const char *text = json_text(context, "shard");
    if (text == NULL) {
        return status_ok();
    }
    if (!share_parse(text, SHARES_MAX, &stored->share)) {
        return status_make(STATUS_FILE, "%s: \"shard\" is '%.40s', and not like 2/4", path, text);
    }
    return stored->complete
               ? read_numbers(path, cJSON_GetObjectItemCaseSensitive(context, "shard_cells"),
                              stored)
               : status_ok();
}

static Status read_document(const char *path, const cJSON *root, StoredRun *stored) {
    const cJSON *context = cJSON_GetObjectItemCaseSensitive(root, "context");
    if (!cJSON_IsObject(context)) {
        return status_make(STATUS_FILE, "%s has no \"context\": it is not a results file", path);
    }
    const double version = json_number_or(context, "json_schema_version", 0.0);
    if (version == 0.0) {
        return status_make(STATUS_FILE,
                           "%s is of another program: it has no json_schema_version; 'bench "
                           "compare' reads results of Google Benchmark",
                           path);
    }
    if (version != 1.0) {
        return status_make(STATUS_FILE, "%s has json_schema_version %g, this program reads 1", path,
                           version);
    }
    read_context(context, stored);
    if (stored->elapsed < 0 || isinf(stored->elapsed)) {
        return status_make(STATUS_FILE, "%.200s: \"context\" has no valid \"elapsed_s\"", path);
    }
    STATUS_TRY(read_arguments(path, context, stored));
    STATUS_TRY(read_rows(path, root, stored));
    const Machine *machine = &stored->machine;
    results_find_disturbances(&stored->results);
    results_measured(&stored->results, machine_gpu(machine), machine_cpu(machine),
                     machine->cpu_count, stored->started);
    return read_share(path, context, stored);
}

Status stored_run_in(const char *folder, char *path, size_t size) {
    static const char packed[] = ".gz";
    STATUS_TRY(path_in(folder, "results.json.gz", path, size));
    char *end = path + strlen(path) - strlen(packed);
    const bool only_packed = access(path, F_OK) == 0;
    *end = '\0';
    if (only_packed && access(path, F_OK) != 0) {
        *end = packed[0];
    }
    return status_ok();
}

Status stored_run_keep(const char *folder) {
    for (size_t i = 0; stored_run_files[i] != NULL; i++) {
        char path[ATOMIC_FILE_PATH_SIZE];
        struct stat facts;
        STATUS_TRY(path_in(folder, stored_run_files[i], path, sizeof path));
        if (lstat(path, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0) {
            return status_make(STATUS_USAGE,
                               "%.250s holds a run already, which would be lost; name another "
                               "folder, or replace it with --force",
                               folder);
        }
    }
    return status_ok();
}

void stored_run_remove(const char *folder) {
    for (size_t i = 0; stored_run_files[i] != NULL; i++) {
        char path[ATOMIC_FILE_PATH_SIZE];
        const Status named = path_in(folder, stored_run_files[i], path, sizeof path);
        if (status_is_ok(&named)) {
            unlink(path);
        }
    }
}

Status stored_run_path(const char *run, char *path, size_t size) {
    return folder_exists(run) ? stored_run_in(run, path, size) : path_make(path, size, "%s", run);
}

/* Reads the profile beside a file, if there is one. */
static Status read_profile(const char *path, Profile *profile) {
    char beside[ATOMIC_FILE_PATH_SIZE];
    const char *slash = strrchr(path, '/');
    const int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    STATUS_TRY(path_make(beside, sizeof beside, "%.*s%s", folder, path, PROFILE_FILE));
    return access(beside, F_OK) == 0 ? profile_read(beside, profile) : status_ok();
}

void rows_ignored_text(size_t count, char text[ROWS_IGNORED_SIZE]) {
    snprintf(text, ROWS_IGNORED_SIZE,
             "%zu row%s of algorithms, variants or axes that this version does not have, or of a "
             "module that --plugin FILE loads",
             count, count == 1 ? " is" : "s are");
}

bool stored_run_is(const cJSON *root) {
    return cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(root, "benchmarks")) &&
           cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(root, "failures")) &&
           cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(root, "skipped"));
}

Status stored_run_of(const char *path, const cJSON *root, StoredRun *stored) {
    *stored = (StoredRun){.elapsed = (double)NAN, .strangers = strangers_open()};
    const Status status = stored->strangers != NULL ? read_document(path, root, stored)
                                                    : status_no_memory("for a stored run");
    if (!status_is_ok(&status)) {
        stored_run_release(stored);
    }
    return status;
}

Status stored_run_read(const char *path, StoredRun *stored) {
    *stored = (StoredRun){.elapsed = (double)NAN};
    cJSON *root = NULL;
    STATUS_TRY(journal_read_results(path, &root));
    Status status = read_document(path, root, stored);
    cJSON_Delete(root);
    STATUS_THEN(status, read_profile(path, &stored->profile));
    if (status.code != STATUS_OK) {
        stored_run_release(stored);
    }
    return status;
}

void stored_run_release(StoredRun *stored) {
    results_release(&stored->results);
    strangers_release(stored->strangers);
    stored->strangers = NULL;
    free(stored->numbers);
    stored->numbers = NULL;
    argument_list_release(&stored->arguments);
    profile_release(&stored->profile);
}
