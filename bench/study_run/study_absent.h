/* Why no record of a step's CSV answers a cell's conditions. */
#ifndef BENCH_STUDY_ABSENT_H
#define BENCH_STUDY_ABSENT_H

#include <stddef.h>

#include "step_records.h"

/* "no record has threads=32", or "no record has all of variant=omp, size=4K" where each of them
 * alone is there. */
void study_absent_words(const StepRecords *records, const ConditionList *conditions, char *why,
                        size_t size);

#endif
