#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study_places.h"
#include "study_result_cells.h"
#include "study_tally.h"
#include "study_words_parts.h"
#include "study_words_text.h"

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

static bool is_time(const StudyColumn *column) {
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
    const double sign = is_time(&sequence->result->table->columns[sequence->column]) ? -1 : 1;
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
    const bool time = is_time(&sequence->result->table->columns[sequence->column]);
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
    const bool time = is_time(&sequence->result->table->columns[sequence->column]);
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

void words_shape(Document *document, const TableResult *result) {
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
