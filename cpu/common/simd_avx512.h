/* The words of simd_avx2.h for AVX-512. */
#ifndef CPU_COMMON_SIMD_AVX512_H
#define CPU_COMMON_SIMD_AVX512_H

#include "cpu_features.h"

#if CPU_HAS_X86_64

#include <immintrin.h>
#include <stdint.h>

#define SIMD_AVX512 __attribute__((target("avx512f")))

static inline SIMD_AVX512 __m512i zeros(void) {
    return _mm512_setzero_si512();
}

static inline SIMD_AVX512 __m512i spread_32(int32_t number) {
    return _mm512_set1_epi32(number);
}

static inline SIMD_AVX512 __m512i load(const void *from) {
    return _mm512_loadu_si512(from);
}

static inline SIMD_AVX512 void store(void *to, __m512i vector) {
    _mm512_storeu_si512(to, vector);
}

/* From and to addresses that are multiples of the vector's size. */
static inline SIMD_AVX512 __m512i load_aligned(const void *from) {
    return _mm512_load_si512(from);
}

static inline SIMD_AVX512 void store_aligned(void *to, __m512i vector) {
    _mm512_store_si512(to, vector);
}

/* A vector's pixels, each as a number of 32 bits. */
static inline SIMD_AVX512 __m512i widen_pixels(const uint8_t *pixels) {
    return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)pixels));
}

static inline SIMD_AVX512 __m512i add_32(__m512i a, __m512i b) {
    return _mm512_add_epi32(a, b);
}

static inline SIMD_AVX512 __m512i subtract_32(__m512i a, __m512i b) {
    return _mm512_sub_epi32(a, b);
}

static inline SIMD_AVX512 __m512i multiply_32(__m512i a, __m512i b) {
    return _mm512_mullo_epi32(a, b);
}

static inline SIMD_AVX512 __m512i smaller_32(__m512i a, __m512i b) {
    return _mm512_min_epi32(a, b);
}

static inline SIMD_AVX512 __m512i larger_32(__m512i a, __m512i b) {
    return _mm512_max_epi32(a, b);
}

static inline SIMD_AVX512 __m512 spread_float(float number) {
    return _mm512_set1_ps(number);
}

static inline SIMD_AVX512 __m512 load_floats(const float *from) {
    return _mm512_loadu_ps(from);
}

static inline SIMD_AVX512 __m512 add_floats(__m512 a, __m512 b) {
    return _mm512_add_ps(a, b);
}

static inline SIMD_AVX512 __m512 subtract_floats(__m512 a, __m512 b) {
    return _mm512_sub_ps(a, b);
}

static inline SIMD_AVX512 __m512 multiply_floats(__m512 a, __m512 b) {
    return _mm512_mul_ps(a, b);
}

/* Where the first is no number, the second. */
static inline SIMD_AVX512 __m512 smaller_float(__m512 a, __m512 b) {
    return _mm512_min_ps(a, b);
}

static inline SIMD_AVX512 __m512 larger_float(__m512 a, __m512 b) {
    return _mm512_max_ps(a, b);
}

/* Rounded towards 0. */
static inline SIMD_AVX512 __m512i truncate(__m512 numbers) {
    return _mm512_cvttps_epi32(numbers);
}

/* Rounded to the nearest, halves to even. */
static inline SIMD_AVX512 __m512i round_even(__m512 numbers) {
    return _mm512_cvtps_epi32(numbers);
}

static inline SIMD_AVX512 __m512 to_floats(__m512i numbers) {
    return _mm512_cvtepi32_ps(numbers);
}

#endif

#endif
