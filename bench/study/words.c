/* What a study says about its numbers. */

#include "study_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "report.h"
#include "results.h"
#include "status.h"

/* === Study words text ========================================================================= */

/* Appends, printf-like. */
static void words_say(Words *words, const char *format, ...) STATUS_PRINTF(2, 3);
static void words_say(Words *words, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, again);
        words->text =
            document_text(words->document, "%s%s", words->text != NULL ? words->text : "", text);
    } else {
        words->document->failed = true;
    }
    va_end(again);
    free(text);
}

/* Appends a blank if something is said already: what follows is another sentence. */
static void words_sentence(Words *words) {
    if (words->text != NULL) {
        words_say(words, " ");
    }
}

/* Adds what was said to the document as a paragraph; nothing if nothing was. */
static void words_end(Words *words) {
    if (words->text != NULL) {
        document_add(words->document, BLOCK_PARAGRAPH, "%s", words->text);
    }
    words->text = NULL;
}

static void drop_zeros(char *text) {
    if (strchr(text, '.') == NULL || strchr(text, 'e') != NULL) {
        return;
    }
    size_t length = strlen(text);
    while (text[length - 1] == '0') {
        text[--length] = '\0';
    }
    if (text[length - 1] == '.') {
        text[length - 1] = '\0';
    }
}

/* A number with three significant digits, without zeros at the end: "0.0925", "12800", "1.2"; four
 * where three would make it 1. */
static void words_number_write(double number, char text[SIGNIFICANT_SIZE]) {
    const bool near_one = number != 1 && fabs(number - 1) < 0.01;
    significant_text(number, near_one ? 4 : 3, text);
    drop_zeros(text);
}

/* The same; lives as long as the document, "" without memory. */
static const char *words_number(Document *document, double number) {
    char text[SIGNIFICANT_SIZE];
    words_number_write(number, text);
    const char *kept = document_text(document, "%s", text);
    return kept != NULL ? kept : "";
}

/* "1.2 to 3.4", or one number where both look the same. */
static const char *words_range(Document *document, double low, double high) {
    const char *from = words_number(document, low);
    const char *to = words_number(document, high);
    const char *text = strcmp(from, to) != 0 ? document_text(document, "%s to %s", from, to) : from;
    return text != NULL ? text : "";
}

/* Adds an item to an enumeration of `count`: "a", "a and b", "a, b and c". `index` from 0. */
static void words_item(Words *words, size_t index, size_t count, const char *item) {
    const char *between = index + 1 == count ? " and " : ", ";
    words_say(words, "%s%s", index > 0 ? between : "", item);
}

/* === Study words grid ========================================================================= */

/* A cell of the table that holds a time. */
typedef struct TimeCell {
    size_t row, column;
    ConditionList conditions; /* sorted by key */
    const char *way, *work;   /* equal texts: the same contestant, the same place */
    const char *plain_way;    /* the same also for the repetitions of a row */
} TimeCell;

