/* An evaluation for people and programs: a table of accuracies, a CSV file, charts. */
#ifndef BENCH_CONFUSION_REPORT_H
#define BENCH_CONFUSION_REPORT_H

#include <stdio.h>

#include "confusion.h"

/* Accuracy of each class and of all samples, a column for each scale. */
Status evaluation_print(FILE *stream, const Evaluation *evaluation);

/* scale,actual,predicted,count: every cell of every matrix, zeros too. Written beside and renamed.
 */
Status evaluation_write_csv(const char *path, const Evaluation *evaluation);

/* confusion-<scale>.svg and .png in a folder that exists: a heat map for each matrix. STATUS_SKIP
 * when there is no gnuplot. */
Status evaluation_draw(const char *folder, const Evaluation *evaluation);

#endif
