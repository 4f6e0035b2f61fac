/*
 * Counting of object pixels by columns, for the compiler to vectorise. The including file defines
 * LACUNARITY_TARGET, the attribute that selects the instruction set, or nothing, and gets the
 * function count_rows.
 *
 * Counters of a byte take as many pixels a vector as there are; they are emptied before they
 * overflow.
 */
#include <string.h>

#include "lacunarity_internal.h"

enum {
    COUNT_COLUMNS = 2048, /* worked on together: their counters stay in the first-level cache */
    COUNT_AT_ONCE = 4,    /* rows between loading and storing a counter */
    COUNT_ROWS = 255 / COUNT_AT_ONCE * COUNT_AT_ONCE
};

static inline LACUNARITY_TARGET void count_one_row(const uint8_t *restrict row, int32_t columns,
                                                   uint8_t threshold, uint8_t *restrict counts) {
    for (int32_t x = 0; x < columns; x++) {
        counts[x] = (uint8_t)(counts[x] + (row[x] >= threshold));
    }
}

static inline LACUNARITY_TARGET void count_four_rows(const uint8_t *restrict row, size_t stride,
                                                     int32_t columns, uint8_t threshold,
                                                     uint8_t *restrict counts) {
    const uint8_t *second = row + stride;
    const uint8_t *third = second + stride;
    const uint8_t *fourth = third + stride;
    for (int32_t x = 0; x < columns; x++) {
        const uint8_t sum = (uint8_t)((row[x] >= threshold) + (second[x] >= threshold) +
                                      (third[x] >= threshold) + (fourth[x] >= threshold));
        counts[x] = (uint8_t)(counts[x] + sum);
    }
}

static LACUNARITY_TARGET void count_block(const Image *image, uint8_t threshold, int32_t first,
                                          int32_t last, int32_t x, int32_t columns,
                                          uint16_t *restrict to) {
    uint8_t counts[COUNT_COLUMNS] = {0};
    int32_t y = first;
    for (; y + COUNT_AT_ONCE <= last; y += COUNT_AT_ONCE) {
        count_four_rows(image_row(image, y) + x, image->stride, columns, threshold, counts);
    }
    for (; y < last; y++) {
        count_one_row(image_row(image, y) + x, columns, threshold, counts);
    }
    for (int32_t i = 0; i < columns; i++) {
        to[i] = (uint16_t)(to[i] + counts[i]);
    }
}

static LACUNARITY_TARGET void count_rows(const Image *image, int threshold, int32_t first,
                                         int32_t last, uint16_t *columns) {
    for (int32_t x = 0; x < image->width; x += COUNT_COLUMNS) {
        const int32_t left = image->width - x;
        const int32_t count = left < COUNT_COLUMNS ? left : COUNT_COLUMNS;
        for (int32_t y = first; y < last; y += COUNT_ROWS) {
            const int32_t end = last - y < COUNT_ROWS ? last : y + COUNT_ROWS;
            count_block(image, (uint8_t)threshold, y, end, x, count, columns + x);
        }
    }
}
