/* Charts of a group or a family. */
#ifndef BENCH_GROUP_CHARTS_H
#define BENCH_GROUP_CHARTS_H

#include "chart_budget.h"
#include "overview_parts.h"

/* Against size: kernel time, speedup over the best CPU variant and over seq; where there are two
 * sizes. */
void size_charts(const Overview *overview, const Family *family, const RunGroup *group,
                 ChartBudget *budget);
/* Against each tuning axis of two values or more: kernel time at the largest size. */
void tuning_charts(const Overview *overview, const Family *family, const RunGroup *group,
                   ChartBudget *budget);
/* Against each axis of the answer that has enough values (axis_sweep.h): kernel time and speedup
 * over the best CPU variant at the largest size. */
void answer_charts(const Overview *overview, const Family *family, ChartBudget *budget);

#endif