typedef struct TimeGrid {
    Document *document;
    const TableResult *result;
    TimeCell *cells;
    size_t count;
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

/* "key=value key=value" of the conditions that are work, or that are not, without one key (NULL:
 * with all). */
static const char *conditions_text(Document *document, const ConditionList *conditions, bool work,
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

/* Cells of all columns that are times, without those at whose work only one way is. Texts live in
 * the document; without memory the document has failed. */
static void time_grid_make(Document *document, const TableResult *result, TimeGrid *grid) {
    add_cells(document, result, grid);
    keep_contested(grid);
}

static void time_grid_release(TimeGrid *grid) {
    for (size_t i = 0; i < grid->count; i++) {
        free(grid->cells[i].conditions.items);
    }
    free(grid->cells);
}

/* === Study words rows ========================================================================= */

enum { ROWS_LEAST = 3 };

/* Whether along this key times rise by themselves: a size. */
static bool words_key_is_size(const char *key) {
    return key != NULL && (strcmp(key, "size") == 0 || strcmp(key, "images") == 0);
}

/* Distinct numbers that the rows have for a key. */
static size_t distinct_numbers(const StudyTable *table, const char *key) {
    size_t count = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        const double x = study_row_x(&table->rows[i], key);
        bool is_new = isfinite(x);
        for (size_t j = 0; j < i; j++) {
            const double other = study_row_x(&table->rows[j], key);
            is_new = is_new && !(fabs(other - x) <= 0);
        }
        count += is_new ? 1 : 0;
    }
    return count;
}

/* The key whose numbers order the rows; NULL when no three of them differ in one. */
static const char *words_row_key(const StudyTable *table) {
    const char *best = NULL;
    size_t most = ROWS_LEAST - 1;
    for (size_t i = 0; i < table->row_count; i++) {
        const ConditionList *conditions = &table->rows[i].conditions;
        for (size_t j = 0; j < conditions->count; j++) {
            const size_t count = distinct_numbers(table, conditions->items[j].key);
            if (count > most) {
                most = count;
                best = conditions->items[j].key;
            }
        }
    }
    return best;
}

/* === Study words contest ====================================================================== */

/*
 * Contest: the times of a table as contestants (ways to do a work: variant, threads, tile) that
 * meet at places (works: a size, an answer, a kind of time), whichever of the two are the table's
 * rows and columns. Only places where at least two contestants have a cell are places of it.
 */

typedef struct ContestCell {
    const StudyValue *value;   /* NULL: the table has no such cell */
    const StudyColumn *column; /* for its unit */
    double milliseconds;       /* of one of its unit */
} ContestCell;

typedef struct ContestPlace {
    const char *name; /* "4K": the row's label or the column's title where it is one */
    const char *rest; /* its work but for the x key; places of one `rest` are one curve */
    double x;         /* number of the x key; NAN: none */
} ContestPlace;

typedef struct Contest {
    const char **contestants; /* their names */
    size_t contestant_count;
    ContestPlace *places;
    size_t place_count;
    ContestCell *cells; /* contestant by contestant, place_count each */
    const char *x_key;  /* the key whose numbers order the places; NULL: none */
} Contest;

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

/* Texts live in the document. Without times to compare: no contestants. Without memory the document
 * has failed. */
static void contest_make(Document *document, const TableResult *result, Contest *contest) {
    *contest = (Contest){0};
    TimeGrid grid;
    time_grid_make(document, result, &grid);
    if (!document->failed) {
        contest_of_grid(&grid, contest);
    }
    time_grid_release(&grid);
}

static void contest_release(Contest *contest) {
    free((void *)contest->contestants);
    free(contest->places);
    free(contest->cells);
    *contest = (Contest){0};
}

/* Whether all places differ in the x key alone. */
static bool contest_is_one_curve(const Contest *contest) {
    for (size_t i = 1; i < contest->place_count; i++) {
        if (!same_texts(contest->places[i].rest, contest->places[0].rest)) {
            return false;
        }
    }
    return contest->x_key != NULL;
}

/* Milliseconds, measured or published; NAN where there are none above 0. */
static double contest_time(const Contest *contest, size_t contestant, size_t place,
                           bool published) {
    const ContestCell *cell = &contest->cells[contestant * contest->place_count + place];
    if (cell->value == NULL) {
        return NAN;
    }
    const double time =
        cell->milliseconds * (published ? cell->value->published : cell->value->measured);
    return time > 0 ? time : NAN;
}

/* === Study words winner ======================================================================= */

/* Times and ratios closer than this factor may change places where no interval says otherwise. */
#define WORDS_CLOSE 1.1

enum { PLACES_LISTED = 5 };

/* The order at one place. */
typedef struct Lead {
    size_t place;
    size_t winner, second, slowest; /* contestants */
    double over_second, over_slowest;
    bool tie;     /* the two fastest have the same time */
    bool overlap; /* their intervals overlap */
    bool unknown; /* they are close and have no intervals */
    bool part;    /* others of the place have no time */
    size_t count; /* contestants with a time */
} Lead;

/* All places where at least two have a time. */
typedef struct Leads {
    const Contest *contest;
    bool published;
    Lead *list;
    size_t count;
    size_t *wins; /* a contestant, ties not counted */
} Leads;

static const ContestCell *cell_at(const Leads *leads, size_t contestant, size_t place) {
    return &leads->contest->cells[contestant * leads->contest->place_count + place];
}

/* What two rows show of one and the same measurement counts once. */
static double time_at(const Leads *leads, size_t contestant, size_t place) {
    const ContestCell *cell = cell_at(leads, contestant, place);
    for (size_t i = 0; i < contestant && !leads->published && cell->value != NULL; i++) {
        const ContestCell *other = cell_at(leads, i, place);
        if (other->value != NULL && other->value->record != NULL &&
            other->value->record == cell->value->record) {
            return NAN;
        }
    }
    return contest_time(leads->contest, contestant, place, leads->published);
}

static bool intervals_are_known(const ContestCell *fast, const ContestCell *slow) {
    return isfinite(fast->value->high) && isfinite(slow->value->low);
}

static bool intervals_overlap(const ContestCell *fast, const ContestCell *slow) {
    return fast->value->high * fast->milliseconds >= slow->value->low * slow->milliseconds;
}

/* False when fewer than two have a time there. */
static bool find_lead(const Leads *leads, size_t place, Lead *lead) {
    *lead = (Lead){.place = place, .winner = SIZE_MAX, .second = SIZE_MAX, .slowest = SIZE_MAX};
    double best = INFINITY;
    double next = INFINITY;
    double worst = 0;
    for (size_t i = 0; i < leads->contest->contestant_count; i++) {
        const double time = time_at(leads, i, place);
        if (isnan(time)) {
            const StudyValue *value = cell_at(leads, i, place)->value;
            lead->part = lead->part || (value != NULL && isnan(value->measured));
            continue;
        }
        lead->count++;
        if (time < best) {
            next = best;
            lead->second = lead->winner;
            best = time;
            lead->winner = i;
        } else if (time < next) {
            next = time;
            lead->second = i;
        }
        if (time > worst) {
            worst = time;
            lead->slowest = i;
        }
    }
    if (lead->count < 2) {
        return false;
    }
    lead->over_second = next / best;
    lead->over_slowest = worst / best;
    lead->tie = next <= best;
    if (!leads->published) {
        const ContestCell *fast = cell_at(leads, lead->winner, place);
        const ContestCell *slow = cell_at(leads, lead->second, place);
        lead->overlap = intervals_overlap(fast, slow);
        lead->unknown = lead->over_second < WORDS_CLOSE && !intervals_are_known(fast, slow);
    }
    return true;
}

static bool leads_make(const Contest *contest, bool published, Leads *leads) {
    *leads = (Leads){.contest = contest,
                     .published = published,
                     .list = calloc(contest->place_count + 1, sizeof *leads->list),
                     .wins = calloc(contest->contestant_count + 1, sizeof *leads->wins)};
    if (leads->list == NULL || leads->wins == NULL) {
        return false;
    }
    for (size_t place = 0; place < contest->place_count; place++) {
        Lead *lead = &leads->list[leads->count];
        if (find_lead(leads, place, lead)) {
            leads->count++;
            leads->wins[lead->winner] += lead->tie ? 0 : 1;
        }
    }
    return true;
}

static void leads_release(Leads *leads) {
    free(leads->list);
    free(leads->wins);
}

static bool places_are_sizes(const Contest *contest) {
    return contest_is_one_curve(contest) && strcmp(contest->x_key, "size") == 0;
}

static const char *at_places(const Contest *contest) {
    return places_are_sizes(contest) ? "at" : "in";
}

static const char *places_noun(const Contest *contest) {
    return places_are_sizes(contest) ? "sizes" : "cases";
}

/* "1.1 to 3 times as fast as <name>"; where that is not the same everywhere, `otherwise`. */
static void say_factor(Words *words, const Leads *leads, bool slowest, const char *otherwise) {
    double low = INFINITY;
    double high = 0;
    bool same = true;
    const Lead *first = &leads->list[0];
    for (size_t i = 0; i < leads->count; i++) {
        const Lead *lead = &leads->list[i];
        const double factor = slowest ? lead->over_slowest : lead->over_second;
        low = fmin(low, factor);
        high = fmax(high, factor);
        same = same && (slowest ? lead->slowest == first->slowest : lead->second == first->second);
    }
    const size_t other = slowest ? first->slowest : first->second;
    words_say(words, "%s times as fast as %s", words_range(words->document, low, high),
              same ? leads->contest->contestants[other] : otherwise);
}

static void say_lead(Words *words, const Leads *leads) {
    bool more = false;
    for (size_t i = 0; i < leads->count; i++) {
        more = more || leads->list[i].count > 2;
    }
    say_factor(words, leads, false, "the second");
    if (more) {
        words_say(words, ", ");
        say_factor(words, leads, true, "the slowest");
    }
}

/* The only place that has an order. */
static void say_single(Words *words, const Leads *leads) {
    const Lead *lead = &leads->list[0];
    const Contest *contest = leads->contest;
    const char *winner = contest->contestants[lead->winner];
    if (lead->tie) {
        words_say(words, "%s and %s are equally fast", winner, contest->contestants[lead->second]);
    } else {
        words_say(words, "%s is the fastest", winner);
    }
    if (contest->place_count > 1) {
        words_say(words, " for %s", contest->places[lead->place].name);
    }
    const ContestCell *cell = cell_at(leads, lead->winner, lead->place);
    const char *time = leads->published && cell->value->printed != NULL
                           ? cell->value->printed
                           : words_number(words->document, cell->value->measured);
    words_say(words, " with %s %s", time, cell->column->unit);
    if (!lead->tie) {
        words_say(words, ", ");
        say_lead(words, leads);
    }
    words_say(words, ".");
}

static void say_all_places(Words *words, const Leads *leads) {
    const Contest *contest = leads->contest;
    if (leads->count == 2) {
        words_say(words, "%s both %s", at_places(contest), places_noun(contest));
    } else {
        words_say(words, "%s all %zu %s", at_places(contest), leads->count, places_noun(contest));
    }
}

static void say_everywhere(Words *words, const Leads *leads, size_t winner) {
    const Contest *contest = leads->contest;
    words_say(words, "%s is the fastest ", contest->contestants[winner]);
    say_all_places(words, leads);
    words_say(words, ", ");
    say_lead(words, leads);
    words_say(words, ".");
}

/* " (HD and 4K)": the places that a contestant wins, or those with a tie (SIZE_MAX), where they are
 * few. */
static void say_places(Words *words, const Leads *leads, size_t winner, size_t count) {
    size_t said = 0;
    if (count > PLACES_LISTED) {
        return;
    }
    words_say(words, " (");
    for (size_t i = 0; i < leads->count; i++) {
        const Lead *lead = &leads->list[i];
        if (winner == SIZE_MAX ? lead->tie : (!lead->tie && lead->winner == winner)) {
            words_item(words, said++, count, leads->contest->places[lead->place].name);
        }
    }
    words_say(words, ")");
}

static void say_ties(Words *words, const Leads *leads, size_t ties) {
    words_say(words, "; %s %zu the two fastest are equal", at_places(leads->contest), ties);
    say_places(words, leads, SIZE_MAX, ties);
}

static void say_several(Words *words, const Leads *leads, size_t most) {
    const Contest *contest = leads->contest;
    size_t ties = leads->count;
    words_say(words, "%s is the fastest %s %zu of %zu %s", contest->contestants[most],
              at_places(contest), leads->wins[most], leads->count, places_noun(contest));
    say_places(words, leads, most, leads->wins[most]);
    for (size_t i = 0; i < contest->contestant_count; i++) {
        ties -= leads->wins[i];
        if (i != most && leads->wins[i] > 0) {
            words_say(words, ", %s %s %zu", contest->contestants[i], at_places(contest),
                      leads->wins[i]);
            say_places(words, leads, i, leads->wins[i]);
        }
    }
    if (ties > 0) {
        say_ties(words, leads, ties);
    }
    words_say(words, ". The fastest is ");
    say_lead(words, leads);
    words_say(words, ".");
}

/* "In 2 of these 5 the …", or "The …" where there is but one case. */
static void say_chance(Words *words, const Leads *leads, size_t count, const char *what) {
    if (count == 0) {
        return;
    }
    words_sentence(words);
    if (leads->count == 1) {
        words_say(words, "The");
    } else if (count == leads->count) {
        words_say(words, count == 2 ? "In both the" : "In all of them the");
    } else {
        words_say(words, "In %zu of these %zu the", count, leads->count);
    }
    words_say(words, " %s: their order may be chance.", what);
}

/* Times whose intervals overlap may change places in another run. */
static void say_chances(Words *words, const Leads *leads) {
    size_t overlaps = 0;
    size_t unknown = 0;
    for (size_t i = 0; i < leads->count; i++) {
        overlaps += leads->list[i].overlap && !leads->list[i].tie ? 1 : 0;
        unknown += leads->list[i].unknown && !leads->list[i].tie ? 1 : 0;
    }
    say_chance(words, leads, overlaps, "intervals of the two fastest overlap");
    say_chance(words, leads, unknown,
               "two fastest are within 10% of each other and have no intervals");
}

static void say_leads(Words *words, const Leads *leads) {
    size_t most = 0;
    bool part = false;
    for (size_t i = 0; i < leads->contest->contestant_count; i++) {
        most = leads->wins[i] > leads->wins[most] ? i : most;
    }
    for (size_t i = 0; i < leads->count; i++) {
        part = part || leads->list[i].part;
    }
    words_sentence(words);
    if (leads->published) {
        words_say(words, "In the paper ");
    } else if (part) {
        words_say(words, "Of those measured here, ");
    }
    if (leads->count == 1) {
        say_single(words, leads);
    } else if (leads->wins[most] == leads->count) {
        say_everywhere(words, leads, most);
    } else if (leads->wins[most] == 0) {
        words_say(words, "%s two fastest are equal ", leads->published || part ? "the" : "The");
        say_all_places(words, leads);
        words_say(words, ".");
    } else {
        say_several(words, leads, most);
    }
    say_chances(words, leads);
}

/* Who is the fastest, by how much, at how many places; here and in the paper. */
static void words_winner(Document *document, const Contest *contest) {
    Words words = {.document = document};
    for (int published = 0; published < 2; published++) {
        Leads leads;
        if (!leads_make(contest, published != 0, &leads)) {
            document->failed = true;
        } else if (leads.count > 0) {
            say_leads(&words, &leads);
        }
        leads_release(&leads);
    }
    words_end(&words);
}

/* === Study words shape ======================================================================== */

enum { POINTS_LEAST = 3 };

/* Rows of one column that differ in the key alone, in its order; all have both numbers. */
typedef struct Sequence {
    const TableResult *result;
    const char *key;
    size_t column;
    size_t *rows;
    size_t count;
} Sequence;

/* How the numbers of a sequence go. */
typedef struct Trend {
    int direction; /* of the first step that is none: 1 up, -1 down; 0: there is none */
    size_t level;  /* steps without a direction */
    size_t turns;
    size_t turn; /* the point at which the first turn is */
    size_t peak; /* the greatest number, of a time the least */
} Trend;

static const StudyValue *value_at(const Sequence *sequence, size_t point) {
    return study_value(sequence->result, sequence->rows[point], sequence->column);
}

static double number_at(const Sequence *sequence, size_t point, bool published) {
    const StudyValue *value = value_at(sequence, point);
    return published ? value->published : value->measured;
}

/* A way within overlapping intervals has no direction. */
static int direction_of(const Sequence *sequence, size_t start, size_t end, bool published) {
    const StudyValue *from = value_at(sequence, start);
    const StudyValue *to = value_at(sequence, end);
    if (!published && from->low <= to->high && to->low <= from->high) {
        return 0;
    }
    const double difference =
        number_at(sequence, end, published) - number_at(sequence, start, published);
    return (difference > 0) - (difference < 0);
}

static bool shape_is_time(const StudyColumn *column) {
    return isfinite(unit_milliseconds(column->unit));
}

/* The first direction that the way to a point from any before it has; 0: none. */
static int first_direction(const Sequence *sequence, size_t point, bool published) {
    int direction = 0;
    for (size_t i = 0; i < point && direction == 0; i++) {
        direction = direction_of(sequence, i, point, published);
    }
    return direction;
}

/* A turn is told only by a point beyond the intervals of the farthest one before it: steps back
 * within them are none, however many. */
static void find_turns(const Sequence *sequence, bool published, Trend *trend) {
    int direction = 0;
    size_t farthest = 0;
    for (size_t i = 1; i < sequence->count; i++) {
        const double further =
            number_at(sequence, i, published) - number_at(sequence, farthest, published);
        if (direction == 0) {
            direction = trend->direction = first_direction(sequence, i, published);
            farthest = i;
        } else if (further * direction > 0) {
            farthest = i;
        } else if (direction_of(sequence, farthest, i, published) == -direction) {
            trend->turn = trend->turns++ == 0 ? farthest : trend->turn;
            direction = -direction;
            farthest = i;
        }
    }
}

static Trend find_trend(const Sequence *sequence, bool published) {
    Trend trend = {.direction = 0};
    const double sign = shape_is_time(&sequence->result->table->columns[sequence->column]) ? -1 : 1;
    for (size_t i = 0; i < sequence->count; i++) {
        const double number = number_at(sequence, i, published);
        if (sign * number > sign * number_at(sequence, trend.peak, published)) {
            trend.peak = i;
        }
        trend.level += i > 0 && direction_of(sequence, i - 1, i, published) == 0 ? 1 : 0;
    }
    find_turns(sequence, published, &trend);
    return trend;
}

static const char *label_at(const Sequence *sequence, size_t point) {
    return sequence->result->table->rows[sequence->rows[point]].label;
}

static const char *trend_words(Document *document, const Sequence *sequence, const Trend *trend,
                               bool published) {
    const char *goes = trend->direction > 0 ? "rises" : "falls";
    const char *within = published ? "" : " within its intervals";
    if (trend->direction == 0) {
        return document_text(document, "stays level%s", within);
    }
    if (trend->turns == 0 && trend->level == 0) {
        return document_text(document, "%s at every step", goes);
    }
    if (trend->turns == 0) {
        return document_text(document, "%s or stays level%s", goes, within);
    }
    if (trend->turns == 1) {
        return document_text(document, "%s to %s and %s after", goes,
                             label_at(sequence, trend->turn),
                             trend->direction > 0 ? "falls" : "rises");
    }
    const bool time = shape_is_time(&sequence->result->table->columns[sequence->column]);
    return document_text(document, "turns %zu times, with its %s at %s", trend->turns,
                         time ? "least" : "greatest", label_at(sequence, trend->peak));
}

static bool same_trend(const Trend *left, const Trend *right) {
    return left->direction == right->direction && left->turns == right->turns &&
           left->level == right->level &&
           (left->turns == 1 ? left->turn == right->turn : left->peak == right->peak);
}

/* "HD, omp": what the rows of a sequence have besides the key, where there are others. */
static const char *sequence_name(Document *document, const Sequence *sequence, bool others) {
    const StudyTable *table = sequence->result->table;
    const StudyRow *row = &table->rows[sequence->rows[0]];
    const char *name = table->columns[sequence->column].title;
    for (size_t i = 0; others && i < row->conditions.count; i++) {
        if (strcmp(row->conditions.items[i].key, sequence->key) != 0) {
            name = text_joined(document, name, ", ", row->conditions.items[i].value);
        }
    }
    return name != NULL ? name : "";
}

static void say_sequence(Words *words, const Sequence *sequence, bool others) {
    const Trend ours = find_trend(sequence, false);
    const Trend theirs = find_trend(sequence, true);
    const bool time = shape_is_time(&sequence->result->table->columns[sequence->column]);
    const bool plain = theirs.direction > 0 && theirs.turns == 0 && theirs.level == 0;
    if (time && words_key_is_size(sequence->key) && plain && same_trend(&ours, &theirs)) {
        return; /* more work takes longer: nothing to say */
    }
    const char *name = sequence_name(words->document, sequence, others);
    words_sentence(words);
    if (same_trend(&ours, &theirs)) {
        words_say(words, "%s: as the paper's, ours %s.", name,
                  trend_words(words->document, sequence, &ours, false));
        return;
    }
    words_say(words, "%s: the paper's %s; ours %s.", name,
              trend_words(words->document, sequence, &theirs, true),
              trend_words(words->document, sequence, &ours, false));
}

static const char *condition_value(const StudyRow *row, const char *key) {
    for (size_t i = 0; i < row->conditions.count; i++) {
        if (strcmp(row->conditions.items[i].key, key) == 0) {
            return row->conditions.items[i].value;
        }
    }
    return NULL;
}

/* Whether two rows differ in the key alone. */
static bool same_but_key(const StudyRow *left, const StudyRow *right, const char *key) {
    if (left->conditions.count != right->conditions.count) {
        return false;
    }
    for (size_t i = 0; i < left->conditions.count; i++) {
        const Condition *condition = &left->conditions.items[i];
        const char *other = condition_value(right, condition->key);
        if (other == NULL ||
            (strcmp(condition->key, key) != 0 && strcmp(condition->value, other) != 0)) {
            return false;
        }
    }
    return true;
}

/* Insertion by the key's number. */
static void add_row(Sequence *sequence, size_t row) {
    const StudyTable *table = sequence->result->table;
    const double x = study_row_x(&table->rows[row], sequence->key);
    size_t at = sequence->count++;
    while (at > 0 && study_row_x(&table->rows[sequence->rows[at - 1]], sequence->key) > x) {
        sequence->rows[at] = sequence->rows[at - 1];
        at--;
    }
    sequence->rows[at] = row;
}

/* The sequence that begins with a row; empty where an earlier row began it. */
static void take_sequence(Sequence *sequence, size_t first) {
    const StudyTable *table = sequence->result->table;
    sequence->count = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        const StudyValue *value = study_value(sequence->result, i, sequence->column);
        if (!same_but_key(&table->rows[first], &table->rows[i], sequence->key)) {
            continue;
        }
        if (i < first) {
            sequence->count = 0;
            return;
        }
        if (isfinite(value->measured) && isfinite(value->published) &&
            isfinite(study_row_x(&table->rows[i], sequence->key))) {
            add_row(sequence, i);
        }
    }
}

