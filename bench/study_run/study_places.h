/* Finding things of a study's result: the table of a name, the column of a title, the step whose
 * records a column is made of. */
#ifndef BENCH_STUDY_PLACES_H
#define BENCH_STUDY_PLACES_H

#include "study_values.h"

/* NULL when there is none of that name. */
const TableResult *study_table_result(const StudyResult *result, const char *name);

/* SIZE_MAX when the table has no column of that title. */
size_t study_column_index(const StudyTable *table, const char *title);

/* The records of the step that a column reads; NULL for a step that is not known. */
const StepRecords *study_column_records(const StudyResult *result, const StudyTable *table,
                                        const StudyColumn *column);
const StepOutcome *study_column_outcome(const StudyResult *result, const StudyTable *table,
                                        const StudyColumn *column);

/* Whether that step was run with options of its own for --quick. */
bool study_column_is_quick(const StudyResult *result, const StudyTable *table,
                           const StudyColumn *column);

/* The paper's number in a cell; NULL when it has none. */
const PublishedNumber *study_published_number(const StudyResult *result, const TableResult *table,
                                              size_t row, size_t column);

/* The value that a record has for a key; "" when there is no record or it has none. */
const char *study_record_text(const StepRecords *records, const CsvRecord *record, const char *key);

/* Whether the paper has a number in that column, or in any of the table (column SIZE_MAX). */
bool study_has_published(const TableResult *result, size_t column);

#endif
