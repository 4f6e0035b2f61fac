/*
 * Words for vectors of AVX2 that kernels of several algorithms use. A kernel's loops are written in
 * such words in a file of their own, which each instruction set's file includes after its words:
 * those of simd_avx2.h or simd_avx512.h, and its own. A number in a name is the width of a lane.
 */
#ifndef CPU_COMMON_SIMD_AVX2_H
#define CPU_COMMON_SIMD_AVX2_H

#include "cpu_features.h"

#if CPU_HAS_X86_64

#include <immintrin.h>
#include <stdint.h>

#define SIMD_AVX2 __attribute__((target("avx2")))

static inline SIMD_AVX2 __m256i zeros(void) {
    return _mm256_setzero_si256();
}

static inline SIMD_AVX2 __m256i spread_32(int32_t number) {
    return _mm256_set1_epi32(number);
}

static inline SIMD_AVX2 __m256i load(const void *from) {
    return _mm256_loadu_si256((const __m256i *)from);
}

static inline SIMD_AVX2 void store(void *to, __m256i vector) {
    _mm256_storeu_si256((__m256i *)to, vector);
}

/* From and to addresses that are multiples of the vector's size. */
static inline SIMD_AVX2 __m256i load_aligned(const void *from) {
    return _mm256_load_si256((const __m256i *)from);
}

static inline SIMD_AVX2 void store_aligned(void *to, __m256i vector) {
    _mm256_store_si256((__m256i *)to, vector);
}

/* A vector's pixels, each as a number of 32 bits. */
static inline SIMD_AVX2 __m256i widen_pixels(const uint8_t *pixels) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)pixels));
}

static inline SIMD_AVX2 __m256i add_32(__m256i a, __m256i b) {
    return _mm256_add_epi32(a, b);
}

static inline SIMD_AVX2 __m256i subtract_32(__m256i a, __m256i b) {
    return _mm256_sub_epi32(a, b);
}

static inline SIMD_AVX2 __m256i multiply_32(__m256i a, __m256i b) {
    return _mm256_mullo_epi32(a, b);
}

static inline SIMD_AVX2 __m256i smaller_32(__m256i a, __m256i b) {
    return _mm256_min_epi32(a, b);
}

static inline SIMD_AVX2 __m256i larger_32(__m256i a, __m256i b) {
    return _mm256_max_epi32(a, b);
}

static inline SIMD_AVX2 __m256 spread_float(float number) {
    return _mm256_set1_ps(number);
}

static inline SIMD_AVX2 __m256 load_floats(const float *from) {
    return _mm256_loadu_ps(from);
}

static inline SIMD_AVX2 __m256 add_floats(__m256 a, __m256 b) {
    return _mm256_add_ps(a, b);
}

static inline SIMD_AVX2 __m256 subtract_floats(__m256 a, __m256 b) {
    return _mm256_sub_ps(a, b);
}

static inline SIMD_AVX2 __m256 multiply_floats(__m256 a, __m256 b) {
    return _mm256_mul_ps(a, b);
}

/* Where the first is no number, the second. */
static inline SIMD_AVX2 __m256 smaller_float(__m256 a, __m256 b) {
    return _mm256_min_ps(a, b);
}

static inline SIMD_AVX2 __m256 larger_float(__m256 a, __m256 b) {
    return _mm256_max_ps(a, b);
}

/* Rounded towards 0. */
static inline SIMD_AVX2 __m256i truncate(__m256 numbers) {
    return _mm256_cvttps_epi32(numbers);
}

/* Rounded to the nearest, halves to even. */
static inline SIMD_AVX2 __m256i round_even(__m256 numbers) {
    return _mm256_cvtps_epi32(numbers);
}

static inline SIMD_AVX2 __m256 to_floats(__m256i numbers) {
    return _mm256_cvtepi32_ps(numbers);
}

#endif

#endif
