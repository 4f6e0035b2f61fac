/* lacunarity rows with AVX2: 16 positions of 16 bits at a time. */
#include "cpu_features.h"
#include "lacunarity_internal.h"
#include "simd_avx2.h"

#if CPU_HAS_X86_64

#include <immintrin.h>
#include <string.h>

#define LACUNARITY_TARGET __attribute__((target("avx2,bmi,bmi2")))

typedef __m256i Vector;

enum { LANES = 16 };

static inline LACUNARITY_TARGET Vector ones_16(void) {
    return _mm256_set1_epi16(1);
}

static inline LACUNARITY_TARGET Vector both(Vector a, Vector b) {
    return _mm256_and_si256(a, b);
}

static inline LACUNARITY_TARGET Vector add_16(Vector a, Vector b) {
    return _mm256_add_epi16(a, b);
}

static inline LACUNARITY_TARGET Vector subtract_16(Vector a, Vector b) {
    return _mm256_sub_epi16(a, b);
}

static inline LACUNARITY_TARGET Vector add_64(Vector a, Vector b) {
    return _mm256_add_epi64(a, b);
}

/* Products of 16-bit lanes, added in pairs. */
static inline LACUNARITY_TARGET Vector add_products_16(Vector a, Vector b) {
    return _mm256_madd_epi16(a, b);
}

/* Products of even 32-bit lanes. */
static inline LACUNARITY_TARGET Vector multiply_even_32(Vector a, Vector b) {
    return _mm256_mul_epi32(a, b);
}

/* Of 64-bit lanes. */
static inline LACUNARITY_TARGET Vector low_halves(Vector vector) {
    return _mm256_and_si256(vector, _mm256_set1_epi64x(UINT32_MAX));
}

static inline LACUNARITY_TARGET Vector high_halves(Vector vector) {
    return _mm256_srli_epi64(vector, 32);
}

/* 16-bit lanes of the lower and of the upper half in 32 bits. */
static inline LACUNARITY_TARGET Vector widen_lower(Vector vector) {
    return _mm256_cvtepi16_epi32(_mm256_castsi256_si128(vector));
}

static inline LACUNARITY_TARGET Vector widen_upper(Vector vector) {
    return _mm256_cvtepi16_epi32(_mm256_extracti128_si256(vector, 1));
}

static inline LACUNARITY_TARGET Vector widen_columns(const uint16_t *from) {
    return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));
}

/* Sums of 32-bit lanes from the first to each. */
static inline LACUNARITY_TARGET Vector prefix_32(Vector vector) {
    vector = _mm256_add_epi32(vector, _mm256_bslli_epi128(vector, 4));
    vector = _mm256_add_epi32(vector, _mm256_bslli_epi128(vector, 8));
    const __m256i of_lower = _mm256_permutevar8x32_epi32(vector, _mm256_set1_epi32(3));
    return _mm256_add_epi32(vector, _mm256_blend_epi32(_mm256_setzero_si256(), of_lower, 0xF0));
}

static inline LACUNARITY_TARGET Vector spread_last_32(Vector vector) {
    return _mm256_permutevar8x32_epi32(vector, _mm256_set1_epi32(LANES / 2 - 1));
}

/* Sums of 16 signed bytes from the first to each, in both halves. */
static inline LACUNARITY_TARGET Vector prefix_bytes(Vector bytes) {
    const __m256i second_halves = _mm256_set_epi64x(0x0707070707070707, -1, 0x0707070707070707, -1);
    bytes = _mm256_add_epi8(bytes, _mm256_slli_epi64(bytes, 8));
    bytes = _mm256_add_epi8(bytes, _mm256_slli_epi64(bytes, 16));
    bytes = _mm256_add_epi8(bytes, _mm256_slli_epi64(bytes, 32));
    return _mm256_add_epi8(bytes, _mm256_shuffle_epi8(bytes, second_halves));
}

/* The last of 16 signed bytes in 16 lanes of 16 bits. */
static inline LACUNARITY_TARGET Vector spread_last(__m128i bytes) {
    return _mm256_cvtepi8_epi16(_mm_shuffle_epi8(bytes, _mm_set1_epi8(15)));
}

/* -1 where a pixel belongs to the object. */
static inline LACUNARITY_TARGET Vector object_mask(Vector pixels, Vector thresholds) {
    return _mm256_cmpeq_epi8(_mm256_max_epu8(pixels, thresholds), pixels);
}

/* Adds the changes of 32 columns to `before`, the changes left of them. */
static inline LACUNARITY_TARGET Vector prefix_columns(Vector enters, Vector leaves,
                                                      Vector thresholds, Vector before,
                                                      int16_t *to) {
    const __m256i bytes = prefix_bytes(
        _mm256_sub_epi8(object_mask(leaves, thresholds), object_mask(enters, thresholds)));
    const __m128i lower = _mm256_castsi256_si128(bytes);
    const __m128i upper = _mm256_extracti128_si256(bytes, 1);
    const __m256i middle = _mm256_add_epi16(before, spread_last(lower));
    store_aligned(to, _mm256_add_epi16(_mm256_cvtepi8_epi16(lower), before));
    store_aligned(to + LANES, _mm256_add_epi16(_mm256_cvtepi8_epi16(upper), middle));
    return _mm256_add_epi16(middle, spread_last(upper));
}

/* to[x] = entering minus leaving object pixels from column 0 to x, modulo 2^16; writes whole
 * vectors. */
static inline LACUNARITY_TARGET void prefix_changes(const uint8_t *entering, const uint8_t *leaving,
                                                    int32_t width, uint8_t threshold, int16_t *to) {
    const __m256i thresholds = _mm256_set1_epi8((char)threshold);
    __m256i before = _mm256_setzero_si256();
    int32_t x = 0;
    for (; x + 2 * LANES <= width; x += 2 * LANES) {
        before = prefix_columns(load(entering + x), load(leaving + x), thresholds, before, to + x);
    }
    if (x < width) {
        /* What is behind the last column is the same in both rows and changes nothing. */
        uint8_t enters[2 * LANES] = {0};
        uint8_t leaves[2 * LANES] = {0};
        memcpy(enters, entering + x, (size_t)(width - x));
        memcpy(leaves, leaving + x, (size_t)(width - x));
        prefix_columns(load(enters), load(leaves), thresholds, before, to + x);
    }
}

#include "lacunarity_rows_vector.h"

const LacunarityKernel lacunarity_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
    .scratch_bytes = scratch_bytes,
    .count_rows = count_rows,
    .process = process,
};

#else

const LacunarityKernel lacunarity_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
};

#endif
