#include "study_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "step_algorithms.h"
#include "study_result_cells.h"
#include "visible.h"

static void set_published(const StudyResult *result, const StudyTable *table, size_t row,
                          size_t column, StudyValue *value) {
    const PublishedNumber *number =
        result->published != NULL ? published_find(result->published, table, table->rows[row].label,
                                                   table->columns[column].title)
                                  : NULL;
    if (number != NULL) {
        value->published = number->value;
        value->printed = number->printed;
    }
}

/* Ratios come after what they are made of: first the columns of files, then the others in their
 * order, so that one may be made of an earlier one. */
static bool make_table(const StudyResult *result, const StudyTable *table, TableResult *made) {
    *made = (TableResult){
        .table = table,
        .values = calloc(table->row_count * table->column_count + 1, sizeof *made->values)};
    if (made->values == NULL) {
        return false;
    }
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t column = 0; column < table->column_count; column++) {
            StudyValue *value = &made->values[row * table->column_count + column];
            *value = (StudyValue){.measured = NAN, .low = NAN, .high = NAN, .published = NAN};
            set_published(result, table, row, column, value);
            if (table->columns[column].source == COLUMN_CSV &&
                !cell_measure(result, table, &table->rows[row], &table->columns[column], value)) {
                return false;
            }
        }
    }
    for (size_t column = 0; column < table->column_count; column++) {
        for (size_t row = 0; row < table->row_count; row++) {
            if (table->columns[column].source != COLUMN_CSV) {
                cell_derive(made, row, column);
            }
        }
    }
    return true;
}

/* A step whose file cannot be read has the reason in its outcome, unless it has one already. */
static void read_steps(StudyResult *result) {
    for (size_t i = 0; i < result->study->step_count; i++) {
        StepOutcome *outcome = &result->outcomes[i];
        if (outcome->csv[0] == '\0') {
            continue;
        }
        const Status status = step_records_read(outcome->csv, &result->records[i]);
        if (status_is_ok(&status)) {
            step_algorithms_keep(&result->study->steps[i], &result->records[i]);
        } else if (outcome->state == STEP_DONE) {
            outcome->state = STEP_FAILED;
            text_visible(status.why, outcome->why, sizeof outcome->why);
        }
    }
}

Status study_result_make(const Study *study, const Published *published,
                         const StudySettings *settings, StepOutcome *outcomes,
                         StudyResult *result) {
    *result = (StudyResult){.study = study,
                            .published = published,
                            .settings = settings,
                            .outcomes = outcomes,
                            .records = calloc(study->step_count + 1, sizeof *result->records),
                            .tables = calloc(study->table_count + 1, sizeof *result->tables)};
    bool made = result->records != NULL && result->tables != NULL;
    if (made) {
        read_steps(result);
    }
    for (size_t i = 0; made && i < study->table_count; i++) {
        made = make_table(result, &study->tables[i], &result->tables[i]);
    }
    if (!made) {
        study_result_release(result);
        return status_fail("not enough memory for the numbers of the study '%.80s'", study->name);
    }
    return status_ok();
}

void study_result_release(StudyResult *result) {
    for (size_t i = 0; result->tables != NULL && i < result->study->table_count; i++) {
        free(result->tables[i].values);
    }
    for (size_t i = 0; result->records != NULL && i < result->study->step_count; i++) {
        step_records_release(&result->records[i]);
    }
    free(result->tables);
    free(result->records);
    free(result->outcomes);
    *result = (StudyResult){0};
}
