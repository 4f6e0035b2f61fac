/* The times of a table as cells with two identities: the way a work is done, and the work. */
#ifndef BENCH_STUDY_WORDS_GRID_H
#define BENCH_STUDY_WORDS_GRID_H

#include "document.h"
#include "study_result.h"

/* A cell of the table that holds a time. */
typedef struct TimeCell {
    size_t row, column;
    ConditionList conditions; /* sorted by key */
    const char *way, *work;   /* equal texts: the same contestant, the same place */
    const char *plain_way;    /* the same also for the repetitions of a row */
} TimeCell;

typedef struct TimeGrid {
    Document *document;
    const TableResult *result;
    TimeCell *cells;
    size_t count;
    const char *x_key;
} TimeGrid;

/* Cells of all columns that are times, without those at whose work only one way is. Texts live in
 * the document; without memory the document has failed. */
void time_grid_make(Document *document, const TableResult *result, TimeGrid *grid);
void time_grid_release(TimeGrid *grid);

/* Whether columns show different times of one run, as kernel and end to end: then the kind of time
 * is part of the work. Otherwise each way has a kind of time of its own. */
bool time_kinds_are_works(const StudyTable *table);

/* "key=value key=value" of the conditions that are work, or that are not, without one key (NULL:
 * with all). */
const char *conditions_text(Document *document, const ConditionList *conditions, bool work,
                            const char *without);

/* Whether the key belongs to the work (size, input, an answer axis) or to the way of doing it. */
bool key_is_work(const char *key);

/* NULL is as good as empty. */
bool same_texts(const char *left, const char *right);

#endif
