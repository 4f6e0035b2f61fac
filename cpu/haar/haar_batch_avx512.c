/* haar batches with AVX-512: sixteen images at a time. */
#include "cpu_features.h"
#include "haar_internal.h"
#include "simd_avx512.h"

#if CPU_HAS_X86_64

#include <immintrin.h>

#define HAAR_TARGET __attribute__((target("avx512f,popcnt")))

enum { LANES = 16 };

typedef __m512i Vector;
typedef __mmask16 Mask;

static inline HAAR_TARGET Mask at_least(Vector a, Vector b) {
    return _mm512_cmpge_epu32_mask(a, b);
}

/* Eight records; those of the mask stand first. */
static inline HAAR_TARGET uint64_t *append_half(__mmask8 mask, __m256i raised, __m512i bits,
                                                uint64_t *at) {
    const __m512i records = _mm512_add_epi64(_mm512_cvtepi32_epi64(raised), bits);
    _mm512_storeu_si512(at, _mm512_maskz_compress_epi64(mask, records));
    return at + __builtin_popcount(mask);
}

static inline HAAR_TARGET uint64_t *append(const HaarBatch *batch, Mask mask, Vector raised,
                                           uint64_t bits, uint64_t *at) {
    const __m128i shift = _mm_cvtsi32_si128(batch->packing.image_shift);
    const __m512i lower = _mm512_add_epi64(_mm512_set1_epi64(batch->first),
                                           _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
    const __m512i upper = _mm512_add_epi64(lower, _mm512_set1_epi64(LANES / 2));
    const __m512i all = _mm512_set1_epi64((int64_t)bits);
    at = append_half((__mmask8)mask, _mm512_castsi512_si256(raised),
                     _mm512_add_epi64(all, _mm512_sll_epi64(lower, shift)), at);
    return append_half((__mmask8)(mask >> LANES / 2), _mm512_extracti64x4_epi64(raised, 1),
                       _mm512_add_epi64(all, _mm512_sll_epi64(upper, shift)), at);
}

#include "haar_batch_vector.h"

const HaarKernel haar_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512,
    .lanes = LANES,
    .collect = collect,
    .count = count,
};

#else

const HaarKernel haar_kernel_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512,
};

#endif
