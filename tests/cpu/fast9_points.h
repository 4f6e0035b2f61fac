/* Points of fast9 and images for its tests. */
#ifndef TESTS_CPU_FAST9_POINTS_H
#define TESTS_CPU_FAST9_POINTS_H

#include "fast9.h"
#include "test.h"
#include "variant_runs.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

extern const Algorithm fast9_algorithm;

static inline Point fast9_answer_point(Fast9Point values) {
    static const char *const names[] = {"max-keypoints", "levels", "corner-threshold", "score",
                                        "radius"};
    const int64_t numbers[] = {values.max_keypoints, values.levels, values.corner_threshold,
                               values.score, values.radius};
    Point point = {.count = COUNT_OF(names)};
    for (size_t i = 0; i < point.count; i++) {
        point.axes[i] = fast9_algorithm.answer[i];
        assert_string_equal(point.axes[i]->name, names[i]);
        point.values[i].number = numbers[i];
    }
    return point;
}

/* All pixels of one value; test_image_free. */
static inline Image fast9_flat_image(int32_t width, int32_t height, uint8_t value) {
    Image image = test_image(width, height, 0, FILL_ZERO, 0);
    for (size_t i = 0; i < image_pixel_count(&image); i++) {
        image.pixels[i] = value;
    }
    return image;
}

static inline uint8_t *fast9_pixel(const Image *image, int32_t x, int32_t y) {
    return image->pixels + (size_t)y * image->stride + (size_t)x;
}

static inline void fast9_fill(const Image *image, int32_t x, int32_t y, int32_t width,
                              int32_t height, uint8_t value) {
    for (int32_t i = 0; i < width * height; i++) {
        *fast9_pixel(image, x + i % width, y + i / width) = value;
    }
}

#endif
