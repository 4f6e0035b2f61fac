#include "points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *list_set_for(const Axis *axis, const Settings *settings) {
    for (size_t i = 0; i < settings->count; i++) {
        if (strcmp(settings->list[i].axis, axis->name) == 0) {
            return settings->list[i].list;
        }
    }
    return NULL;
}

static void all_choices(const Axis *axis, AxisValues *values) {
    for (values->count = 0; axis->choices[values->count] != NULL; values->count++) {
        AxisValue *value = &values->values[values->count];
        value->number = (int64_t)values->count;
        snprintf(value->text, sizeof value->text, "%s", axis->choices[values->count]);
    }
}

static void axis_points(const Axis *axis, const char *set, const Workload *workload,
                        AxisValues *values) {
    Status status = status_skip("not tried");
    if (set == NULL && axis->kind == AXIS_CHOICE) {
        all_choices(axis, values);
        return;
    }
    if (set == NULL && axis->kind == AXIS_INTEGER) {
        status = axis_parse(axis, "1,2,3,5", workload, values);
    }
    if (!status_is_ok(&status)) {
        status = axis_parse(axis, set != NULL ? set : axis->defaults, workload, values);
    }
    if (!status_is_ok(&status)) {
        fail_msg("--%s: %s", axis->name, status.why);
    }
}

PointSet point_set_create(const Axis *const *axes, const Settings *settings,
                          const Workload *workload) {
    PointSet set = {.axes = axes, .count = 1};
    while (axes != NULL && axes[set.axis_count] != NULL) {
        set.axis_count++;
    }
    set.values = calloc(set.axis_count + 1, sizeof *set.values);
    assert_non_null(set.values);
    for (size_t i = 0; i < set.axis_count; i++) {
        axis_points(axes[i], list_set_for(axes[i], settings), workload, &set.values[i]);
        set.count *= set.values[i].count;
    }
    return set;
}

void point_set_free(PointSet *set) {
    free(set->values);
    set->values = NULL;
}

Point point_set_at(const PointSet *set, size_t index) {
    Point point = {.count = set->axis_count};
    for (size_t i = 0; i < set->axis_count; i++) {
        point.axes[i] = set->axes[i];
        point.values[i] = set->values[i].values[index % set->values[i].count];
        index /= set->values[i].count;
    }
    return point;
}
