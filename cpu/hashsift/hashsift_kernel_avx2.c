/* hashsift with AVX2: 8 pixels at a time. */
#include "cpu_features.h"
#include "hashsift_internal.h"
#include "simd_avx2.h"

#if CPU_HAS_X86_64

#include <immintrin.h>

#define HASHSIFT_TARGET __attribute__((target("avx2,fma")))

enum { LANES = 8 };

typedef __m256 Vector;
typedef int32_t Index __attribute__((vector_size(32)));
typedef __m256 Mask; /* all bits of a lane, or none */

static inline HASHSIFT_TARGET Vector zero_floats(void) {
    return _mm256_setzero_ps();
}

static inline HASHSIFT_TARGET void store_floats(float *to, Vector vector) {
    _mm256_storeu_ps(to, vector);
}

/* Rounded towards 0. */
static inline HASHSIFT_TARGET Index whole(Vector vector) {
    return (Index)truncate(vector);
}

static inline HASHSIFT_TARGET Vector numbers(Index index) {
    return to_floats((__m256i)index);
}

static inline HASHSIFT_TARGET Index four_bytes(const uint8_t *base, Index offsets) {
    return (Index)_mm256_i32gather_epi32((const int *)(const void *)base, (__m256i)offsets, 1);
}

static inline HASHSIFT_TARGET Index earlier(Index offsets, int32_t last) {
    return (Index)_mm256_min_epi32((__m256i)offsets, _mm256_set1_epi32(last));
}

static inline HASHSIFT_TARGET Index later(Index index, int32_t first) {
    return (Index)_mm256_max_epi32((__m256i)index, _mm256_set1_epi32(first));
}

static inline HASHSIFT_TARGET Index shifted(Index bytes, Index counts) {
    return (Index)_mm256_srlv_epi32((__m256i)bytes, (__m256i)counts);
}

/* a·b + c. */
static inline HASHSIFT_TARGET Vector sum_of_product(Vector a, Vector b, Vector c) {
    return _mm256_fmadd_ps(a, b, c);
}

/* a / b of numbers b at least 1, by an estimate and a step of Newton's. */
static inline HASHSIFT_TARGET Vector quotient(Vector a, Vector b) {
    const Vector estimate = _mm256_rcp_ps(b);
    return a * (estimate * _mm256_fnmadd_ps(b, estimate, spread_float(2)));
}

/* Of whole numbers, likewise. */
static inline HASHSIFT_TARGET Vector root(Vector vector) {
    const Vector estimate = _mm256_rsqrt_ps(larger_float(vector, spread_float(1)));
    const Vector near = vector * estimate;
    return _mm256_fmadd_ps(_mm256_fnmadd_ps(near, near, vector), estimate * 0.5F, near);
}

static inline HASHSIFT_TARGET Mask less(Vector a, Vector b) {
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}

static inline HASHSIFT_TARGET Mask not_less(Vector a, Vector b) {
    return _mm256_cmp_ps(a, b, _CMP_GE_OQ);
}

static inline HASHSIFT_TARGET Mask both(Mask a, Mask b) {
    return _mm256_and_ps(a, b);
}

/* a and not b. */
static inline HASHSIFT_TARGET Mask only(Mask a, Mask b) {
    return _mm256_andnot_ps(b, a);
}

static inline HASHSIFT_TARGET Mask neither(Mask a, Mask b) {
    return only((Mask)_mm256_set1_epi32(-1), _mm256_or_ps(a, b));
}

static inline HASHSIFT_TARGET uint64_t bits_of(Mask mask) {
    return (uint64_t)_mm256_movemask_ps(mask);
}

/* 0 elsewhere. */
static inline HASHSIFT_TARGET Vector where(Mask mask, Vector vector) {
    return _mm256_and_ps(mask, vector);
}

/* sum + a·b there. */
static inline HASHSIFT_TARGET Vector add_product_where(Mask mask, Vector sum, Vector a, Vector b) {
    return sum_of_product(where(mask, a), b, sum);
}

/* Sums of pairs of lanes of two vectors: (a0 + a2, b0 + b2, a1 + a3, b1 + b3) of each four. */
static inline HASHSIFT_TARGET Vector sums_of_two(Vector a, Vector b) {
    return _mm256_unpacklo_ps(a, b) + _mm256_unpackhi_ps(a, b);
}

/* Sums of four lanes: (a, b, c, d) of each four. */
static inline HASHSIFT_TARGET Vector sums_of_four(const Vector *vectors) {
    const __m256d ab = (__m256d)sums_of_two(vectors[0], vectors[1]);
    const __m256d cd = (__m256d)sums_of_two(vectors[2], vectors[3]);
    return (Vector)_mm256_unpacklo_pd(ab, cd) + (Vector)_mm256_unpackhi_pd(ab, cd);
}

/* Lane k is the sum of the lanes of vector k. */
static inline HASHSIFT_TARGET Vector sums_of(const Vector *vectors) {
    const Vector a = sums_of_four(vectors);
    const Vector b = sums_of_four(vectors + 4);
    return _mm256_permute2f128_ps(a, b, 0x20) + _mm256_permute2f128_ps(a, b, 0x31);
}

#include "hashsift_patch_vector.h"
#include "hashsift_votes_vector.h"

const HashsiftKernel hashsift_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2_and_fma,
    .patch = patch,
    .values = values,
    .signs = signs,
};

#else

const HashsiftKernel hashsift_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2_and_fma,
};

#endif
