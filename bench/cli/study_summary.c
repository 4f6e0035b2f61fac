#include "study_summary.h"

#include <math.h>
#include <stdlib.h>

#include "exit_codes.h"
#include "text_table.h"
#include "visible.h"

enum { NAME, MEASURED, NUMBERS, PUBLISHED, WHY, COLUMNS };

static const TextColumn columns[COLUMNS] = {
    [NAME] = {"table", .left = true},       [MEASURED] = {"measured", .left = false},
    [NUMBERS] = {"of", .left = false},      [PUBLISHED] = {"published", .left = false},
    [WHY] = {"not measured", .left = true},
};

static void fill_row(const TableResult *table, TextRow *row) {
    const size_t count = table->table->row_count * table->table->column_count;
    size_t measured = 0, published = 0;
    for (size_t i = 0; i < count; i++) {
        const StudyValue *value = &table->values[i];
        measured += !isnan(value->measured);
        published += !isnan(value->published);
        if (isnan(value->measured) && row->cells[WHY][0] == '\0') {
            text_visible(value->why, row->cells[WHY], TEXT_TABLE_CELL_SIZE);
        }
    }
    text_visible(table->table->name, row->cells[NAME], TEXT_TABLE_CELL_SIZE);
    snprintf(row->cells[MEASURED], TEXT_TABLE_CELL_SIZE, "%zu", measured);
    snprintf(row->cells[NUMBERS], TEXT_TABLE_CELL_SIZE, "%zu", count);
    snprintf(row->cells[PUBLISHED], TEXT_TABLE_CELL_SIZE, "%zu", published);
}

void study_summary_print(FILE *stream, const StudyResult *result) {
    const size_t count = result->study->table_count;
    TextRow *rows = count > 0 ? calloc(count, sizeof *rows) : NULL;
    if (rows == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        fill_row(&result->tables[i], &rows[i]);
    }
    text_table_print(stream, columns, COLUMNS, rows, count);
    free(rows);
}

int study_exit_code(const StudyResult *result) {
    int worst = EXIT_OK;
    for (size_t i = 0; i < result->study->step_count; i++) {
        const int code = result->outcomes[i].code;
        if (code == EXIT_INTERRUPTED) {
            return code;
        }
        const bool ended_by_signal = code > 128;
        if (code == EXIT_WRONG || ended_by_signal) {
            worst = EXIT_WRONG;
        } else if (worst == EXIT_OK && code != EXIT_NO_SAMPLE) {
            worst = code;
        }
    }
    return worst;
}
