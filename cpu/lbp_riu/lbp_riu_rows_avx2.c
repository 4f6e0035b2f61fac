/*
 * lbp_riu rows with AVX2, 32 pixels at a time, 16 to a vector.
 *
 * An element is two bytes, a pixel and the one to its right, so that one instruction multiplies the
 * elements of 16 pixels by two weights each and adds the two products. The weights have to fit
 * signed bytes and the sums 16 bits; so each weight is split into w = 128·high + low, and
 *
 *     Σ w·pixel ≥ c·2^14   when   Σ high·pixel + floor(Σ low·pixel / 128) ≥ 128·c.
 *
 * Low parts are w % 128 or that less 128, of sum 0: the positive ones then add up to 128 at most,
 * and no sum exceeds 255·128. (One weight close to 2^14 keeps its positive low part, since its high
 * part would be 128; the low parts then add up to 128, all of them positive.) All of this takes
 * half of the instructions of sums in 32 bits. A code here is 1 where the definition says 0.
 */
#include "cpu_features.h"
#include "simd_avx2.h"

#if CPU_HAS_X86_64

#define LBP_RIU_LANES 32
#define LBP_RIU_TARGET __attribute__((target("avx2")))
#include "lbp_riu_count_vector.h"

#include <immintrin.h>

enum {
    LANES = 16,             /* pixels in a vector of elements */
    VECTORS = 32 / LANES,   /* that are worked on together */
    STEP = VECTORS * LANES, /* pixels */
    ROUND = 16,             /* points whose bits a lane has room for */
    ROUNDS = LBP_RIU_POINTS_MAX / ROUND,
    ELEMENT = 2, /* bytes */
    LOW_BITS = 7,
    BASE = 1 << LOW_BITS
};

/* Weights of the two pixels of an element: bytes of a 16-bit number. */
typedef struct SplitTap {
    int32_t dx, dy;
    bool below; /* the row below has weight */
    uint16_t low[2], high[2];
    uint16_t bit; /* of the code */
} SplitTap;

/* Up to ROUND points; those that fall on a pixel are the first. */
typedef struct Round {
    int whole, count;
    SplitTap taps[ROUND];
} Round;

typedef struct Prepared {
    Round rounds[ROUNDS];
} Prepared;

/* A point in one row of a block: elements beside those of the first pixel. */
typedef struct Source {
    const uint8_t *upper, *lower;
    const SplitTap *tap;
} Source;

typedef struct Sources {
    int whole, count;
    Source list[ROUND];
} Sources;

/* Moves the tap to the pixel that has all weight, if one has. */
static bool falls_on_pixel(const LbpRiuTap *tap, SplitTap *split) {
    for (int i = 0; i < 4; i++) {
        if (tap->weight[i] == LBP_RIU_WEIGHT_SUM) {
            split->dx += i % 2;
            split->dy += i / 2;
            return true;
        }
    }
    return false;
}

static void split_weights(const int32_t weight[4], int32_t low[4], int32_t high[4]) {
    int32_t sum = 0;
    for (int i = 0; i < 4; i++) {
        low[i] = weight[i] % BASE;
        sum += low[i];
    }
    for (; sum > 0; sum -= BASE) {
        int largest = 0;
        for (int i = 1; i < 4; i++) {
            largest = low[i] > low[largest] ? i : largest;
        }
        low[largest] -= BASE;
    }
    for (int i = 0; i < 4; i++) {
        high[i] = (weight[i] - low[i]) / BASE;
        if (high[i] == BASE) {
            low[i] += BASE;
            --high[i];
        }
    }
}

static uint16_t pair_of_bytes(const int32_t values[2]) {
    return (uint16_t)((values[0] & 0xFF) | (values[1] & 0xFF) << 8);
}

static void prepare(const LbpRiuPattern *pattern, void *prepared) {
    Prepared *to = prepared;
    *to = (Prepared){.rounds = {{.count = 0}}};
    for (int p = 0; p < pattern->points; p++) {
        const LbpRiuTap *tap = &pattern->taps[p];
        Round *round = &to->rounds[p / ROUND];
        SplitTap split = {.dx = tap->dx, .dy = tap->dy, .bit = (uint16_t)(1U << p % ROUND)};
        int place = round->count++;
        if (falls_on_pixel(tap, &split)) {
            round->taps[place] = round->taps[round->whole];
            place = round->whole++;
        } else {
            int32_t low[4];
            int32_t high[4];
            split_weights(tap->weight, low, high);
            split.below = tap->weight[2] + tap->weight[3] != 0;
            for (int row = 0; row < 2; row++) {
                split.low[row] = pair_of_bytes(low + 2 * row);
                split.high[row] = pair_of_bytes(high + 2 * row);
            }
        }
        round->taps[place] = split;
    }
}

