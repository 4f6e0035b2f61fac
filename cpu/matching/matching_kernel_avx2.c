/* matching with AVX2: eight rows at a time; bits are counted by a table of four bits each. */
#include "cpu_features.h"
#include "matching_internal.h"
#include "simd_avx2.h"

enum { LANES = 8 };

#if CPU_HAS_X86_64

#include <immintrin.h>

#define MATCHING_TARGET __attribute__((target("avx2")))

enum { BLOCKS = 1, L2_SHIFT = MATCHING_INDEX_BITS };

typedef __m256i Vector;

static inline MATCHING_TARGET Vector spread(uint32_t number) {
    return _mm256_set1_epi32((int32_t)number);
}

static inline MATCHING_TARGET Vector shift_left(Vector numbers, int count) {
    return _mm256_slli_epi32(numbers, count);
}

static inline MATCHING_TARGET Vector smallest(Vector a, Vector b) {
    return _mm256_min_epu32(a, b);
}

static inline MATCHING_TARGET Vector lane_numbers(void) {
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}

/* Counts are added up in bytes, which eight words do not fill. */
static inline MATCHING_TARGET Vector start_bits(Vector sum) {
    (void)sum;
    return _mm256_setzero_si256();
}

static inline MATCHING_TARGET Vector add_bits(Vector part, Vector a, Vector b) {
    const Vector counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                           2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const Vector four = _mm256_set1_epi8(15);
    const Vector bits = _mm256_xor_si256(a, b);
    const Vector low = _mm256_shuffle_epi8(counts, _mm256_and_si256(bits, four));
    const Vector high =
        _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16(bits, 4), four));
    return _mm256_add_epi8(part, _mm256_add_epi8(low, high));
}

static inline MATCHING_TARGET Vector finish_bits(Vector sum, Vector part) {
    const Vector pairs = _mm256_maddubs_epi16(part, _mm256_set1_epi8(1));
    return add_32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

static inline MATCHING_TARGET Vector add_squares(Vector sum, Vector a, Vector b) {
    const Vector byte = _mm256_set1_epi16(255);
    const Vector low = _mm256_sub_epi16(_mm256_and_si256(a, byte), _mm256_and_si256(b, byte));
    const Vector high = _mm256_sub_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8));
    return add_32(sum, add_32(_mm256_madd_epi16(low, low), _mm256_madd_epi16(high, high)));
}

#include "matching_kernel_vector.h"

const MatchingKernel matching_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
    .lanes = LANES,
    .hamming = hamming,
    .l2 = l2,
};

#else

const MatchingKernel matching_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
    .lanes = LANES,
};

#endif
