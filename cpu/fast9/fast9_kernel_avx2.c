/* fast9 rows with AVX2: 32 pixels at a time. */
#include "cpu_features.h"
#include "fast9_internal.h"
#include "simd_avx2.h"

#if CPU_HAS_X86_64

#include <immintrin.h>

#define FAST9_TARGET __attribute__((target("avx2,bmi,bmi2")))

typedef __m256i Vector;

enum { LANES = 32, COLUMNS = 8 };

static inline FAST9_TARGET Vector spread(uint8_t value) {
    return _mm256_set1_epi8((char)value);
}

static inline FAST9_TARGET Vector smaller(Vector a, Vector b) {
    return _mm256_min_epu8(a, b);
}

static inline FAST9_TARGET Vector larger(Vector a, Vector b) {
    return _mm256_max_epu8(a, b);
}

static inline FAST9_TARGET Vector subtract_to_0(Vector a, Vector b) {
    return _mm256_subs_epu8(a, b);
}

/* Bits of the lanes in which a > b. */
static inline FAST9_TARGET uint64_t mask_greater(Vector a, Vector b) {
    const __m256i not_greater = _mm256_cmpeq_epi8(_mm256_max_epu8(a, b), b);
    return (uint32_t)~_mm256_movemask_epi8(not_greater);
}

#include "fast9_kernel_vector.h"
#include "fast9_mix.h"

static FAST9_TARGET void sample_row(const Fast9RowPair *from, const Fast9Columns *columns,
                                    int32_t width, int16_t *mixed, uint8_t *to) {
    const __m256i rounding = _mm256_set1_epi32(MIXED_ROUNDING);
    int32_t x = 0;
    mix_rows(from, mixed);
    for (; x + COLUMNS <= width; x += COLUMNS) {
        const __m256i first = load(columns->first + x);
        const __m256i pairs = _mm256_i32gather_epi32((const int *)(const void *)mixed, first, 2);
        const __m256i sums = _mm256_madd_epi16(pairs, load(columns->weights + x));
        const __m256i pixels = _mm256_srli_epi32(_mm256_add_epi32(sums, rounding), 16);
        const __m128i words =
            _mm_packus_epi32(_mm256_castsi256_si128(pixels), _mm256_extracti128_si256(pixels, 1));
        _mm_storel_epi64((__m128i *)(void *)(to + x), _mm_packus_epi16(words, words));
    }
    sample_columns(mixed, columns, x, width, to);
}

static inline FAST9_TARGET int32_t sum_of_lanes(__m256i vector) {
    const __m128i four =
        _mm_add_epi32(_mm256_castsi256_si128(vector), _mm256_extracti128_si256(vector, 1));
    const __m128i two = _mm_hadd_epi32(four, four);
    return _mm_cvtsi128_si32(_mm_hadd_epi32(two, two));
}

enum { ROWS_OF_16_BITS = 2 }; /* and as many above: 4 · 2 · 15 · 255 < 2^15 */

static FAST9_TARGET void moments(const uint8_t *pixel, size_t stride, int64_t *m10, int64_t *m01) {
    const __m256i ones = _mm256_set1_epi16(1);
    const uint8_t *middle = pixel - FAST9_DISC_RADIUS;
    const __m256i middle_x = _mm256_maddubs_epi16(load(middle), load(fast9_disc[0].x));
    __m256i sum_x = _mm256_madd_epi16(middle_x, ones);
    __m256i sum_y = zeros();
#pragma GCC unroll 8
    for (int first = 1; first <= FAST9_DISC_RADIUS; first += ROWS_OF_16_BITS) {
        __m256i rows_x = zeros();
        __m256i rows_y = zeros();
        for (int y = first; y < first + ROWS_OF_16_BITS && y <= FAST9_DISC_RADIUS; y++) {
            const __m256i above = load(middle - (size_t)y * stride);
            const __m256i below = load(middle + (size_t)y * stride);
            const __m256i x = load(fast9_disc[y].x);
            const __m256i distance = load(fast9_disc[y].y);
            rows_x = _mm256_add_epi16(rows_x, _mm256_maddubs_epi16(above, x));
            rows_x = _mm256_add_epi16(rows_x, _mm256_maddubs_epi16(below, x));
            rows_y = _mm256_sub_epi16(rows_y, _mm256_maddubs_epi16(above, distance));
            rows_y = _mm256_add_epi16(rows_y, _mm256_maddubs_epi16(below, distance));
        }
        sum_x = add_32(sum_x, _mm256_madd_epi16(rows_x, ones));
        sum_y = add_32(sum_y, _mm256_madd_epi16(rows_y, ones));
    }
    *m10 = sum_of_lanes(sum_x);
    *m01 = sum_of_lanes(sum_y);
}

const Fast9Kernel fast9_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
    .sample_row = sample_row,
    .find_row = find_row,
    .moments = moments,
};

#else

const Fast9Kernel fast9_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
};

#endif
