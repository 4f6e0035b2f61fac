/* The times of a study's table, by ways to do a work and by the works. */

#include "document.h"
#include "study_internal.h"

#include <math.h>
#include <string.h>

#include "run_options.h"

/* === Time cells =============================================================================== */

/* A cell of the table that holds a time. */
typedef struct TimeCell {
    const StudyValue *value;
    const char *way, *work;  /* equal texts: the same way, the same place */
    const char *plain_way;   /* `way` without the number of a repeated row */
    bool shared;             /* another way does the same work */
    size_t way_index, place; /* in the WayTimes */
} TimeCell;

typedef struct TimeGrid {
    Document *document;
    const StudyTable *table;
    TimeCell *cells;
    size_t count;
    bool kinds_are_works;
    const char *x_key;
} TimeGrid;

/* Whether the key belongs to the work (size, input, an answer axis) or to the way of doing it. */
static bool key_is_work(const char *key) {
    static const char *const works[] = {"algorithm", "input", "size", "width", "height", "images"};
    return text_is_one_of(key, works, sizeof works / sizeof works[0]) || axis_is_answer(key);
}

static bool same_conditions(const ConditionList *left, const ConditionList *right) {
    bool same = left->count == right->count;
    for (size_t i = 0; same && i < left->count; i++) {
        same = strcmp(left->items[i].key, right->items[i].key) == 0 &&
               strcmp(left->items[i].value, right->items[i].value) == 0;
    }
    return same;
}

bool same_kind_of_time(const StudyColumn *left, const StudyColumn *right) {
    return same_texts(left->csv, right->csv) && same_texts(left->part, right->part);
}

bool time_kinds_are_works(const StudyTable *table) {
    for (size_t i = 0; i < table->column_count; i++) {
        for (size_t j = i + 1; j < table->column_count; j++) {
            const StudyColumn *left = &table->columns[i];
            const StudyColumn *right = &table->columns[j];
            if (column_is_time(left) && column_is_time(right) &&
                same_texts(left->step, right->step) &&
                same_conditions(&left->conditions, &right->conditions) &&
                !same_kind_of_time(left, right)) {
                return true;
            }
        }
    }
    return false;
}

/* "key=value key=value" of the conditions that are work, or that are not, without one key (may be
 * NULL). */
static const char *conditions_text(Document *document, const ConditionList *conditions, bool work,
                                   const char *without) {
    const char *text = "";
    for (size_t i = 0; i < conditions->count; i++) {
        const Condition *condition = &conditions->items[i];
        if (key_is_work(condition->key) == work && !same_texts(condition->key, without)) {
            text = text_joined(document, text, " ",
                               document_text(document, "%s=%s", condition->key, condition->value));
        }
    }
    return text;
}

static void add_cell(TimeGrid *grid, const StudyValue *value) {
    Document *document = grid->document;
    const StudyColumn *column = value->column;
    TimeCell cell = {.value = value,
                     .way = conditions_text(document, &value->conditions, false, NULL),
                     .work = conditions_text(document, &value->conditions, true, NULL)};
    const char **owner = grid->kinds_are_works ? &cell.work : &cell.way;
    *owner = text_joined(
        document, *owner, " ",
        document_text(document, "%s:%s", column->csv, column->part != NULL ? column->part : ""));
    cell.plain_way = cell.way;
    /* Rows may repeat what is measured here, beside another machine of the paper: each is a
     * way. */
    size_t same = 0;
    for (size_t i = 0; i < grid->count; i++) {
        const TimeCell *other = &grid->cells[i];
        same +=
            same_texts(other->work, cell.work) && same_texts(other->plain_way, cell.way) ? 1 : 0;
    }
    if (same > 0) {
        cell.way = document_text(document, "%s (%zu)", cell.way, same + 1);
    }
    grid->cells[grid->count++] = cell;
}