static Sources find_sources(const Round *round, const LbpRiuRow *row) {
    Sources sources = {.whole = round->whole, .count = round->count};
    for (int i = 0; i < round->count; i++) {
        const SplitTap *tap = &round->taps[i];
        const ptrdiff_t offset = (ptrdiff_t)tap->dx * ELEMENT;
        const uint8_t *upper = row->rows[tap->dy] + offset;
        const uint8_t *lower = tap->below ? row->rows[tap->dy + 1] + offset : upper;
        sources.list[i] = (Source){.upper = upper, .lower = lower, .tap = tap};
    }
    return sources;
}

static inline LBP_RIU_TARGET __m256i twice(uint16_t number) {
    return _mm256_set1_epi16((short)number);
}

static inline LBP_RIU_TARGET __m256i first_pixels(const uint8_t *elements) {
    return _mm256_and_si256(load(elements), _mm256_set1_epi16(0xFF));
}

/* Sets `bit` where the point's value is below the centre's. */
static inline LBP_RIU_TARGET __m256i add_bit(__m256i codes, __m256i centres, __m256i values,
                                             __m256i bit) {
    const __m256i below = _mm256_cmpgt_epi16(centres, values);
    return _mm256_or_si256(codes, _mm256_and_si256(below, bit));
}

/* The sum of products of two rows. */
static inline LBP_RIU_TARGET __m256i weigh(__m256i upper, __m256i lower, __m256i upper_weights,
                                           __m256i lower_weights) {
    return _mm256_add_epi16(_mm256_maddubs_epi16(upper, upper_weights),
                            _mm256_maddubs_epi16(lower, lower_weights));
}

/* The codes of STEP pixels from pixel x on. */
static inline LBP_RIU_TARGET void make_codes(const Sources *sources, const uint8_t *centres,
                                             size_t at, __m256i codes[VECTORS]) {
    __m256i centre[VECTORS];
    for (int i = 0; i < VECTORS; i++) {
        centre[i] = first_pixels(centres + at + i * 32);
        codes[i] = _mm256_setzero_si256();
    }
    const Source *source = sources->list;
    for (; source < sources->list + sources->whole; source++) {
        const __m256i bit = twice(source->tap->bit);
        for (int i = 0; i < VECTORS; i++) {
            const __m256i pixels = first_pixels(source->upper + at + i * 32);
            codes[i] = add_bit(codes[i], centre[i], pixels, bit);
        }
    }
    for (int i = 0; i < VECTORS; i++) {
        centre[i] = _mm256_slli_epi16(centre[i], LOW_BITS);
    }
    for (; source < sources->list + sources->count; source++) {
        const SplitTap *tap = source->tap;
        const __m256i bit = twice(tap->bit);
        const __m256i low[2] = {twice(tap->low[0]), twice(tap->low[1])};
        const __m256i high[2] = {twice(tap->high[0]), twice(tap->high[1])};
        for (int i = 0; i < VECTORS; i++) {
            const __m256i upper = load(source->upper + at + i * 32);
            const __m256i lower = load(source->lower + at + i * 32);
            const __m256i rest = _mm256_srai_epi16(weigh(upper, lower, low[0], low[1]), LOW_BITS);
            const __m256i sum = _mm256_add_epi16(weigh(upper, lower, high[0], high[1]), rest);
            codes[i] = add_bit(codes[i], centre[i], sum, bit);
        }
    }
}

/* In each byte. */
static inline LBP_RIU_TARGET __m256i ones_in_bytes(__m256i codes) {
    const __m256i ones = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, /* */
                                          0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i nibble = _mm256_set1_epi8(0xF);
    const __m256i low = _mm256_and_si256(codes, nibble);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(codes, 4), nibble);
    return _mm256_add_epi8(_mm256_shuffle_epi8(ones, low), _mm256_shuffle_epi8(ones, high));
}

/* Bins of codes of up to 16 points. Uniform ones have two changes at most: nothing is left of the
 * changes without the lowest two. */
static inline LBP_RIU_TARGET __m256i bins_of_words(__m256i code, int points) {
    const __m256i one = _mm256_set1_epi16(1);
    const __m256i around = _mm256_sll_epi16(code, _mm_cvtsi32_si128(points - 1));
    const __m256i turned = _mm256_or_si256(_mm256_srli_epi16(code, 1), around);
    const __m256i all = _mm256_set1_epi16((short)(0xFFFF >> (16 - points)));
    const __m256i changes = _mm256_and_si256(_mm256_xor_si256(code, turned), all);
    const __m256i fewer = _mm256_and_si256(changes, _mm256_sub_epi16(changes, one));
    const __m256i rest = _mm256_and_si256(fewer, _mm256_sub_epi16(fewer, one));
    const __m256i uniform = _mm256_cmpeq_epi16(rest, _mm256_setzero_si256());
    const __m256i zeros = _mm256_maddubs_epi16(ones_in_bytes(code), _mm256_set1_epi8(1));
    const __m256i ones = _mm256_sub_epi16(_mm256_set1_epi16((short)points), zeros);
    return _mm256_blendv_epi8(_mm256_set1_epi16((short)(points + 1)), ones, uniform);
}

