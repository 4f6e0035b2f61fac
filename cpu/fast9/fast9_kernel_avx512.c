/* fast9 rows with AVX-512: 64 pixels at a time. */
#include "cpu_features.h"
#include "fast9_internal.h"
#include "simd_avx512.h"

#if CPU_HAS_X86_64

#include <immintrin.h>

#define FAST9_TARGET __attribute__((target("avx512f,avx512bw,bmi,bmi2")))

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

const Fast9Kernel fast9_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512_bytes_and_bits,
    .sample_row = sample_row,
    .find_row = find_row,
};

#else

const Fast9Kernel fast9_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512_bytes_and_bits,
};

#endif
