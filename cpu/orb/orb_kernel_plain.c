/* orb in plain C, for any processor. */
#include "cpu_features.h"
#include "orb_internal.h"

void orb_plain_smooth_row(const uint8_t *pixels, int32_t first, int32_t width, uint16_t *row) {
    for (int32_t x = first; x < width; x++) {
        const uint8_t *p = pixels + x;
        row[x] = (uint16_t)orb_row_value(
            orb_sum(p[3], (uint32_t)p[2] + p[4], (uint32_t)p[1] + p[5], (uint32_t)p[0] + p[6]));
    }
}

void orb_plain_smooth_columns(const uint16_t *const *rows, int32_t first, int32_t width,
                              uint8_t *pixels) {
    for (int32_t x = first; x < width; x++) {
        pixels[x] = (uint8_t)orb_column_value(orb_sum(rows[3][x], (uint32_t)rows[2][x] + rows[4][x],
                                                      (uint32_t)rows[1][x] + rows[5][x],
                                                      (uint32_t)rows[0][x] + rows[6][x]));
    }
}

static void smooth_row(const uint8_t *pixels, int32_t width, uint16_t *row) {
    orb_plain_smooth_row(pixels, 0, width, row);
}

static void smooth_columns(const uint16_t *const *rows, int32_t width, uint8_t *pixels) {
    orb_plain_smooth_columns(rows, 0, width, pixels);
}

static void describe(const OrbBlurred *blurred, const OrbTests *tests, const OrbPlace *place,
                     bool inside, uint8_t *descriptor) {
    (void)inside;
    orb_describe(blurred, place, tests->rows, tests->bits, descriptor);
}

const OrbKernel orb_kernel_plain = {
    .name = "plain",
    .supported = cpu_any,
    .smooth_row = smooth_row,
    .smooth_columns = smooth_columns,
    .describe = describe,
};

const OrbKernel *const orb_kernels[] = {
    &orb_kernel_avx512,
    &orb_kernel_avx2,
    &orb_kernel_plain,
    NULL,
};

const OrbKernel *orb_kernel_best(size_t bytes) {
    /* Vectors of places have 32 bits for each. */
    if (bytes > INT32_MAX) {
        return &orb_kernel_plain;
    }
    const OrbKernel *const *kernel = orb_kernels;
    while (!(*kernel)->supported()) {
        kernel++;
    }
    return *kernel;
}
