#include "study_best.h"

#include <math.h>
#include <string.h>

#include "study_places.h"
#include "study_result_cells.h"
#include "study_words_grid.h"

typedef struct Place {
    const StudyResult *result;
    const TableResult *table;
    size_t row, column;
} Place;

bool study_unit_is_time(const char *unit) {
    return isfinite(unit_milliseconds(unit));
}

static const char *text_at(const Place *place, const char *key) {
    const StudyTable *table = place->table->table;
    const StepRecords *records =
        study_column_records(place->result, table, &table->columns[place->column]);
    const StudyValue *value = study_value(place->table, place->row, place->column);
    return study_record_text(records, value->record, key);
}

static bool is_same_work(const Place *a, const Place *b) {
    static const char *const keys[] = {"algorithm", "input", "size", "answer"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(text_at(a, keys[i]), text_at(b, keys[i])) != 0) {
            return false;
        }
    }
    return true;
}

/* Where columns are the parts of one run, a kind of time meets its own; else each is a way to do
 * the work, measured as its convention has it. */
static bool are_rivals(const StudyTable *table, const StudyColumn *a, const StudyColumn *b) {
    return b->source == COLUMN_CSV && study_unit_is_time(b->unit) &&
           (!time_kinds_are_works(table) ||
            (same_texts(a->csv, b->csv) && same_texts(a->part, b->part)));
}

static double milliseconds_at(const Place *place) {
    const char *unit = place->table->table->columns[place->column].unit;
    return unit_milliseconds(unit) * study_value(place->table, place->row, place->column)->measured;
}

typedef struct Rivals {
    size_t count; /* times of the same work, this one too */
    bool beaten;
    bool mixed; /* there are times of other work */
} Rivals;

static void meet(const Place *place, const Place *other, Rivals *rivals) {
    const double time = milliseconds_at(place);
    const double rival = milliseconds_at(other);
    if (!isfinite(rival)) {
        return;
    }
    if (is_same_work(place, other)) {
        rivals->count++;
        rivals->beaten = rivals->beaten || rival < time;
    } else {
        rivals->mixed = true;
    }
}

bool study_time_is_best(const StudyResult *result, const TableResult *table, size_t row,
                        size_t column) {
    const StudyColumn *columns = table->table->columns;
    if (!study_unit_is_time(columns[column].unit) || columns[column].source != COLUMN_CSV ||
        !isfinite(study_value(table, row, column)->measured)) {
        return false;
    }
    const Place place = {result, table, row, column};
    Rivals down = {0}, across = {0};
    for (size_t i = 0; i < table->table->row_count; i++) {
        meet(&place, &(Place){result, table, i, column}, &down);
    }
    for (size_t i = 0; i < table->table->column_count; i++) {
        if (are_rivals(table->table, &columns[column], &columns[i])) {
            meet(&place, &(Place){result, table, row, i}, &across);
        }
    }
    const Rivals *rivals = down.mixed || down.count < 2 ? &across : &down;
    return rivals->count > 1 && !rivals->beaten;
}