static bool has_others(const StudyTable *table, const char *key) {
    const StudyRow *first = NULL;
    for (size_t i = 0; i < table->row_count; i++) {
        const StudyRow *row = &table->rows[i];
        if (condition_value(row, key) == NULL) {
            continue;
        }
        if (first != NULL && !same_but_key(first, row, key)) {
            return true;
        }
        first = first != NULL ? first : row;
    }
    return false;
}

/* A speedup over one row goes as the times that it is made of, which are told themselves. */
static bool is_told_by_times(const TableResult *result, size_t column) {
    const StudyTable *table = result->table;
    const StudyColumn *speedup = &table->columns[column];
    for (size_t i = 0; speedup->source == COLUMN_BASE && i < table->column_count; i++) {
        if (strcmp(table->columns[i].title, speedup->over) == 0) {
            return study_has_published(result, i);
        }
    }
    return false;
}

/* Whether numbers rise and fall along the rows as the paper's do. */
static void words_shape(Document *document, const TableResult *result) {
    const StudyTable *table = result->table;
    const char *key = words_row_key(table);
    if (key == NULL) {
        return;
    }
    Sequence sequence = {
        .result = result, .key = key, .rows = calloc(table->row_count + 1, sizeof *sequence.rows)};
    if (sequence.rows == NULL) {
        document->failed = true;
        return;
    }
    Words words = {.document = document};
    for (sequence.column = 0; sequence.column < table->column_count; sequence.column++) {
        const size_t rows = is_told_by_times(result, sequence.column) ? 0 : table->row_count;
        for (size_t row = 0; row < rows; row++) {
            take_sequence(&sequence, row);
            if (sequence.count >= POINTS_LEAST) {
                say_sequence(&words, &sequence, has_others(table, key));
            }
        }
    }
    free(sequence.rows);
    words_end(&words);
}

