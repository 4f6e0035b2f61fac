#include <stdlib.h>
#include <string.h>

#include "lacunarity.h"

/* Adds each column's object pixels in a row of pixels to `columns`, `sign` times. */
static void update_columns(const Image *image, int threshold, int32_t y, int sign,
                           uint16_t *columns) {
    const uint8_t *row = image_row(image, y);
    for (int32_t x = 0; x < image->width; ++x) {
        columns[x] = (uint16_t)(columns[x] + (row[x] >= threshold ? sign : 0));
    }
}

static void count_positions(const uint16_t *columns, int32_t width, int32_t box, uint64_t *counts) {
    uint64_t s = 0;
    for (int32_t x = 0; x < box; ++x) {
        s += columns[x];
    }
    ++counts[s];
    for (int32_t x = box; x < width; ++x) {
        s = s + columns[x] - columns[x - box];
        ++counts[s];
    }
}

Status lacunarity_table(const Image *image, int threshold, int32_t box, uint64_t *counts) {
    uint16_t *columns = calloc((size_t)image->width, sizeof *columns);
    if (columns == NULL) {
        return status_skip("no memory for %d column sums", image->width);
    }
    memset(counts, 0, ((size_t)box * (size_t)box + 1) * sizeof *counts);
    for (int32_t y = 0; y < image->height; ++y) {
        update_columns(image, threshold, y, 1, columns);
        if (y >= box) {
            update_columns(image, threshold, y - box, -1, columns);
        }
        if (y >= box - 1) {
            count_positions(columns, image->width, box, counts);
        }
    }
    free(columns);
    return status_ok();
}
