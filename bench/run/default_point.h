/* The point that a list of axes stands at where nobody says otherwise. */
#ifndef BENCH_DEFAULT_POINT_H
#define BENCH_DEFAULT_POINT_H

#include "axis.h"

/* The last value of each axis's defaults: of tuning axes all threads, the widest tile. `axes` is
 * NULL-terminated, or NULL. STATUS_SKIP when memory runs out. */
Status default_point(const Axis *const *axes, const Workload *workload, Point *point);

#endif
