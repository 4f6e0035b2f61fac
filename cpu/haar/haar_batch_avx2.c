/* haar batches with AVX2: eight images at a time. */
#include "cpu_features.h"
#include "haar_internal.h"
#include "simd_avx2.h"

#if CPU_HAS_X86_64

#include <string.h>

#include <immintrin.h>

#define HAAR_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))

enum { LANES = 8 };

typedef __m256i Vector;
typedef unsigned Mask;

static inline HAAR_TARGET Mask at_least(Vector a, Vector b) {
    const __m256i lanes = _mm256_cmpeq_epi32(_mm256_max_epu32(a, b), a);
    return (Mask)_mm256_movemask_ps(_mm256_castsi256_ps(lanes));
}

static inline HAAR_TARGET uint64_t *append(const HaarBatch *batch, Mask mask, Vector raised,
                                           uint64_t bits, uint64_t *at) {
    int32_t values[LANES];
    memcpy(values, &raised, sizeof values);
    for (; mask != 0; mask &= mask - 1) {
        const unsigned i = (unsigned)__builtin_ctz(mask);
        *at++ = bits + (uint64_t)(int64_t)values[i] +
                ((uint64_t)((uint32_t)batch->first + i) << batch->packing.image_shift);
    }
    return at;
}

#include "haar_batch_vector.h"

const HaarKernel haar_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
    .lanes = LANES,
    .collect = collect,
    .count = count,
};

#else

const HaarKernel haar_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
};

#endif
