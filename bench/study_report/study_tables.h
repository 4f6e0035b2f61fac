/* A study's table as a table of a document: measured beside published. */
#ifndef BENCH_STUDY_TABLES_H
#define BENCH_STUDY_TABLES_H

#include "document.h"
#include "study_machine.h"
#include "study_result.h"

/*
 * Adds the table: the rows' labels, then for each column of the study what was measured and, where
 * the paper has numbers in it, what it prints. In a shaded table all measured columns stand
 * together, and behind them all published ones. NULL without memory.
 */
DocTable *study_table_add(const StudyResult *result, const TableResult *table, DifferencesTold told,
                          Document *document);

/* What must stand beside a comparison: both conventions, both machines, the differences. */
const char *study_table_note(const StudyResult *result, const TableResult *table,
                             DifferencesTold told, Document *document);

/* "table-1" as a heading: "Table 1". */
const char *study_heading_text(const char *name, Document *document);

#endif
