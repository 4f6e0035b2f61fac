/* How many charts a reader gets: too many are as bad as none. */
#ifndef BENCH_CHART_BUDGET_H
#define BENCH_CHART_BUDGET_H

#include "document.h"

typedef struct ChartBudget {
    Document *document;
    bool introduced; /* the document says how to read the charts */
    size_t left, drawn, left_out;
} ChartBudget;

/* Whether there is room for one more chart, which is counted either way and added next. */
bool budget_takes(ChartBudget *budget);

#endif
