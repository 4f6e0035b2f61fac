/* A table of words with aligned columns, for terminals. */
#ifndef BENCH_TEXT_TABLE_H
#define BENCH_TEXT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

enum { TEXT_TABLE_COLUMNS_MAX = 16, TEXT_TABLE_CELL_SIZE = 48 };

typedef struct TextColumn {
    const char *title;
    bool left; /* words to the left, numbers to the right */
} TextColumn;

typedef struct TextRow {
    char cells[TEXT_TABLE_COLUMNS_MAX][TEXT_TABLE_CELL_SIZE]; /* UTF-8 */
} TextRow;

/* Prints titles, a rule and the rows; columns in which every row is empty are left out. */
void text_table_print(FILE *stream, const TextColumn *columns, size_t column_count,
                      const TextRow *rows, size_t row_count);

#endif
