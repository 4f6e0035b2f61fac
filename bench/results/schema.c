/* The JSON Schema of results.json. A row's keys come from row.def; the others are listed here, and
 * a test holds stored and new runs against all of it. */

#include "commands.h"
#include "results_internal.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Types as a schema spells them; the last ones stand for more than a type. */
typedef enum Type {
    TYPE_TEXT,
    TYPE_NUMBER,
    TYPE_COUNT, /* a whole number from 0 on */
    TYPE_FLAG,
    TYPE_TEXTS,
    TYPE_COUNTS,
    TYPE_NUMBERS,    /* null: not a number */
    TYPE_NUMBER_MAP, /* a number for each name */
    TYPE_VALUE_MAP,  /* a text or a number for each name */
    TYPE_TURNS,      /* [launch, turn, samples] */
    TYPE_OBJECTS     /* of a definition of the key's name */
} Type;

typedef struct Key {
    const char *name;
    Type type;
    bool required;
    const char *meaning;
} Key;

static const Key context_keys[] = {
    {"date", TYPE_TEXT, true, "start, ISO 8601, UTC"},
    {"host_name", TYPE_TEXT, true, "name of the machine"},
    {"executable", TYPE_TEXT, true, "the program as it was called"},
    {"num_cpus", TYPE_COUNT, true, "logical processors that the process may use"},
    {"mhz_per_cpu", TYPE_NUMBER, true, "clock of a processor"},
    {"cpu_scaling_enabled", TYPE_FLAG, true, "a governor other than performance"},
    {"aslr_enabled", TYPE_FLAG, true, "addresses are drawn anew in each process"},
    {"caches", TYPE_OBJECTS, true, "of a processor"},
    {"load_avg", TYPE_NUMBERS, true, "of 1, 5 and 15 minutes"},
    {"library_version", TYPE_TEXT, true, "of bench"},
    {"library_build_type", TYPE_TEXT, true, "debug or release"},
    {"json_schema_version", TYPE_COUNT, true, "of Google Benchmark's schema: 1"},
    {"machine", TYPE_VALUE_MAP, true, "facts of machine and build by key"},
    {"machine_identity", TYPE_TEXTS, true, "keys of facts that differ on another machine or build"},
    {"launch_spread", TYPE_OBJECTS, false, "how far launches lie apart here, by the self-test"},
    {"warnings", TYPE_TEXTS, true, "what makes the numbers doubtful"},
    {"arguments", TYPE_TEXT, true, "the command line for a shell, cut to 1023 bytes"},
    {"argv", TYPE_TEXTS, false, "the same as a list"},
    {"input_note", TYPE_TEXT, false, "the first input that was scaled to another aspect ratio"},
    {"seed", TYPE_NUMBER, true, "of synthetic inputs and of resampling"},
    {"density", TYPE_NUMBER, false, "of ones in a binary synthetic image"},
    {"interleaved", TYPE_FLAG, true, "the cells of a group were sampled in turns"},
    {"complete", TYPE_FLAG, true, "the run was not cut off"},
    {"planned_cells", TYPE_COUNT, true, "cells of the plan"},
    {"shard", TYPE_TEXT, false, "which share of a plan: I/N"},
    {"shard_cells", TYPE_COUNTS, false, "the places of its cells in the whole plan"},
    {"elapsed_s", TYPE_NUMBER, false, "seconds by wall clock"},
    {"wall_time_s", TYPE_NUMBER_MAP, false, "where they went: seconds by part"},
    {"timer_overhead_cpu_s", TYPE_NUMBER, false, "what the CPU's clock reports of nothing"},
    {"timer_overhead_cuda_s", TYPE_NUMBER, false, "the same of the GPU's"},
    {"ceilings", TYPE_OBJECTS, true, "what the machine reaches at best"},
};

static const Key cache_keys[] = {
    {"type", TYPE_TEXT, true, "Data, Instruction or Unified"},
    {"level", TYPE_COUNT, true, "from 1 on"},
    {"size", TYPE_COUNT, true, "bytes"},
    {"num_sharing", TYPE_COUNT, true, "logical processors that share it"},
};