/* Drops the cells whose work only one way does. */
static void keep_shared(TimeGrid *grid) {
    for (size_t i = 0; i < grid->count; i++) {
        TimeCell *cell = &grid->cells[i];
        for (size_t j = 0; j < grid->count && !cell->shared; j++) {
            cell->shared = same_texts(cell->work, grid->cells[j].work) &&
                           !same_texts(cell->way, grid->cells[j].way);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < grid->count; i++) {
        if (grid->cells[i].shared) {
            grid->cells[kept++] = grid->cells[i];
        }
    }
    grid->count = kept;
}

/* The key of works that is a number in all cells and not the same in all: `size` before others. */
static const char *find_x_key(const TimeGrid *grid) {
    const char *found = NULL;
    const ConditionList *conditions = grid->count > 0 ? &grid->cells[0].value->conditions : NULL;
    for (size_t i = 0; conditions != NULL && i < conditions->count; i++) {
        const char *key = conditions->items[i].key;
        const double first = condition_number(conditions, key);
        bool numbers = key_is_work(key);
        bool varies = false;
        for (size_t j = 0; j < grid->count; j++) {
            const double x = condition_number(&grid->cells[j].value->conditions, key);
            numbers = numbers && x > 0;
            varies = varies || x != first;
        }
        if (numbers && varies && (found == NULL || strcmp(key, "size") == 0)) {
            found = key;
        }
    }
    return found;
}

static TimeGrid grid_make(Document *document, const TableResult *result) {
    TimeGrid grid = {.document = document,
                     .table = result->table,
                     .cells = document_allocate(document, (result->count + 1) * sizeof *grid.cells),
                     .kinds_are_works = time_kinds_are_works(result->table)};
    for (size_t i = 0; grid.cells != NULL && i < result->count; i++) {
        if (column_is_time(result->values[i].column)) {
            add_cell(&grid, &result->values[i]);
        }
    }
    keep_shared(&grid);
    grid.x_key = find_x_key(&grid);
    return grid;
}

/* === Names ==================================================================================== */

static const char *identity(const TimeCell *cell, bool work) {
    return work ? cell->work : cell->way;
}

/* Whether all cells of an identity are in one row (column) that has no other identity. */
static bool is_line_of_table(const TimeGrid *grid, const TimeCell *of, bool work, bool row) {
    for (size_t i = 0; i < grid->count; i++) {
        const TimeCell *cell = &grid->cells[i];
        const bool same = same_texts(identity(cell, work), identity(of, work));
        const bool in_line =
            row ? cell->value->row == of->value->row : cell->value->column == of->value->column;
        if (same != in_line) {
            return false;
        }
    }
    return true;
}

static bool is_condition_of_table(const StudyTable *table, const Condition *condition) {
    for (size_t i = 0; i < table->conditions.count; i++) {
        const Condition *other = &table->conditions.items[i];
        if (same_texts(other->key, condition->key) && same_texts(other->value, condition->value)) {
            return true;
        }
    }
    return false;
}

/* The values of the conditions that are not the whole table's: "omp, threads 4". */
static const char *values_text(const TimeGrid *grid, const TimeCell *cell, bool work) {
    const ConditionList *conditions = &cell->value->conditions;
    const char *text = "";
    for (size_t i = 0; i < conditions->count; i++) {
        const Condition *condition = &conditions->items[i];
        if (is_condition_of_table(grid->table, condition) || key_is_work(condition->key) != work) {
            continue;
        }
        const bool number =
            strspn(condition->value, "0123456789") > 0 && strcmp(condition->key, "size") != 0;
        const char *value =
            number ? document_text(grid->document, "%s %s", condition->key, condition->value)
                   : condition->value;
        text = text_joined(grid->document, text, ", ", value);
    }
    return text[0] != '\0' ? text : cell->value->column->title;
}

static const char *plain_name(const TimeGrid *grid, const TimeCell *cell, bool work) {
    if (is_line_of_table(grid, cell, work, false)) {
        return cell->value->column->title;
    }
    if (is_line_of_table(grid, cell, work, true)) {
        return cell->value->row->label;
    }
    const char *values = values_text(grid, cell, work);
    return work && grid->kinds_are_works
               ? document_text(grid->document, "%s %s", values, cell->value->column->csv)
               : values;
}

/* As an item of a list; a place that is a bare number gets its key in front: "box 16". */
static const char *name_of(const TimeGrid *grid, const TimeCell *cell, bool work) {
    const char *name = plain_name(grid, cell, work);
    if (name != NULL && work && grid->x_key != NULL && strcmp(grid->x_key, "size") != 0 &&
        name[strspn(name, "0123456789.")] == '\0') {
        return document_text(grid->document, "%s %s", grid->x_key, name);
    }
    return name != NULL ? text_listed(grid->document, name) : "";
}

/* === WayTimes ================================================================================= */

/* Numbers the distinct ways (works) in the table's order, and returns how many there are; `firsts`
 * gets the first cell of each. */
static size_t number_cells(const TimeGrid *grid, bool work, const TimeCell **firsts) {
    size_t count = 0;
    for (size_t i = 0; i < grid->count; i++) {
        TimeCell *cell = &grid->cells[i];
        size_t number = 0;
        while (number < count &&
               !same_texts(identity(firsts[number], work), identity(cell, work))) {
            number++;
        }
        if (number == count) {
            firsts[count++] = cell;
        }
        *(work ? &cell->place : &cell->way_index) = number;
    }
    return count;
}

static WorkPlace place_of(const TimeGrid *grid, const TimeCell *cell) {
    const ConditionList *conditions = &cell->value->conditions;
    const char *rest = conditions_text(grid->document, conditions, true, grid->x_key);
    if (grid->kinds_are_works) {
        rest = text_joined(grid->document, rest, " ", cell->value->column->csv);
    }
    return (WorkPlace){.name = name_of(grid, cell, true),
                       .rest = rest,
                       .x = grid->x_key != NULL ? condition_number(conditions, grid->x_key) : NAN};
}

void way_times_make(Document *document, const TableResult *result, WayTimes *way_times) {
    *way_times = (WayTimes){.ways = NULL};
    const TimeGrid grid = grid_make(document, result);
    const size_t room = grid.count + 1;
    const TimeCell **ways = document_allocate(document, room * sizeof *ways);
    const TimeCell **works = document_allocate(document, room * sizeof *works);
    way_times->ways = document_allocate(document, room * sizeof *way_times->ways);
    way_times->places = document_allocate(document, room * sizeof *way_times->places);
    if (document->failed) {
        return;
    }
    const size_t way_count = number_cells(&grid, false, ways);
    const size_t work_count = number_cells(&grid, true, works);
    way_times->cells =
        document_allocate(document, (way_count * work_count + 1) * sizeof *way_times->cells);
    if (way_times->cells == NULL) {
        return;
    }
    way_times->x_key = grid.x_key;
    way_times->way_count = way_count;
    way_times->place_count = work_count;
    for (size_t i = 0; i < way_count; i++) {
        way_times->ways[i] = name_of(&grid, ways[i], false);
    }
    for (size_t i = 0; i < work_count; i++) {
        way_times->places[i] = place_of(&grid, works[i]);
    }
    for (size_t i = 0; i < grid.count; i++) {
        const TimeCell *cell = &grid.cells[i];
        const StudyValue **target = &way_times->cells[cell->way_index * work_count + cell->place];
        *target = *target != NULL ? *target : cell->value;
    }
}

const StudyValue *way_times_cell(const WayTimes *way_times, size_t way, size_t place) {
    return way_times->cells[way * way_times->place_count + place];
}

double way_times_time(const WayTimes *way_times, size_t way, size_t place, bool published) {
    const StudyValue *value = way_times_cell(way_times, way, place);
    const double time = value == NULL ? (double)NAN
                        : published   ? value->published
                                      : value->measured;
    return time > 0 ? time * unit_milliseconds(value->column->unit) : (double)NAN;
}

bool way_times_is_one_curve(const WayTimes *way_times) {
    for (size_t i = 1; i < way_times->place_count; i++) {
        if (!same_texts(way_times->places[i].rest, way_times->places[0].rest)) {
            return false;
        }
    }
    return way_times->x_key != NULL;
}
