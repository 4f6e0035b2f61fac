/*
 * Which charts a results file has data for.
 *
 * Where an algorithm and input have more than CHART_ANSWERS_MAX answer points, only the first, the
 * middle and the last of them have charts of their own, and beyond CHART_PANELS_MAX there are none
 * that show several side by side: then the charts against an answer axis show them all.
 */
#ifndef BENCH_CHART_LIST_H
#define BENCH_CHART_LIST_H

#include <stddef.h>

#include "status.h"

enum { CHART_ANSWERS_MAX = 8, CHART_PANELS_MAX = 64, CHART_SWEEP_MIN = 3, CHART_REST_SIZE = 192 };

/* One chart; the texts lie within ChartList.text, which owns them. */
typedef struct Chart {
    const char *script;                     /* file name within plot/ */
    const char *word;                       /* last part of the file name: "speedup" */
    const char *algorithm, *input, *answer; /* rows of the chart; of all answer points: "" */
    const char *variant;                    /* "" unless the chart is of one variant */
    const char *size;                       /* "" unless the chart is of one size */
    char axis[32];                          /* horizontal axis, where that is not the size */

    /* Charts against an answer axis: the point without that axis, and its first values. */
    char rest[CHART_REST_SIZE];
    size_t value_count; /* up to CHART_SWEEP_MIN */
    double values[CHART_SWEEP_MIN];
} Chart;

typedef struct ChartList {
    char *text;
    Chart *charts;
    size_t count, capacity;
} ChartList;

/* STATUS_FILE when the file cannot be read or has not the columns it needs. */
Status chart_list_read(const char *csv_path, ChartList *list);
void chart_list_release(ChartList *list);

#endif
