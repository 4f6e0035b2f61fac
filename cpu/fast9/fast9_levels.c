#include "fast9_levels.h"

#include "pyramid_place.h"

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