/* === Study words order ======================================================================== */

/* Fewer pairs say nothing. */
enum { PAIRS_LEAST = 3 };

/* Pairs of rows that have an order in the paper. */
typedef struct Pairs {
    size_t count, same;
    size_t overlapping; /* not told apart here: their intervals overlap */
    size_t close;       /* times or ratios without intervals, within WORDS_CLOSE */
    size_t single;      /* other numbers without intervals, each of one run */
} Pairs;

static bool has_interval(const StudyValue *value) {
    return isfinite(value->low) && isfinite(value->high);
}

static bool is_time_or_ratio(const StudyColumn *column) {
    return isfinite(unit_milliseconds(column->unit)) || strcmp(column->unit, "x") == 0;
}

static bool are_close(double first, double second) {
    return fmax(first, second) < WORDS_CLOSE * fmin(first, second) || fabs(first - second) <= 0;
}

/* Counts a pair where it is not told apart. Of a number of one run that is no time nothing is known
 * about how far another run's would lie. */
static bool is_untold(const StudyColumn *column, const StudyValue *first, const StudyValue *second,
                      Pairs *pairs) {
    if (has_interval(first) && has_interval(second)) {
        const bool overlap = first->low <= second->high && second->low <= first->high;
        pairs->overlapping += overlap ? 1 : 0;
        return overlap;
    }
    if (!is_time_or_ratio(column)) {
        pairs->single++;
        return true;
    }
    const bool close = are_close(first->measured, second->measured);
    pairs->close += close ? 1 : 0;
    return close;
}

