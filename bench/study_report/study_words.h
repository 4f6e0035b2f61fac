/*
 * Paragraphs of a table, computed from its numbers: which row or column wins, by how much, where
 * the crossover lies, how the shape compares with the paper's (order, monotone where theirs is,
 * ratios of ratios), and where the paper's own ratios are not those of its times.
 */
#ifndef BENCH_STUDY_WORDS_H
#define BENCH_STUDY_WORDS_H

#include "document.h"
#include "study_result.h"

/* Adds the paragraphs about a table to the document. */
void study_words_add(Document *document, const TableResult *table);

#endif
