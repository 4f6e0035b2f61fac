#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "study_places.h"
#include "study_result_cells.h"

static size_t row_index(const StudyTable *table, const char *label) {
    for (size_t i = 0; i < table->row_count; i++) {
        if (strcmp(table->rows[i].label, label) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

bool ratio_source(const StudyTable *table, size_t row, size_t column, RatioSource *source) {
    const StudyColumn *ratio = &table->columns[column];
    const bool base = ratio->source == COLUMN_BASE;
    const size_t over = study_column_index(table, ratio->over);
    const size_t under = base ? over : study_column_index(table, ratio->under);
    const size_t over_row = base ? row_index(table, ratio->base) : row;
    if (over == SIZE_MAX || under == SIZE_MAX || over_row == SIZE_MAX) {
        return false;
    }
    const double scale = unit_milliseconds(table->columns[over].unit) /
                         unit_milliseconds(table->columns[under].unit);
    *source = (RatioSource){.over_row = over_row,
                            .over_column = over,
                            .under_row = row,
                            .under_column = under,
                            .scale = isfinite(scale) ? scale : 1};
    return true;
}

static void divide(const StudyValue *over, const StudyValue *under, double scale,
                   StudyValue *value) {
    if (under->measured == 0) {
        snprintf(value->why, sizeof value->why, "it would be divided by zero");
        return;
    }
    value->measured = scale * over->measured / under->measured;
    /* The widest that both intervals allow; only what is above zero has its order kept. */
    if (over->low >= 0 && under->low > 0) {
        value->low = scale * over->low / under->high;
        value->high = scale * over->high / under->low;
    }
}

void cell_derive(const TableResult *result, size_t row, size_t column) {
    const StudyTable *table = result->table;
    StudyValue *value = &result->values[row * table->column_count + column];
    RatioSource source;
    if (!ratio_source(table, row, column, &source)) {
        snprintf(value->why, sizeof value->why, "its row or column is not there");
        return;
    }
    const StudyValue *over = study_value(result, source.over_row, source.over_column);
    const StudyValue *under = study_value(result, source.under_row, source.under_column);
    if (!isfinite(over->measured) || !isfinite(under->measured)) {
        const char *why = isfinite(over->measured) ? under->why : over->why;
        snprintf(value->why, sizeof value->why, "%s", why[0] != '\0' ? why : "not measured");
    } else if (over == under) {
        value->measured = 1;
    } else {
        divide(over, under, source.scale, value);
    }
}
