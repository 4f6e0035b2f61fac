/* Answer points of lacunarity from texts. */
#ifndef TESTS_CPU_LACUNARITY_POINTS_H
#define TESTS_CPU_LACUNARITY_POINTS_H

#include "lacunarity.h"
#include "test.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* The texts are not checked. */
static inline Point lacunarity_point(const char *box, const char *threshold) {
    const char *const texts[] = {box, threshold};
    static const char *const names[] = {"box", "threshold"};
    Point point = {.count = COUNT_OF(texts)};
    for (size_t i = 0; i < point.count; i++) {
        point.axes[i] = lacunarity_algorithm.answer[i];
        assert_string_equal(point.axes[i]->name, names[i]);
        snprintf(point.values[i].text, AXIS_TEXT_SIZE, "%s", texts[i]);
    }
    return point;
}

#endif
