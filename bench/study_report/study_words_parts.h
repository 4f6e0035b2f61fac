/* What study_words_add says about a table, subject by subject; each adds a paragraph, or none. */
#ifndef BENCH_STUDY_WORDS_PARTS_H
#define BENCH_STUDY_WORDS_PARTS_H

#include "document.h"
#include "study_result.h"
#include "study_words_contest.h"

/* Times and ratios closer than this factor may change places where no interval says otherwise. */
#define WORDS_CLOSE 1.1

/* Who is the fastest, by how much, at how many places; here and in the paper. */
void words_winner(Document *document, const Contest *contest);
/* From which size on one overtakes another. */
void words_crossover(Document *document, const Contest *contest);
/* Whether numbers rise and fall along the rows as the paper's do. */
void words_shape(Document *document, const TableResult *result);
/* How many pairs of rows stand in the paper's order, and how many are not told apart here. */
void words_order(Document *document, const TableResult *result);
/* Ours by the paper's, least to greatest. */
void words_ratios(Document *document, const TableResult *result);
/* Where the paper's ratios are not those of its times. */
void words_published(Document *document, const TableResult *result);
/* What was not measured, by reason. */
void words_missing(Document *document, const TableResult *result);

/* The key whose numbers order the rows; NULL when no three of them differ in one. */
const char *words_row_key(const StudyTable *table);
/* Whether along this key times rise by themselves: a size. */
bool words_key_is_size(const char *key);

#endif
