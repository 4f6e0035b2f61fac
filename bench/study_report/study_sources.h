/* Where the numbers of a table, or of the tables behind a figure, are from: how and on which
 * machines they were taken, here and for the paper. */
#ifndef BENCH_STUDY_SOURCES_H
#define BENCH_STUDY_SOURCES_H

#include "study_result.h"
#include "study_tally.h"

/* Zero-initialised to begin with. */
typedef struct StudySources {
    Tally conventions, machines; /* of the paper */
    Tally devices;               /* of the numbers measured here */
    long least, most;            /* samples of the times among these; 0: not known */
    bool published;              /* the paper has numbers there */
} StudySources;

/* Adds those of one column of a table, or of all (SIZE_MAX). */
void study_sources_add(const StudyResult *result, const TableResult *table, size_t column,
                       Document *document, StudySources *sources);

/* "Published: mean of 15 runs, on Processor P. Measured: 9 samples each, on Processor Q." */
const char *study_sources_words(const StudySources *sources, Document *document);

void study_sources_release(StudySources *sources);

#endif
