/* The points that the axes of an algorithm or of a variant are tried at, numbered. */
#ifndef TESTS_CONFORMANCE_POINTS_H
#define TESTS_CONFORMANCE_POINTS_H

#include <stddef.h>

#include "axis.h"

/* Values for an axis instead of the usual ones: what --answer NAME=LIST says. */
typedef struct Setting {
    char axis[32];
    const char *list;
} Setting;

typedef struct Settings {
    size_t count;
    Setting list[POINT_AXES_MAX];
} Settings;

typedef struct PointSet {
    const Axis *const *axes; /* NULL-terminated list, or NULL */
    size_t axis_count;
    size_t count;       /* points: all combinations, 1 without axes */
    AxisValues *values; /* axis_count */
} PointSet;

/* An axis has the values of its setting, otherwise all choices, or a spread of small numbers, or
 * what it sweeps by itself. Fails the test when these cannot be had. Release: point_set_free. */
PointSet point_set_create(const Axis *const *axes, const Settings *settings,
                          const Workload *workload);
void point_set_free(PointSet *set);

/* Point `index` of count; the first axis varies fastest. */
Point point_set_at(const PointSet *set, size_t index);

#endif
