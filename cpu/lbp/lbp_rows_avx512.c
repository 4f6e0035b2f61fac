/*
 * lbp rows with AVX-512: 64 pixels at a time, four rows at a time, counted by lbp_streams.
 *
 * A neighbour's comparison is a mask of 64 bits, which adds that neighbour's weight to the codes
 * where it holds; masks also keep the first and the last column inside the image. Four rows share
 * their loads, so that a column of 4×64 pixels reads 6 rows × 3 shifts, not 4 × 9 vectors, most of
 * which would cross a cache line.
 *
 * What was tried, in one run: nanoseconds per pixel at 1080p, in the last-level cache, on one
 * thread of a Zen 4 server at about 3.6 GHz, gcc 12 -O3, least of 300; textures are as noise.
 *
 *                                                                            noise  flat
 *   memcpy of the image                                                      0.020  0.021
 *   codes alone     9 loads per vector                                       0.064  0.064
 *                   9 loads, saturated differences in place of masks         0.077  0.077
 *                   9 loads, stores that bypass the cache                    0.065  0.065
 *                   four rows at a time                                      0.050  0.052
 *   counting alone  8 tables of 32-bit counters                              0.275  0.285
 *                   4 tables                                                 0.276  0.281
 *   both            a row of codes, then its counts                          0.340  0.347
 *                   64 codes, then their counts: loads wait for the store    0.459  0.492
 *                   the same, 8 codes 255 at once                            0.523  0.134
 *                   64 codes, then the counts of the 64 before               0.306  0.387
 *                   rows, pairs of codes in a table of 65536 16-bit counters 0.269  0.953
 *                   population counts of 255 sets of bit planes              0.340  0.336
 *                   four streams, 63 sets each, row by row                   0.246  0.225
 *                   this file                                                0.232  0.219
 *                   AVX2 (lbp_rows_vector.h)                                 0.311  0.376
 *
 * Counting one row of four in tables, so that integer units share the work, took 0.268 where this
 * took 0.233. Codes (0.05) and population counts (0.10), measured alone, leave 0.08 for sorting
 * into streams: four unaligned 64-byte stores and two moves out of mask registers, which share a
 * port. The population counts are bound by vector instructions: an AND, a count and an addition for
 * each of 63 sets per 512 pixels. Time hardly depends on the image: there are no counters in
 * memory to collide in, and no branches on codes. From memory, at 8K, it took 0.26 beside 0.10 for
 * memcpy.
 */
#include "lbp_internal.h"
#include "lbp_streams_avx512.h"

#if CPU_HAS_X86_64

enum { LANES = 64, ROWS_AT_ONCE = 4 };

typedef struct Scratch {
    LbpStreams streams;
    uint8_t zero_row[]; /* lbp_zero_row_bytes(width) */
} Scratch;

/* Up to four rows that are worked on together, with their neighbours above and below. */
typedef struct Rows {
    int count;
    const uint8_t *pixels[ROWS_AT_ONCE + 2]; /* pixels[i + 1] is the row of codes[i] */
    uint8_t *codes[ROWS_AT_ONCE];
} Rows;

/* Which lanes of a column of 64 pixels are inside the image, with the pixels beside them. */
typedef struct Column {
    int32_t x;
    __mmask64 left, centre, right;
} Column;

typedef struct Shifts {
    __m512i left, centre, right; /* the pixels at x - 1, x, x + 1 */
} Shifts;

static inline LBP_AVX512 Shifts load_shifts(const uint8_t *row, const Column *column) {
    const uint8_t *at = row + column->x;
    return (Shifts){
        .left = _mm512_maskz_loadu_epi8(column->left, at - 1),
        .centre = _mm512_maskz_loadu_epi8(column->centre, at),
        .right = _mm512_maskz_loadu_epi8(column->right, at + 1),
    };
}

static inline LBP_AVX512 __m512i set_bit(__m512i codes, __mmask64 where, int p) {
    return _mm512_mask_add_epi8(codes, where, codes, _mm512_set1_epi8((char)(1 << p)));
}

