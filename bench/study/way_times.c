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
    size_t repeat; /* cells before it of the same work and way: rows may repeat what is measured
                      here, beside another machine of the paper, and each is a way */
    bool shared;   /* another way does the same work */
    size_t way_index, place; /* in the WayTimes */
} TimeCell;

typedef struct TimeGrid {
    Document *document;
    const StudyTable *table;
    TimeCell *cells;
    size_t count;
    bool kinds_are_works;
    const Condition *x; /* of the key whose numbers order the works; NULL: none */
} TimeGrid;

static bool same_condition(const Condition *left, const Condition *right) {
    return same_texts(left->key, right->key) && same_texts(left->value, right->value);
}

static bool same_conditions(const ConditionList *left, const ConditionList *right) {
    bool same = left->count == right->count;
    for (size_t i = 0; same && i < left->count; i++) {
        same = same_condition(&left->items[i], &right->items[i]);
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

/* Whether a condition is of the work, or of the way, and not on the key of `without`, which may be
 * NULL. */
static bool is_of(const Condition *condition, bool work, const Condition *without) {
    return kind_is_work(condition->kind) == work &&
           (without == NULL || !same_texts(condition->key, without->key));
}

/* The first from a place on that is_of; `count` where there is none. */
static size_t next_of(const ConditionList *list, size_t from, bool work, const Condition *without) {
    while (from < list->count && !is_of(&list->items[from], work, without)) {
        from++;
    }
    return from;
}

/* Whether the conditions of the work, or of the way, are the same. Both lists are in the order of
 * their keys. */
static bool same_side(const TimeCell *left, const TimeCell *right, bool work,
                      const Condition *without) {
    const ConditionList *one = &left->value->conditions, *other = &right->value->conditions;
    size_t i = next_of(one, 0, work, without), j = next_of(other, 0, work, without);
    while (i < one->count && j < other->count && same_condition(&one->items[i], &other->items[j])) {
        i = next_of(one, i + 1, work, without);
        j = next_of(other, j + 1, work, without);
    }
    return i == one->count && j == other->count;
}

static bool same_kind(const TimeCell *left, const TimeCell *right) {
    return same_kind_of_time(left->value->column, right->value->column);
}

static bool same_work(const TimeGrid *grid, const TimeCell *left, const TimeCell *right) {
    return same_side(left, right, true, NULL) && (!grid->kinds_are_works || same_kind(left, right));
}

/* Of the same work, without asking which of several cells it is. */
static bool same_plain_way(const TimeGrid *grid, const TimeCell *left, const TimeCell *right) {
    return same_side(left, right, false, NULL) && (grid->kinds_are_works || same_kind(left, right));
}

static bool same_way(const TimeGrid *grid, const TimeCell *left, const TimeCell *right) {
    return left->repeat == right->repeat && same_plain_way(grid, left, right);
}

static bool same_identity(const TimeGrid *grid, const TimeCell *left, const TimeCell *right,
                          bool work) {
    return (work ? same_work : same_way)(grid, left, right);
}

static void add_cell(TimeGrid *grid, const StudyValue *value) {
    TimeCell cell = {.value = value};
    for (size_t i = 0; i < grid->count; i++) {
        const TimeCell *other = &grid->cells[i];
        cell.repeat += same_work(grid, other, &cell) && same_plain_way(grid, other, &cell);
    }
    grid->cells[grid->count++] = cell;
}

/* Drops the cells whose work only one way does. */
static void keep_shared(TimeGrid *grid) {
    for (size_t i = 0; i < grid->count; i++) {
        TimeCell *cell = &grid->cells[i];
        for (size_t j = 0; j < grid->count && !cell->shared; j++) {
            cell->shared =
                same_work(grid, cell, &grid->cells[j]) && !same_way(grid, cell, &grid->cells[j]);
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
static const Condition *find_x(const TimeGrid *grid) {
    const Condition *found = NULL;
    const ConditionList *conditions = grid->count > 0 ? &grid->cells[0].value->conditions : NULL;
    for (size_t i = 0; conditions != NULL && i < conditions->count; i++) {
        const Condition *condition = &conditions->items[i];
        const double first = condition_number(conditions, condition->key);
        bool numbers = kind_is_work(condition->kind);
        bool varies = false;
        for (size_t j = 0; j < grid->count; j++) {
            const double x = condition_number(&grid->cells[j].value->conditions, condition->key);
            numbers = numbers && x > 0;
            varies = varies || x != first;
        }
        if (numbers && varies && (found == NULL || condition->kind == KEY_SIZE)) {
            found = condition;
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
    grid.x = find_x(&grid);
    return grid;
}

/* === Names ==================================================================================== */

/* Whether all cells of an identity are in one row (column) that has no other identity. */
static bool is_line_of_table(const TimeGrid *grid, const TimeCell *of, bool work, bool row) {
    for (size_t i = 0; i < grid->count; i++) {
        const TimeCell *cell = &grid->cells[i];
        const bool same = same_identity(grid, cell, of, work);
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
        if (same_condition(&table->conditions.items[i], condition)) {
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
        if (is_condition_of_table(grid->table, condition) || !is_of(condition, work, NULL)) {
            continue;
        }
        const bool number =
            strspn(condition->value, "0123456789") > 0 && condition->kind != KEY_SIZE;
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
    if (name != NULL && work && grid->x != NULL && grid->x->kind != KEY_SIZE &&
        name[strspn(name, "0123456789.")] == '\0') {
        return document_text(grid->document, "%s %s", grid->x->key, name);
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
        while (number < count && !same_identity(grid, firsts[number], cell, work)) {
            number++;
        }
        if (number == count) {
            firsts[count++] = cell;
        }
        *(work ? &cell->place : &cell->way_index) = number;
    }
    return count;
}

/* Whether two works differ in the x key alone. */
static bool same_curve(const TimeGrid *grid, const TimeCell *left, const TimeCell *right) {
    return same_side(left, right, true, grid->x) &&
           (!grid->kinds_are_works ||
            same_texts(left->value->column->csv, right->value->column->csv));
}

/* "input=noise, …": what a curve's works have in common, by key. */
static const char *curve_name(const TimeGrid *grid, const TimeCell *cell) {
    const ConditionList *conditions = &cell->value->conditions;
    const char *name = "";
    for (size_t i = 0; i < conditions->count; i++) {
        const Condition *condition = &conditions->items[i];
        if (is_of(condition, true, grid->x)) {
            name = text_joined(
                grid->document, name, " ",
                document_text(grid->document, "%s=%s", condition->key, condition->value));
        }
    }
    return grid->kinds_are_works ? text_joined(grid->document, name, " ", cell->value->column->csv)
                                 : name;
}

static WorkPlace place_of(const TimeGrid *grid, const TimeCell *const *works, size_t index) {
    const TimeCell *cell = works[index];
    size_t curve = 0;
    while (!same_curve(grid, works[curve], cell)) {
        curve++;
    }
    return (WorkPlace){
        .name = name_of(grid, cell, true),
        .curve = curve,
        .curve_name = curve_name(grid, cell),
        .x = grid->x != NULL ? condition_number(&cell->value->conditions, grid->x->key) : NAN};
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
    way_times->x = grid.x;
    way_times->way_count = way_count;
    way_times->place_count = work_count;
    for (size_t i = 0; i < way_count; i++) {
        way_times->ways[i] = name_of(&grid, ways[i], false);
    }
    for (size_t i = 0; i < work_count; i++) {
        way_times->places[i] = place_of(&grid, works, i);
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
    return time > 0 ? time * unit_milliseconds(&value->column->unit) : (double)NAN;
}

bool way_times_is_one_curve(const WayTimes *way_times) {
    for (size_t i = 1; i < way_times->place_count; i++) {
        if (way_times->places[i].curve != way_times->places[0].curve) {
            return false;
        }
    }
    return way_times->x != NULL;
}
