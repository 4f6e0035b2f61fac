/* What the writers of tables share: groups of columns, full titles. */
#ifndef BENCH_TABLE_PARTS_H
#define BENCH_TABLE_PARTS_H

#include "document.h"

enum { TABLE_TITLE_SIZE = 512 };

bool table_has_groups(const DocTable *table);
/* How many neighbouring columns from this one on have its group; 1 for a column without one. */
size_t table_group_span(const DocTable *table, size_t column);
/* Group and title of a column: "Time (ms): measured". */
void table_full_title(const DocColumn *column, char title[TABLE_TITLE_SIZE]);
/* A cell's text, "" where there is none. */
const char *table_text_at(const DocTable *table, size_t row, size_t column);

#endif
