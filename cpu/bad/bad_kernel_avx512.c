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

/* Lanes move up by `count`, zeros follow. */
#define MOVE_UP(vector, count) _mm512_alignr_epi32(vector, _mm512_setzero_si512(), LANES - (count))

static inline BAD_TARGET Vector running_sums(Vector numbers) {
    numbers = add_32(numbers, MOVE_UP(numbers, 1));
    numbers = add_32(numbers, MOVE_UP(numbers, 2));
    numbers = add_32(numbers, MOVE_UP(numbers, 4));
    return add_32(numbers, MOVE_UP(numbers, 8));
}

static inline BAD_TARGET Vector spread_last(Vector numbers) {
    return _mm512_permutexvar_epi32(_mm512_set1_epi32(LANES - 1), numbers);
}

#include "bad_kernel_vector.h"

const BadKernel bad_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512,
    .add_row = add_row,
    .integral_row = integral_row,
    .describe = describe,
};

#else

const BadKernel bad_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512,
};

#endif
