/* Notes to a table on the console: how its samples behave, and how time grows with size. */
#ifndef BENCH_CONSOLE_NOTES_H
#define BENCH_CONSOLE_NOTES_H

#include <stdio.h>

#include "result.h"

enum { CONSOLE_MARKS_SIZE = 8 };

/* " *!~^>", or as many of these as apply to the row: not converged, throttled, autocorrelated,
 * multimodal, over its roof. */
void console_marks(const Row *row, char marks[CONSOLE_MARKS_SIZE]);

/* Rows of one table, as `same_table` says, beginning with row `first`: a legend line for each mark
 * that a row has, and how many outliers there are. Nothing where there is nothing to say. */
void console_legend_print(FILE *stream, const Results *results, size_t first,
                          bool (*same_table)(const Row *a, const Row *b));

/* "time ~ pixels^1.02 [1.00, 1.04]" for each variant of the table measured at enough sizes. */
void console_complexity_print(FILE *stream, const Results *results, size_t first,
                              bool (*same_table)(const Row *a, const Row *b));

#endif
