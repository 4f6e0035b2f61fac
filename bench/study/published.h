/*
 * A paper's numbers: published.csv beside study.txt, with the columns
 * table,row,column,value,unit,machine,source. `table`, `row` and `column` are the names that
 * study.txt gives them, `value` is as printed ("170.73334"), `machine` what it was measured on,
 * `source` where in the paper it stands.
 */
#ifndef BENCH_PUBLISHED_H
#define BENCH_PUBLISHED_H

#include "status.h"
#include "study.h"

typedef struct PublishedNumber {
    const char *table, *row, *column;
    double value;
    const char *printed; /* the value's text */
    const char *unit, *machine, *source;
    int line;
} PublishedNumber;

typedef struct Published {
    PublishedNumber *numbers;
    size_t count, capacity;
    char *text; /* what the texts lie in */
} Published;

/* STATUS_FILE "<path>:<line>: …" for a line without a number, a row or column its table has not, a
 * place that has one already. A study without the file has none: empty, STATUS_OK. */
Status published_read(const Study *study, Published *published);
/* NULL when the paper has none there. */
const PublishedNumber *published_find(const Published *published, const StudyTable *table,
                                      const char *row, const char *column);
void published_release(Published *published);

#endif
