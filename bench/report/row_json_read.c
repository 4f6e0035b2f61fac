#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registry.h"
#include "row_json.h"
#include "row_json_fields.h"
#include "utf8.h"

/* Reading stops being meaningful at the first key that is wrong; its name is kept. */
typedef struct Reader {
    const cJSON *object;
    const char *wrong; /* NULL while everything was right */
} Reader;

static void reject(Reader *reader, const char *key) {
    if (reader->wrong == NULL) {
        reader->wrong = key;
    }
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

/* A whole number from 0 to `maximum`. */
static double read_count(Reader *reader, const char *key, double maximum) {
    const double number = read_number(reader, key, 0.0);
    if (!(number >= 0.0 && number <= maximum && number == floor(number))) {
        reject(reader, key);
        return 0.0;
    }
    return number;
}

static bool read_flag(Reader *reader, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(reader->object, key);
    if (!cJSON_IsBool(item)) {
        reject(reader, key);
    }
    return cJSON_IsTrue(item);
}

/* NULL, with the key rejected, when there is no such text. */
static const char *read_text(Reader *reader, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(reader->object, key));
    if (text == NULL) {
        reject(reader, key);
    }
    return text;
}

static void read_samples(Reader *reader, const char *key, Samples *samples) {
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(reader->object, key);
    const int count = cJSON_GetArraySize(array);
    if (!cJSON_IsArray(array) || count < 0) {
        reject(reader, key);
        return;
    }
    if (count == 0) {
        return;
    }
    samples->seconds = malloc((size_t)count * sizeof *samples->seconds);
    if (samples->seconds == NULL) {
        reject(reader, key);
        return;
    }
    samples->capacity = (size_t)count;
    const cJSON *item;
    cJSON_ArrayForEach(item, array) {
        if (!cJSON_IsNumber(item)) {
            reject(reader, key);
            return;
        }
        samples->seconds[samples->count++] = item->valuedouble;
    }
}

static const Axis *find_axis(const Axis *const *axes, const char *name) {
    for (size_t i = 0; axes != NULL && axes[i] != NULL; i++) {
        if (strcmp(axes[i]->name, name) == 0) {
            return axes[i];
        }
    }
    return NULL;
}

/* False when the axis has no such value. */
static bool read_axis_value(const Axis *axis, const cJSON *item, AxisValue *value) {
    if (axis->kind == AXIS_INTEGER) {
        if (!cJSON_IsNumber(item) || item->valuedouble < (double)axis->minimum ||
            item->valuedouble > (double)axis->maximum) {
            return false;
        }
        value->number = (int64_t)item->valuedouble;
        snprintf(value->text, sizeof value->text, "%" PRId64, value->number);
        return true;
    }
    const char *text = cJSON_GetStringValue(item);
    if (text == NULL) {
        return false;
    }
    utf8_copy(value->text, sizeof value->text, text);
    if (axis->kind == AXIS_TEXT) {
        return true;
    }
    for (int64_t i = 0; axis->choices[i] != NULL; i++) {
        if (strcmp(axis->choices[i], text) == 0) {
            value->number = i;
            return true;
        }
    }
    return false;
}

/* False when the point names an axis or a value that does not exist here. */
static bool read_point(Reader *reader, const char *key, const Axis *const *axes, Point *point) {
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(reader->object, key);
    if (!cJSON_IsObject(values)) {
        reject(reader, key);
        return true;
    }
    const cJSON *item;
    cJSON_ArrayForEach(item, values) {
        const Axis *axis = find_axis(axes, item->string);
        if (axis == NULL || point->count == POINT_AXES_MAX ||
            !read_axis_value(axis, item, &point->values[point->count])) {
            return false;
        }
        point->axes[point->count++] = axis;
    }
    return true;
}

/* Largest whole number that a double holds exactly. */
static const double exact_maximum = 9007199254740992.0;

