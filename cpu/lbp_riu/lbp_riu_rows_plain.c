/*
 * lbp_riu rows for any processor: loops over pixels that compilers turn into vectors.
 *
 * Elements are floats, in which all sums are exact: every processor with vectors multiplies them,
 * whereas 32-bit integers are not multiplied by the oldest x86-64 ones.
 */
#include "cpu_features.h"
#include "lbp_riu_internal.h"

#define LBP_RIU_LANES 16
#define LBP_RIU_TARGET
#include "lbp_riu_count_vector.h"

static void make_elements(const uint8_t *row, const uint8_t *below, int32_t count, void *elements) {
    (void)below;
    float *to = elements;
    for (int32_t x = 0; x < count; x++) {
        to[x] = row[x];
    }
}

/* Codes and centres of LBP_RIU_GRAIN pixels. */
typedef struct Chunk {
    float limits[LBP_RIU_GRAIN]; /* centres × LBP_RIU_WEIGHT_SUM */
    uint32_t codes[LBP_RIU_GRAIN];
} Chunk;

static void add_pixel_point(Chunk *chunk, const float *pixels, int p) {
    const float weight = LBP_RIU_WEIGHT_SUM;
    for (int i = 0; i < LBP_RIU_GRAIN; i++) {
        chunk->codes[i] |= (uint32_t)(weight * pixels[i] >= chunk->limits[i]) << p;
    }
}

static void add_point(Chunk *chunk, const float *upper, const float *lower, const int32_t *weight,
                      int p) {
    const float w0 = (float)weight[0];
    const float w1 = (float)weight[1];
    const float w2 = (float)weight[2];
    const float w3 = (float)weight[3];
    for (int i = 0; i < LBP_RIU_GRAIN; i++) {
        const float sum = w0 * upper[i] + w1 * upper[i + 1] + w2 * lower[i] + w3 * lower[i + 1];
        chunk->codes[i] |= (uint32_t)(sum >= chunk->limits[i]) << p;
    }
}

/* Of numbers of up to 32 bits, in operations that vectors have. */
static uint32_t count_ones(uint32_t bits) {
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F;
    bits += bits >> 8;
    return (bits + (bits >> 16)) & 0x3F;
}

static void bins_of_codes(const Chunk *chunk, int points, uint8_t *bins) {
    const uint32_t all = 0xFFFFFFFF >> (32 - points);
    for (int i = 0; i < LBP_RIU_GRAIN; i++) {
        const uint32_t code = chunk->codes[i];
        const uint32_t turned = code >> 1 | code << (points - 1);
        const uint32_t changes = (code ^ turned) & all;
        /* Two changes at most: nothing is left without the lowest two. */
        const uint32_t fewer = changes & (changes - 1);
        const bool uniform = (fewer & (fewer - 1)) == 0;
        bins[i] = (uint8_t)(uniform ? count_ones(code) : (uint32_t)points + 1);
    }
}

static void make_bins(const LbpRiuRow *row) {
    const LbpRiuPattern *pattern = row->pattern;
    for (int32_t x = 0; x < row->count; x += LBP_RIU_GRAIN) {
        Chunk chunk = {.codes = {0}};
        const float *centres = (const float *)(const void *)row->rows[0] + x;
        for (int i = 0; i < LBP_RIU_GRAIN; i++) {
            chunk.limits[i] = LBP_RIU_WEIGHT_SUM * centres[i];
        }
        for (int p = 0; p < pattern->points; p++) {
            const LbpRiuTap *tap = &pattern->taps[p];
            const bool below = tap->weight[2] + tap->weight[3] != 0;
            const float *upper = (const float *)(const void *)row->rows[tap->dy] + x + tap->dx;
            const float *lower =
                below ? (const float *)(const void *)row->rows[tap->dy + 1] + x + tap->dx : upper;
            if (tap->weight[0] == LBP_RIU_WEIGHT_SUM) {
                add_pixel_point(&chunk, upper, p);
            } else {
                add_point(&chunk, upper, lower, tap->weight, p);
            }
        }
        bins_of_codes(&chunk, pattern->points, row->bins + x);
    }
}

static const LbpRiuSteps plain_steps = {
    .element_bytes = sizeof(float),
    .make_elements = make_elements,
    .make_bins = make_bins,
    .count_bins = count_bins,
};

static size_t scratch_bytes(int32_t width, const LbpRiuPattern *pattern) {
    return lbp_riu_blocks_scratch_bytes(&plain_steps, width, pattern);
}

static void process(const LbpRiuBand *band) {
    lbp_riu_blocks_process(&plain_steps, band);
}

const LbpRiuKernel lbp_riu_kernel_plain = {
    .name = "plain",
    .supported = cpu_any,
    .scratch_bytes = scratch_bytes,
    .process = process,
};

CPU_KERNELS(LbpRiuKernel, lbp_riu_kernels, lbp_riu_kernel_best, &lbp_riu_kernel_avx512,
            &lbp_riu_kernel_avx2, &lbp_riu_kernel_plain)
