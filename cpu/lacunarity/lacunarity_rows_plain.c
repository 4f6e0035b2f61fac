/*
 * lacunarity rows in plain C, for any processor and any box.
 *
 * Column sums are updated from one row of positions to the next, and their sum over the box's width
 * from one position to the next.
 */
#include "cpu_features.h"
#include "lacunarity_internal.h"

#define LACUNARITY_TARGET
#include "lacunarity_count.h"

static size_t scratch_bytes(int32_t width) {
    (void)width;
    return LACUNARITY_SCRATCH_ALIGNMENT;
}

static void update_columns(const LacunarityBand *band, int32_t y) {
    const uint8_t *leaving = image_row(band->image, y - 1);
    const uint8_t *entering = image_row(band->image, y - 1 + band->box);
    for (int32_t x = 0; x < band->image->width; x++) {
        const int change = (entering[x] >= band->threshold) - (leaving[x] >= band->threshold);
        band->columns[x] = (uint16_t)(band->columns[x] + change);
    }
}

/* Positions whose squares fit 64 bits together. */
static int32_t positions_at_once(int32_t box) {
    const uint64_t most = (uint64_t)box * (uint64_t)box;
    const uint64_t positions = UINT64_MAX / (most * most);
    return positions < INT32_MAX ? (int32_t)positions : INT32_MAX;
}

static void add_row(const LacunarityBand *band, int32_t at_once, LacunarityMoments *moments) {
    const uint16_t *columns = band->columns;
    const int32_t positions = band->image->width - band->box + 1;
    uint64_t s = 0;
    for (int32_t x = 0; x < band->box; x++) {
        s += columns[x];
    }
    for (int32_t x = 0; x < positions;) {
        const int32_t end = positions - x < at_once ? positions : x + at_once;
        uint64_t sum_s = 0;
        uint64_t sum_s2 = 0;
        for (; x < end; x++) {
            sum_s += s;
            sum_s2 += s * s;
            if (x + 1 < positions) {
                s = s + columns[x + band->box] - columns[x];
            }
        }
        lacunarity_moments_add(moments, sum_s, sum_s2, 0);
    }
}

static void process(const LacunarityBand *band, LacunarityMoments *moments) {
    const int32_t at_once = positions_at_once(band->box);
    add_row(band, at_once, moments);
    for (int32_t y = band->first + 1; y < band->last; y++) {
        update_columns(band, y);
        add_row(band, at_once, moments);
    }
}

const LacunarityKernel lacunarity_kernel_plain = {
    .name = "plain",
    .supported = cpu_any,
    .scratch_bytes = scratch_bytes,
    .count_rows = count_rows,
    .process = process,
};

CPU_KERNELS(LacunarityKernel, lacunarity_kernels, lacunarity_kernel_best, &lacunarity_kernel_avx512,
            &lacunarity_kernel_avx2, &lacunarity_kernel_plain)