static const Key ceiling_keys[] = {
    {"key", TYPE_TEXT, true, "name of the ceiling"},
    {"kind", TYPE_TEXT, true, "bandwidth, operations or time"},
    {"threads", TYPE_COUNT, false, "of the CPU; absent on a device"},
    {"devices", TYPE_COUNT, false, "GPUs at the same time; absent: one, or the CPU"},
    {"value", TYPE_NUMBER, true, "in its unit"},
    {"unit", TYPE_TEXT, true, "bytes/s, operations/s or s"},
    {"working_set_bytes", TYPE_COUNT, false, "that it was measured with"},
};

static const Key spread_keys[] = {
    {"processor", TYPE_TEXT, true, "what computed"},
    {"from_s", TYPE_NUMBER, true, "shortest time of the class"},
    {"below_s", TYPE_NUMBER, false, "end of the class; absent: it has none"},
    {"spread", TYPE_NUMBER, true, "standard deviation of the logarithms of launch medians"},
    {"cells", TYPE_COUNT, true, "cells that it is pooled over"},
    {"degrees_of_freedom", TYPE_COUNT, true, "of all cells together"},
    {"measured", TYPE_TEXT, true, "when, ISO 8601, UTC"},
};

/* Google Benchmark's own. */
static const Key google_keys[] = {
    {"name", TYPE_TEXT, true, "algorithm/variant/input/size and points"},
    {"family_index", TYPE_COUNT, true, "the variant"},
    {"per_family_instance_index", TYPE_COUNT, true, "the cell of that variant"},
    {"run_name", TYPE_TEXT, true, "the same as name"},
    {"run_type", TYPE_TEXT, true, "iteration"},
    {"repetitions", TYPE_COUNT, true, "launches"},
    {"repetition_index", TYPE_COUNT, true, "which of them"},
    {"threads", TYPE_COUNT, true, "of the CPU; 1 on a device"},
    {"iterations", TYPE_COUNT, true, "runs"},
    {"real_time", TYPE_NUMBER, true, "kernel median"},
    {"cpu_time", TYPE_NUMBER, true, "of the process; the kernel median where it is not known"},
    {"time_unit", TYPE_TEXT, true, "ns"},
};

static const Key cell_keys[] = {{"cell", TYPE_COUNT, false, "place in the plan, from 0 on"}};

static const Key launch_keys[] = {
    {"launch", TYPE_COUNT, true, "which launch; the cell's entry is that of the first"}};

static const Key unmeasured_keys[] = {
    {"name", TYPE_TEXT, true, "algorithm/variant/input/size and points"},
    {"skip_message", TYPE_TEXT, false, "why it was skipped"},
    {"error_message", TYPE_TEXT, false, "what failed"},
};

static const Key complexity_keys[] = {
    {"algorithm", TYPE_TEXT, true, "what is computed"},
    {"variant", TYPE_TEXT, true, "by which implementation"},
    {"input", TYPE_TEXT, true, "of which the sizes are"},
    {"answer", TYPE_TEXT, true, "answer point"},
    {"mode", TYPE_TEXT, true, "hot or cold"},
    {"item", TYPE_TEXT, false, "what there are more of"},
    {"exponent", TYPE_NUMBER, true, "kernel time grows as items to this power"},
    {"exponent_low", TYPE_NUMBER, false, "lower end of its 95% interval"},
    {"exponent_high", TYPE_NUMBER, false, "upper end of its 95% interval"},
};

#define KEYS(list) list, sizeof(list) / sizeof(list)[0]

/* === Types ==================================================================================== */

static bool set_type(cJSON *schema, const char *type) {
    return cJSON_AddStringToObject(schema, "type", type) != NULL;
}

/* The schema of a list's entries; NULL without memory. */
static cJSON *items_of(cJSON *schema) {
    return set_type(schema, "array") ? cJSON_AddObjectToObject(schema, "items") : NULL;
}

static bool set_types(cJSON *schema, const char *one, const char *other) {
    cJSON *types = cJSON_AddArrayToObject(schema, "type");
    return types != NULL && cJSON_AddItemToArray(types, cJSON_CreateString(one)) &&
           cJSON_AddItemToArray(types, cJSON_CreateString(other));
}

static bool set_count(cJSON *schema) {
    return schema != NULL && set_type(schema, "integer") &&
           cJSON_AddNumberToObject(schema, "minimum", 0) != NULL;
}

