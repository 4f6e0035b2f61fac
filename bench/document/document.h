/*
 * Document: a report as a list of blocks, independent of the format it is written in. Writers are
 * html.h, markdown.h, latex.h, table_csv.h and figure_files.h.
 *
 * Building never fails half-way: when memory runs out the document remembers it, further calls do
 * nothing (those that return a pointer return NULL, which every function here takes), and
 * document_status and every writer say so. All texts are UTF-8, copied, and owned by the document.
 */
#ifndef BENCH_DOCUMENT_H
#define BENCH_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "status.h"

/* What a table's cell is, for its looks and for sorting. */
typedef enum CellKind {
    CELL_PLAIN,
    CELL_STRONG,  /* the best of its kind */
    CELL_FAINT,   /* beside the point: a published number, a unit */
    CELL_MISSING, /* not run, not known; `text` says it in two or three words */
    CELL_BAD      /* a failure or a loss that must be seen */
} CellKind;

typedef struct DocCell {
    const char *text; /* as shown; NULL: empty */
    double number;    /* what sorting goes by; NAN: the text */
    const char *note; /* shown on hover, on focus and in `title`: interval, reason; NULL: none */
    CellKind kind;
} DocCell;

typedef struct DocColumn {
    const char *title;
    const char *group; /* heading over neighbouring columns of the same group; NULL: none */
    bool numeric;      /* to the right */
} DocColumn;

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
} DocTable;

typedef struct ChartPoint {
    double x, y;
    double low, high;  /* interval of y; NAN: none */
    const char *label; /* what x is called: "4K"; NULL: the number */
} ChartPoint;

typedef enum SeriesStyle {
    SERIES_MEASURED,  /* line and points, with intervals */
    SERIES_SECONDARY, /* dashed line and hollow points: end-to-end, another run */
    SERIES_PUBLISHED, /* dotted line and crosses */
    SERIES_CEILING    /* thin line without points, named at its end */
} SeriesStyle;

typedef struct ChartSeries {
    const char *name;
    SeriesStyle style;
    int colour; /* 0…; the same number is the same colour in every chart of a document */
    ChartPoint *points;
    size_t count, capacity;
} ChartSeries;

typedef struct ChartTick {
    double value;
    const char *label;
} ChartTick;

typedef struct ChartAxis {
    const char *title; /* with the unit: "kernel time (ms)" */
    bool log;          /* then values of 0 or less are not drawn */
    ChartTick *ticks;  /* named places; none: decades or round numbers */
    size_t count, capacity;
} ChartAxis;

typedef struct DocChart {
    const char *name; /* file name without suffix: "lbp-time"; unique in the document */
    const char *title;
    const char *description; /* for those who cannot see it: what is drawn and what it shows */
    ChartAxis x, y;
    double reference; /* a thin line at this y: 1 for speedups; NAN: none */
    ChartSeries *series;
    size_t count, capacity;
} DocChart;

typedef enum BlockKind {
    BLOCK_HEADING,   /* text, level 2…4, id */
    BLOCK_PARAGRAPH, /* text */
    BLOCK_ITEM,      /* of a list: neighbouring items are one list */
    BLOCK_CODE,      /* text, in lines */
    BLOCK_WARNING,   /* a paragraph that must be seen */
    BLOCK_TABLE,
    BLOCK_CHART
} BlockKind;

typedef struct Block {
    BlockKind kind;
    const char *text;
    int level;
    const char *id; /* of a heading: for links within the document */
    DocTable *table;
    DocChart *chart;
} Block;

typedef struct Document {
    const char *title;
    Block *blocks;
    size_t count, capacity;
    void *memory; /* list of what is owned */
    bool failed;
} Document;

/* An empty document, to be released. */
void document_open(Document *document, const char *title);
void document_release(Document *document);
/* STATUS_FAIL when memory has run out. */
Status document_status(const Document *document);

/* A text that lives as long as the document, printf-like. NULL without memory. */
const char *document_text(Document *document, const char *format, ...) STATUS_PRINTF(2, 3);

/* `level` 2 is a section. The id is made of the text, unique in the document. */
void document_heading(Document *document, int level, const char *text);
/* Of a kind that is only text: BLOCK_PARAGRAPH, BLOCK_ITEM, BLOCK_CODE, BLOCK_WARNING. */
void document_add(Document *document, BlockKind kind, const char *format, ...) STATUS_PRINTF(3, 4);

/* Columns first, then rows, cell by cell: each row has one cell a column. */
DocTable *document_table(Document *document, const char *name, const char *caption);
void table_column(Document *document, DocTable *table, const DocColumn *column);
void table_cell(Document *document, DocTable *table, const DocCell *cell);
/* The usual cells: words; a number with `digits` significant ones (an em dash for NAN). */
void table_words(Document *document, DocTable *table, const char *text);
void table_number(Document *document, DocTable *table, double number, int digits);
/* NULL outside the table. */
const DocCell *table_at(const DocTable *table, size_t row, size_t column);

DocChart *document_chart(Document *document, const char *name, const char *title);
/* The pointer is good until the next series of the chart is added. */
ChartSeries *chart_series(Document *document, DocChart *chart, const char *name, SeriesStyle style,
                          int colour);
void chart_point(Document *document, ChartSeries *series, const ChartPoint *point);
void chart_tick(Document *document, ChartAxis *axis, double value, const char *label);
/* The table behind a chart, a row a point: series, x, y, low, high. Owned by the document, not one
 * of its blocks. */
DocTable *chart_table(Document *document, const DocChart *chart);

/* A name as part of a file name or an id: lower case letters, digits, '.' and '-'. */
void document_slug(const char *text, char *slug, size_t size);

#endif