/* Two rows that show one and the same measurement are no pair. */
static bool is_pair(const StudyValue *first, const StudyValue *second) {
    return isfinite(first->measured) && isfinite(second->measured) &&
           fabs(first->published - second->published) > 0 &&
           (first->record == NULL || first->record != second->record);
}

static void count_pairs(const TableResult *result, size_t column, Pairs *pairs) {
    for (size_t i = 0; i < result->table->row_count; i++) {
        for (size_t j = i + 1; j < result->table->row_count; j++) {
            const StudyValue *first = study_value(result, i, column);
            const StudyValue *second = study_value(result, j, column);
            if (!is_pair(first, second)) {
                continue;
            }
            const bool same =
                (first->measured > second->measured) == (first->published > second->published);
            pairs->count++;
            if (!is_untold(&result->table->columns[column], first, second, pairs)) {
                pairs->same += same ? 1 : 0;
            }
        }
    }
}

/* Over sizes times rise by themselves: ratios have an order that tells something. Elsewhere ratios
 * to one base have the order of the times they are made of. */
static Pairs count_columns(const TableResult *result, bool ratios, size_t *columns,
                           const char **title) {
    Pairs pairs = {0};
    *columns = 0;
    for (size_t i = 0; i < result->table->column_count; i++) {
        const StudyColumn *column = &result->table->columns[i];
        const bool ratio = column->source != COLUMN_CSV || strcmp(column->unit, "x") == 0;
        const size_t before = pairs.count;
        if (ratio == ratios) {
            count_pairs(result, i, &pairs);
        }
        if (pairs.count > before) {
            *columns += 1;
            *title = column->title;
        }
    }
    return pairs;
}

/* Why pairs are not told apart. */
static void say_reasons(Words *words, const Pairs *pairs) {
    const struct {
        size_t count;
        const char *text;
    } reasons[] = {
        {pairs->overlapping, "intervals overlap"},
        {pairs->close, "numbers without intervals are within 10% of each other"},
        {pairs->single, "each number is of a single run, without an interval"},
    };
    const char *between = "";
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (reasons[i].count > 0) {
            words_say(words, "%s%s", between, reasons[i].text);
            between = ", or ";
        }
    }
    words_say(words, ".");
}

