/* The numbers of a study's tables, measured and published. */
#ifndef BENCH_STUDY_VALUES_H
#define BENCH_STUDY_VALUES_H

#include "published.h"
#include "step_records.h"
#include "step_run.h"
#include "study.h"

typedef struct StudyValue {
    double measured;         /* in the column's unit; NAN: see `why` */
    double low, high;        /* its 95% interval; NAN: none */
    char why[160];           /* why it was not measured: "no CUDA device", "not run with --quick" */
    const CsvRecord *record; /* where it is from; NULL: nowhere, or computed of two */
    double published;        /* NAN: the paper has none */
    const char *printed;     /* as the paper prints it; NULL: none */
} StudyValue;

typedef struct TableResult {
    const StudyTable *table;
    StudyValue *values; /* row by row, table->column_count each */
} TableResult;

typedef struct StudyResult {
    const Study *study;
    const Published *published;
    const StudySettings *settings;
    StepOutcome *outcomes; /* one a step */
    StepRecords *records;  /* one a step, those of its algorithms; count 0 where there are none */
    TableResult *tables;   /* one a table */
} StudyResult;

/* Never NULL within the table. */
const StudyValue *study_value(const TableResult *result, size_t row, size_t column);
/* The number that a row has for a figure's x key: the condition's number, or the pixels of a size;
 * NAN when it has no such condition. */
double study_row_x(const StudyRow *row, const char *key);

#endif
