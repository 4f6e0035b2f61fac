/* Which charts a results file has data for. */
#ifndef BENCH_CHART_LIST_H
#define BENCH_CHART_LIST_H

#include <stddef.h>

#include "status.h"

/* One chart; the texts lie within ChartList.text, which owns them. */
typedef struct Chart {
    const char *script;                     /* file name within plot/ */
    const char *word;                       /* last part of the file name: "speedup" */
    const char *algorithm, *input, *answer; /* rows of the chart; of all answer points: "" */
    const char *variant;                    /* "" unless the chart is of one variant */
    char axis[32];                          /* tuning axis of such a chart */
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
