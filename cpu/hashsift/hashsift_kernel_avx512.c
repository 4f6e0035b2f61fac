/* hashsift with AVX-512: 16 pixels at a time. */
#include "cpu_features.h"
#include "hashsift_internal.h"
#include "simd_avx512.h"

#if CPU_HAS_X86_64

#include <immintrin.h>

#define HASHSIFT_TARGET __attribute__((target("avx512f")))

enum { LANES = 16 };

typedef __m512 Vector;
typedef int32_t Index __attribute__((vector_size(64)));
typedef __mmask16 Mask;

static inline HASHSIFT_TARGET Vector zero_floats(void) {
    return _mm512_setzero_ps();
}

static inline HASHSIFT_TARGET void store_floats(float *to, Vector vector) {
    _mm512_storeu_ps(to, vector);
}

/* Rounded towards 0. */
static inline HASHSIFT_TARGET Index whole(Vector vector) {
    return (Index)truncate(vector);
}

static inline HASHSIFT_TARGET Vector numbers(Index index) {
    return to_floats((__m512i)index);
}

static inline HASHSIFT_TARGET Index four_bytes(const uint8_t *base, Index offsets) {
    return (Index)_mm512_i32gather_epi32((__m512i)offsets, base, 1);
}

static inline HASHSIFT_TARGET Index earlier(Index offsets, int32_t last) {
    return (Index)_mm512_min_epi32((__m512i)offsets, _mm512_set1_epi32(last));
}

static inline HASHSIFT_TARGET Index later(Index index, int32_t first) {
    return (Index)_mm512_max_epi32((__m512i)index, _mm512_set1_epi32(first));
}

static inline HASHSIFT_TARGET Index shifted(Index bytes, Index counts) {
    return (Index)_mm512_srlv_epi32((__m512i)bytes, (__m512i)counts);
}

/* a·b + c. */
static inline HASHSIFT_TARGET Vector sum_of_product(Vector a, Vector b, Vector c) {
    return _mm512_fmadd_ps(a, b, c);
}

/* a / b of numbers b at least 1, by an estimate and a step of Newton's. */
static inline HASHSIFT_TARGET Vector quotient(Vector a, Vector b) {
    const Vector estimate = _mm512_rcp14_ps(b);
    return a * (estimate * _mm512_fnmadd_ps(b, estimate, spread_float(2)));
}

/* Of whole numbers, likewise. */
static inline HASHSIFT_TARGET Vector root(Vector vector) {
    const Vector estimate = _mm512_rsqrt14_ps(larger_float(vector, spread_float(1)));
    const Vector near = vector * estimate;
    return _mm512_fmadd_ps(_mm512_fnmadd_ps(near, near, vector), estimate * 0.5F, near);
}

static inline HASHSIFT_TARGET Mask less(Vector a, Vector b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline HASHSIFT_TARGET Mask not_less(Vector a, Vector b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}

static inline HASHSIFT_TARGET Mask both(Mask a, Mask b) {
    return _mm512_kand(a, b);
}

/* a and not b. */
static inline HASHSIFT_TARGET Mask only(Mask a, Mask b) {
    return _mm512_kandn(b, a);
}

static inline HASHSIFT_TARGET Mask neither(Mask a, Mask b) {
    return _mm512_knot(_mm512_kor(a, b));
}

static inline HASHSIFT_TARGET uint64_t bits_of(Mask mask) {
    return mask;
}

/* 0 elsewhere. */
static inline HASHSIFT_TARGET Vector where(Mask mask, Vector vector) {
    return _mm512_maskz_mov_ps(mask, vector);
}

/* sum + a·b there. */
static inline HASHSIFT_TARGET Vector add_product_where(Mask mask, Vector sum, Vector a, Vector b) {
    return _mm512_mask3_fmadd_ps(a, b, sum, mask);
}

/* Sums of pairs of lanes of two vectors: (a0 + a2, b0 + b2, a1 + a3, b1 + b3) of each four. */
static inline HASHSIFT_TARGET Vector sums_of_two(Vector a, Vector b) {
    return _mm512_unpacklo_ps(a, b) + _mm512_unpackhi_ps(a, b);
}

/* Sums of four lanes: (a, b, c, d) of each four. */
static inline HASHSIFT_TARGET Vector sums_of_four(const Vector *vectors) {
    const __m512d ab = (__m512d)sums_of_two(vectors[0], vectors[1]);
    const __m512d cd = (__m512d)sums_of_two(vectors[2], vectors[3]);
    return (Vector)_mm512_unpacklo_pd(ab, cd) + (Vector)_mm512_unpackhi_pd(ab, cd);
}

/* Lane k is the sum of the lanes of vector k. */
static inline HASHSIFT_TARGET Vector sums_of(const Vector *vectors) {
    const Vector a = sums_of_four(vectors);
    const Vector b = sums_of_four(vectors + 4);
    const Vector c = sums_of_four(vectors + 8);
    const Vector d = sums_of_four(vectors + 12);
    const Vector ab = _mm512_shuffle_f32x4(a, b, 0x44) + _mm512_shuffle_f32x4(a, b, 0xEE);
    const Vector cd = _mm512_shuffle_f32x4(c, d, 0x44) + _mm512_shuffle_f32x4(c, d, 0xEE);
    return _mm512_shuffle_f32x4(ab, cd, 0x88) + _mm512_shuffle_f32x4(ab, cd, 0xDD);
}

#include "hashsift_patch_vector.h"
#include "hashsift_votes_vector.h"

const HashsiftKernel hashsift_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512,
    .patch = patch,
    .values = values,
    .signs = signs,
};

#else

const HashsiftKernel hashsift_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512,
};

#endif
