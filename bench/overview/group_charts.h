/* Charts of a group or a family, and how many of them a reader gets. */
#ifndef BENCH_GROUP_CHARTS_H
#define BENCH_GROUP_CHARTS_H

#include "overview_parts.h"

typedef struct ChartBudget {
    size_t left, drawn, left_out;
} ChartBudget;

/* Whether there is room for one more chart, which is counted either way. */
bool budget_takes(ChartBudget *budget);

/* Against size: kernel time, speedup over the best CPU variant and over seq; where there are two
 * sizes. */
void size_charts(const Overview *overview, const Family *family, const RunGroup *group,
                 ChartBudget *budget);
/* Against each tuning axis of two values or more: kernel time at the largest size. */
void tuning_charts(const Overview *overview, const Family *family, const RunGroup *group,
                   ChartBudget *budget);
/* Against each axis of the answer of three values or more: kernel time and speedup over the best
 * CPU variant at the largest size. */
void answer_charts(const Overview *overview, const Family *family, ChartBudget *budget);

#endif
