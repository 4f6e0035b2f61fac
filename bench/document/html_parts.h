/* The blocks of an HTML page that are more than text. */
#ifndef BENCH_HTML_PARTS_H
#define BENCH_HTML_PARTS_H

#include "html.h"
#include "html_text.h"

/* A table with caption and note, in a box of its own that scrolls when the table is wide. */
void html_table_write(FILE *stream, const DocTable *table);

/* A chart with title, legend and the table of its data. STATUS_FAIL without memory. */
Status html_chart_write(FILE *stream, const DocChart *chart);

#endif
