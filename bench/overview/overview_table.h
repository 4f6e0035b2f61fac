/* Cells that the tables of an overview have in common. */
#ifndef BENCH_OVERVIEW_TABLE_H
#define BENCH_OVERVIEW_TABLE_H

#include "document.h"
#include "overview_text.h"
#include "run_groups.h"
#include "stats.h"

typedef enum SpeedupOver { OVER_SEQ, OVER_BEST_CPU } SpeedupOver;

/* How many times as fast a row is, with its interval; NAN where it is not known. */
Ratio row_ratio(const Row *row, SpeedupOver over, TimeKind kind);
const Summary *row_summary(const Row *row, TimeKind kind);

void missing_cell(Document *document, DocTable *table, const char *why);
/* Where a device is ahead, as crossover_words has it; "" where it has no time. */
void crossover_cell(Document *document, DocTable *table, const char *phrase);
/* A row may be NULL: then there is none. */
void size_cell(Document *document, DocTable *table, const Row *row);
/* "omp/threads:16" */
void label_cell(Document *document, DocTable *table, const Row *row);
/* The median, with its interval as the note. */
void time_cell(Document *document, DocTable *table, const Row *row, TimeKind kind,
               const TimeUnit *unit);
/* "omp", with the tuning as the note. */
void variant_cell(Document *document, DocTable *table, const Row *row);
/* "12800×", or "36.8× (36.2–37.1)" with the interval; a loss is made to be seen. The note says what
 * is over what. */
void ratio_cell(Document *document, DocTable *table, const Row *row, SpeedupOver over,
                TimeKind kind, bool interval);

#endif
