#include "complexity_json.h"

#include <math.h>
#include <stdio.h>

#include "complexity.h"

static bool has_exponent(const Row *row) {
    return row->status == CELL_OK && isfinite(row->exponent);
}

static bool listed_before(const Results *results, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (has_exponent(&results->rows[i]) &&
            same_complexity(&results->rows[i], &results->rows[index])) {
            return true;
        }
    }
    return false;
}

static bool add_entry(cJSON *list, const Row *row) {
    char answer[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    point_format(&row->answer, answer, sizeof answer);
    const char *item = row->algorithm->item != NULL ? row->algorithm->item : "";
    cJSON *entry = cJSON_CreateObject();
    if (!cJSON_AddItemToArray(list, entry)) {
        cJSON_Delete(entry);
        return false;
    }
    bool complete = cJSON_AddStringToObject(entry, "algorithm", row->algorithm->name) != NULL;
    complete &= cJSON_AddStringToObject(entry, "variant", row->variant->name) != NULL;
    complete &= cJSON_AddStringToObject(entry, "input", row->input) != NULL;
    complete &= cJSON_AddStringToObject(entry, "answer", answer) != NULL;
    complete &= cJSON_AddStringToObject(entry, "mode", row->cold ? "cold" : "hot") != NULL;
    complete &= cJSON_AddStringToObject(entry, "item", item) != NULL;
    complete &= cJSON_AddNumberToObject(entry, "exponent", row->exponent) != NULL;
    complete &= cJSON_AddNumberToObject(entry, "exponent_low", row->exponent_low) != NULL;
    complete &= cJSON_AddNumberToObject(entry, "exponent_high", row->exponent_high) != NULL;
    return complete;
}

bool complexity_json_write(cJSON *root, const Results *results) {
    cJSON *list = cJSON_AddArrayToObject(root, "complexity");
    bool complete = list != NULL;
    for (size_t i = 0; complete && i < results->count; i++) {
        if (has_exponent(&results->rows[i]) && !listed_before(results, i)) {
            complete = add_entry(list, &results->rows[i]);
        }
    }
    return complete;
}
