#include "lbp_streams_avx512.h"

#if CPU_HAS_X86_64

#include <string.h>

enum {
    VECTOR = 64,       /* bytes */
    PLANE_CODES = 512, /* codes that one vector of bits stands for */
    PLANE_VECTORS = LBP_STREAM_BLOCK / PLANE_CODES,
    HALF_SETS = 8 /* subsets of three bits */
};

/* For each subset of three bits, the AND of their planes; subset 0 is not used. */
typedef __m512i HalfSets[HALF_SETS][PLANE_VECTORS];

void lbp_streams_begin(LbpStreams *streams) {
    memset(streams->sums, 0, sizeof streams->sums);
    for (int i = 0; i < LBP_STREAMS; i++) {
        streams->end[i] = streams->codes[i];
    }
}

static inline LBP_AVX512 void store_half_sets(HalfSets sets, int vector, __m512i a, __m512i b,
                                              __m512i c) {
    const __m512i ab = _mm512_and_si512(a, b);
    sets[1][vector] = a;
    sets[2][vector] = b;
    sets[3][vector] = ab;
    sets[4][vector] = c;
    sets[5][vector] = _mm512_and_si512(a, c);
    sets[6][vector] = _mm512_and_si512(b, c);
    sets[7][vector] = _mm512_and_si512(ab, c);
}

/* 64 codes as eight 64-bit planes, plane p in lane p. The order of the codes within a plane is of
 * no consequence to a count. */
static inline LBP_AVX512 __m512i planes_of_64(const uint8_t *codes, __m512i byte_order) {
    /* Multiplying the unit vectors by eight codes, as an 8×8 matrix of bits, transposes it. */
    const __m512i units = _mm512_set1_epi64((long long)0x8040201008040201);
    const __m512i transposed = _mm512_gf2p8affine_epi64_epi8(units, _mm512_loadu_si512(codes), 0);
    return _mm512_permutexvar_epi8(byte_order, transposed);
}

static inline LBP_AVX512 void make_half_sets(const uint8_t *codes, int vector, __m512i byte_order,
                                             HalfSets low, HalfSets high) {
    __m512i p[8];
    for (int i = 0; i < 8; i++) {
        p[i] = planes_of_64(codes + i * VECTOR, byte_order);
    }
    /* An 8×8 transposition of 64-bit lanes, of which planes 6 and 7 are not needed. */
    __m512i even[4];
    __m512i odd[4];
    for (int i = 0; i < 4; i++) {
        even[i] = _mm512_unpacklo_epi64(p[2 * i], p[2 * i + 1]);
        odd[i] = _mm512_unpackhi_epi64(p[2 * i], p[2 * i + 1]);
    }
    enum { LANES_0_2 = 0x88, LANES_1_3 = 0xDD };
    const __m512i planes04[2] = {_mm512_shuffle_i64x2(even[0], even[1], LANES_0_2),
                                 _mm512_shuffle_i64x2(even[2], even[3], LANES_0_2)};
    const __m512i planes26[2] = {_mm512_shuffle_i64x2(even[0], even[1], LANES_1_3),
                                 _mm512_shuffle_i64x2(even[2], even[3], LANES_1_3)};
    const __m512i planes15[2] = {_mm512_shuffle_i64x2(odd[0], odd[1], LANES_0_2),
                                 _mm512_shuffle_i64x2(odd[2], odd[3], LANES_0_2)};
    const __m512i planes37[2] = {_mm512_shuffle_i64x2(odd[0], odd[1], LANES_1_3),
                                 _mm512_shuffle_i64x2(odd[2], odd[3], LANES_1_3)};
    store_half_sets(low, vector, _mm512_shuffle_i64x2(planes04[0], planes04[1], LANES_0_2),
                    _mm512_shuffle_i64x2(planes15[0], planes15[1], LANES_0_2),
                    _mm512_shuffle_i64x2(planes26[0], planes26[1], LANES_0_2));
    store_half_sets(high, vector, _mm512_shuffle_i64x2(planes37[0], planes37[1], LANES_0_2),
                    _mm512_shuffle_i64x2(planes04[0], planes04[1], LANES_1_3),
                    _mm512_shuffle_i64x2(planes15[0], planes15[1], LANES_1_3));
}

