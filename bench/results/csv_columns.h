/* The columns of results.csv. */

#ifndef BENCH_RESULTS_CSV_COLUMNS_H
#define BENCH_RESULTS_CSV_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "row.h"

/* Which number of samples a time is. */
typedef enum SeriesNumber {
    SERIES_NONE,
    SERIES_MEDIAN,
    SERIES_MEAN,
    SERIES_LEAST,
    SERIES_NUMBERS
} SeriesNumber;

typedef struct CsvColumn {
    int place; /* in the file, from 1; 0: the field has no column */
    const char *name;
    const char *unit;              /* "" for words, counts and ratios */
    double scale;                  /* of the member's number */
    bool time;                     /* seconds, written as milliseconds */
    bool (*known)(const Row *row); /* false: the value is empty; NULL: always known */
    const char *meaning;           /* one sentence, without a full stop */
    const struct RowField *field;  /* the value */
    size_t low, high;              /* of no time: members of Row that hold its interval; 0: none */
} CsvColumn;

/* All columns, from row.def, in file order. */
const CsvColumn *csv_columns(size_t *count);

/* The column of this name; NULL: there is none. */
const CsvColumn *csv_column_find(const char *name);

/* That of a member of Row, by its offset; NULL: it has none. */
const CsvColumn *csv_column_at(size_t member);

/* What a column of times shows of the samples of a row, and the columns of their median, of its
 * interval and of the deviation, which may be NULL; SERIES_NONE: no such time, and the interval is
 * its own, if it has one. End to end includes the download of resident_ms_min, whose own
 * interval is not known. */
typedef struct SeriesColumn {
    SeriesNumber number;
    size_t series;
    const CsvColumn *median, *low, *high, *deviation;
} SeriesColumn;

SeriesColumn csv_column_series(const CsvColumn *column);

/* NULL: the row has none. */
const Samples *series_column_samples(const SeriesColumn *column, const Row *row);

/* What a row has there: a number in the column's unit, with as many digits as the file has, NAN
 * where that is a word or not known; one number of several, a stage's or an axis's; and what the
 * file has, before quoting, empty where it is not known. */
double csv_column_number(const CsvColumn *column, const Row *row);
double csv_column_part(const CsvColumn *column, const Row *row, const char *part);
void csv_column_value(const CsvColumn *column, const Row *row, char *value, size_t size);

/* The status of that word in such a file, any other being CELL_SKIP, and whether it is "yes". */
CellStatus csv_status(const char *word);
bool csv_flag(const char *word);

/* Prints name, unit and meaning of each column. */
void csv_columns_print(FILE *stream);

/* Prints the JSON Schema (2020-12) of results.json. */
void results_schema_print(FILE *stream);

#endif
