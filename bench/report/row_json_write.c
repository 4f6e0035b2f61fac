#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number_text.h"
#include "row_json.h"
#include "row_json_fields.h"

/* cJSON's own numbers may lose their last bit; these do not. */
static cJSON *exact_number(double number) {
    if (!isfinite(number)) {
        return cJSON_CreateNull();
    }
    char text[32];
    number_text_exact(number, text, sizeof text);
    return cJSON_CreateRaw(text);
}

/* A bare NaN or Infinity is not JSON: what is not a number has no key. */
static bool add_number(cJSON *object, const char *key, double number) {
    return !isfinite(number) || cJSON_AddItemToObject(object, key, exact_number(number));
}

static bool add_text(cJSON *object, const char *key, const char *text) {
    return text[0] == '\0' || cJSON_AddStringToObject(object, key, text) != NULL;
}

static bool add_samples(cJSON *object, const char *key, const Samples *samples) {
    cJSON *array = cJSON_AddArrayToObject(object, key);
    if (array == NULL) {
        return false;
    }
    for (size_t i = 0; i < samples->count; i++) {
        cJSON *number = exact_number(samples->seconds[i]);
        if (number == NULL || !cJSON_AddItemToArray(array, number)) {
            cJSON_Delete(number);
            return false;
        }
    }
    return true;
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

static bool add_identity(cJSON *object, const Row *row) {
    /* 64 bits do not fit a JSON number, which most readers take for a double. */
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, row->input_hash);
    bool complete = cJSON_AddStringToObject(object, "algorithm", row->algorithm->name) != NULL;
    complete &= cJSON_AddStringToObject(object, "variant", row->variant->name) != NULL;
    complete &= cJSON_AddStringToObject(object, "backend", row->variant->backend->name) != NULL;
    complete &= cJSON_AddStringToObject(object, "input_hash", hash) != NULL;
    complete &= add_number(object, "width", row->width);
    complete &= add_number(object, "height", row->height);
    complete &= row->images == 0 || add_number(object, "images", row->images);
    complete &= add_point(object, "answer", &row->answer);
    complete &= add_point(object, "tuning", &row->tuning);
    complete &= add_number(object, "cpu_threads", row->threads);
    return complete;
}

static bool add_measuring(cJSON *object, const Row *row) {
    bool complete = cJSON_AddBoolToObject(object, "verified", row->verified) != NULL;
    complete &= cJSON_AddStringToObject(object, "mode", row->cold ? "cold" : "hot") != NULL;
    complete &= cJSON_AddBoolToObject(object, "converged", row->converged) != NULL;
    complete &= cJSON_AddBoolToObject(object, "best_tuning", row->best_tuning) != NULL;
    complete &= cJSON_AddBoolToObject(object, "throttled", row->throttled) != NULL;
    complete &= add_number(object, "items_per_joule", row_items_per_joule(row));
    complete &= cJSON_AddBoolToObject(object, "over_roof", row->over_roof) != NULL;
    complete &=
        add_text(object, "cost_operation", row->cost.operation != NULL ? row->cost.operation : "");
    complete &= add_number(object, "batch", (double)row->batch);
    complete &= add_number(object, "device_peak_bytes", (double)row->device_peak);
    complete &= add_number(object, "host_peak_bytes", (double)row->host_peak);
    complete &= add_number(object, "kernel_samples", (double)row->kernel_summary.count);
    complete &= add_number(object, "end_to_end_samples", (double)row->end_to_end_summary.count);
    return complete;
}

static bool add_stages(cJSON *object, const Row *row) {
    const size_t count = variant_stage_count(row->variant);
    if (count == 0 || !isfinite(row->stage_seconds[0])) {
        return true;
    }
    cJSON *stages = cJSON_AddObjectToObject(object, "stages_s");
    bool complete = stages != NULL;
    for (size_t i = 0; complete && i < count; i++) {
        complete = add_number(stages, row->variant->stages[i].name, row->stage_seconds[i]);
    }
    return complete;
}

/* Derived from the samples and from the other rows, and derived again by who reads them. */
static bool add_behaviour(cJSON *object, const Row *row) {
    if (row->kernel.count == 0) {
        return true;
    }
    bool complete = add_number(object, "outliers_mild", (double)row->outliers_mild);
    complete &= add_number(object, "outliers_severe", (double)row->outliers_severe);
    complete &= add_number(object, "autocorrelation", row->autocorrelation);
    complete &= cJSON_AddBoolToObject(object, "autocorrelated", row->autocorrelated) != NULL;
    complete &= cJSON_AddBoolToObject(object, "multimodal", row->multimodal) != NULL;
    complete &= add_number(object, "exponent", row->exponent);
    complete &= add_number(object, "exponent_low", row->exponent_low);
    complete &= add_number(object, "exponent_high", row->exponent_high);
    return complete;
}

bool row_json_write(cJSON *object, const Row *row) {
    const char *bytes = (const char *)row;
    bool complete = add_identity(object, row);
    complete &= add_measuring(object, row);
    complete &= add_behaviour(object, row);
    for (size_t i = 0; i < row_text_field_count; i++) {
        complete &= add_text(object, row_text_fields[i].key, bytes + row_text_fields[i].offset);
    }
    for (size_t i = 0; i < row_number_field_count; i++) {
        double number;
        memcpy(&number, bytes + row_number_fields[i].offset, sizeof number);
        complete &= add_number(object, row_number_fields[i].key, number);
    }
    complete &= add_stages(object, row);
    complete &= add_samples(object, "kernel_samples_s", &row->kernel);
    complete &= add_samples(object, "end_to_end_samples_s", &row->end_to_end);
    return complete;
}