static void say_order(Words *words, const Pairs *pairs, const char *where) {
    const size_t untold = pairs->overlapping + pairs->close + pairs->single;
    if (untold == pairs->count) {
        words_say(words, "None of %zu pairs of rows%s is told apart: ", pairs->count, where);
        say_reasons(words, pairs);
    } else if (pairs->same == pairs->count) {
        words_say(words, "All %zu pairs of rows%s stand in the same order as in the paper.",
                  pairs->count, where);
    } else if (pairs->same == 0 && untold == 0) {
        words_say(words, "None of %zu pairs of rows%s stands in the same order as in the paper.",
                  pairs->count, where);
    } else {
        const char *stand = pairs->same == 1 ? "stands" : "stand";
        words_say(words, "Of %zu pairs of rows%s %zu %s in the same order as in the paper",
                  pairs->count, where, pairs->same, stand);
        if (untold == 0) {
            words_say(words, ".");
            return;
        }
        words_say(words, "; %zu %s not told apart: ", untold, untold == 1 ? "is" : "are");
        say_reasons(words, pairs);
    }
}

/* How many pairs of rows stand in the paper's order, and how many are not told apart here. */
static void words_order(Document *document, const TableResult *result) {
    const bool sizes = words_key_is_size(words_row_key(result->table));
    size_t columns;
    const char *title = "";
    Pairs pairs = count_columns(result, sizes, &columns, &title);
    if (pairs.count == 0 && !sizes) {
        pairs = count_columns(result, true, &columns, &title);
    }
    if (pairs.count < PAIRS_LEAST) {
        return;
    }
    Words words = {.document = document};
    say_order(&words, &pairs,
              columns > 1 ? ", each within a column," : document_text(document, ", by %s,", title));
    words_end(&words);
}

/* === Study words ratios ======================================================================= */

/* Least and greatest of a column's ratios; they are never averaged. */
typedef struct Span {
    double least, greatest;
    size_t least_row, greatest_row, count;
} Span;

static Span find_span(const TableResult *result, size_t column, bool theirs_by_ours) {
    Span span = {.least = INFINITY, .greatest = 0};
    for (size_t row = 0; row < result->table->row_count; row++) {
        const StudyValue *value = study_value(result, row, column);
        if (!(value->measured > 0 && value->published > 0)) {
            continue;
        }
        const double ratio = theirs_by_ours ? value->published / value->measured
                                            : value->measured / value->published;
        span.count++;
        if (ratio < span.least) {
            span.least = ratio;
            span.least_row = row;
        }
        if (ratio > span.greatest) {
            span.greatest = ratio;
            span.greatest_row = row;
        }
    }
    return span;
}

static void say_column(Words *words, const TableResult *result, size_t column) {
    const StudyColumn *of = &result->table->columns[column];
    const bool time = isfinite(unit_milliseconds(of->unit));
    if (!time && strcmp(of->unit, "x") != 0) {
        return; /* what is counted is another thing where the input is another */
    }
    const Span span = find_span(result, column, time);
    if (span.count == 0) {
        return;
    }
    const StudyRow *rows = result->table->rows;
    words_sentence(words);
    words_say(words, "%s: %s %s ", of->title, time ? "the paper's" : "ours",
              span.count > 1 ? "are" : "is");
    const char *theirs = time ? "ours" : "the paper's";
    const char *least = words_number(words->document, span.least);
    const char *greatest = words_number(words->document, span.greatest);
    if (span.count == 1) {
        words_say(words, "%s times %s (%s).", least, theirs, rows[span.least_row].label);
    } else if (strcmp(least, greatest) == 0) {
        words_say(words, "%s times %s.", least, theirs);
    } else {
        words_say(words, "%s (%s) to %s (%s) times %s.", least, rows[span.least_row].label,
                  greatest, rows[span.greatest_row].label, theirs);
    }
}

/* Ours by the paper's, least to greatest. */
static void words_ratios(Document *document, const TableResult *result) {
    Words words = {.document = document};
    for (size_t i = 0; i < result->table->column_count; i++) {
        say_column(&words, result, i);
    }
    words_end(&words);
}

/* === Study words crossover ==================================================================== */

enum { PHRASE_SIZE = 256, FEW_CONTESTANTS = 3 };

/* The places of one `rest` that have an x, in its order. */
typedef struct Track {
    const Contest *contest;
    bool only; /* the contest has no other track */
    const char *rest;
    size_t *places;
    size_t count;
} Track;

static void pixels_text(double x, char *text, size_t size) {
    amount_text(x, "pixel", text, size);
}

static void number_only(double x, char *text, size_t size) {
    char number[SIGNIFICANT_SIZE];
    words_number_write(x, number);
    snprintf(text, size, "%s", number);
}

static bool same_rest(const ContestPlace *place, const char *rest) {
    return strcmp(place->rest != NULL ? place->rest : "", rest) == 0;
}

/* Insertion by x; of two places with the same x the first. */
static void add_place(Track *track, size_t place) {
    const ContestPlace *places = track->contest->places;
    size_t at = track->count;
    while (at > 0 && places[track->places[at - 1]].x > places[place].x) {
        at--;
    }
    if (at > 0 && places[track->places[at - 1]].x >= places[place].x) {
        return;
    }
    memmove(&track->places[at + 1], &track->places[at], (track->count - at) * sizeof(size_t));
    track->places[at] = place;
    track->count++;
}

static CurvePoint point_of(const Track *track, size_t contestant, size_t place, bool published) {
    const Contest *contest = track->contest;
    const ContestCell *cell = &contest->cells[contestant * contest->place_count + place];
    const bool interval = !published && cell->value != NULL;
    return (CurvePoint){.x = contest->places[place].x,
                        .value = contest_time(contest, contestant, place, published),
                        .low = interval ? cell->milliseconds * cell->value->low : NAN,
                        .high = interval ? cell->milliseconds * cell->value->high : NAN};
}