/* The same of 17 points and more. */
static inline LBP_RIU_TARGET __m256i bins_of_doublewords(__m256i code, int points) {
    const __m256i one = _mm256_set1_epi32(1);
    const __m256i around = _mm256_sll_epi32(code, _mm_cvtsi32_si128(points - 1));
    const __m256i turned = _mm256_or_si256(_mm256_srli_epi32(code, 1), around);
    const __m256i all = _mm256_set1_epi32((int)(0xFFFFFFFF >> (32 - points)));
    const __m256i changes = _mm256_and_si256(_mm256_xor_si256(code, turned), all);
    const __m256i fewer = _mm256_and_si256(changes, _mm256_sub_epi32(changes, one));
    const __m256i rest = _mm256_and_si256(fewer, _mm256_sub_epi32(fewer, one));
    const __m256i uniform = _mm256_cmpeq_epi32(rest, _mm256_setzero_si256());
    const __m256i words = _mm256_maddubs_epi16(ones_in_bytes(code), _mm256_set1_epi8(1));
    const __m256i zeros = _mm256_madd_epi16(words, _mm256_set1_epi16(1));
    const __m256i ones = _mm256_sub_epi32(_mm256_set1_epi32(points), zeros);
    return _mm256_blendv_epi8(_mm256_set1_epi32(points + 1), ones, uniform);
}

/* Packing interleaves the halves of two vectors; this puts them in order. */
static inline LBP_RIU_TARGET __m256i pack_bins(__m256i first, __m256i second) {
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(first, second), 0xD8);
}

static LBP_RIU_TARGET void make_bins_16(const LbpRiuRow *row) {
    const Prepared *prepared = row->prepared;
    const int points = row->pattern->points;
    const Sources sources = find_sources(&prepared->rounds[0], row);
    for (int32_t x = 0; x < row->count; x += STEP) {
        __m256i codes[VECTORS];
        make_codes(&sources, row->rows[0], (size_t)x * ELEMENT, codes);
        store(row->bins + x,
              pack_bins(bins_of_words(codes[0], points), bins_of_words(codes[1], points)));
    }
}

static LBP_RIU_TARGET void make_bins_32(const LbpRiuRow *row) {
    const Prepared *prepared = row->prepared;
    const int points = row->pattern->points;
    const Sources first = find_sources(&prepared->rounds[0], row);
    const Sources second = find_sources(&prepared->rounds[1], row);
    for (int32_t x = 0; x < row->count; x += STEP) {
        __m256i low[VECTORS];
        __m256i high[VECTORS];
        __m256i bins[VECTORS];
        make_codes(&first, row->rows[0], (size_t)x * ELEMENT, low);
        make_codes(&second, row->rows[0], (size_t)x * ELEMENT, high);
        for (int i = 0; i < VECTORS; i++) {
            const __m256i left =
                bins_of_doublewords(_mm256_unpacklo_epi16(low[i], high[i]), points);
            const __m256i right =
                bins_of_doublewords(_mm256_unpackhi_epi16(low[i], high[i]), points);
            bins[i] = _mm256_packus_epi32(left, right);
        }
        store(row->bins + x, pack_bins(bins[0], bins[1]));
    }
}

static void make_bins(const LbpRiuRow *row) {
    if (row->pattern->points <= ROUND) {
        make_bins_16(row);
    } else {
        make_bins_32(row);
    }
}

static LBP_RIU_TARGET void make_elements(const uint8_t *row, const uint8_t *below, int32_t count,
                                         void *elements) {
    (void)below;
    uint8_t *to = elements;
    for (int32_t x = 0; x < count; x += 32, to += 64) {
        /* Unpacking interleaves within halves: the quarters are put in the order that makes up. */
        const __m256i pixels = _mm256_permute4x64_epi64(load(row + x), 0xD8);
        const __m256i next = _mm256_permute4x64_epi64(load(row + x + 1), 0xD8);
        store(to, _mm256_unpacklo_epi8(pixels, next));
        store(to + 32, _mm256_unpackhi_epi8(pixels, next));
    }
}

static const LbpRiuSteps avx2_steps = {
    .element_bytes = ELEMENT,
    .prepared_bytes = sizeof(Prepared),
    .prepare = prepare,
    .make_elements = make_elements,
    .make_bins = make_bins,
    .count_bins = count_bins,
};

static size_t scratch_bytes(int32_t width, const LbpRiuPattern *pattern) {
    return lbp_riu_blocks_scratch_bytes(&avx2_steps, width, pattern);
}

static void process(const LbpRiuBand *band) {
    lbp_riu_blocks_process(&avx2_steps, band);
}

#else

#include "lbp_riu_internal.h"

static size_t scratch_bytes(int32_t width, const LbpRiuPattern *pattern) {
    return lbp_riu_kernel_plain.scratch_bytes(width, pattern);
}

static void process(const LbpRiuBand *band) {
    lbp_riu_kernel_plain.process(band);
}

#endif

const LbpRiuKernel lbp_riu_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
    .scratch_bytes = scratch_bytes,
    .process = process,
};
