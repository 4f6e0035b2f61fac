#include "default_point.h"

#include <stdlib.h>

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
