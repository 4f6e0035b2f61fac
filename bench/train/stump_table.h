/*
 * Stump table: the answer of the algorithm adaboost as the harness reads and fills it.
 *
 * The answer has two parts, found by their names. "count" is one number, the stumps taken. "stumps"
 * is a table of uint64_t with a row for each round, in the order they were taken, and the columns
 *
 *   candidate, type, x, y, w, h, threshold, polarity, error, misses, false alarms
 *
 * of which threshold is an int64_t; error is weighted, in units of 2^-40; misses and false alarms
 * count the training pictures that the classifier up to this round gets wrong.
 */
#ifndef BENCH_STUMP_TABLE_H
#define BENCH_STUMP_TABLE_H

#include "output.h"
#include "recogniser.h"

typedef struct StumpTable {
    uint64_t *count; /* within the output, as rows */
    uint64_t *rows;
    size_t rounds;
} StumpTable;

/* STATUS_FAIL when the output has other parts than these. */
Status stump_table_find(const Output *output, StumpTable *table);

/* Appends rows from the classifier's count on, up to `count`. STATUS_FAIL when a row is none that
 * an adaboost answer can have: a feature outside pictures of these sides, an error of one half. */
Status stump_table_read(const StumpTable *table, size_t count, int32_t width, int32_t height,
                        Classifier *classifier);

/* Puts the classifier's stumps into the first rows, for a run that goes on from them. */
void stump_table_fill(const StumpTable *table, const Classifier *classifier);

#endif
