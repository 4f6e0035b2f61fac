/* fast9 rows in plain C, for any processor. */
#include "cpu_features.h"
#include "fast9_internal.h"

#define FAST9_TARGET
#include "fast9_mix.h"

static void sample_row(const Fast9RowPair *from, const Fast9Columns *columns, int32_t width,
                       int16_t *mixed, uint8_t *to) {
    mix_rows(from, mixed);
    sample_columns(mixed, columns, 0, width, to);
}

/* Whether neither pixel of a pair, opposite each other on the circle, differs by more than t. */
static inline bool pair_is_near(const uint8_t *pixel, ptrdiff_t offset, int32_t t) {
    const int32_t a = pixel[offset] - *pixel;
    const int32_t b = pixel[-offset] - *pixel;
    return a <= t && a >= -t && b <= t && b >= -t;
}

/* 9 pixels in a row have one of each pair. */
static int32_t find_row(const uint8_t *row, size_t stride, int32_t width, int32_t threshold,
                        Fast9Hit *hits) {
    const ptrdiff_t down = 3 * (ptrdiff_t)stride;
    int32_t count = 0;
    for (int32_t x = FAST9_BORDER; x < width - FAST9_BORDER; x++) {
        if (pair_is_near(row + x, down, threshold) || pair_is_near(row + x, 3, threshold)) {
            continue;
        }
        const int32_t score = fast9_score(row + x, stride);
        if (score >= threshold) {
            hits[count++] = (Fast9Hit){.x = x, .score = score};
        }
    }
    return count;
}

const Fast9Kernel fast9_kernel_plain = {
    .name = "plain",
    .supported = cpu_any,
    .sample_row = sample_row,
    .find_row = find_row,
    .moments = fast9_moments,
};

CPU_KERNELS(Fast9Kernel, fast9_kernels, fast9_kernel_best, &fast9_kernel_avx512, &fast9_kernel_avx2,
            &fast9_kernel_plain)
