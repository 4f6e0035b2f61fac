/* What tests hold the kernels and variants of lacunarity to: a brute force that is written for
 * them, from a table of the object pixels above and left of each place. */
#ifndef TESTS_CPU_LACUNARITY_BRUTE_FORCE_H
#define TESTS_CPU_LACUNARITY_BRUTE_FORCE_H

#include "lacunarity_internal.h"
#include "test.h"

/* (width + 1) × (height + 1); the caller frees it. */
static inline uint64_t *integral_image(const Image *image, int threshold) {
    const size_t stride = (size_t)image->width + 1;
    uint64_t *sums = calloc(stride * ((size_t)image->height + 1), sizeof *sums);
    assert_non_null(sums);
    for (int32_t y = 0; y < image->height; y++) {
        for (int32_t x = 0; x < image->width; x++) {
            const size_t at = (size_t)y * stride + (size_t)x;
            const bool object = image->pixels[(size_t)y * image->stride + (size_t)x] >= threshold;
            sums[at + stride + 1] = sums[at + stride] + sums[at + 1] - sums[at] + (object ? 1 : 0);
        }
    }
    return sums;
}

/* Rows of positions first ≤ y < last. Sums of squares fit 64 bits in all that it is used for. */
static inline LacunarityMoments brute_force(const uint64_t *sums, const Image *image, int32_t box,
                                            int32_t first, int32_t last) {
    const size_t stride = (size_t)image->width + 1;
    LacunarityMoments moments = {.sum_s = 0};
    for (int32_t y = first; y < last; y++) {
        for (int32_t x = 0; x + box <= image->width; x++) {
            const uint64_t *upper = sums + (size_t)y * stride + (size_t)x;
            const uint64_t *lower = upper + (size_t)box * stride;
            const uint64_t s = lower[box] - lower[0] - upper[box] + upper[0];
            moments.sum_s += s;
            moments.sum_s2_low += s * s;
        }
    }
    return moments;
}

/* An image of nothing but object pixels in little memory: all its rows are one. */
static inline Image full_image(int32_t width, int32_t height) {
    Image image = {.width = width, .height = height, .stride = 0, .pixels = malloc((size_t)width)};
    assert_non_null(image.pixels);
    memset(image.pixels, 255, (size_t)width);
    return image;
}

#endif
