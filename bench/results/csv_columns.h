/* The columns of results.csv. */

#ifndef BENCH_RESULTS_CSV_COLUMNS_H
#define BENCH_RESULTS_CSV_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "row.h"

typedef struct CsvColumn {
    int place; /* in the file, from 1; 0: the field has no column */
    const char *name;
    const char *unit;              /* "" for words, counts and ratios */
    double scale;                  /* of the member's number */
    bool (*known)(const Row *row); /* false: the value is empty; NULL: always known */
    const char *meaning;           /* one sentence, without a full stop */
    const struct RowField *field;  /* the value */
} CsvColumn;

/* All columns, from row.def, in file order. */
const CsvColumn *csv_columns(size_t *count);

/* The column of this name; NULL: there is none. */
const CsvColumn *csv_column_find(const char *name);

/* What a row has there: a number in the column's unit, with as many digits as the file has, NAN
 * where that is a word or not known; one number of several, a stage's or an axis's; and what the
 * file has, before quoting, empty where it is not known. */
double csv_column_number(const CsvColumn *column, const Row *row);
double csv_column_part(const CsvColumn *column, const Row *row, const char *part);
void csv_column_value(const CsvColumn *column, const Row *row, char *value, size_t size);

/* The status of that word in such a file. */
CellStatus csv_status(const char *word);

/* Prints name, unit and meaning of each column. */
void csv_columns_print(FILE *stream);

/* Prints the JSON Schema (2020-12) of results.json. */
void results_schema_print(FILE *stream);

#endif
