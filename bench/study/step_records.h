/* The CSV that a step left, asked by conditions. */
#ifndef BENCH_STEP_RECORDS_H
#define BENCH_STEP_RECORDS_H

#include "csv_records.h"
#include "status.h"
#include "study.h"

typedef struct StepFact {
    const char *key, *value;
} StepFact;

typedef struct StepRecords {
    char *text;
    CsvRecord header;
    CsvRecord *records;
    size_t count, capacity;
    StepFact *facts; /* the comment lines "# key: value": machine, arguments, warnings */
    size_t fact_count, fact_capacity;
} StepRecords;

/* STATUS_FILE when it cannot be read. */
Status step_records_read(const char *path, StepRecords *records);
void step_records_release(StepRecords *records);

/* The value of a record's column or axis; NULL when it has neither. */
const char *step_record_value(const StepRecords *records, const CsvRecord *record, const char *key);
bool step_record_matches(const StepRecords *records, const CsvRecord *record,
                         const ConditionList *conditions);
/* "" when there is none. */
const char *step_fact(const StepRecords *records, const char *key);

#endif
