#include "descriptor_weights.h"

#include <math.h>

#include "random.h"

/* === Rows ===================================================================================== */

enum { BAD_X1, BAD_Y1, BAD_X2, BAD_Y2, BAD_RADIUS, BAD_THRESHOLD };

static const char *const column_names[WEIGHTS_BAD_COLUMNS] = {
    [BAD_X1] = "x1", [BAD_Y1] = "y1",         [BAD_X2] = "x2",
    [BAD_Y2] = "y2", [BAD_RADIUS] = "radius", [BAD_THRESHOLD] = "threshold",
};

/* Held against the limits as floating point: what is far beyond them fits no integer. */
static bool is_inside(float centre, float radius) {
    return centre - radius >= 0 && centre + radius <= WEIGHTS_BAD_SIDE - 1;
}

/* The first `count` numbers of a row. */
static Status check_whole(const float *row, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (row[i] != floorf(row[i])) {
            return status_make(STATUS_FILE, "%s is %g; it has to be a whole number",
                               column_names[i], (double)row[i]);
        }
    }
    return status_ok();
}

/* A row of bad: whole numbers, boxes inside the patch. */
static Status check_boxes(const float *row) {
    STATUS_TRY(check_whole(row, BAD_THRESHOLD));
    const float radius = row[BAD_RADIUS];
    if (radius < 0) {
        return status_make(STATUS_FILE, "the radius is %g; 0 or more would be right",
                           (double)radius);
    }
    for (size_t i = BAD_X1; i <= BAD_Y2; i++) {
        if (!is_inside(row[i], radius)) {
            return status_make(STATUS_FILE,
                               "with %s %g and radius %g a box leaves the patch, "
                               "pixels 0 to %d",
                               column_names[i], (double)row[i], (double)radius,
                               WEIGHTS_BAD_SIDE - 1);
        }
    }
    return status_ok();
}

/* A row of orb, whose columns are the first of bad: whole numbers, positions inside the patch. */
static Status check_pairs(const float *row) {
    STATUS_TRY(check_whole(row, WEIGHTS_ORB_COLUMNS));
    for (size_t i = 0; i < WEIGHTS_ORB_COLUMNS; i++) {
        if (fabsf(row[i]) > WEIGHTS_ORB_REACH) {
            return status_make(STATUS_FILE,
                               "%s is %g and leaves the patch; -%d to %d would be "
                               "right",
                               column_names[i], (double)row[i], WEIGHTS_ORB_REACH,
                               WEIGHTS_ORB_REACH);
        }
    }
    return status_ok();
}

/* === Untrained rows =========================================================================== */

enum {
    RADIUS_MAX = 7,
    UNIFORMS = 12, /* their sum has the variance 1 and is as good as normal up to 3 deviations */
    UNIFORM_BITS = 16,
    UNIFORMS_OF_A_NUMBER = 64 / UNIFORM_BITS,
    UNIFORM_MAX = (1 << UNIFORM_BITS) - 1,
    AVERAGE_VALUE = 28 /* of SIFT: that of OpenCV's keypoints in the Oxford graf image is 27.9 */
};

/*
 * Normally distributed, in units of 2^-16, as a sum of uniform numbers: whole numbers are the same
 * on every machine, where logarithm and cosine differ in their last bit.
 */
static int32_t draw_normal(Draw *draw) {
    int32_t sum = -UNIFORMS * UNIFORM_MAX / 2;
    for (int32_t i = 0; i < UNIFORMS / UNIFORMS_OF_A_NUMBER; i++) {
        uint64_t number = draw_number(draw);
        for (int32_t j = 0; j < UNIFORMS_OF_A_NUMBER; j++) {
            sum += (int32_t)(number & UNIFORM_MAX);
            number >>= UNIFORM_BITS;
        }
    }
    return sum;
}

static void draw_projection(Draw *draw, float *row) {
    const double unit = 1.0 / (1 << UNIFORM_BITS);
    int64_t sum = 0;
    for (int32_t i = 1; i < WEIGHTS_HASHSIFT_COLUMNS; i++) {
        const int32_t factor = draw_normal(draw);
        row[i] = (float)(factor * unit);
        sum += factor;
    }
    row[0] = (float)((double)(-AVERAGE_VALUE * sum) * unit);
}

/* Boxes at the same place would make a bit that is always 1. */
static void draw_boxes(Draw *draw, float *row) {
    const int32_t radius = draw_below(draw, RADIUS_MAX + 1);
    do {
        for (int32_t i = 0; i < 4; i++) {
            row[i] = (float)(radius + draw_below(draw, WEIGHTS_BAD_SIDE - 2 * radius));
        }
    } while (row[0] == row[2] && row[1] == row[3]);
    row[4] = (float)radius;
    row[5] = 0;
}

/* A pair at one place would make a bit that is always 0. */
static void draw_pair(Draw *draw, float *row) {
    do {
        for (int32_t i = 0; i < WEIGHTS_ORB_COLUMNS; i++) {
            row[i] = (float)(draw_below(draw, 2 * WEIGHTS_ORB_REACH + 1) - WEIGHTS_ORB_REACH);
        }
    } while (row[0] == row[2] && row[1] == row[3]);
}

/* === Kinds ==================================================================================== */

const WeightsKind hashsift_weights = {
    .struct_bytes = sizeof(WeightsKind),
    .columns = WEIGHTS_HASHSIFT_COLUMNS,
    .name = WEIGHTS_HASHSIFT,
    .raw = true,
    .draw = draw_projection,
    .in_every_hash = true,
};

const WeightsKind bad_weights = {
    .struct_bytes = sizeof(WeightsKind),
    .columns = WEIGHTS_BAD_COLUMNS,
    .name = WEIGHTS_BAD,
    .lines = true,
    .check = check_boxes,
    .draw = draw_boxes,
    .in_every_hash = true,
};

const WeightsKind orb_weights = {
    .struct_bytes = sizeof(WeightsKind),
    .columns = WEIGHTS_ORB_COLUMNS,
    .name = WEIGHTS_ORB,
    .check = check_pairs,
    .draw = draw_pair,
};
