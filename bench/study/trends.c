/* Whether a study's columns rise or fall along their rows as the paper's do. */

#include "study_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

bool intervals_overlap(const StudyValue *first, const StudyValue *second) {
    return first->low <= second->high && second->low <= first->high;
}

/* === Trend ==================================================================================== */

enum { POINTS_LEAST = 3 };

/* Rows of one column that differ in the key alone, in its order; all have both numbers. */
typedef struct Sequence {
    const TableResult *result;
    const char *key;
    size_t column;
    size_t *rows;
    size_t count;
    bool others; /* rows that have the key differ in something else */
} Sequence;

/* How the numbers of a sequence go. */
typedef struct Trend {
    int direction; /* of the first step that has one: 1 up, -1 down; 0: none has */
    size_t level;  /* steps without a direction */
    size_t turns;
    size_t turn; /* the point of the first turn */
    size_t peak; /* the greatest number, of a time the least */
} Trend;

/* Whether times rise along this key by themselves. */
static bool key_is_size(const char *key) {
    return key != NULL && (strcmp(key, "size") == 0 || strcmp(key, "images") == 0);
}

/* Distinct numbers that the rows have for a key. */
static size_t distinct_numbers(const StudyTable *table, const char *key) {
    size_t count = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        const double x = study_row_x(&table->rows[i], key);
        bool is_new = isfinite(x);
        for (size_t j = 0; j < i; j++) {
            is_new = is_new && !(fabs(study_row_x(&table->rows[j], key) - x) <= 0);
        }
        count += is_new ? 1 : 0;
    }
    return count;
}

/* The key whose numbers order the rows; NULL when no three of them differ in one. */
static const char *row_key(const StudyTable *table) {
    const char *best = NULL;
    size_t most = POINTS_LEAST - 1;
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

bool rows_are_sizes(const StudyTable *table) {
    return key_is_size(row_key(table));
}

static const StudyColumn *column_of(const Sequence *sequence) {
    return &sequence->result->table->columns[sequence->column];
}

static const StudyValue *value_at(const Sequence *sequence, size_t point) {
    return study_value(sequence->result, sequence->rows[point], sequence->column);
}

static double number_at(const Sequence *sequence, size_t point, bool published) {
    const StudyValue *value = value_at(sequence, point);
    return published ? value->published : value->measured;
}

/* From one point to another; overlapping intervals have no direction. */
static int direction_of(const Sequence *sequence, size_t start, size_t end, bool published) {
    if (!published && intervals_overlap(value_at(sequence, start), value_at(sequence, end))) {
        return 0;
    }
    const double difference =
        number_at(sequence, end, published) - number_at(sequence, start, published);
    return (difference > 0) - (difference < 0);
}

/* The direction to a point from the first before it that gives one; 0: none. */
static int first_direction(const Sequence *sequence, size_t point, bool published) {
    int direction = 0;
    for (size_t i = 0; i < point && direction == 0; i++) {
        direction = direction_of(sequence, i, point, published);
    }
    return direction;
}

/* A turn needs a point beyond the intervals of the farthest one before it: any number of steps back
 * within them are none. */
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
    const double sign = unit_is_time(column_of(sequence)->unit) ? -1 : 1;
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

static const char *trend_text(const Sequence *sequence, const Trend *trend, bool published,
                              Document *document) {
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
        return document_text(document, "%s to %s, then %s", goes, label_at(sequence, trend->turn),
                             trend->direction > 0 ? "falls" : "rises");
    }
    return document_text(document, "turns %zu times, %s at %s", trend->turns,
                         unit_is_time(column_of(sequence)->unit) ? "least" : "greatest",
                         label_at(sequence, trend->peak));
}