static inline LBP_AVX512 void code_row(const Shifts *above, const Shifts *here, const Shifts *below,
                                       const Column *column, uint8_t *codes, LbpStreams *streams) {
    const __m512i c = here->centre;
    const __mmask64 bit6 = _mm512_cmpge_epu8_mask(below->centre, c);
    const __mmask64 bit7 = _mm512_cmpge_epu8_mask(below->right, c);
    __m512i code = _mm512_setzero_si512();
    code = set_bit(code, _mm512_cmpge_epu8_mask(above->left, c), 0);
    code = set_bit(code, _mm512_cmpge_epu8_mask(above->centre, c), 1);
    code = set_bit(code, _mm512_cmpge_epu8_mask(above->right, c), 2);
    code = set_bit(code, _mm512_cmpge_epu8_mask(here->left, c), 3);
    code = set_bit(code, _mm512_cmpge_epu8_mask(here->right, c), 4);
    code = set_bit(code, _mm512_cmpge_epu8_mask(below->left, c), 5);
    code = set_bit(code, bit6, 6);
    code = set_bit(code, bit7, 7);
    _mm512_mask_storeu_epi8(codes + column->x, column->centre, code);
    lbp_streams_append(streams, code, bit6, bit7, column->centre);
}

static inline LBP_AVX512 void code_column(const Rows *rows, int count, const Column *column,
                                          LbpStreams *streams) {
    Shifts above = load_shifts(rows->pixels[0], column);
    Shifts here = load_shifts(rows->pixels[1], column);
#pragma GCC unroll 4
    for (int i = 0; i < count; i++) {
        const Shifts below = load_shifts(rows->pixels[i + 2], column);
        code_row(&above, &here, &below, column, rows->codes[i], streams);
        above = here;
        here = below;
    }
    lbp_streams_drain(streams);
}

static inline __mmask64 first_lanes(int32_t count) {
    return count >= LANES ? ~(__mmask64)0 : ((__mmask64)1 << count) - 1;
}

static inline Column border_column(int32_t x, int32_t width) {
    const __mmask64 centre = first_lanes(width - x);
    return (Column){
        .x = x,
        .left = x == 0 ? centre & ~(__mmask64)1 : centre,
        .centre = centre,
        .right = first_lanes(width - 1 - x),
    };
}

static inline LBP_AVX512 void process_rows(const Rows *rows, int count, int32_t width,
                                           LbpStreams *streams) {
    const Column first = border_column(0, width);
    code_column(rows, count, &first, streams);
    int32_t x = LANES;
    for (; x + LANES < width; x += LANES) {
        /* Constant masks disappear from the code. */
        const Column inside = {
            .x = x, .left = ~(__mmask64)0, .centre = ~(__mmask64)0, .right = ~(__mmask64)0};
        code_column(rows, count, &inside, streams);
    }
    if (x < width) {
        const Column last = border_column(x, width);
        code_column(rows, count, &last, streams);
    }
}

static LBP_AVX512 void avx512_process(const LbpBand *band) {
    const Image *image = band->image;
    Scratch *scratch = band->scratch;
    const uint8_t *zeros = lbp_make_zero_row(scratch->zero_row, image->width);
    lbp_streams_begin(&scratch->streams);
    for (int32_t y = band->first; y < band->last; y += ROWS_AT_ONCE) {
        const int32_t left = band->last - y;
        Rows rows = {.count = left < ROWS_AT_ONCE ? (int)left : ROWS_AT_ONCE};
        for (int i = 0; i < rows.count + 2; i++) {
            rows.pixels[i] = lbp_row_or_zeros(image, y + i - 1, zeros);
        }
        for (int i = 0; i < rows.count; i++) {
            rows.codes[i] = band->codes + (size_t)(y + i) * (size_t)image->width;
        }
        /* The constant lets the compiler unroll the loops over rows. */
        if (rows.count == ROWS_AT_ONCE) {
            process_rows(&rows, ROWS_AT_ONCE, image->width, &scratch->streams);
        } else {
            process_rows(&rows, rows.count, image->width, &scratch->streams);
        }
    }
    lbp_streams_finish(&scratch->streams, band->histogram);
}

static bool avx512_supported(void) {
    return cpu_has_avx512_bytes_and_bits();
}

static size_t avx512_scratch_bytes(int32_t width) {
    return sizeof(Scratch) + lbp_zero_row_bytes(width);
}

#else

static void avx512_process(const LbpBand *band) {
    lbp_kernel_plain.process(band);
}

static bool avx512_supported(void) {
    return false;
}

static size_t avx512_scratch_bytes(int32_t width) {
    return lbp_kernel_plain.scratch_bytes(width);
}

#endif

const LbpKernel lbp_kernel_avx512 = {
    .name = "avx512",
    .supported = avx512_supported,
    .scratch_bytes = avx512_scratch_bytes,
    .process = avx512_process,
};
