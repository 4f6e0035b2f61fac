#include "study_places.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

const TableResult *study_table_result(const StudyResult *result, const char *name) {
    for (size_t i = 0; i < result->study->table_count; i++) {
        if (strcmp(result->tables[i].table->name, name) == 0) {
            return &result->tables[i];
        }
    }
    return NULL;
}

size_t study_column_index(const StudyTable *table, const char *title) {
    for (size_t i = 0; i < table->column_count; i++) {
        if (strcmp(table->columns[i].title, title) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static size_t step_index(const StudyResult *result, const StudyTable *table,
                         const StudyColumn *column) {
    const char *name = column->step != NULL ? column->step : table->step;
    const StudyStep *step = name != NULL ? study_step(result->study, name) : NULL;
    return step != NULL ? (size_t)(step - result->study->steps) : SIZE_MAX;
}

const StepRecords *study_column_records(const StudyResult *result, const StudyTable *table,
                                        const StudyColumn *column) {
    const size_t index = step_index(result, table, column);
    return index != SIZE_MAX ? &result->records[index] : NULL;
}

const StepOutcome *study_column_outcome(const StudyResult *result, const StudyTable *table,
                                        const StudyColumn *column) {
    const size_t index = step_index(result, table, column);
    return index != SIZE_MAX ? &result->outcomes[index] : NULL;
}

bool study_column_is_quick(const StudyResult *result, const StudyTable *table,
                           const StudyColumn *column) {
    const size_t index = step_index(result, table, column);
    return index != SIZE_MAX && result->settings->quick &&
           result->study->steps[index].quick.count > 0;
}

const PublishedNumber *study_published_number(const StudyResult *result, const TableResult *table,
                                              size_t row, size_t column) {
    if (result->published == NULL) {
        return NULL;
    }
    return published_find(result->published, table->table, table->table->rows[row].label,
                          table->table->columns[column].title);
}

const char *study_record_text(const StepRecords *records, const CsvRecord *record,
                              const char *key) {
    if (records == NULL || record == NULL) {
        return "";
    }
    const char *text = step_record_value(records, record, key);
    return text != NULL ? text : "";
}

bool study_has_published(const TableResult *result, size_t column) {
    for (size_t row = 0; row < result->table->row_count; row++) {
        for (size_t i = 0; i < result->table->column_count; i++) {
            if ((column == SIZE_MAX || column == i) &&
                isfinite(study_value(result, row, i)->published)) {
                return true;
            }
        }
    }
    return false;
}
