/* The columns of results.csv: the one table that writes them, explains them and is tested. */
#ifndef BENCH_CSV_COLUMNS_H
#define BENCH_CSV_COLUMNS_H

#include <stdio.h>

#include "result.h"

enum { CSV_VALUE_SIZE = 512 };

typedef struct CsvColumn {
    const char *name;
    const char *unit;    /* "" for words, counts and ratios */
    const char *meaning; /* one sentence, without a full stop */
    /* Where the value is: `text` when it is set, otherwise a double at `offset` times `scale`. */
    void (*text)(const Row *row, char *value, size_t size);
    size_t offset;
    double scale;
} CsvColumn;

/* All columns in file order. The first ones are fixed; new ones are only ever added at the end. */
const CsvColumn *csv_columns(size_t *count);

/* The value as it stands in the file, before quoting; empty when it was not measured. */
void csv_column_value(const CsvColumn *column, const Row *row, char *value, size_t size);

/* The table for people: name, unit, meaning. */
void csv_columns_print(FILE *stream);

#endif
