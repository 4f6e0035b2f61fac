/* How one number of a table comes about: from the records of a step, or of two other numbers. */
#ifndef BENCH_STUDY_RESULT_CELLS_H
#define BENCH_STUDY_RESULT_CELLS_H

#include "study_values.h"

/* What a number's records have to be: the conditions of table, row and column. Where two of them
 * name the same key, the column's stands before the row's, and the row's before the table's. Free
 * `items`. False without memory. */
bool cell_conditions(const StudyTable *table, const StudyRow *row, const StudyColumn *column,
                     ConditionList *conditions);

/* The numbers of a COLUMN_CSV: measured, its interval, its record, or why there is none. False
 * without memory. */
bool cell_measure(const StudyResult *result, const StudyTable *table, const StudyRow *row,
                  const StudyColumn *column, StudyValue *value);

/* Those of a COLUMN_RATIO or COLUMN_BASE, of numbers that the table has already. */
void cell_derive(const TableResult *result, size_t row, size_t column);

/* Milliseconds in one of a unit of time ("ms", "us", "s", "min"); NAN for any other unit. */
double unit_milliseconds(const char *unit);

/* Of a ratio column: which numbers it divides, and what their quotient is multiplied by where their
 * units of time differ. False when the table has no such row or column. */
typedef struct RatioSource {
    size_t over_row, over_column;
    size_t under_row, under_column;
    double scale;
} RatioSource;

bool ratio_source(const StudyTable *table, size_t row, size_t column, RatioSource *source);

/* The number that a list of conditions has for a key, as study_row_x. */
double conditions_x(const ConditionList *conditions, const char *key);

#endif
