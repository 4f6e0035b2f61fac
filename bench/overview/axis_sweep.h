/* Sweeps: rows of one size that differ in an axis of the tuning or of the answer. */
#ifndef BENCH_AXIS_SWEEP_H
#define BENCH_AXIS_SWEEP_H

#include "overview_parts.h"

typedef struct AxisSweep {
    const char *axis;
    bool tuning; /* an axis of the tuning, not of the answer */
    const Row **rows;
    size_t count;
    const AxisValue **values; /* each once, in the order of their places */
    double *places;           /* of the values along x */
    size_t value_count;
    bool numbers; /* the values are numbers, and these are their places */
} AxisSweep;

/* Room for so many rows; `axis` and `tuning` are set by the caller. Without memory it is false and
 * the document has failed. */
bool sweep_open(const Overview *overview, size_t capacity, AxisSweep *sweep);
void sweep_close(AxisSweep *sweep);
/* Takes the rows of the group that have the size, a time and the axis. */
void sweep_take(AxisSweep *sweep, const RunGroup *group, double size);
/* When all rows are taken: values stand at the numbers that they begin with ("8" of "8:1"), or one
 * after the other where these do not tell them apart. */
void sweep_place(AxisSweep *sweep);
/* Of a value, given by its index, the fastest row of a variant (NULL: of all on the CPU); NULL when
 * there is none. */
const Row *sweep_fastest(const AxisSweep *sweep, const Variant *variant, TimeKind kind, size_t value);

/* The answer points of a family that differ in nothing but one axis, at their largest size. */
typedef struct AnswerSweep {
    AxisSweep sweep;
    const RunGroup *first; /* its first group */
    size_t axis;           /* place of the axis in the answer point */
} AnswerSweep;

/* Calls `use` for each sweep of the family's answer axes that has three values or more; where the
 * family has one size and no such axis, so that there is nothing else to compare, also for those of
 * two numbers. */
void answer_sweeps(const Overview *overview, const Family *family,
                   void (*use)(const Overview *overview, const Family *family,
                               const AnswerSweep *sweep, void *context),
                   void *context);

#endif
