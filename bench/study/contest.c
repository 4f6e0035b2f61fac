/* The times of a study's table as contestants that compete at places. */

#include "study_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "results.h"

/* === Time cells =============================================================================== */

/* A cell of the table that holds a time. */
typedef struct TimeCell {
    size_t row, column;
    ConditionList conditions; /* sorted by key */
    const char *way, *work;   /* equal texts: the same contestant, the same place */
    const char *plain_way;    /* `way` without the number of a repeated row */
    bool contested;           /* another way does the same work */
} TimeCell;

typedef struct TimeGrid {
    Document *document;
    const TableResult *result;
    TimeCell *cells;
    size_t count;
    bool kinds_are_works;
    const char *x_key;
} TimeGrid;

/* Whether the key belongs to the work (size, input, an answer axis) or to the way of doing it. */
static bool key_is_work(const char *key) {
    static const char *const works[] = {"algorithm", "input", "size", "width", "height", "images"};
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        if (strcmp(works[i], key) == 0) {
            return true;
        }
    }
    return axis_is_answer(key);
}

static bool is_time(const StudyColumn *column) {
    return column->source == COLUMN_CSV && unit_is_time(column->unit);
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

static void add_cell(TimeGrid *grid, size_t row, size_t column) {
    const StudyTable *table = grid->result->table;
    const StudyColumn *of = &table->columns[column];
    Document *document = grid->document;
    TimeCell cell = {.row = row, .column = column};
    if (!cell_conditions(table, &table->rows[row], of, &cell.conditions)) {
        document->failed = true;
        return;
    }
    qsort(cell.conditions.items, cell.conditions.count, sizeof *cell.conditions.items, by_key);
    cell.way = conditions_text(document, &cell.conditions, false, NULL);
    cell.work = conditions_text(document, &cell.conditions, true, NULL);
    const char **owner = grid->kinds_are_works ? &cell.work : &cell.way;
    *owner =
        text_joined(document, *owner, " ",
                    document_text(document, "%s:%s", of->csv, of->part != NULL ? of->part : ""));
    cell.plain_way = cell.way;
    /* Rows may repeat what is measured here, beside another machine of the paper: each is a
     * contestant. */
    size_t same = 0;
    for (size_t i = 0; i < grid->count; i++) {
        TimeCell *other = &grid->cells[i];
        if (same_texts(other->work, cell.work)) {
            same += same_texts(other->plain_way, cell.way) ? 1 : 0;
        }
    }
    if (same > 0) {
        cell.way = document_text(document, "%s (%zu)", cell.way, same + 1);
    }
    grid->cells[grid->count++] = cell;
}

/* Drops the cells whose work only one way does. */
static void keep_contested(TimeGrid *grid) {
    for (size_t i = 0; i < grid->count; i++) {
        TimeCell *cell = &grid->cells[i];
        for (size_t j = 0; j < grid->count && !cell->contested; j++) {
            cell->contested = same_texts(cell->work, grid->cells[j].work) &&
                              !same_texts(cell->way, grid->cells[j].way);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < grid->count; i++) {
        if (grid->cells[i].contested) {
            grid->cells[kept++] = grid->cells[i];
        } else {
            free(grid->cells[i].conditions.items);
        }
    }
    grid->count = kept;
}

/* The key of works that is a number in all cells and not the same in all: `size` before others. */
static const char *find_x_key(const TimeGrid *grid) {
    const char *found = NULL;
    for (size_t i = 0; grid->count > 0 && i < grid->cells[0].conditions.count; i++) {
        const char *key = grid->cells[0].conditions.items[i].key;
        const double first = conditions_x(&grid->cells[0].conditions, key);
        bool numbers = key_is_work(key);
        bool varies = false;
        for (size_t j = 0; j < grid->count; j++) {
            const double x = conditions_x(&grid->cells[j].conditions, key);
            numbers = numbers && x > 0;
            varies = varies || x != first;
        }
        if (numbers && varies && (found == NULL || strcmp(key, "size") == 0)) {
            found = key;
        }
    }
    return found;
}

static void grid_make(Document *document, const TableResult *result, TimeGrid *grid) {
    const StudyTable *table = result->table;
    *grid =
        (TimeGrid){.document = document,
                   .result = result,
                   .cells = calloc(table->row_count * table->column_count + 1, sizeof *grid->cells),
                   .kinds_are_works = time_kinds_are_works(table)};
    if (grid->cells == NULL) {
        document->failed = true;
        return;
    }
    for (size_t i = 0; i < table->row_count * table->column_count; i++) {
        if (is_time(&table->columns[i % table->column_count])) {
            add_cell(grid, i / table->column_count, i % table->column_count);
        }
    }
    keep_contested(grid);
    grid->x_key = find_x_key(grid);
}

static void grid_release(TimeGrid *grid) {
    for (size_t i = 0; i < grid->count; i++) {
        free(grid->cells[i].conditions.items);
    }
    free(grid->cells);
}

/* === Names ==================================================================================== */

static const char *identity(const TimeCell *cell, bool work) {
    return work ? cell->work : cell->way;
}

/* Whether all cells of an identity are in one row (column) that has no other identity. */
static bool is_line_of_table(const TimeGrid *grid, const TimeCell *of, bool work, bool row) {
    const size_t line = row ? of->row : of->column;
    for (size_t i = 0; i < grid->count; i++) {
        const TimeCell *cell = &grid->cells[i];
        const bool same = same_texts(identity(cell, work), identity(of, work));
        const bool in_line = (row ? cell->row : cell->column) == line;
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
    const StudyTable *table = grid->result->table;
    const char *text = "";
    for (size_t i = 0; i < cell->conditions.count; i++) {
        const Condition *condition = &cell->conditions.items[i];
        if (is_condition_of_table(table, condition) || key_is_work(condition->key) != work) {
            continue;
        }
        const bool number =
            strspn(condition->value, "0123456789") > 0 && strcmp(condition->key, "size") != 0;
        const char *value =
            number ? document_text(grid->document, "%s %s", condition->key, condition->value)
                   : condition->value;
        text = text_joined(grid->document, text, ", ", value);
    }
    return text != NULL && text[0] != '\0' ? text : table->columns[cell->column].title;
}

static const char *plain_name(const TimeGrid *grid, const TimeCell *cell, bool work) {
    const StudyTable *table = grid->result->table;
    if (is_line_of_table(grid, cell, work, false)) {
        return table->columns[cell->column].title;
    }
    if (is_line_of_table(grid, cell, work, true)) {
        return table->rows[cell->row].label;
    }
    const char *values = values_text(grid, cell, work);
    return work && grid->kinds_are_works
               ? document_text(grid->document, "%s %s", values, table->columns[cell->column].csv)
               : values;
}

/* As an item of a list: a bare number of a place stands behind its key. */
static const char *name_of(const TimeGrid *grid, const TimeCell *cell, bool work) {
    const char *name = plain_name(grid, cell, work);
    if (name != NULL && work && grid->x_key != NULL && strcmp(grid->x_key, "size") != 0 &&
        name[strspn(name, "0123456789.")] == '\0') {
        return document_text(grid->document, "%s %s", grid->x_key, name);
    }
    return name != NULL ? text_listed(grid->document, name) : "";
}

/* === Contest ================================================================================== */

/* The index among `firsts` of the cell with the same identity; `count` when there is none. */
static size_t find_first(const TimeGrid *grid, const size_t *firsts, size_t count,
                         const TimeCell *cell, bool work) {
    for (size_t i = 0; i < count; i++) {
        if (same_texts(identity(&grid->cells[firsts[i]], work), identity(cell, work))) {
            return i;
        }
    }
    return count;
}

/* The first cell of each contestant (place), in the table's order. */
static size_t collect(const TimeGrid *grid, bool work, size_t *firsts) {
    size_t count = 0;
    for (size_t i = 0; i < grid->count; i++) {
        if (find_first(grid, firsts, count, &grid->cells[i], work) == count) {
            firsts[count++] = i;
        }
    }
    return count;
}

static ContestPlace place_of(const TimeGrid *grid, const TimeCell *cell) {
    const char *rest = conditions_text(grid->document, &cell->conditions, true, grid->x_key);
    if (grid->kinds_are_works) {
        rest =
            text_joined(grid->document, rest, " ", grid->result->table->columns[cell->column].csv);
    }
    return (ContestPlace){.name = name_of(grid, cell, true),
                          .rest = rest != NULL ? rest : "",
                          .x = grid->x_key != NULL ? conditions_x(&cell->conditions, grid->x_key)
                                                   : NAN};
}

static void fill(const TimeGrid *grid, const size_t *ways, const size_t *works, Contest *contest) {
    for (size_t i = 0; i < contest->contestant_count; i++) {
        contest->contestants[i] = name_of(grid, &grid->cells[ways[i]], false);
    }
    for (size_t i = 0; i < contest->place_count; i++) {
        contest->places[i] = place_of(grid, &grid->cells[works[i]]);
    }
    for (size_t i = 0; i < grid->count; i++) {
        const TimeCell *cell = &grid->cells[i];
        const StudyColumn *column = &grid->result->table->columns[cell->column];
        const size_t way = find_first(grid, ways, contest->contestant_count, cell, false);
        const size_t work = find_first(grid, works, contest->place_count, cell, true);
        ContestCell *target = &contest->cells[way * contest->place_count + work];
        if (target->value == NULL) {
            *target = (ContestCell){.value = study_value(grid->result, cell->row, cell->column),
                                    .column = column,
                                    .milliseconds = unit_milliseconds(column->unit)};
        }
    }
}

void contest_make(Document *document, const TableResult *result, Contest *contest) {
    TimeGrid grid;
    grid_make(document, result, &grid);
    const size_t room = grid.count + 1;
    size_t *ways = calloc(room, sizeof *ways);
    size_t *works = calloc(room, sizeof *works);
    *contest = (Contest){.contestants = calloc(room, sizeof *contest->contestants),
                         .places = calloc(room, sizeof *contest->places),
                         .x_key = grid.x_key};
    if (ways != NULL && works != NULL && contest->contestants != NULL && contest->places != NULL) {
        contest->contestant_count = collect(&grid, false, ways);
        contest->place_count = collect(&grid, true, works);
        contest->cells =
            calloc(contest->contestant_count * contest->place_count + 1, sizeof *contest->cells);
    }
    if (contest->cells != NULL) {
        fill(&grid, ways, works, contest);
    } else {
        document->failed = true;
        contest->contestant_count = contest->place_count = 0;
    }
    free(ways);
    free(works);
    grid_release(&grid);
}

void contest_release(Contest *contest) {
    free((void *)contest->contestants);
    free(contest->places);
    free(contest->cells);
    *contest = (Contest){0};
}

const ContestCell *contest_cell(const Contest *contest, size_t contestant, size_t place) {
    return &contest->cells[contestant * contest->place_count + place];
}

double contest_time(const Contest *contest, size_t contestant, size_t place, bool published) {
    const ContestCell *cell = contest_cell(contest, contestant, place);
    const double time = cell->value == NULL ? (double)NAN
                        : published         ? cell->value->published
                                            : cell->value->measured;
    return time > 0 ? time * cell->milliseconds : (double)NAN;
}

bool contest_is_one_curve(const Contest *contest) {
    for (size_t i = 1; i < contest->place_count; i++) {
        if (!same_texts(contest->places[i].rest, contest->places[0].rest)) {
            return false;
        }
    }
    return contest->x_key != NULL;
}
