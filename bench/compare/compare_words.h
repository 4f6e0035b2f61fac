/* Phrases that several formats share. */
#ifndef BENCH_COMPARE_WORDS_H
#define BENCH_COMPARE_WORDS_H

#include <stdio.h>

#include "comparison.h"

enum { COMPARE_WORDS_SIZE = 512 };

/* "9 cells: 1 slower, 0 faster, 7 same, 1 ambiguous; 2 missing, 0 new". */
void compare_words_counts(const Comparison *comparison, char text[COMPARE_WORDS_SIZE]);
/* "Σ new / Σ old = 12.1 ms / 11.9 ms = 1.017". */
void compare_words_total(const Comparison *comparison, char text[COMPARE_WORDS_SIZE]);
/* The rule by which a cell is called slower, with this comparison's numbers. */
void compare_words_rule(const Comparison *comparison, char text[COMPARE_WORDS_SIZE]);
/* "1.102 (1.097 to 1.108), p 1.3e-08, 1.234 ms before, 1.360 ms now", and why when ambiguous. */
void compare_words_cell(const ComparedCell *cell, char text[COMPARE_WORDS_SIZE]);

/* "1.097 to 1.108"; empty when there are too few samples for an interval. */
void compare_words_interval(const CellJudgement *judgement, char text[COMPARE_WORDS_SIZE]);
/* Four digits and the unit that suits: "1.234 ms", "56.78 us". */
void compare_words_time(double seconds, char text[COMPARE_WORDS_SIZE]);

#endif
