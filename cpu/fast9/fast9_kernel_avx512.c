/* fast9 rows with AVX-512: 64 pixels at a time. */
#include "cpu_features.h"
#include "fast9_internal.h"
#include "simd_avx512.h"

#if CPU_HAS_X86_64

#include <immintrin.h>

#define FAST9_TARGET __attribute__((target("avx512f,avx512bw,avx512vnni,bmi,bmi2")))

typedef __m512i Vector;

enum { LANES = 64 };

static inline FAST9_TARGET Vector spread(uint8_t value) {
    return _mm512_set1_epi8((char)value);
}

static inline FAST9_TARGET Vector smaller(Vector a, Vector b) {
    return _mm512_min_epu8(a, b);
}

static inline FAST9_TARGET Vector larger(Vector a, Vector b) {
    return _mm512_max_epu8(a, b);
}

static inline FAST9_TARGET Vector subtract_to_0(Vector a, Vector b) {
    return _mm512_subs_epu8(a, b);
}

/* Bits of the lanes in which a > b. */
static inline FAST9_TARGET uint64_t mask_greater(Vector a, Vector b) {
    return _mm512_cmpgt_epu8_mask(a, b);
}

#include "fast9_kernel_vector.h"
#include "fast9_mix.h"

/* Numbers first[i] and first[i] + 1 of `mixed` in lane i. Levels shrink by so little that the 32
 * numbers from the first of them on have them all. */
static inline FAST9_TARGET __m512i take_pairs(const int16_t *mixed, const int32_t *first) {
    const __m512i near = load(mixed + first[0]);
    const __m512i places = _mm512_sub_epi32(_mm512_loadu_si512(first), _mm512_set1_epi32(first[0]));
    const __m512i next = _mm512_add_epi32(places, _mm512_set1_epi32(1));
    return _mm512_permutexvar_epi16(_mm512_or_si512(places, _mm512_slli_epi32(next, 16)), near);
}

static FAST9_TARGET void sample_row(const Fast9RowPair *from, const Fast9Columns *columns,
                                    int32_t width, int16_t *mixed, uint8_t *to) {
    const __m512i rounding = _mm512_set1_epi32(MIXED_ROUNDING);
    mix_rows(from, mixed);
    for (int32_t x = 0; x < width; x += FAST9_COLUMNS_AT_ONCE) {
        const __m512i pairs = take_pairs(mixed, columns->first + x);
        const __m512i sums = _mm512_madd_epi16(pairs, load(columns->weights + x));
        const __m512i pixels = _mm512_srli_epi32(_mm512_add_epi32(sums, rounding), 16);
        const int32_t left = width - x;
        const unsigned int mask = left < FAST9_COLUMNS_AT_ONCE ? (1U << left) - 1 : 0xFFFF;
        _mm512_mask_cvtepi32_storeu_epi8(to + x, (__mmask16)mask, pixels);
    }
}

static inline FAST9_TARGET __m256i load_row(const void *row) {
    return _mm256_loadu_si256((const __m256i *)row);
}

enum { LOWER_HALF = 0x00FF }; /* of a vector's lanes */

/* Rows as far above as below the middle are the halves of one vector. */
static FAST9_TARGET void moments(const uint8_t *pixel, size_t stride, int64_t *m10, int64_t *m01) {
    const uint8_t *middle = pixel - FAST9_DISC_RADIUS;
    __m512i sum_x = _mm512_dpbusd_epi32(zeros(), _mm512_zextsi256_si512(load_row(middle)),
                                        _mm512_zextsi256_si512(load_row(fast9_disc[0].x)));
    __m512i sum_y = zeros();
#pragma GCC unroll 16
    for (int y = 1; y <= FAST9_DISC_RADIUS; y++) {
        const __m256i above = load_row(middle - (size_t)y * stride);
        const __m256i below = load_row(middle + (size_t)y * stride);
        const __m512i rows = _mm512_inserti64x4(_mm512_castsi256_si512(above), below, 1);
        const __m512i x = _mm512_broadcast_i64x4(load_row(fast9_disc[y].x));
        const __m512i distance = _mm512_broadcast_i64x4(load_row(fast9_disc[y].y));
        sum_x = _mm512_dpbusd_epi32(sum_x, rows, x);
        sum_y = _mm512_dpbusd_epi32(sum_y, rows, distance);
    }
    sum_y = _mm512_mask_sub_epi32(sum_y, LOWER_HALF, zeros(), sum_y);
    *m10 = _mm512_reduce_add_epi32(sum_x);
    *m01 = _mm512_reduce_add_epi32(sum_y);
}

const Fast9Kernel fast9_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512_dot_products,
    .sample_row = sample_row,
    .find_row = find_row,
    .moments = moments,
};

#else

const Fast9Kernel fast9_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512_dot_products,
};

#endif
