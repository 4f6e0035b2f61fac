/* Documents: headings, texts, tables and charts. */

#ifndef BENCH_CHART_DOCUMENT_H
#define BENCH_CHART_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "chart.h"
#include "status.h"
#include "table.h"

/*
 * Document: a report as a list of blocks, independent of the format it is written in. Its writers
 * are in the room of reports.
 *
 * Building never fails half-way: when memory runs out the document remembers it, and further calls
 * do nothing. Those that return a pointer return NULL, which every function here accepts, but ""
 * for a text and for a table one that nobody sees. document_status and every writer report the
 * failure. All texts are UTF-8, copied, and owned by the document.
 */

typedef enum BlockKind {
    BLOCK_HEADING,   /* text, level 2…4, id */
    BLOCK_PARAGRAPH, /* text */
    BLOCK_ITEM,      /* of a list: neighbouring items are one list */
    BLOCK_CODE,      /* text, in lines */
    BLOCK_WARNING,   /* a paragraph that must be seen */
    BLOCK_LEAD,      /* a paragraph that says the finding */
    BLOCK_CHIP,      /* a fact of a few words, beside its neighbours */
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
    size_t folded; /* how many blocks are always shown; 0: all. Of those behind them a page shows
                      the sections' headings, which open them */
    void *memory;  /* list of what is owned */
    bool failed;
    DocTable lost; /* what is written to a table without memory for it */
} Document;

/* An empty document, to be released. */
void document_open(Document *document, const char *title);

void document_release(Document *document);
/* STATUS_FAIL when memory has run out. */
Status document_status(const Document *document);

/* A text that lives as long as the document, printf-like. "" without memory. */
const char *document_text(Document *document, const char *format, ...) STATUS_PRINTF(2, 3);

/* Zeroed memory that lives as long as the document; NULL without memory, and the document has
 * failed. */
void *document_allocate(Document *document, size_t size);

/* `level` 2 is a section. The id is made of the text, unique in the document. */
void document_heading(Document *document, int level, const char *text);

/* Of a kind that is only text: BLOCK_PARAGRAPH, BLOCK_ITEM, BLOCK_CODE, BLOCK_WARNING, BLOCK_CHIP.
 */
void document_add(Document *document, BlockKind kind, const char *format, ...) STATUS_PRINTF(3, 4);

/* The sections that follow are folded. */
void document_fold(Document *document);

/* Columns first, then rows, cell by cell: each row has one cell a column. Never NULL. */
DocTable *document_table(Document *document, const char *name, const char *caption);

void table_column(Document *document, DocTable *table, const DocColumn *column);
void table_cell(Document *document, DocTable *table, const DocCell *cell);
/* The usual cells: words; a number with `digits` significant ones (an em dash for NAN). */
void table_words(Document *document, DocTable *table, const char *text);

DocChart *document_chart(Document *document, const char *name, const char *title);
/* Series that are added next are in this panel. The pointer is good until the next one. */
ChartPanel *chart_panel(Document *document, DocChart *chart, const char *title);
/* The pointer is good until the next series of the chart is added. */
ChartSeries *chart_series(Document *document, DocChart *chart, const char *name, SeriesStyle style,
                          int colour);
void chart_point(Document *document, ChartSeries *series, const ChartPoint *point);
/* A point without an interval. */
void chart_dot(Document *document, ChartSeries *series, double x, double y, const char *label);
void chart_tick(Document *document, ChartAxis *axis, double value, const char *label);
/* Of a bar; "" is no note. */
void chart_tick_noted(Document *document, ChartAxis *axis, double value, const char *label,
                      const char *note);
/* The same of an axis whose places ascend, unless it has the place already. */
void chart_mark(Document *document, ChartAxis *axis, double value, const char *label);
/* Notes which measured lines equal an earlier one (ChartSeries.same_as). */
void chart_mark_equal(DocChart *chart);
/* Says in the chart's note what its bars are, "bars: 95% of 6 launches", if a point has one; ""
 * adds nothing. */
void chart_note_intervals(Document *document, DocChart *chart, const char *words);
/* Describes the chart of lines for those who cannot see it: what is drawn over what, and each
 * curve's least and greatest value with its place. */
void chart_describe(Document *document, DocChart *chart);

/* --- Parts of a document ---------------------------------------------------------------------- */

/* Room for one more item in an array that the document owns. False, with the document failed,
 * without memory; false at once in a document that has failed. */
bool document_room(Document *document, void *items, size_t count, size_t *capacity, size_t size);
#define DOCUMENT_ROOM(document, items, count, capacity)                                            \
    document_room(document, &(items), count, &(capacity), sizeof *(items))

void table_columns(Document *document, DocTable *table, const DocColumn *columns, size_t count);
#define TABLE_COLUMNS(document, table, ...)                                                        \
    table_columns(document, table, (const DocColumn[]){__VA_ARGS__},                               \
                  sizeof((DocColumn[]){__VA_ARGS__}) / sizeof(DocColumn))

void table_number(Document *document, DocTable *table, double number, int digits);
/* A text that is sorted by a number. */
void table_value(Document *document, DocTable *table, const char *text, double number);
void table_count(Document *document, DocTable *table, size_t count);

/* The table behind a chart, a row a point: series, x, y, low, high. Owned by the document, but none
 * of its blocks. */
DocTable *chart_table(Document *document, const DocChart *chart);

/* Has `write` write it, from a document of its own: that of the chart is not changed. STATUS_SKIP
 * without memory. */
Status chart_table_write(FILE *stream, const DocChart *chart,
                         void (*write)(FILE *stream, const DocTable *table));

/* A name as part of a file name or an id: lower case letters, digits, '.' and '-'. */
void document_slug(const char *text, char *slug, size_t size);

#endif
