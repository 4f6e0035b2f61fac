#include "default_point.h"

#include <stdlib.h>
#include <string.h>

Status default_point(const Axis *const *axes, const Workload *workload, Point *point) {
    *point = (Point){0};
    AxisValues *values = malloc(sizeof *values);
    if (values == NULL) {
        return status_skip("no memory left for axis values");
    }
    Status status = status_ok();
    for (size_t i = 0; axes != NULL && axes[i] != NULL; i++) {
        values->count = 0;
        status = axis_parse(axes[i], axes[i]->defaults, workload, values);
        if (!status_is_ok(&status) || values->count == 0) {
            break;
        }
        point->axes[point->count] = axes[i];
        point->values[point->count++] = values->values[values->count - 1];
    }
    free(values);
    return status;
}

Status point_set(const char *name, const char *text, const Workload *workload, Point *point) {
    size_t at = 0;
    while (at < point->count && strcmp(point->axes[at]->name, name) != 0) {
        at++;
    }
    if (at == point->count) {
        return status_fail("there is no axis --%s to set to %s", name, text);
    }
    AxisValues *values = calloc(1, sizeof *values);
    if (values == NULL) {
        return status_skip("no memory left for axis values");
    }
    const Status status = axis_parse(point->axes[at], text, workload, values);
    const size_t count = values->count;
    if (status_is_ok(&status)) {
        point->values[at] = values->values[0];
    }
    free(values);
    if (status_is_ok(&status) && count > 1) {
        return status_make(STATUS_USAGE, "--%s: '%.60s' are several values; give one", name, text);
    }
    return status;
}
