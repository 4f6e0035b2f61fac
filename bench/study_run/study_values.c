#include "study_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "named_sizes.h"
#include "study_result_cells.h"

/* The number that a text begins with, if it ends there or at a ':' ("24:3" is 24). */
static double leading_number(const char *text) {
    char *end;
    const double number = strtod(text, &end);
    return end != text && (*end == '\0' || *end == ':') && isfinite(number) ? number : NAN;
}

static double size_number(const char *text) {
    const SizeSpec *named = named_size_find(text);
    if (named != NULL) {
        return named->width > 0 ? (double)named->width * named->height : NAN;
    }
    uint64_t width;
    uint64_t height;
    if (size_sides_read(text, &width, &height)) {
        return (double)width * (double)height;
    }
    return leading_number(text);
}

double conditions_x(const ConditionList *conditions, const char *key) {
    for (size_t i = 0; i < conditions->count; i++) {
        const Condition *condition = &conditions->items[i];
        if (strcmp(condition->key, key) == 0) {
            return strcmp(key, "size") == 0 ? size_number(condition->value)
                                            : leading_number(condition->value);
        }
    }
    return NAN;
}

double study_row_x(const StudyRow *row, const char *key) {
    return conditions_x(&row->conditions, key);
}

const StudyValue *study_value(const TableResult *result, size_t row, size_t column) {
    return &result->values[row * result->table->column_count + column];
}
