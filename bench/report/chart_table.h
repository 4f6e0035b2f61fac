/*
 * results.csv as gnuplot can read it. gnuplot ends a quoted field at the first comma or quote in
 * it, so the chart scripts get the same table with tabs between fields and no quotes. For an empty
 * field at the end of a line gnuplot takes that of an earlier line, so a last column "end" is
 * added, which is never empty.
 */
#ifndef BENCH_CHART_TABLE_H
#define BENCH_CHART_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "status.h"

/* Writes the records of a CSV file, tab-separated. STATUS_FILE when either cannot be used. */
Status chart_table_write(const char *csv_path, const char *table_path);

/* A text as gnuplot draws it, cut to `size`: line ends and tabs become blanks, other controls
 * visible. */
void chart_text(const char *given, char *text, size_t size);

/* A text as it stands in the table and as scripts take it as an argument: double quotes become
 * single ones too. */
void chart_table_field(const char *field, char *text, size_t size);

/* Writes such a text into a table, where gnuplot reads it back as that. */
void chart_table_put(FILE *stream, const char *field);

#endif