static bool set_turns(cJSON *schema) {
    cJSON *turn = items_of(schema);
    return turn != NULL && set_count(items_of(turn)) &&
           cJSON_AddNumberToObject(turn, "minItems", 3) != NULL &&
           cJSON_AddNumberToObject(turn, "maxItems", 3) != NULL;
}

static bool set_map(cJSON *schema, bool texts) {
    cJSON *values =
        set_type(schema, "object") ? cJSON_AddObjectToObject(schema, "additionalProperties") : NULL;
    return values != NULL &&
           (texts ? set_types(values, "number", "string") : set_types(values, "number", "null"));
}

static bool set_reference(cJSON *schema, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "#/$defs/%s", name);
    return schema != NULL && cJSON_AddStringToObject(schema, "$ref", path) != NULL;
}

static bool fill_type(cJSON *schema, Type type, const char *name) {
    cJSON *items;
    switch (type) {
    case TYPE_TEXT: return set_type(schema, "string");
    case TYPE_NUMBER: return set_type(schema, "number");
    case TYPE_COUNT: return set_count(schema);
    case TYPE_FLAG: return set_type(schema, "boolean");
    case TYPE_TEXTS: items = items_of(schema); return items != NULL && set_type(items, "string");
    case TYPE_COUNTS: return set_count(items_of(schema));
    case TYPE_NUMBERS:
        items = items_of(schema);
        return items != NULL && set_types(items, "number", "null");
    case TYPE_NUMBER_MAP: return set_map(schema, false);
    case TYPE_VALUE_MAP: return set_map(schema, true);
    case TYPE_TURNS: return set_turns(schema);
    case TYPE_OBJECTS: return set_reference(items_of(schema), name);
    }
    return false;
}

/* === Objects ================================================================================== */

/* The schema of an object with these keys and no others. */
typedef struct Shape {
    cJSON *properties, *required;
    bool complete; /* false without memory */
} Shape;

static Shape shape_start(cJSON *schemas, const char *name) {
    cJSON *schema = cJSON_AddObjectToObject(schemas, name);
    Shape shape = {.complete = schema != NULL && set_type(schema, "object")};
    if (shape.complete) {
        shape.properties = cJSON_AddObjectToObject(schema, "properties");
        shape.required = cJSON_AddArrayToObject(schema, "required");
        shape.complete = shape.properties != NULL && shape.required != NULL &&
                         cJSON_AddFalseToObject(schema, "additionalProperties") != NULL;
    }
    return shape;
}

static void add_key(Shape *shape, const Key *key) {
    cJSON *schema = shape->complete ? cJSON_AddObjectToObject(shape->properties, key->name) : NULL;
    shape->complete =
        schema != NULL && fill_type(schema, key->type, key->name) &&
        cJSON_AddStringToObject(schema, "description", key->meaning) != NULL &&
        (!key->required || cJSON_AddItemToArray(shape->required, cJSON_CreateString(key->name)));
}

static void add_keys(Shape *shape, const Key *keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        add_key(shape, &keys[i]);
    }
}

static Type type_of(const RowField *field) {
    switch (field->kind) {
    case ROW_COUNT: return TYPE_COUNT;
    case ROW_FLAG: return TYPE_FLAG;
    case ROW_POINT: return TYPE_VALUE_MAP;
    case ROW_STAGES: return TYPE_NUMBER_MAP;
    case ROW_SAMPLES: return TYPE_NUMBERS;
    case ROW_NUMBER:
    case ROW_NUMBER_OF: return TYPE_NUMBER;
    default: return TYPE_TEXT;
    }
}

/* What readers do not do without. */
static bool is_required(const RowField *field) {
    static const char *const texts[] = {"algorithm", "variant", "input_hash", "mode"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(field->json.name, texts[i]) == 0) {
            return true;
        }
    }
    return field->json.rule == KEY_REQUIRED || field->kind == ROW_POINT ||
           (field->kind == ROW_SAMPLES && field->json.rule != KEY_NONZERO);
}

static void add_turns_key(Shape *shape, const RowField *field) {
    char name[64];
    samples_turns_key(field->json.name, name);
    add_key(shape, &(Key){name, TYPE_TURNS, false, "[launch, turn, samples] of the samples"});
}

