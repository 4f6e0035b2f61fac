/* A table as CSV: a header line, then the texts of the cells; group and title of a column are
 * joined by ": ". */
#ifndef BENCH_TABLE_CSV_H
#define BENCH_TABLE_CSV_H

#include "document.h"

/* In numeric columns numbers are written in full where a cell has one; all else as its text.
 * STATUS_FILE. */
Status table_csv_write(const DocTable *table, const char *path);

#endif
