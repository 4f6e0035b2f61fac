/* bad_boxes: one test after the other on an integral image in host memory, as bad.h defines it. */
#ifndef CPU_BAD_BOXES_H
#define CPU_BAD_BOXES_H

#include "bad.h"

/* (width + 1) × (height + 1) entries modulo 2^32: entry (x, y), at y · stride + x, is the sum of
 * the pixels left of column x and above row y. */
typedef struct BadIntegral {
    uint32_t *entries;
    size_t stride;
    int32_t width, height; /* of the picture */
} BadIntegral;

/* What all tests of a keypoint share. */
typedef struct BadPlace {
    PatchMap map;
    int near_border; /* averages are compared */
} BadPlace;

static inline int32_t bad_box_sum(const BadIntegral *integral, const BadBox *box) {
    const uint32_t *top = integral->entries + (size_t)box->top * integral->stride;
    const uint32_t *bottom = integral->entries + (size_t)box->bottom * integral->stride;
    return (int32_t)(bottom[box->right] - bottom[box->left] - top[box->right] + top[box->left]);
}

static inline int bad_test(const BadIntegral *integral, const BadPlace *place,
                           const BadTest *test) {
    const int32_t radius = bad_radius(&place->map, test->radius);
    const BadBox box1 =
        bad_box(&place->map, test->x1, test->y1, radius, integral->width, integral->height);
    const BadBox box2 =
        bad_box(&place->map, test->x2, test->y2, radius, integral->width, integral->height);
    return bad_bit(place->near_border, bad_box_sum(integral, &box1), &box1,
                   bad_box_sum(integral, &box2), &box2, radius, test->threshold);
}

/* All tests of a keypoint. */
static inline void bad_describe(const BadIntegral *integral, const BadPlace *place,
                                const BadTest *tests, int32_t bits, uint8_t *descriptor) {
    for (int32_t b = 0; b < bits; b += 8) {
        unsigned byte = 0;
        for (int32_t i = b; i < b + 8; ++i) {
            byte = byte << 1 | (unsigned)bad_test(integral, place, &tests[i]);
        }
        descriptor[b / 8] = (uint8_t)byte;
    }
}

/* Row `row` from the one above it, which may be anywhere. */
static inline void bad_integral_row(const uint8_t *pixels, int32_t width, const uint32_t *above,
                                    uint32_t *row) {
    uint32_t sum = 0;
    row[0] = 0;
    for (int32_t x = 0; x < width; ++x) {
        sum += pixels[x];
        row[x + 1] = above[x + 1] + sum;
    }
}

#endif