/* Steps within intervals leave open what a longer run would show. */
static Agreement same_trend(const Trend *here, const Trend *paper) {
    const bool same_point =
        here->turns == 1 ? here->turn == paper->turn : here->peak == paper->peak;
    if (here->direction == paper->direction && here->turns == paper->turns &&
        here->level == paper->level && same_point) {
        return AGREEMENT_SAME;
    }
    const bool open = here->turns + paper->turns == 0 && here->level > 0 &&
                      (here->direction == 0 || here->direction == paper->direction);
    return open ? AGREEMENT_OPEN : AGREEMENT_DIFFERS;
}

/* "Time, HD, omp": with what the rows have besides the key, where there are others. */
static const char *sequence_name(const Sequence *sequence, Document *document) {
    const StudyRow *row = &sequence->result->table->rows[sequence->rows[0]];
    const char *name = column_of(sequence)->title;
    for (size_t i = 0; sequence->others && i < row->conditions.count; i++) {
        if (strcmp(row->conditions.items[i].key, sequence->key) != 0) {
            name = text_joined(document, name, ", ", row->conditions.items[i].value);
        }
    }
    return name;
}

static void add_trend(const ClaimFinder *finder, const Sequence *sequence) {
    Document *document = finder->document;
    const Trend here = find_trend(sequence, false);
    const Trend paper = find_trend(sequence, true);
    const Agreement agreement = same_trend(&here, &paper);
    const bool plain = paper.direction > 0 && paper.turns == 0 && paper.level == 0;
    if (unit_is_time(column_of(sequence)->unit) && key_is_size(sequence->key) && plain &&
        agreement == AGREEMENT_SAME) {
        return; /* more work takes longer */
    }
    claim_add(finder, CLAIM_TREND,
              document_text(document, "trend of %s", sequence_name(sequence, document)),
              (VerdictSide){.text = trend_text(sequence, &here, false, document),
                            .count = here.turns,
                            .of = sequence->count},
              (VerdictSide){.text = trend_text(sequence, &paper, true, document),
                            .count = paper.turns,
                            .of = sequence->count},
              agreement);
}

/* Whether two rows differ in the key alone. */
static bool same_but_key(const StudyRow *left, const StudyRow *right, const char *key) {
    if (left->conditions.count != right->conditions.count) {
        return false;
    }
    for (size_t i = 0; i < left->conditions.count; i++) {
        const Condition *condition = &left->conditions.items[i];
        const char *other = condition_value(&right->conditions, condition->key);
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
static void make_sequence(Sequence *sequence, size_t first) {
    const StudyTable *table = sequence->result->table;
    sequence->count = 0;
    sequence->others = false;
    for (size_t i = 0; i < table->row_count; i++) {
        const StudyValue *value = study_value(sequence->result, i, sequence->column);
        if (!same_but_key(&table->rows[first], &table->rows[i], sequence->key)) {
            sequence->others |= condition_value(&table->rows[i].conditions, sequence->key) != NULL;
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

/* A speedup over one row goes as the times that it is made of, which have a trend themselves. */
static bool times_have_trend(const TableResult *result, const StudyColumn *column) {
    const size_t times =
        column->source == COLUMN_BASE ? study_column_index(result->table, column->over) : SIZE_MAX;
    return times != SIZE_MAX && study_has_published(result, times);
}

void trends_find(const ClaimFinder *finder) {
    const StudyTable *table = finder->table;
    Sequence sequence = {.result = finder->result, .key = row_key(table)};
    if (sequence.key == NULL) {
        return;
    }
    sequence.rows = calloc(table->row_count + 1, sizeof *sequence.rows);
    finder->document->failed = finder->document->failed || sequence.rows == NULL;
    const size_t columns = sequence.rows != NULL ? table->column_count : 0;
    for (sequence.column = 0; sequence.column < columns; sequence.column++) {
        const bool known = times_have_trend(finder->result, column_of(&sequence));
        for (size_t row = 0; row < table->row_count && !known; row++) {
            make_sequence(&sequence, row);
            if (sequence.count >= POINTS_LEAST) {
                add_trend(finder, &sequence);
            }
        }
    }
    free(sequence.rows);
}
