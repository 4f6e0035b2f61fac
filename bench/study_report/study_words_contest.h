/*
 * Contest: the times of a table as contestants (ways to do a work: variant, threads, tile) that
 * meet at places (works: a size, an answer, a kind of time), whichever of the two are the table's
 * rows and columns. Only places where at least two contestants have a cell are places of it.
 */
#ifndef BENCH_STUDY_WORDS_CONTEST_H
#define BENCH_STUDY_WORDS_CONTEST_H

#include "document.h"
#include "study_result.h"

typedef struct ContestCell {
    const StudyValue *value;   /* NULL: the table has no such cell */
    const StudyColumn *column; /* for its unit */
    double milliseconds;       /* of one of its unit */
} ContestCell;

typedef struct ContestPlace {
    const char *name; /* "4K": the row's label or the column's title where it is one */
    const char *rest; /* its work but for the x key; places of one `rest` are one curve */
    double x;         /* number of the x key; NAN: none */
} ContestPlace;

typedef struct Contest {
    const char **contestants; /* their names */
    size_t contestant_count;
    ContestPlace *places;
    size_t place_count;
    ContestCell *cells; /* contestant by contestant, place_count each */
    const char *x_key;  /* the key whose numbers order the places; NULL: none */
} Contest;

/* Texts live in the document. Without times to compare: no contestants. Without memory the document
 * has failed. */
void contest_make(Document *document, const TableResult *result, Contest *contest);
void contest_release(Contest *contest);

/* Milliseconds, measured or published; NAN where there are none above 0. */
double contest_time(const Contest *contest, size_t contestant, size_t place, bool published);

/* Whether all places differ in the x key alone. */
bool contest_is_one_curve(const Contest *contest);

#endif