static void add_row_keys(Shape *shape) {
    for (size_t i = 0; i < row_field_count; i++) {
        const RowField *field = &row_fields[i];
        if (field->json.name == NULL) {
            continue;
        }
        add_key(shape, &(Key){field->json.name, type_of(field), is_required(field),
                              field->column.meaning});
        if (field->kind == ROW_SAMPLES) {
            add_turns_key(shape, field);
        }
    }
}

/* An entry of "benchmarks" is a launch behind the first, or a cell. */
static bool choose_entry(cJSON *schemas) {
    cJSON *schema = cJSON_AddObjectToObject(schemas, "benchmarks");
    cJSON *test = schema != NULL ? cJSON_AddObjectToObject(schema, "if") : NULL;
    cJSON *keys = test != NULL ? cJSON_AddArrayToObject(test, "required") : NULL;
    return keys != NULL && cJSON_AddItemToArray(keys, cJSON_CreateString("launch")) &&
           set_reference(cJSON_AddObjectToObject(schema, "then"), "launch") &&
           set_reference(cJSON_AddObjectToObject(schema, "else"), "measurement");
}

static const struct {
    const char *name;
    const Key *keys;
    size_t count;
    const Key *more;
    size_t more_count;
    bool row; /* has the keys of row.def too */
} definitions[] = {
    {"context", KEYS(context_keys), NULL, 0, false},
    {"caches", KEYS(cache_keys), NULL, 0, false},
    {"ceilings", KEYS(ceiling_keys), NULL, 0, false},
    {"launch_spread", KEYS(spread_keys), NULL, 0, false},
    {"complexity", KEYS(complexity_keys), NULL, 0, false},
    {"launch", KEYS(google_keys), KEYS(launch_keys), false},
    {"measurement", KEYS(google_keys), KEYS(cell_keys), true},
    {"unmeasured", KEYS(unmeasured_keys), KEYS(cell_keys), true},
};

static bool add_definitions(cJSON *root) {
    cJSON *schemas = cJSON_AddObjectToObject(root, "$defs");
    bool complete = schemas != NULL;
    for (size_t i = 0; complete && i < sizeof definitions / sizeof definitions[0]; i++) {
        Shape shape = shape_start(schemas, definitions[i].name);
        add_keys(&shape, definitions[i].keys, definitions[i].count);
        add_keys(&shape, definitions[i].more, definitions[i].more_count);
        if (definitions[i].row) {
            add_row_keys(&shape);
        }
        complete = shape.complete;
    }
    return complete && choose_entry(schemas);
}

static bool add_list(cJSON *properties, const char *name, const char *definition) {
    cJSON *list = cJSON_AddObjectToObject(properties, name);
    return list != NULL && set_reference(items_of(list), definition);
}

static bool fill_schema(cJSON *root) {
    static const char *const lists[] = {"benchmarks", "failures", "skipped", "complexity"};
    cJSON *properties = NULL, *required = NULL;
    const bool begun =
        root != NULL &&
        cJSON_AddStringToObject(root, "$schema", "https://json-schema.org/draft/2020-12/schema") !=
            NULL &&
        cJSON_AddStringToObject(root, "title", "results.json of bench") != NULL &&
        set_type(root, "object") &&
        (properties = cJSON_AddObjectToObject(root, "properties")) != NULL &&
        (required = cJSON_AddArrayToObject(root, "required")) != NULL &&
        cJSON_AddFalseToObject(root, "additionalProperties") != NULL &&
        set_reference(cJSON_AddObjectToObject(properties, "context"), "context") &&
        cJSON_AddItemToArray(required, cJSON_CreateString("context"));
    bool complete = begun;
    for (size_t i = 0; complete && i < sizeof lists / sizeof lists[0]; i++) {
        const bool unmeasured = i == 1 || i == 2;
        complete = add_list(properties, lists[i], unmeasured ? "unmeasured" : lists[i]) &&
                   cJSON_AddItemToArray(required, cJSON_CreateString(lists[i]));
    }
    return complete && add_definitions(root);
}

void results_schema_print(FILE *stream) {
    cJSON *root = cJSON_CreateObject();
    char *text = fill_schema(root) ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    if (text == NULL) {
        const Status status = status_no_memory("for the schema");
        (void)command_error(&status);
        return;
    }
    fprintf(stream, "%s\n", text);
    cJSON_free(text);
}