static Crossover find(const Track *track, size_t challenger, size_t champion, bool published) {
    CurvePoint *points = calloc(2 * track->count + 1, sizeof *points);
    if (points == NULL) {
        return (Crossover){.kind = CROSSOVER_UNKNOWN};
    }
    for (size_t i = 0; i < track->count; i++) {
        points[i] = point_of(track, challenger, track->places[i], published);
        points[track->count + i] = point_of(track, champion, track->places[i], published);
    }
    const Crossover crossover =
        crossover_find(points, track->count, points + track->count, track->count);
    free(points);
    return crossover;
}

static bool crosses(const Crossover *crossover) {
    return crossover->kind == CROSSOVER_AT || crossover->kind == CROSSOVER_UNTIL ||
           crossover->kind == CROSSOVER_MIXED;
}

/* Among many, two that overtake each other now and then are as good as equal. */
static bool is_worth_saying(const Crossover *crossover, const Contest *contest) {
    return crossover->kind != CROSSOVER_MIXED || contest->contestant_count <= FEW_CONTESTANTS;
}

static bool is_size(const Contest *contest) {
    return strcmp(contest->x_key, "size") == 0;
}

/* "In the paper ", "By box in the paper: ": numbers other than pixels are told by their key.
 * Returns whether nothing of the sentence is said yet. */
static bool say_start(Words *words, const Track *track, bool published) {
    const bool opens = track->only || words->text != NULL;
    words_sentence(words);
    if (!is_size(track->contest)) {
        words_say(words, "%s %s%s: ", opens ? "By" : "by", track->contest->x_key,
                  published ? " in the paper" : "");
        return false;
    }
    if (published) {
        words_say(words, "%s the paper ", opens ? "In" : "in");
    }
    return opens && !published;
}

typedef void (*NumberText)(double x, char *text, size_t size);

static NumberText x_text(const Contest *contest) {
    return is_size(contest) ? pixels_text : number_only;
}

/* What became of the pairs. */
typedef struct PairCount {
    size_t pairs, crossings; /* with at least two common places; of those, that cross */
    double from, to;         /* range of x that they have */
    bool brackets;           /* a sentence has an interval */
} PairCount;

/* Says which pairs cross. */
static PairCount say_crossings(Words *words, const Track *track, bool published) {
    const Contest *contest = track->contest;
    PairCount count = {.from = INFINITY, .to = 0};
    for (size_t j = 1; j < contest->contestant_count; j++) {
        for (size_t i = 0; i < j; i++) {
            const Crossover crossover = find(track, j, i, published);
            if (crossover.kind == CROSSOVER_UNKNOWN || crossover.points < 2) {
                continue;
            }
            count.pairs++;
            count.from = fmin(count.from, crossover.from);
            count.to = fmax(count.to, crossover.to);
            if (!crosses(&crossover)) {
                continue;
            }
            count.crossings++;
            if (!is_worth_saying(&crossover, contest)) {
                continue;
            }
            char phrase[PHRASE_SIZE];
            crossover_words(&crossover, x_text(contest), phrase, sizeof phrase);
            say_start(words, track, published);
            words_say(words, "%s is faster than %s %s.", contest->contestants[j],
                      contest->contestants[i], phrase);
            count.brackets = count.brackets ||
                             (crossover.kind != CROSSOVER_MIXED && strchr(phrase, '(') != NULL);
        }
    }
    if (count.brackets) {
        words_sentence(words);
        words_say(words, "In brackets: where it lies given the intervals.");
    }
    return count;
}

static void say_none(Words *words, const Track *track, bool published, const PairCount *count) {
    char from[64];
    char to[64];
    x_text(track->contest)(count->from, from, sizeof from);
    x_text(track->contest)(count->to, to, sizeof to);
    const bool opens = say_start(words, track, published);
    if (count->pairs == 1) {
        words_say(words, "%s of the two overtakes the other", opens ? "Neither" : "neither");
    } else {
        words_say(words, "%s overtakes another", opens ? "None" : "none");
    }
    words_say(words, " in this range (%s to %s).", from, to);
}

static void say_track(Document *document, const Track *track) {
    Words words = {.document = document};
    for (int published = 0; published < 2; published++) {
        const PairCount count = say_crossings(&words, track, published != 0);
        const bool told = is_size(track->contest) || track->count > 2;
        if (count.pairs > 0 && count.crossings == 0 && told) {
            say_none(&words, track, published != 0, &count);
        }
    }
    if (words.text != NULL && !track->only) {
        words.text = document_text(document, "For %s: %s", track->rest, words.text);
    }
    words_end(&words);
}

/* From which size on one overtakes another. */
static void words_crossover(Document *document, const Contest *contest) {
    if (contest->x_key == NULL) {
        return;
    }
    Track track = {.contest = contest,
                   .only = contest_is_one_curve(contest),
                   .places = calloc(contest->place_count + 1, sizeof *track.places)};
    if (track.places == NULL) {
        document->failed = true;
        return;
    }
    for (size_t first = 0; first < contest->place_count; first++) {
        track.rest = contest->places[first].rest != NULL ? contest->places[first].rest : "";
        bool done = false;
        for (size_t i = 0; i < first; i++) {
            done = done || same_rest(&contest->places[i], track.rest);
        }
        track.count = 0;
        for (size_t i = first; i < contest->place_count && !done; i++) {
            if (same_rest(&contest->places[i], track.rest)) {
                add_place(&track, i);
            }
        }
        if (!done) {
            say_track(document, &track);
        }
    }
    free(track.places);
}

/* === Study words published ==================================================================== */

/* More are counted, not listed. */
enum { LISTED_MOST = 6, DIGITS_LEAST = 3, DIGITS_MOST = 6 };

/* Times and ratio further apart than this have a misprint among them. */
#define MISPRINT_FACTOR 1.5

/* What a printed number can have been before its last digit was rounded or others were cut off. */
typedef struct Bounds {
    double low, high;
} Bounds;

/* A printed ratio that the printed numbers it is made of contradict. */
typedef struct Contradiction {
    size_t row;
    double quotient; /* of the printed numbers */
    bool misprint;
} Contradiction;

static Bounds printed_bounds(const StudyValue *value) {
    const char *point = strchr(value->printed, '.');
    const size_t decimals = point != NULL ? strspn(point + 1, "0123456789") : 0;
    const double last = pow(10, -(double)decimals);
    return (Bounds){.low = value->published - last / 2, .high = value->published + last};
}