static inline LBP_AVX512 __m512i add_ones(__m512i sum, __m512i bits) {
    return _mm512_add_epi64(sum, _mm512_popcnt_epi64(bits));
}

/* Sets without a high bit: the low sets themselves. The empty set holds every code. */
static inline LBP_AVX512 void count_low_sets(HalfSets low, __m512i *sums) {
    for (int set = 1; set < HALF_SETS; set++) {
        for (int vector = 0; vector < PLANE_VECTORS; vector++) {
            sums[set] = add_ones(sums[set], low[set][vector]);
        }
    }
    sums[0] = _mm512_add_epi64(sums[0], _mm512_set1_epi64(LBP_STREAM_BLOCK / 8));
}

/* Sets of one high subset with all low ones; the eight sums stay in registers. */
static inline LBP_AVX512 void count_high_set(const __m512i *high, HalfSets low, __m512i *sums) {
    __m512i sum[HALF_SETS];
    for (int set = 0; set < HALF_SETS; set++) {
        sum[set] = sums[set];
    }
    for (int vector = 0; vector < PLANE_VECTORS; vector++) {
        sum[0] = add_ones(sum[0], high[vector]);
#pragma GCC unroll 8
        for (int set = 1; set < HALF_SETS; set++) {
            sum[set] = add_ones(sum[set], _mm512_and_si512(high[vector], low[set][vector]));
        }
    }
    for (int set = 0; set < HALF_SETS; set++) {
        sums[set] = sum[set];
    }
}

LBP_AVX512 void lbp_streams_count_block(LbpStreams *streams, int stream) {
    /* Byte 8·q + p of the transposed codes belongs to plane p. */
    uint8_t order[VECTOR];
    for (int i = 0; i < VECTOR; i++) {
        order[i] = (uint8_t)(i % 8 * 8 + i / 8);
    }
    const __m512i byte_order = _mm512_loadu_si512(order);
    uint8_t *codes = streams->codes[stream];
    HalfSets low;
    HalfSets high;
    for (int vector = 0; vector < PLANE_VECTORS; vector++) {
        make_half_sets(codes + vector * PLANE_CODES, vector, byte_order, low, high);
    }
    __m512i *sums = streams->sums[stream];
    count_low_sets(low, sums);
    for (int set = 1; set < HALF_SETS; set++) {
        count_high_set(high[set], low, sums + set * HALF_SETS);
    }
    memcpy(codes, codes + LBP_STREAM_BLOCK, LBP_STREAM_SLACK);
    streams->end[stream] -= LBP_STREAM_BLOCK;
}

static LBP_AVX512 void finish_stream(const LbpStreams *streams, int stream, uint64_t *histogram) {
    uint64_t counts[LBP_STREAM_SETS];
    for (int set = 0; set < LBP_STREAM_SETS; set++) {
        counts[set] = (uint64_t)_mm512_reduce_add_epi64(streams->sums[stream][set]);
    }
    /* From codes with at least the bits of a set to codes with exactly these. */
    for (int bit = 1; bit < LBP_STREAM_SETS; bit *= 2) {
        for (int set = 0; set < LBP_STREAM_SETS; set++) {
            if ((set & bit) == 0) {
                counts[set] -= counts[set | bit];
            }
        }
    }
    for (int set = 0; set < LBP_STREAM_SETS; set++) {
        histogram[stream * LBP_STREAM_SETS + set] += counts[set];
    }
    for (const uint8_t *code = streams->codes[stream]; code < streams->end[stream]; code++) {
        histogram[*code]++;
    }
}

void lbp_streams_finish(LbpStreams *streams, uint64_t *histogram) {
    for (int stream = 0; stream < LBP_STREAMS; stream++) {
        finish_stream(streams, stream, histogram);
    }
}

#endif
