/* Learning curve: how a training did, a row for each stretch of its steps. */
#ifndef BENCH_LEARN_CURVE_H
#define BENCH_LEARN_CURVE_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef struct LearnCurvePoint {
    uint64_t step; /* the last of those that the row is about */
    double loss;
    double share; /* of places whose triplet is not yet far enough apart */
} LearnCurvePoint;

typedef struct LearnCurve {
    LearnCurvePoint *points;
    size_t count, room;
} LearnCurve;

/* STATUS_SKIP when memory is short. Release with learn_curve_release. */
Status learn_curve_create(size_t room, LearnCurve *curve);
void learn_curve_release(LearnCurve *curve);

/* There has to be room. */
void learn_curve_add(LearnCurve *curve, LearnCurvePoint point);

/* "step,loss,share", and beside it the chart as SVG and PNG; where that cannot be drawn a line on
 * standard error says why. STATUS_FILE when the table cannot be written. */
Status learn_curve_write(const char *path, const char *title, const LearnCurve *curve);

#endif
