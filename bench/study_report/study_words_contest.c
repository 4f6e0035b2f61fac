#include "study_words_contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study_result_cells.h"
#include "study_tally.h"
#include "study_words_grid.h"

static const char *identity(const TimeCell *cell, bool work) {
    return work ? cell->work : cell->way;
}

/* Whether all cells of an identity are in one row (column), in which there is no other identity. */
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

/* The values of the conditions that are not the whole table's: "omp, threads 4". */
static const char *values_text(const TimeGrid *grid, const TimeCell *cell, bool work) {
    const StudyTable *table = grid->result->table;
    const char *text = "";
    for (size_t i = 0; i < cell->conditions.count; i++) {
        const Condition *condition = &cell->conditions.items[i];
        bool of_table = false;
        for (size_t j = 0; j < table->conditions.count; j++) {
            const Condition *other = &table->conditions.items[j];
            of_table = of_table || (same_texts(other->key, condition->key) &&
                                    same_texts(other->value, condition->value));
        }
        if (of_table || key_is_work(condition->key) != work) {
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
    return work && time_kinds_are_works(table)
               ? document_text(grid->document, "%s %s", values, table->columns[cell->column].csv)
               : values;
}

/* As it can stand in a sentence: a name with a comma in quotes, a bare number of places behind its
 * key. */
static const char *name_of(const TimeGrid *grid, const TimeCell *cell, bool work) {
    const char *name = plain_name(grid, cell, work);
    if (name != NULL && strchr(name, ',') != NULL) {
        return document_text(grid->document, "“%s”", name);
    }
    if (work && grid->x_key != NULL && strcmp(grid->x_key, "size") != 0 && name != NULL &&
        name[strspn(name, "0123456789.")] == '\0') {
        return document_text(grid->document, "%s %s", grid->x_key, name);
    }
    return name;
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
    const StudyTable *table = grid->result->table;
    const char *rest = conditions_text(grid->document, &cell->conditions, true, grid->x_key);
    return (ContestPlace){
        .name = name_of(grid, cell, true),
        .rest = time_kinds_are_works(table)
                    ? text_joined(grid->document, rest, " ", table->columns[cell->column].csv)
                    : rest,
        .x = grid->x_key != NULL ? conditions_x(&cell->conditions, grid->x_key) : NAN};
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

static void contest_of_grid(TimeGrid *grid, Contest *contest) {
    size_t *ways = calloc(grid->count + 1, sizeof *ways);
    size_t *works = calloc(grid->count + 1, sizeof *works);
    if (ways != NULL && works != NULL) {
        contest->contestant_count = collect(grid, false, ways);
        contest->place_count = collect(grid, true, works);
        contest->contestants = calloc(grid->count + 1, sizeof *contest->contestants);
        contest->places = calloc(grid->count + 1, sizeof *contest->places);
        contest->cells =
            calloc(contest->contestant_count * contest->place_count + 1, sizeof *contest->cells);
    }
    if (contest->contestants == NULL || contest->places == NULL || contest->cells == NULL) {
        grid->document->failed = true;
        contest->contestant_count = 0;
        contest->place_count = 0;
    } else {
        grid->x_key = find_x_key(grid);
        contest->x_key = grid->x_key;
        fill(grid, ways, works, contest);
    }
    free(ways);
    free(works);
}

void contest_make(Document *document, const TableResult *result, Contest *contest) {
    *contest = (Contest){0};
    TimeGrid grid;
    time_grid_make(document, result, &grid);
    if (!document->failed) {
        contest_of_grid(&grid, contest);
    }
    time_grid_release(&grid);
}

void contest_release(Contest *contest) {
    free((void *)contest->contestants);
    free(contest->places);
    free(contest->cells);
    *contest = (Contest){0};
}

bool contest_is_one_curve(const Contest *contest) {
    for (size_t i = 1; i < contest->place_count; i++) {
        if (!same_texts(contest->places[i].rest, contest->places[0].rest)) {
            return false;
        }
    }
    return contest->x_key != NULL;
}

double contest_time(const Contest *contest, size_t contestant, size_t place, bool published) {
    const ContestCell *cell = &contest->cells[contestant * contest->place_count + place];
    if (cell->value == NULL) {
        return NAN;
    }
    const double time =
        cell->milliseconds * (published ? cell->value->published : cell->value->measured);
    return time > 0 ? time : NAN;
}
