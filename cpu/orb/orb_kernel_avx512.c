/* orb with AVX-512: sixteen tests at a time. */
#include "cpu_features.h"
#include "orb_internal.h"
#include "simd_avx512.h"

#if CPU_HAS_X86_64

#include <immintrin.h>

#define ORB_TARGET __attribute__((target("avx512f")))

typedef __m512i Vector;
typedef __m512 Floats;

enum { LANES = 16 };

static inline ORB_TARGET Vector gather_pixels(const uint8_t *pixels, Vector places) {
    return _mm512_i32gather_epi32(places, pixels, 1);
}

static inline ORB_TARGET unsigned below(Vector a, Vector b) {
    const Vector mask = spread_32(0xFF);
    return _mm512_cmplt_epi32_mask(_mm512_and_si512(a, mask), _mm512_and_si512(b, mask));
}

#include "orb_kernel_vector.h"

static bool supported(void) {
    return cpu_has_avx512() && cpu_has_avx2();
}

const OrbKernel orb_kernel_avx512 = {
    .name = "avx512",
    .supported = supported,
    .smooth_row = orb_avx2_smooth_row,
    .smooth_columns = orb_avx2_smooth_columns,
    .describe = describe,
};

#else

const OrbKernel orb_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512,
};

#endif
