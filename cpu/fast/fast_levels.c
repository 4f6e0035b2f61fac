#include "fast_levels.h"

/* round(side / 1.2^level): side · 5^level / 6^level, halves up. */
static int32_t level_side(int32_t side, int32_t level) {
    uint64_t numerator = (uint64_t)side;
    uint64_t denominator = 1;
    for (int32_t l = 0; l < level; ++l) {
        numerator *= 5;
        denominator *= 6;
    }
    return (int32_t)((numerator + denominator / 2) / denominator);
}

FastLevels fast_levels(int32_t width, int32_t height, int32_t levels) {
    FastLevels made = {.count = 0};
    while (made.count < levels && made.count < FAST_LEVELS_MAX) {
        const int32_t w = level_side(width, made.count);
        const int32_t h = level_side(height, made.count);
        if (w < FAST_SIDE_MIN || h < FAST_SIDE_MIN) {
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
