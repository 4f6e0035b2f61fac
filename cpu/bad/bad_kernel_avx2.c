/* bad with AVX2: eight tests at a time. */
#include "bad_internal.h"
#include "cpu_features.h"
#include "simd_avx2.h"

#if CPU_HAS_X86_64

#include <immintrin.h>

#define BAD_TARGET __attribute__((target("avx2")))

typedef __m256i Vector;
typedef __m256 Floats;

enum { LANES = 8 };

static inline BAD_TARGET Floats divide_floats(Floats a, Floats b) {
    return _mm256_div_ps(a, b);
}

static inline BAD_TARGET unsigned at_most(Floats a, Floats b) {
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}

static inline BAD_TARGET Vector gather(const uint32_t *entries, Vector places) {
    return _mm256_i32gather_epi32((const int *)(const void *)entries, places, sizeof *entries);
}

#include "bad_kernel_vector.h"

const BadKernel bad_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
    .describe = describe,
};

#else

const BadKernel bad_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
};

#endif
