/* Where a sequence of commits changes its level. */

#ifndef BENCH_JUDGE_CHANGE_POINTS_H
#define BENCH_JUDGE_CHANGE_POINTS_H

#include <stddef.h>

#include "ratio.h"
#include "status.h"

/* The values of a commit, at least one, ascending. Of more than CHANGE_LAUNCHES_MAX so many are
 * used, at even distances in that order. */
typedef struct ChangeSample {
    const double *values;
    size_t count;
} ChangeSample;

typedef struct ChangePoint {
    size_t at; /* the first commit of the new level */
    double q;
    double p; /* the given order counted among the random ones */
} ChangePoint;

/* A change point as a change of level: the median over the commits. */
typedef struct LevelChange {
    ChangePoint point;
    double ratio;   /* from here to the next change / before it */
    SpeedSide side; /* of the new level */
} LevelChange;

/*
 * The change points of a sequence of samples, as changes of the level of their medians; `changes`
 * has room for `count`. Without any, `*detectable` is the smallest step half way that 80% of such
 * sequences would have shown; NAN, INFINITY: as of RunDifference. STATUS_SKIP without memory.
 */
Status level_changes_find(const ChangeSample *samples, const double *medians, size_t count,
                          double alpha, LevelChange *changes, size_t *found, double *detectable);

#endif
