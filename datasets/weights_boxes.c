#include "weights_table.h"

#include <math.h>

enum { BAD_X1, BAD_Y1, BAD_X2, BAD_Y2, BAD_RADIUS, BAD_THRESHOLD };

static const char *const column_names[WEIGHTS_BAD_COLUMNS] = {
    [BAD_X1] = "x1", [BAD_Y1] = "y1",         [BAD_X2] = "x2",
    [BAD_Y2] = "y2", [BAD_RADIUS] = "radius", [BAD_THRESHOLD] = "threshold",
};

/* Held against the limits as floating point: what is far beyond them fits no integer. */
static bool is_inside(float centre, float radius) {
    return centre - radius >= 0 && centre + radius <= WEIGHTS_BAD_SIDE - 1;
}

Status weights_check_boxes(const TextLines *lines, const float *row) {
    for (size_t i = 0; i < BAD_THRESHOLD; i++) {
        if (row[i] != floorf(row[i])) {
            return status_make(STATUS_FILE, "%s: line %zu: %s is %g; it has to be a whole number",
                               lines->name, lines->number, column_names[i], (double)row[i]);
        }
    }
    const float radius = row[BAD_RADIUS];
    if (radius < 0) {
        return status_make(STATUS_FILE, "%s: line %zu: the radius is %g; 0 or more would be right",
                           lines->name, lines->number, (double)radius);
    }
    for (size_t i = BAD_X1; i <= BAD_Y2; i++) {
        if (!is_inside(row[i], radius)) {
            return status_make(STATUS_FILE,
                               "%s: line %zu: with %s %g and radius %g a box leaves the patch, "
                               "pixels 0 to %d",
                               lines->name, lines->number, column_names[i], (double)row[i],
                               (double)radius, WEIGHTS_BAD_SIDE - 1);
        }
    }
    return status_ok();
}
