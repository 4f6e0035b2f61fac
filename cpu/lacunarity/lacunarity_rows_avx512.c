/* lacunarity rows with AVX-512: 32 positions of 16 bits at a time. */
#include "cpu_features.h"
#include "lacunarity_internal.h"
#include "simd_avx512.h"

#if CPU_HAS_X86_64

#include <immintrin.h>

#define LACUNARITY_TARGET __attribute__((target("avx512f,avx512bw,avx512vbmi")))

typedef __m512i Vector;

enum { LANES = 32 };

static inline LACUNARITY_TARGET Vector ones_16(void) {
    return _mm512_set1_epi16(1);
}

static inline LACUNARITY_TARGET Vector both(Vector a, Vector b) {
    return _mm512_and_si512(a, b);
}

static inline LACUNARITY_TARGET Vector add_16(Vector a, Vector b) {
    return _mm512_add_epi16(a, b);
}

static inline LACUNARITY_TARGET Vector subtract_16(Vector a, Vector b) {
    return _mm512_sub_epi16(a, b);
}

static inline LACUNARITY_TARGET Vector add_64(Vector a, Vector b) {
    return _mm512_add_epi64(a, b);
}

/* Products of 16-bit lanes, added in pairs. */
static inline LACUNARITY_TARGET Vector add_products_16(Vector a, Vector b) {
    return _mm512_madd_epi16(a, b);
}

/* Products of even 32-bit lanes. */
static inline LACUNARITY_TARGET Vector multiply_even_32(Vector a, Vector b) {
    return _mm512_mul_epi32(a, b);
}

/* Of 64-bit lanes. */
static inline LACUNARITY_TARGET Vector low_halves(Vector vector) {
    return _mm512_and_si512(vector, _mm512_set1_epi64(UINT32_MAX));
}

static inline LACUNARITY_TARGET Vector high_halves(Vector vector) {
    return _mm512_srli_epi64(vector, 32);
}

/* 16-bit lanes of the lower and of the upper half in 32 bits. */
static inline LACUNARITY_TARGET Vector widen_lower(Vector vector) {
    return _mm512_cvtepi16_epi32(_mm512_castsi512_si256(vector));
}

static inline LACUNARITY_TARGET Vector widen_upper(Vector vector) {
    return _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64(vector, 1));
}

static inline LACUNARITY_TARGET Vector widen_columns(const uint16_t *from) {
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)from));
}

/* Sums of 32-bit lanes from the first to each. */
static inline LACUNARITY_TARGET Vector prefix_32(Vector vector) {
    const __m512i ends =
        _mm512_mask_blend_epi32(0xFF00, _mm512_set1_epi32(3), _mm512_set1_epi32(11));
    vector = _mm512_add_epi32(vector, _mm512_bslli_epi128(vector, 4));
    vector = _mm512_add_epi32(vector, _mm512_bslli_epi128(vector, 8));
    vector = _mm512_add_epi32(vector, _mm512_maskz_permutexvar_epi32(0xF0F0, ends, vector));
    return _mm512_add_epi32(vector,
                            _mm512_maskz_permutexvar_epi32(0xFF00, _mm512_set1_epi32(7), vector));
}

static inline LACUNARITY_TARGET Vector spread_last_32(Vector vector) {
    return _mm512_permutexvar_epi32(_mm512_set1_epi32(LANES / 2 - 1), vector);
}

/* Sums of 64 signed bytes from the first to each. */
static inline LACUNARITY_TARGET Vector prefix_bytes(Vector bytes) {
    const __m512i second_halves = _mm512_set_epi64(0x0707070707070707, -1, 0x0707070707070707, -1,
                                                   0x0707070707070707, -1, 0x0707070707070707, -1);
    const __m512i last_of_first = _mm512_set1_epi8(15);
    const __m512i last_of_third = _mm512_set1_epi8(47);
    const __m512i ends = _mm512_mask_blend_epi64(0xF0, last_of_first, last_of_third);
    bytes = _mm512_add_epi8(bytes, _mm512_slli_epi64(bytes, 8));
    bytes = _mm512_add_epi8(bytes, _mm512_slli_epi64(bytes, 16));
    bytes = _mm512_add_epi8(bytes, _mm512_slli_epi64(bytes, 32));
    /* Across 64, 128 and 256 bits: what is left of a part is added to all of it. */
    bytes = _mm512_add_epi8(bytes, _mm512_shuffle_epi8(bytes, second_halves));
    bytes = _mm512_add_epi8(
        bytes, _mm512_maskz_permutexvar_epi8(UINT64_C(0xFFFF0000FFFF0000), ends, bytes));
    return _mm512_add_epi8(bytes, _mm512_maskz_permutexvar_epi8(UINT64_C(0xFFFFFFFF00000000),
                                                                _mm512_set1_epi8(31), bytes));
}

/* to[x] = entering minus leaving object pixels from column 0 to x, modulo 2^16; writes whole
 * vectors. */
static inline LACUNARITY_TARGET void prefix_changes(const uint8_t *entering, const uint8_t *leaving,
                                                    int32_t width, uint8_t threshold, int16_t *to) {
    const __m512i thresholds = _mm512_set1_epi8((char)threshold);
    const __m512i one = _mm512_set1_epi8(1);
    const __m512i last_lane = _mm512_set1_epi16(LANES - 1);
    __m512i before = _mm512_setzero_si512();
    for (int32_t x = 0; x < width; x += 2 * LANES) {
        const int32_t left = width - x;
        const __mmask64 inside = left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
        const __m512i enters = _mm512_maskz_loadu_epi8(inside, entering + x);
        const __m512i leaves = _mm512_maskz_loadu_epi8(inside, leaving + x);
        const __m512i changes =
            _mm512_maskz_mov_epi8(_mm512_cmpge_epu8_mask(enters, thresholds), one);
        const __m512i bytes = prefix_bytes(_mm512_mask_sub_epi8(
            changes, _mm512_cmpge_epu8_mask(leaves, thresholds), changes, one));
        const __m512i lower = _mm512_cvtepi8_epi16(_mm512_castsi512_si256(bytes));
        const __m512i upper = _mm512_cvtepi8_epi16(_mm512_extracti64x4_epi64(bytes, 1));
        store_aligned(to + x, _mm512_add_epi16(lower, before));
        store_aligned(to + x + LANES, _mm512_add_epi16(upper, before));
        before = _mm512_add_epi16(before, _mm512_permutexvar_epi16(last_lane, upper));
    }
}

#include "lacunarity_rows_vector.h"

const LacunarityKernel lacunarity_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512_bytes_and_bits,
    .scratch_bytes = scratch_bytes,
    .count_rows = count_rows,
    .process = process,
};

#else

const LacunarityKernel lacunarity_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512_bytes_and_bits,
};

#endif
