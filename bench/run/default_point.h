/* The point that a list of axes stands at where nobody says otherwise. */
#ifndef BENCH_DEFAULT_POINT_H
#define BENCH_DEFAULT_POINT_H

#include "axis.h"

/* The last value of each axis's defaults: of tuning axes all threads, the widest tile. `axes` is
 * NULL-terminated, or NULL. STATUS_SKIP when memory runs out. */
Status default_point(const Axis *const *axes, const Workload *workload, Point *point);

/* Moves the point along the named axis to the value that `text` stands for. STATUS_USAGE
 * when it stands for none or several, STATUS_FAIL when the point has no such axis. */
Status point_set(const char *name, const char *text, const Workload *workload, Point *point);

#endif
