/* bad with AVX-512: sixteen tests at a time. */
#include "bad_internal.h"
#include "cpu_features.h"
#include "simd_avx512.h"

#if CPU_HAS_X86_64

#include <immintrin.h>

#define BAD_TARGET __attribute__((target("avx512f")))

typedef __m512i Vector;
typedef __m512 Floats;

enum { LANES = 16 };

static inline BAD_TARGET Floats divide_floats(Floats a, Floats b) {
    return _mm512_div_ps(a, b);
}

static inline BAD_TARGET unsigned at_most(Floats a, Floats b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

static inline BAD_TARGET Vector gather(const uint32_t *entries, Vector places) {
    return _mm512_i32gather_epi32(places, entries, sizeof *entries);
}

#include "bad_kernel_vector.h"

const BadKernel bad_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512,
    .describe = describe,
};

#else

const BadKernel bad_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512,
};

#endif
