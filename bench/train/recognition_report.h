/* A recognition for people and programs: a table, CSV files, a chart. */
#ifndef BENCH_RECOGNITION_REPORT_H
#define BENCH_RECOGNITION_REPORT_H

#include <stdio.h>

#include "recognition.h"

/* With labels: accuracy with its 95% interval, each digit's own classifier, the confusion matrix.
 * Without: how many pictures went to which digit. */
Status recognition_print(FILE *stream, const Recognition *recognition);

/* image,predicted,label,score_0,…: a line for each picture, numbered from 0; the label is empty
 * where there is none. Scores are Σ ±alpha. Written beside and renamed, as all files. */
Status recognition_write_csv(const char *path, const Recognition *recognition);

/* actual,predicted,count: every cell, zeros too. Needs labels, as the chart does. */
Status recognition_write_matrix(const char *path, const Recognition *recognition);

/* confusion-digits.svg and .png in a folder that exists. STATUS_SKIP when there is no gnuplot. */
Status recognition_draw(const char *folder, const Recognition *recognition);

#endif