static int printed_digits(const char *printed) {
    int digits = 0;
    for (const char *c = printed; *c != '\0'; c++) {
        digits += isdigit((unsigned char)*c) && (digits > 0 || *c != '0') ? 1 : 0;
    }
    return digits < DIGITS_LEAST ? DIGITS_LEAST : digits > DIGITS_MOST ? DIGITS_MOST : digits;
}

static bool is_printed(const StudyValue *value) {
    return value->published > 0 && value->printed != NULL;
}

/* False where numbers are not printed, or agree. */
static bool contradicts(const TableResult *result, size_t row, size_t column,
                        Contradiction *contradiction) {
    const StudyValue *ratio = study_value(result, row, column);
    RatioSource source;
    if (!is_printed(ratio) || !ratio_source(result->table, row, column, &source)) {
        return false;
    }
    const StudyValue *over = study_value(result, source.over_row, source.over_column);
    const StudyValue *under = study_value(result, source.under_row, source.under_column);
    if (!is_printed(over) || !is_printed(under)) {
        return false;
    }
    const Bounds printed = printed_bounds(ratio);
    const Bounds above = printed_bounds(over);
    const Bounds below = printed_bounds(under);
    const double quotient = source.scale * over->published / under->published;
    const double apart = fmax(quotient / ratio->published, ratio->published / quotient);
    *contradiction =
        (Contradiction){.row = row,
                        .quotient = quotient,
                        .misprint = apart >= MISPRINT_FACTOR &&
                                    result->table->columns[column].source == COLUMN_BASE};
    /* A number below its last digit has no lower bound above 0. */
    return below.low > 0 && (source.scale * above.high / below.low < printed.low ||
                             source.scale * above.low / below.high > printed.high);
}

static void say_misprint(Words *words, const TableResult *result, size_t column, size_t row) {
    const StudyTable *table = result->table;
    RatioSource source;
    if (!ratio_source(table, row, column, &source)) {
        return;
    }
    const StudyValue *ratio = study_value(result, row, column);
    const StudyValue *base = study_value(result, source.over_row, source.over_column);
    const StudyValue *own = study_value(result, row, source.under_column);
    const char *unit = table->columns[source.under_column].unit;
    words_sentence(words);
    words_say(words,
              "For %s the paper prints %s %s and a ratio of %s to %s, with which it would be %s "
              "%s: one of the two is a misprint.",
              table->rows[row].label, own->printed, unit, ratio->printed,
              table->rows[source.over_row].label,
              words_number(words->document, base->published / ratio->published), unit);
}

static void say_list(Words *words, const TableResult *result, size_t column,
                     const Contradiction *list, size_t count) {
    const size_t listed = count > LISTED_MOST ? LISTED_MOST : count;
    words_sentence(words);
    words_say(words, "%s: the paper's own numbers give ", result->table->columns[column].title);
    for (size_t i = 0; i < listed; i++) {
        const char *printed = study_value(result, list[i].row, column)->printed;
        char quotient[SIGNIFICANT_SIZE];
        significant_text(list[i].quotient, printed_digits(printed), quotient);
        const char *item = document_text(words->document, "%s for %s (it prints %s)", quotient,
                                         result->table->rows[list[i].row].label, printed);
        words_item(words, i, count, item != NULL ? item : "");
    }
    if (count > listed) {
        words_say(words, " and so on, %zu in all", count);
    }
    words_say(words, ".");
}

static void say_published_column(Words *words, const TableResult *result, size_t column,
                                 Contradiction *list) {
    size_t count = 0;
    for (size_t row = 0; row < result->table->row_count; row++) {
        Contradiction contradiction;
        if (contradicts(result, row, column, &contradiction) && !contradiction.misprint) {
            list[count++] = contradiction;
        }
    }
    if (count > 0) {
        say_list(words, result, column, list, count);
    }
    for (size_t row = 0; row < result->table->row_count; row++) {
        Contradiction contradiction;
        if (contradicts(result, row, column, &contradiction) && contradiction.misprint) {
            say_misprint(words, result, column, row);
        }
    }
}

/* Where the paper's ratios are not those of its times. */
static void words_published(Document *document, const TableResult *result) {
    Contradiction *list = calloc(result->table->row_count + 1, sizeof *list);
    if (list == NULL) {
        document->failed = true;
        return;
    }
    Words words = {.document = document};
    for (size_t i = 0; i < result->table->column_count; i++) {
        if (result->table->columns[i].source != COLUMN_CSV) {
            say_published_column(&words, result, i, list);
        }
    }
    free(list);
    words_end(&words);
}

/* === Study words missing ====================================================================== */

/* A reason is part of a sentence here: without a full stop of its own. */
static void add_reason(Tally *tally, Document *document, const char *why) {
    const size_t length = strlen(why);
    const size_t kept = length > 0 && why[length - 1] == '.' ? length - 1 : length;
    const char *reason = document_text(document, "%.*s", (int)kept, why);
    tally_add(tally, document, reason != NULL && kept > 0 ? reason : "no reason is known", NULL);
}

/* What was not measured, by reason. */
static void words_missing(Document *document, const TableResult *result) {
    const size_t cells = result->table->row_count * result->table->column_count;
    size_t missing = 0;
    Tally tally = {0};
    for (size_t i = 0; i < cells; i++) {
        if (!isfinite(result->values[i].measured)) {
            missing++;
            add_reason(&tally, document, result->values[i].why);
        }
    }
    Words words = {.document = document};
    if (missing > 0 && missing == cells) {
        words_say(&words, "No cell has a measured number: ");
    } else if (missing > 0) {
        words_say(&words, "%zu of %zu cells %s no measured number: ", missing, cells,
                  missing == 1 ? "has" : "have");
    }
    for (size_t i = 0; i < tally.count; i++) {
        words_say(&words, "%s%s", i > 0 ? "; " : "", tally.items[i].key);
        if (tally.count > 1) {
            words_say(&words, " (%zu)", tally.items[i].count);
        }
    }
    if (missing > 0) {
        words_say(&words, ".");
    }
    words_end(&words);
    tally_release(&tally);
}

/* === Study words ============================================================================== */

void study_words_add(Document *document, const TableResult *table) {
    Contest contest;
    contest_make(document, table, &contest);
    words_winner(document, &contest);
    words_crossover(document, &contest);
    contest_release(&contest);
    /* A confusion matrix is compared cell by cell, in the table itself. */
    if (!table->table->shaded) {
        words_shape(document, table);
        words_order(document, table);
        words_ratios(document, table);
    }
    words_published(document, table);
    words_missing(document, table);
}
