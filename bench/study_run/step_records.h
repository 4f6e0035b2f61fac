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
    const char **pairs; /* one a record, its columns `answer` and `tuning` taken apart: the texts
                           key, value, key, value …, "" one behind the other */
    StepFact *facts;    /* the comment lines "# key: value": machine, arguments, warnings */
    size_t fact_count, fact_capacity;
    void *memory; /* what owns the lists */
} StepRecords;

/* STATUS_FILE when it cannot be read. */
Status step_records_read(const char *path, StepRecords *records);
void step_records_release(StepRecords *records);

/* The value of a record's column or axis; NULL when it has neither. `record` is one of `records`.
 */
const char *step_record_value(const StepRecords *records, const CsvRecord *record, const char *key);
/* Whether all conditions hold: texts are equal, sizes in any case ("4k" is "4K"). */
bool step_record_matches(const StepRecords *records, const CsvRecord *record,
                         const ConditionList *conditions);
/* The first of that key; "" when there is none. */
const char *step_fact(const StepRecords *records, const char *key);

/* The value of `key` in a text "key:value,key:value", and its length; a value may hold ':'. NULL
 * when there is no such key. */
const char *step_pair(const char *pairs, const char *key, size_t *length);

#endif
