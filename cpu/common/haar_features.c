#include "haar_features.h"

const char *const haar_type_names[HAAR_TYPES] = {
    [HAAR_TWO_COLUMNS] = "two_columns",
    [HAAR_TWO_ROWS] = "two_rows",
    [HAAR_THREE_COLUMNS] = "three_columns",
    [HAAR_THREE_ROWS] = "three_rows",
    [HAAR_CHECKER] = "checker",
};

void haar_integral(const uint8_t *pixels, int32_t width, int32_t height, int32_t *integral) {
    const size_t stride = (size_t)width + 1;
    for (size_t x = 0; x < stride; x++) {
        integral[x] = 0;
    }
    for (int32_t y = 0; y < height; y++) {
        const uint8_t *row = pixels + (size_t)y * (size_t)width;
        const int32_t *above = integral + (size_t)y * stride;
        int32_t *below = integral + (size_t)(y + 1) * stride;
        int32_t sum = 0;
        below[0] = 0;
        for (int32_t x = 0; x < width; x++) {
            sum += row[x];
            below[x + 1] = above[x + 1] + sum;
        }
    }
}
