/* Tables in a terminal, and those that a command prints in several formats. */

#ifndef BENCH_BASE_TABLE_H
#define BENCH_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "ink.h"
#include "status.h"

/* --- Table ------------------------------------------------------------------------------------ */

/* Tables of texts and numbers, and their writers for terminals, Markdown and CSV. Those for HTML
 * and LaTeX are the room report's. */

/* What a table's cell is, for its looks and for sorting. */
typedef enum CellKind {
    CELL_PLAIN,
    CELL_STRONG,  /* the best of its kind */
    CELL_FAINT,   /* beside the point: a published number, a unit */
    CELL_MISSING, /* not run, not known; `text` is two or three words on it */
    CELL_BAD      /* a failure that must be seen; being slower is none */
} CellKind;

typedef struct DocCell {
    const char *text; /* as shown; NULL: empty */
    size_t first;  /* of "36.7× faster (36.2 to 37.1)" the bytes before the blank in front of its
                      interval, which may stand on a line of its own; 0: it has none */
    double number; /* what sorting goes by; NAN: the text */
    const char *note; /* shown on hover, on focus and in `title`: interval, reason; NULL: none */
    CellKind kind;
    Ink ink; /* on a terminal */
} DocCell;

typedef struct DocColumn {
    const char *title;
    const char *group; /* heading over neighbouring columns of the same group; NULL: none */
    bool numeric;      /* to the right */
    int rank; /* on a terminal that is too narrow the highest are left out first; 0: never */
} DocColumn;

/* A column of texts or of numbers, for TABLE_COLUMNS and TEXT_TABLE: NUMBERS("ms", .rank = 2). */
#define WORDS(...)                                                                                 \
    { .title = __VA_ARGS__ }
#define NUMBERS(...)                                                                               \
    { .numeric = true, .title = __VA_ARGS__ }

typedef struct DocTable {
    const char *name; /* file name without suffix: "table-1"; unique in the document */
    const char *caption;
    const char *note; /* below: conventions, machines; NULL: none */
    DocColumn *columns;
    size_t column_count, column_capacity;
    DocCell *cells; /* row by row, column_count each */
    size_t row_count, cell_count, cell_capacity;
    bool collapsed; /* HTML: closed until it is opened */
    bool sortable;  /* HTML: by its columns */
    bool shaded;    /* HTML: numeric cells get a background by their share of the row's sum */
    bool wraps;     /* a narrow terminal has texts on several lines; elsewhere the table is whole */
} DocTable;

/* Columns first, then rows, cell by cell: each row has one cell a column. Texts are copied into
 * `*memory`, to be released with owned_release. False without memory. */
bool table_add_column(void **memory, DocTable *table, const DocColumn *column);
bool table_add_cell(void **memory, DocTable *table, const DocCell *cell);

/* NULL outside the table. */
const DocCell *table_at(const DocTable *table, size_t row, size_t column);
/* A cell's text, "" where there is none. */
const char *table_text_at(const DocTable *table, size_t row, size_t column);

bool table_has_groups(const DocTable *table);
/* How many neighbouring columns from this one on have its group; 1 for a column without one. */
size_t table_group_span(const DocTable *table, size_t column);

enum { TABLE_TITLE_SIZE = 512 };
/* Group and title of a column: "Time (ms): measured". */
void table_full_title(const DocColumn *column, char title[TABLE_TITLE_SIZE]);

/* Titles, a rule and the rows, aligned for a terminal; columns in which every row is empty are left
 * out, and those of a rank where the window is too narrow for all. Not for several threads. */
void table_print(FILE *stream, const DocTable *table);

/* Titles and rows as GitHub-flavoured Markdown. */
void table_print_markdown(FILE *stream, const DocTable *table);

/* A header line, then a line a row. In numeric columns numbers are written in full where a cell has
 * one; all else as its text. */
void table_print_csv(FILE *stream, const DocTable *table);

/* --- A command's table ------------------------------------------------------------------------ */

enum { TEXT_TABLE_COLUMNS_MAX = 16 }; /* on a terminal; further ones are left out */

/* A table that is filled cell by cell and printed once. */
typedef struct TextTable {
    DocTable table;
    void *memory;
    bool failed; /* there was no memory */
} TextTable;

/* A table of these columns without rows; end it with text_table_end. Without a rank it wraps. */
TextTable text_table_start(const DocColumn *columns, size_t count);
#define TEXT_TABLE(...)                                                                            \
    text_table_start((const DocColumn[]){__VA_ARGS__},                                             \
                     sizeof((DocColumn[]){__VA_ARGS__}) / sizeof(DocColumn))

/* Appends a cell, printf-like, of at most 1023 bytes. */
void text_table_put(TextTable *table, const char *format, ...) STATUS_PRINTF(2, 3);
/* Appends an empty cell. */
void text_table_skip(TextTable *table);
/* Appends a cell of this kind and of any length. */
void text_table_put_kind(TextTable *table, CellKind kind, const char *text);
void text_table_put_cell(TextTable *table, const DocCell *cell);
/* Appends a cell in this ink. */
void text_table_put_ink(TextTable *table, Ink ink, const char *text);

/* Writes the table, unless there was no memory for it, and releases it. STATUS_SKIP without
 * memory. */
Status text_table_end(TextTable *table, FILE *stream,
                      void (*write)(FILE *stream, const DocTable *table));
/* The same as text for a terminal; what went wrong stands in its place. */
void text_table_show(TextTable *table, FILE *stream);

#endif
