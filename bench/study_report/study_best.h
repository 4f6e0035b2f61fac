/* Which of a table's times is the best of those that can be compared with it. */
#ifndef BENCH_STUDY_BEST_H
#define BENCH_STUDY_BEST_H

#include "study_result.h"

/*
 * Whether the measured time is the least of its column, where all times of the column are of the
 * same work (algorithm, input, size, answer). Where they are not, as in a column over sizes: the
 * least of those in its row that are of the same work, and of the same kind of time where columns
 * show several times of one run. Never for numbers
 * that are no times, or where there is nothing to compare with.
 */
bool study_time_is_best(const StudyResult *result, const TableResult *table, size_t row,
                        size_t column);

/* Whether a unit of study.txt is a time. */
bool study_unit_is_time(const char *unit);

#endif
