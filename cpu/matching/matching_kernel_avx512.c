/* matching with AVX-512: sixteen rows at a time; population counts, and dot products of bytes. */
#include "cpu_features.h"
#include "matching_internal.h"
#include "simd_avx512.h"

enum { LANES = 16 };

#if CPU_HAS_X86_64

#include <immintrin.h>

#define MATCHING_TARGET __attribute__((target("avx512f,avx512bw,avx512vpopcntdq,avx512vnni")))

/* Products of add_squares count twice. */
enum { BLOCKS = 2, L2_SHIFT = MATCHING_INDEX_BITS + 1 };

typedef __m512i Vector;

static inline MATCHING_TARGET Vector spread(uint32_t number) {
    return _mm512_set1_epi32((int32_t)number);
}

static inline MATCHING_TARGET Vector shift_left(Vector numbers, unsigned count) {
    return _mm512_slli_epi32(numbers, count);
}

static inline MATCHING_TARGET Vector smallest(Vector a, Vector b) {
    return _mm512_min_epu32(a, b);
}

static inline MATCHING_TARGET Vector lane_numbers(void) {
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

static inline MATCHING_TARGET Vector start_bits(Vector sum) {
    return sum;
}

static inline MATCHING_TARGET Vector add_bits(Vector part, Vector a, Vector b) {
    return add_32(part, _mm512_popcnt_epi32(_mm512_xor_si512(a, b)));
}

static inline MATCHING_TARGET Vector finish_bits(Vector sum, Vector part) {
    (void)sum;
    return part;
}

/* a · (127 - b): the first bytes are taken as unsigned, the second as signed. */
static inline MATCHING_TARGET Vector add_squares(Vector sum, Vector a, Vector b) {
    return _mm512_dpbusd_epi32(sum, a, b);
}

#include "matching_kernel_vector.h"

const MatchingKernel matching_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512_dot_products,
    .lanes = LANES,
    .products = true,
    .hamming = hamming,
    .l2 = l2,
};

#else

const MatchingKernel matching_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512_dot_products,
    .lanes = LANES,
};

#endif
