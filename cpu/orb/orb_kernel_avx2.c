/* orb with AVX2: sixteen pixels and eight tests at a time. */
#include "cpu_features.h"
#include "orb_internal.h"
#include "simd_avx2.h"

#if CPU_HAS_X86_64

#include <immintrin.h>

#define ORB_TARGET __attribute__((target("avx2")))

typedef __m256i Vector;
typedef __m256 Floats;

enum { LANES = 8, PIXELS = 16 };

/* --- Blur ------------------------------------------------------------------------------------- */

/* Sixteen numbers of 16 bits. */
static inline ORB_TARGET Vector pixels_16(const uint8_t *pixels) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)pixels));
}

/* Two weights beside each other, for pairs of numbers. */
static inline ORB_TARGET Vector weights_of_pairs(int16_t first, int16_t second) {
    return _mm256_set1_epi32(second * 65536 + first);
}

/* The numbers of a and b in turns, each pair times its weights and added up. The lower four pairs
 * of both halves, and the upper four: packing them to 16 bits puts them in order again. */
static inline ORB_TARGET Vector lower_products(Vector a, Vector b, Vector weights) {
    return _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), weights);
}

static inline ORB_TARGET Vector upper_products(Vector a, Vector b, Vector weights) {
    return _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), weights);
}

/* Sums of two pixels have 9 bits. */
ORB_TARGET void orb_avx2_smooth_row(const uint8_t *pixels, int32_t width, uint16_t *row) {
    const Vector near = weights_of_pairs(ORB_WEIGHT_0, ORB_WEIGHT_1);
    const Vector far = weights_of_pairs(ORB_WEIGHT_2, ORB_WEIGHT_3);
    const Vector rounding = spread_32(1 << (ORB_ROW_SHIFT - 1));
    int32_t x = 0;
    for (; x + PIXELS <= width; x += PIXELS) {
        const uint8_t *p = pixels + x;
        const Vector centre = pixels_16(p + 3);
        const Vector one = _mm256_add_epi16(pixels_16(p + 2), pixels_16(p + 4));
        const Vector two = _mm256_add_epi16(pixels_16(p + 1), pixels_16(p + 5));
        const Vector three = _mm256_add_epi16(pixels_16(p), pixels_16(p + 6));
        const Vector lower = add_32(add_32(lower_products(centre, one, near), rounding),
                                    lower_products(two, three, far));
        const Vector upper = add_32(add_32(upper_products(centre, one, near), rounding),
                                    upper_products(two, three, far));
        store(row + x, _mm256_packus_epi32(_mm256_srli_epi32(lower, ORB_ROW_SHIFT),
                                           _mm256_srli_epi32(upper, ORB_ROW_SHIFT)));
    }
    orb_plain_smooth_row(pixels, x, width, row);
}

/* Rows are numbers of 16 bits without a sign, products take those with one: 2^15 is taken off each.
 * The weights' sum being 2^16, that takes 2^31 off the sum, which comes back with the rounding. */
ORB_TARGET void orb_avx2_smooth_columns(const uint16_t *const *rows, int32_t width,
                                        uint8_t *pixels) {
    static const int16_t weights[ORB_ROWS + 1] = {
        ORB_WEIGHT_3, ORB_WEIGHT_2, ORB_WEIGHT_1, ORB_WEIGHT_0,
        ORB_WEIGHT_1, ORB_WEIGHT_2, ORB_WEIGHT_3, 0};
    const Vector half = _mm256_set1_epi16(INT16_MIN);
    int32_t x = 0;
    for (; x + PIXELS <= width; x += PIXELS) {
        Vector lower = spread_32((int32_t)((1U << 31) + (1U << (ORB_COLUMN_SHIFT - 1))));
        Vector upper = lower;
#pragma GCC unroll 4
        for (int j = 0; j < ORB_ROWS; j += 2) {
            const Vector both = weights_of_pairs(weights[j], weights[j + 1]);
            const Vector first = _mm256_xor_si256(load(rows[j] + x), half);
            const Vector second =
                j + 1 < ORB_ROWS ? _mm256_xor_si256(load(rows[j + 1] + x), half) : zeros();
            lower = add_32(lower, lower_products(first, second, both));
            upper = add_32(upper, upper_products(first, second, both));
        }
        const Vector words = _mm256_packus_epi32(_mm256_srli_epi32(lower, ORB_COLUMN_SHIFT),
                                                 _mm256_srli_epi32(upper, ORB_COLUMN_SHIFT));
        const __m128i bytes =
            _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
        _mm_storeu_si128((__m128i *)(void *)(pixels + x), bytes);
    }
    orb_plain_smooth_columns(rows, x, width, pixels);
}

/* --- Tests ------------------------------------------------------------------------------------ */

static inline ORB_TARGET Vector gather_pixels(const uint8_t *pixels, Vector places) {
    return _mm256_i32gather_epi32((const int *)(const void *)pixels, places, 1);
}

static inline ORB_TARGET unsigned below(Vector a, Vector b) {
    const Vector mask = spread_32(0xFF);
    const Vector smaller = _mm256_cmpgt_epi32(_mm256_and_si256(b, mask), _mm256_and_si256(a, mask));
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(smaller));
}

#include "orb_kernel_vector.h"

const OrbKernel orb_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
    .smooth_row = orb_avx2_smooth_row,
    .smooth_columns = orb_avx2_smooth_columns,
    .describe = describe,
};

#else

const OrbKernel orb_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
};

#endif
