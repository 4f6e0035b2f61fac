#include "weights_files.h"

#include <string.h>

#include "random.h"
#include "weights_table.h"

enum {
    RADIUS_MAX = 7,
    UNIFORMS = 12, /* their sum has the variance 1 and is as good as normal up to 3 deviations */
    UNIFORM_BITS = 16,
    UNIFORMS_OF_A_NUMBER = 64 / UNIFORM_BITS,
    UNIFORM_MAX = (1 << UNIFORM_BITS) - 1,
    AVERAGE_VALUE = 28 /* of SIFT: that of OpenCV's keypoints in the Oxford graf picture is 27.9 */
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

Status weights_random(const char *kind, int32_t bits, uint64_t seed, Weights *weights) {
    *weights = (Weights){0};
    if (weights_columns(kind) == 0) {
        return status_make(STATUS_USAGE, "no weights of kind \"%s\"; %s or %s would be right", kind,
                           WEIGHTS_HASHSIFT, WEIGHTS_BAD);
    }
    if (!weights_has_bits(bits)) {
        return status_make(STATUS_USAGE, "no weights for %d bits; 256 or 512 would be right",
                           (int)bits);
    }
    STATUS_TRY(weights_create("random", kind, bits, weights));
    Draw draw = {.seed = seed};
    const bool boxes = strcmp(kind, WEIGHTS_BAD) == 0;
    for (int32_t row = 0; row < bits; row++) {
        (boxes ? draw_boxes : draw_projection)(&draw, weights_row(weights, row));
    }
    weights_finish(weights);
    return status_ok();
}
