#include "study_best.h"

#include <math.h>
#include <string.h>

#include "study_places.h"
#include "study_result_cells.h"

typedef struct Place {
    const StudyResult *result;
    const TableResult *table;
    size_t row, column;
} Place;

bool study_unit_is_time(const char *unit) {
    return isfinite(unit_milliseconds(unit));
}

static bool texts_are_equal(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
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

static bool is_same_time(const StudyColumn *a, const StudyColumn *b) {
    return a->source == COLUMN_CSV && b->source == COLUMN_CSV &&
           texts_are_equal(a->unit, b->unit) && texts_are_equal(a->csv, b->csv) &&
           texts_are_equal(a->part, b->part);
}

typedef struct Rivals {
    size_t count; /* times of the same work, this one too */
    bool beaten;
    bool mixed; /* there are times of other work */
} Rivals;

static void meet(const Place *place, const Place *other, Rivals *rivals) {
    const double time = study_value(place->table, place->row, place->column)->measured;
    const double rival = study_value(other->table, other->row, other->column)->measured;
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
        if (is_same_time(&columns[i], &columns[column])) {
            meet(&place, &(Place){result, table, row, i}, &across);
        }
    }
    const Rivals *rivals = down.mixed ? &across : &down;
    return rivals->count > 1 && !rivals->beaten;
}
