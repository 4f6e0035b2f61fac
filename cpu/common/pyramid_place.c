#include "pyramid_place.h"

#include <math.h>

enum { NO_ANGLE = -1 };

/* side · 5^level / 6^level, in whole numbers. */
int32_t pyramid_side(int32_t side, int32_t level) {
    uint64_t numerator = (uint64_t)side;
    uint64_t denominator = 1;
    for (int32_t l = 0; l < level; ++l) {
        numerator *= 5;
        denominator *= 6;
    }
    return (int32_t)((numerator + denominator / 2) / denominator);
}

static double angle_degrees(int64_t m10, int64_t m01) {
    if (m10 == 0 && m01 == 0) {
        return NO_ANGLE;
    }
    const double degrees = atan2((double)m01, (double)m10) * (180 / acos(-1));
    return degrees < 0 ? degrees + 360 : degrees;
}

static double in_image(uint64_t place, int32_t image_side, int32_t level_side) {
    return ((double)place + 0.5) * image_side / level_side - 0.5;
}

PyramidPlace pyramid_place(int32_t width, int32_t height, const PyramidCorner *corner) {
    const int32_t level_width = pyramid_side(width, (int32_t)corner->level);
    const int32_t level_height = pyramid_side(height, (int32_t)corner->level);
    return (PyramidPlace){
        .x = in_image(corner->x, width, level_width),
        .y = in_image(corner->y, height, level_height),
        .size = (double)PYRAMID_DISC_SIDE * width / level_width,
        .angle = angle_degrees(corner->m10, corner->m01),
    };
}
