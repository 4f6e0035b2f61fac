/* The values that an answer is asked for with, and the levels that follow from them. */
#include "fast9_levels.h"

#include "pyramid_place.h"

enum { DEFAULT_KEYPOINTS = 10000, DEFAULT_LEVELS = 8, DEFAULT_THRESHOLD = 20, DEFAULT_RADIUS = 1 };

Fast9Point fast9_point(const Point *answer) {
    return (Fast9Point){
        .max_keypoints = (int32_t)point_integer(answer, "max-keypoints", DEFAULT_KEYPOINTS),
        .levels = (int32_t)point_integer(answer, "levels", DEFAULT_LEVELS),
        .corner_threshold = (int32_t)point_integer(answer, "corner-threshold", DEFAULT_THRESHOLD),
        .radius = (int32_t)point_integer(answer, "radius", DEFAULT_RADIUS),
        .score = (Fast9Score)point_integer(answer, "score", FAST9_SCORE_FAST),
    };
}

Fast9Levels fast9_levels(int32_t width, int32_t height, int32_t levels) {
    Fast9Levels made = {.count = 0};
    while (made.count < levels && made.count < FAST9_LEVELS_MAX) {
        const int32_t w = pyramid_side(width, made.count);
        const int32_t h = pyramid_side(height, made.count);
        if (w < FAST9_SIDE_MIN || h < FAST9_SIDE_MIN) {
            break;
        }
        made.width[made.count] = w;
        made.height[made.count] = h;
        made.offset[made.count] = made.pixels;
        made.pixels += (size_t)w * (size_t)h;
        ++made.count;
    }
    return made;
}
