/*
 * lbp_streams: counting codes with AVX-512 without a table of counters.
 *
 * Codes are sorted by their two highest bits into four streams. Whenever a stream holds
 * LBP_STREAM_BLOCK codes, they are turned into bit planes, and for each of the 64 sets of the six
 * low bits the codes that have all bits of the set are counted: AND of planes, population count.
 * lbp_streams_finish makes counts of codes from these by inclusion and exclusion.
 */
#ifndef CPU_LBP_STREAMS_AVX512_H
#define CPU_LBP_STREAMS_AVX512_H

#include "cpu_features.h"

#if CPU_HAS_X86_64

#include <immintrin.h>
#include <stdint.h>

#define LBP_AVX512                                                                                 \
    __attribute__((                                                                                \
        target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,bmi,popcnt")))

enum {
    LBP_STREAMS = 4,         /* one per value of the code's bits 6 and 7 */
    LBP_STREAM_SETS = 64,    /* subsets of bits 0…5 */
    LBP_STREAM_BLOCK = 4096, /* codes counted at once */
    LBP_STREAM_SLACK = 256   /* codes that may be appended between two drains */
};

typedef struct LbpStreams {
    __m512i sums[LBP_STREAMS][LBP_STREAM_SETS]; /* eight partial sums each */
    uint8_t codes[LBP_STREAMS][LBP_STREAM_BLOCK + LBP_STREAM_SLACK + 64]; /* whole vectors */
    uint8_t *end[LBP_STREAMS];                                            /* behind the last code */
} LbpStreams;

void lbp_streams_begin(LbpStreams *streams);
/* Counts the first LBP_STREAM_BLOCK codes of a stream and removes them. */
void lbp_streams_count_block(LbpStreams *streams, int stream);
/* Adds the counts of all appended codes to the histogram. */
void lbp_streams_finish(LbpStreams *streams, uint64_t *histogram);

/* Counts and removes what has come to a block. To be called at least every LBP_STREAM_SLACK codes,
 * and apart from appending: around a call, vectors would have to be kept in memory. */
static inline LBP_AVX512 void lbp_streams_drain(LbpStreams *streams) {
    for (int stream = 0; stream < LBP_STREAMS; stream++) {
        const uint8_t *full = streams->codes[stream] + LBP_STREAM_BLOCK;
        if (__builtin_expect(streams->end[stream] >= full, 0)) {
            lbp_streams_count_block(streams, stream);
        }
    }
}

static inline LBP_AVX512 void lbp_stream_append(LbpStreams *streams, int stream, __m512i codes,
                                                __mmask64 chosen, uint64_t count) {
    /* Compressing straight to memory is microcoded on some processors; this is not. */
    _mm512_storeu_si512(streams->end[stream], _mm512_maskz_compress_epi8(chosen, codes));
    streams->end[stream] += count;
}

/* Appends the codes of the lanes in `valid`; `bit6` and `bit7` are masks of these bits. */
static inline LBP_AVX512 void lbp_streams_append(LbpStreams *streams, __m512i codes, __mmask64 bit6,
                                                 __mmask64 bit7, __mmask64 valid) {
    /* Moving a mask to a general register is slow: two moves give all four counts. */
    const uint64_t six = _cvtmask64_u64(_kand_mask64(bit6, valid));
    const uint64_t seven = _cvtmask64_u64(_kand_mask64(bit7, valid));
    const uint64_t both = (uint64_t)__builtin_popcountll(six & seven);
    const uint64_t only_six = (uint64_t)__builtin_popcountll(six) - both;
    const uint64_t only_seven = (uint64_t)__builtin_popcountll(seven) - both;
    const uint64_t all = (uint64_t)__builtin_popcountll(_cvtmask64_u64(valid));
    lbp_stream_append(streams, 0, codes, _kandn_mask64(_kor_mask64(bit6, bit7), valid),
                      all - both - only_six - only_seven);
    lbp_stream_append(streams, 1, codes, _kand_mask64(_kandn_mask64(bit7, bit6), valid), only_six);
    lbp_stream_append(streams, 2, codes, _kand_mask64(_kandn_mask64(bit6, bit7), valid),
                      only_seven);
    lbp_stream_append(streams, 3, codes, _kand_mask64(_kand_mask64(bit6, bit7), valid), both);
}

#endif

#endif
