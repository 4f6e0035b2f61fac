#include "adaboost_internal.h"

#include <string.h>

enum { LANES = ADABOOST_LANES };

/* Row y + 1 of `count` integral images from the row above and a row of pixels of each. */
static void add_row(const uint8_t *const rows[LANES], int32_t width, int32_t count,
                    const int32_t *above, int32_t *row) {
    int32_t sums[LANES] = {0};
    for (int32_t x = 0; x < width; x++) {
        for (int32_t lane = 0; lane < count; lane++) {
            sums[lane] += rows[lane][x];
        }
        for (int32_t lane = 0; lane < LANES; lane++) {
            row[(x + 1) * LANES + lane] = above[(x + 1) * LANES + lane] + sums[lane];
        }
    }
}

void adaboost_block_fill(const Workload *workload, int32_t block, int32_t *entries) {
    const ImageSet *set = &workload->set;
    const int32_t stride = (set->width + 1) * LANES;
    const int32_t first = block * LANES;
    const int32_t count = set->count - first < LANES ? set->count - first : LANES;
    const uint8_t *rows[LANES] = {NULL};
    memset(entries, 0, (size_t)stride * sizeof *entries);
    for (int32_t y = 0; y < set->height; y++) {
        for (int32_t lane = 0; lane < count; lane++) {
            rows[lane] =
                workload_image(workload, first + lane) + (size_t)y * workload->image.stride;
        }
        const int32_t *above = entries + (size_t)y * (size_t)stride;
        int32_t *row = entries + (size_t)(y + 1) * (size_t)stride;
        memset(row, 0, LANES * sizeof *row);
        add_row(rows, set->width, count, above, row);
    }
}

/* One corner of a cell in all images. */
typedef const int32_t *Corner;

/* Two cells: three corners at equal distances on two sides of the rectangle. */
static void two_cells(Corner a0, Corner a1, Corner a2, Corner b0, Corner b1, Corner b2,
                      int32_t *values) {
    for (int lane = 0; lane < LANES; lane++) {
        values[lane] = 2 * (b1[lane] - a1[lane]) - (b0[lane] - a0[lane]) - (b2[lane] - a2[lane]);
    }
}

/* Three cells: four corners on two sides. */
static void three_cells(const Corner a[4], const Corner b[4], int32_t *values) {
    Corner a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    Corner b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
    for (int lane = 0; lane < LANES; lane++) {
        const int32_t inner = (b1[lane] - a1[lane]) - (b2[lane] - a2[lane]);
        values[lane] = 3 * inner - (b0[lane] - a0[lane]) + (b3[lane] - a3[lane]);
    }
}

/* Four cells: three times three corners. */
static void four_cells(const Corner a[3], const Corner b[3], const Corner c[3], int32_t *values) {
    Corner a0 = a[0], a1 = a[1], a2 = a[2];
    Corner b0 = b[0], b1 = b[1], b2 = b[2];
    Corner c0 = c[0], c1 = c[1], c2 = c[2];
    for (int lane = 0; lane < LANES; lane++) {
        const int32_t left = 2 * b0[lane] - a0[lane] - c0[lane];
        const int32_t middle = 2 * b1[lane] - a1[lane] - c1[lane];
        const int32_t right = 2 * b2[lane] - a2[lane] - c2[lane];
        values[lane] = 2 * middle - left - right;
    }
}

/* Corners (x + i × dx, y + i × dy). */
static void find_corners(const int32_t *entries, int32_t width, int32_t x, int32_t y, int32_t dx,
                         int32_t dy, Corner corners[4], int count) {
    for (int i = 0; i < count; i++) {
        corners[i] = entries + (size_t)((y + i * dy) * (width + 1) + x + i * dx) * LANES;
    }
}

static void all_lanes(const int32_t *entries, int32_t width, HaarFeature f, int32_t *values) {
    const int32_t x = f.x, y = f.y, w = f.w, h = f.h;
    Corner a[4], b[4], c[4];
    switch (f.type) {
    case HAAR_TWO_COLUMNS:
        find_corners(entries, width, x, y, w / 2, 0, a, 3);
        find_corners(entries, width, x, y + h, w / 2, 0, b, 3);
        two_cells(a[0], a[1], a[2], b[0], b[1], b[2], values);
        break;
    case HAAR_TWO_ROWS:
        find_corners(entries, width, x, y, 0, h / 2, a, 3);
        find_corners(entries, width, x + w, y, 0, h / 2, b, 3);
        two_cells(a[0], a[1], a[2], b[0], b[1], b[2], values);
        break;
    case HAAR_THREE_COLUMNS:
        find_corners(entries, width, x, y, w / 3, 0, a, 4);
        find_corners(entries, width, x, y + h, w / 3, 0, b, 4);
        three_cells(a, b, values);
        break;
    case HAAR_THREE_ROWS:
        find_corners(entries, width, x, y, 0, h / 3, a, 4);
        find_corners(entries, width, x + w, y, 0, h / 3, b, 4);
        three_cells(a, b, values);
        break;
    default:
        find_corners(entries, width, x, y, w / 2, 0, a, 3);
        find_corners(entries, width, x, y + h / 2, w / 2, 0, b, 3);
        find_corners(entries, width, x, y + 2 * (h / 2), w / 2, 0, c, 3);
        four_cells(a, b, c, values);
        break;
    }
}

void adaboost_block_values(const int32_t *entries, int32_t width, HaarFeature feature,
                           int32_t count, int32_t *values) {
    if (count == LANES) {
        all_lanes(entries, width, feature, values);
        return;
    }
    int32_t all[LANES];
    all_lanes(entries, width, feature, all);
    memcpy(values, all, (size_t)count * sizeof *values);
}