static void read_counts(Reader *reader, Row *row) {
    row->width = (int32_t)read_count(reader, "width", INT32_MAX);
    row->height = (int32_t)read_count(reader, "height", INT32_MAX);
    row->images = (int32_t)read_count(reader, "images", INT32_MAX);
    row->threads = (int)read_count(reader, "cpu_threads", INT32_MAX);
    row->batch = (size_t)read_count(reader, "batch", exact_maximum);
    row->device_peak = (uint64_t)read_count(reader, "device_peak_bytes", exact_maximum);
    row->host_peak = (uint64_t)read_count(reader, "host_peak_bytes", exact_maximum);
    row->kernel_summary.count = (size_t)read_count(reader, "kernel_samples", exact_maximum);
    row->end_to_end_summary.count = (size_t)read_count(reader, "end_to_end_samples", exact_maximum);
}

static void read_words(Reader *reader, Row *row) {
    const char *hash = read_text(reader, "input_hash");
    row->input_hash = hash != NULL ? strtoull(hash, NULL, 16) : 0;
    const char *mode = read_text(reader, "mode");
    row->cold = mode != NULL && strcmp(mode, "cold") == 0;
    row->verified = read_flag(reader, "verified");
    row->converged = read_flag(reader, "converged");
    row->best_tuning = read_flag(reader, "best_tuning");
    /* Files of earlier versions do not have it. */
    row->throttled = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(reader->object, "throttled"));
}

/* Absent in files of earlier versions. The text has to outlive the file. */
static void read_cost(const cJSON *object, Row *row) {
    const cJSON *word = cJSON_GetObjectItemCaseSensitive(object, "cost_operation");
    const char *text = cJSON_GetStringValue(word);
    row->cost.operation = text == NULL ? NULL : strcmp(text, "fp32") == 0 ? "fp32" : "int32";
    row->over_roof = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "over_roof"));
}

/* By name: stages that the variant had in an earlier version and no longer has are left out. */
static void read_stages(Reader *reader, Row *row) {
    const cJSON *stages = cJSON_GetObjectItemCaseSensitive(reader->object, "stages_s");
    const size_t count = variant_stage_count(row->variant);
    if (stages != NULL && !cJSON_IsObject(stages)) {
        reject(reader, "stages_s");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(stages, row->variant->stages[i].name);
        if (item != NULL && !cJSON_IsNumber(item)) {
            reject(reader, "stages_s");
        }
        row->stage_seconds[i] = item != NULL ? item->valuedouble : (double)NAN;
    }
}

static void read_fields(Reader *reader, Row *row) {
    char *bytes = (char *)row;
    for (size_t i = 0; i < row_text_field_count; i++) {
        const TextField *field = &row_text_fields[i];
        if (cJSON_HasObjectItem(reader->object, field->key)) {
            const char *text = read_text(reader, field->key);
            utf8_copy(bytes + field->offset, field->size, text != NULL ? text : "");
        }
    }
    for (size_t i = 0; i < row_number_field_count; i++) {
        const double number = read_number(reader, row_number_fields[i].key, (double)NAN);
        memcpy(bytes + row_number_fields[i].offset, &number, sizeof number);
    }
}

RowRead row_json_read(const cJSON *object, Row *row, const char **key) {
    Reader reader = {.object = object};
    *row = row_empty();
    const char *algorithm = read_text(&reader, "algorithm");
    const char *variant = read_text(&reader, "variant");
    if (reader.wrong == NULL) {
        row->algorithm = registry_find_algorithm(algorithm);
        row->variant =
            row->algorithm != NULL ? registry_find_variant(row->algorithm, variant) : NULL;
        if (row->variant == NULL ||
            !read_point(&reader, "answer", row->algorithm->answer, &row->answer) ||
            !read_point(&reader, "tuning", row->variant->tuning, &row->tuning)) {
            return ROW_UNKNOWN;
        }
        read_counts(&reader, row);
        read_words(&reader, row);
        read_fields(&reader, row);
        read_cost(object, row);
        read_stages(&reader, row);
        read_samples(&reader, "kernel_samples_s", &row->kernel);
        read_samples(&reader, "end_to_end_samples_s", &row->end_to_end);
    }
    if (reader.wrong != NULL) {
        row_release(row);
        *key = reader.wrong;
        return ROW_INVALID;
    }
    return ROW_READ;
}
