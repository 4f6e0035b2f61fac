#include "study_words_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "axis_catalog.h"
#include "study_result_cells.h"
#include "study_tally.h"

bool key_is_work(const char *key) {
    static const char *const works[] = {"algorithm", "input", "size", "width", "height", "images"};
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        if (strcmp(works[i], key) == 0) {
            return true;
        }
    }
    return axis_is_answer(key);
}

static bool is_time(const StudyColumn *column) {
    return column->source == COLUMN_CSV && isfinite(unit_milliseconds(column->unit));
}

bool same_texts(const char *left, const char *right) {
    return strcmp(left != NULL ? left : "", right != NULL ? right : "") == 0;
}

static bool same_conditions(const ConditionList *left, const ConditionList *right) {
    bool same = left->count == right->count;
    for (size_t i = 0; same && i < left->count; i++) {
        same = strcmp(left->items[i].key, right->items[i].key) == 0 &&
               strcmp(left->items[i].value, right->items[i].value) == 0;
    }
    return same;
}

bool time_kinds_are_works(const StudyTable *table) {
    for (size_t i = 0; i < table->column_count; i++) {
        for (size_t j = i + 1; j < table->column_count; j++) {
            const StudyColumn *left = &table->columns[i];
            const StudyColumn *right = &table->columns[j];
            if (is_time(left) && is_time(right) && same_texts(left->step, right->step) &&
                same_conditions(&left->conditions, &right->conditions) &&
                !(same_texts(left->csv, right->csv) && same_texts(left->part, right->part))) {
                return true;
            }
        }
    }
    return false;
}

static int by_key(const void *left, const void *right) {
    return strcmp(((const Condition *)left)->key, ((const Condition *)right)->key);
}

static const char *with_condition(Document *document, const char *text,
                                  const Condition *condition) {
    return text_joined(document, text, " ",
                       document_text(document, "%s=%s", condition->key, condition->value));
}

const char *conditions_text(Document *document, const ConditionList *conditions, bool work,
                            const char *without) {
    const char *text = "";
    for (size_t i = 0; i < conditions->count; i++) {
        const Condition *condition = &conditions->items[i];
        if (key_is_work(condition->key) == work &&
            (without == NULL || strcmp(condition->key, without) != 0)) {
            text = with_condition(document, text, condition);
        }
    }
    return text;
}

static void add_cell(TimeGrid *grid, size_t row, size_t column, bool kind_is_work) {
    const StudyTable *table = grid->result->table;
    const StudyColumn *of = &table->columns[column];
    TimeCell cell = {.row = row, .column = column};
    if (!cell_conditions(table, &table->rows[row], of, &cell.conditions)) {
        grid->document->failed = true;
        return;
    }
    qsort(cell.conditions.items, cell.conditions.count, sizeof *cell.conditions.items, by_key);
    const char *kind =
        document_text(grid->document, "%s:%s", of->csv, of->part != NULL ? of->part : "");
    cell.way = conditions_text(grid->document, &cell.conditions, false, NULL);
    cell.work = conditions_text(grid->document, &cell.conditions, true, NULL);
    if (kind_is_work) {
        cell.work = text_joined(grid->document, cell.work, " ", kind);
    } else {
        cell.way = text_joined(grid->document, cell.way, " ", kind);
    }
    /* Rows may repeat what we measure, beside another machine of the paper: a contestant each. */
    size_t same = 0;
    for (size_t i = 0; i < grid->count; i++) {
        same += same_texts(grid->cells[i].plain_way, cell.way) &&
                        same_texts(grid->cells[i].work, cell.work)
                    ? 1
                    : 0;
    }
    cell.plain_way = cell.way;
    if (same > 0) {
        cell.way = document_text(grid->document, "%s (%zu)", cell.way, same + 1);
    }
    grid->cells[grid->count++] = cell;
}

static void add_cells(Document *document, const TableResult *result, TimeGrid *grid) {
    const StudyTable *table = result->table;
    *grid = (TimeGrid){.document = document, .result = result};
    grid->cells = calloc(table->row_count * table->column_count + 1, sizeof *grid->cells);
    if (grid->cells == NULL) {
        document->failed = true;
        return;
    }
    const bool kind_is_work = time_kinds_are_works(table);
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t column = 0; column < table->column_count; column++) {
            if (is_time(&table->columns[column])) {
                add_cell(grid, row, column, kind_is_work);
            }
        }
    }
}

/* Drops the cells at places where only one contestant is. */
static void keep_contested(TimeGrid *grid) {
    size_t kept = 0;
    for (size_t i = 0; i < grid->count; i++) {
        TimeCell *cell = &grid->cells[i];
        bool contested = false;
        for (size_t j = 0; j < grid->count && !contested; j++) {
            contested = same_texts(cell->work, grid->cells[j].work) &&
                        !same_texts(cell->way, grid->cells[j].way);
        }
        /* Those behind are looked at yet: they change places. */
        const TimeCell swap = grid->cells[kept];
        if (contested) {
            grid->cells[kept++] = *cell;
            *cell = swap;
        }
    }
    for (size_t i = kept; i < grid->count; i++) {
        free(grid->cells[i].conditions.items);
    }
    grid->count = kept;
}

void time_grid_make(Document *document, const TableResult *result, TimeGrid *grid) {
    add_cells(document, result, grid);
    keep_contested(grid);
}

void time_grid_release(TimeGrid *grid) {
    for (size_t i = 0; i < grid->count; i++) {
        free(grid->cells[i].conditions.items);
    }
    free(grid->cells);
}
