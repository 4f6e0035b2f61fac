/*
 * Values and signs in vectors, with what hashsift_patch_vector.h needs; it gets `values` and
 * `signs` of a kernel.
 *
 * Orientation bins are eighths of a circle, so a gradient votes for one of the four along the axes
 * and for the next one on the side of the other axis, and its share of that is the eighth's
 * part, atan(smaller / larger)·4 / π of its two differences: nothing has to be rounded down.
 *
 * Votes of the eight bins are summed over the rows that vote for the same two rows of cells, apart
 * for each column and for the cell above and below; what columns share is left to the end. Nothing
 * is scattered.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "hashsift_internal.h"

enum {
    SUMS = HASHSIFT_CELLS * HASHSIFT_ORIENTATIONS, /* of a column */
    CELL_MARGIN = HASHSIFT_CELL_SIDE / 2           /* columns of a cell left of the patch */
};

/* Of the cells above and below, for the columns of a vector. */
typedef struct Bins {
    Vector above[HASHSIFT_ORIENTATIONS], below[HASHSIFT_ORIENTATIONS];
} Bins;

typedef struct RowShares {
    float above, below;
} RowShares;

/* atan(t)·4 / π for t from 0 to 1, at most 5e-7 off. */
static inline HASHSIFT_TARGET Vector eighths(Vector t) {
    const Vector square = t * t;
    Vector sum = spread_float(0.00867288653F);
    sum = sum_of_product(sum, square, spread_float(-0.0427857563F));
    sum = sum_of_product(sum, square, spread_float(0.101379484F));
    sum = sum_of_product(sum, square, spread_float(-0.16849187F));
    sum = sum_of_product(sum, square, spread_float(0.252200872F));
    sum = sum_of_product(sum, square, spread_float(-0.424209893F));
    sum = sum_of_product(sum, square, spread_float(1.27323461F));
    return sum * t;
}

static inline HASHSIFT_TARGET void vote(Bins *bins, int bin, Mask mask, Vector votes,
                                        RowShares shares) {
    bins->above[bin] = add_product_where(mask, bins->above[bin], votes, spread_float(shares.above));
    bins->below[bin] = add_product_where(mask, bins->below[bin], votes, spread_float(shares.below));
}

/* Of the pixels from `pixel` on. */
static inline HASHSIFT_TARGET void vote_of_pixels(const float *pixel, RowShares shares,
                                                  Bins *bins) {
    const Vector zero = zero_floats();
    const Vector dx = load_floats(pixel + 1) - load_floats(pixel - 1);
    const Vector dy = load_floats(pixel - PATCH_SIDE) - load_floats(pixel + PATCH_SIDE);
    const Vector width = larger_float(dx, zero - dx);
    const Vector height = larger_float(dy, zero - dy);
    const Vector longer = larger_float(larger_float(width, height), spread_float(1));
    const Vector magnitude = root(sum_of_product(dx, dx, dy * dy));
    const Vector diagonal = magnitude * eighths(quotient(smaller_float(width, height), longer));
    const Vector straight = magnitude - diagonal;
    const Mask steep = less(width, height);
    const Mask left = less(dx, zero);
    const Mask down = less(dy, zero);
    vote(bins, 0, neither(left, steep), straight, shares);
    vote(bins, 1, neither(left, down), diagonal, shares);
    vote(bins, 2, only(steep, down), straight, shares);
    vote(bins, 3, only(left, down), diagonal, shares);
    vote(bins, 4, only(left, steep), straight, shares);
    vote(bins, 5, both(left, down), diagonal, shares);
    vote(bins, 6, both(steep, down), straight, shares);
    vote(bins, 7, only(down, left), diagonal, shares);
}

/* sums[cell row][orientation][column] of the columns of a vector, the first of which is `sums`'s
 * and `pixels`'s. */
static HASHSIFT_TARGET void sum_columns(const HashsiftShares *shares, const float *pixels,
                                        float *sums) {
    for (int32_t cell = 0; cell <= HASHSIFT_CELLS; cell++) {
        const int32_t middle = cell * HASHSIFT_CELL_SIDE;
        const int32_t first = cell == 0 ? 1 : middle - CELL_MARGIN;
        const int32_t end = cell == HASHSIFT_CELLS ? PATCH_SIDE - 1 : middle + CELL_MARGIN;
        Bins bins;
        for (int o = 0; o < HASHSIFT_ORIENTATIONS; o++) {
            bins.above[o] = zero_floats();
            bins.below[o] = zero_floats();
        }
        for (int32_t j = first; j < end; j++) {
            const RowShares of_row = {shares->above[j], shares->below[j]};
            vote_of_pixels(pixels + j * PATCH_SIDE, of_row, &bins);
        }
        for (int o = 0; o < HASHSIFT_ORIENTATIONS; o++) {
            float *below = sums + (cell * HASHSIFT_ORIENTATIONS + o) * PATCH_SIDE;
            float *above = below - HASHSIFT_ORIENTATIONS * PATCH_SIDE;
            if (cell > 0) {
                store_floats(above, load_floats(above) + bins.above[o]);
            }
            if (cell < HASHSIFT_CELLS) {
                store_floats(below, bins.below[o]);
            }
        }
    }
}

/* Vote `index` before the sum over its columns. */
static inline HASHSIFT_TARGET Vector columns_of_vote(const HashsiftShares *shares,
                                                     const float *sums, int32_t index) {
    const int32_t orientation = index % HASHSIFT_ORIENTATIONS;
    const int32_t cell = index / HASHSIFT_ORIENTATIONS % HASHSIFT_CELLS;
    const int32_t row = index / (HASHSIFT_ORIENTATIONS * HASHSIFT_CELLS);
    const float *from = sums + (row * HASHSIFT_ORIENTATIONS + orientation) * PATCH_SIDE +
                        cell * HASHSIFT_CELL_SIDE - CELL_MARGIN;
    Vector sum = zero_floats();
    for (int32_t k = 0; k < HASHSIFT_CELL_COLUMNS; k += LANES) {
        sum = sum_of_product(load_floats(from + k), load_floats(shares->columns[cell] + k), sum);
    }
    return sum;
}

static HASHSIFT_TARGET void votes_of(const HashsiftShares *shares, const float *pixels,
                                     float *votes) {
    /* Shares of columns beside the patch are 0; what they are multiplied by has to be a number. */
    float memory[CELL_MARGIN + SUMS * PATCH_SIDE + CELL_MARGIN];
    float *sums = memory + CELL_MARGIN;
    memset(memory, 0, CELL_MARGIN * sizeof *memory);
    memset(sums + SUMS * PATCH_SIDE, 0, CELL_MARGIN * sizeof *memory);
    for (int32_t i = 0; i < PATCH_SIDE; i += LANES) {
        sum_columns(shares, pixels + i, sums + i);
    }
    for (int32_t k = 0; k < HASHSIFT_VALUES; k += LANES) {
        Vector columns[LANES];
        for (int32_t lane = 0; lane < LANES; lane++) {
            columns[lane] = columns_of_vote(shares, sums, k + lane);
        }
        store_floats(votes + k, sums_of(columns));
    }
}

/* What values are multiplied by to have norm 1. */
static inline HASHSIFT_TARGET float factor_of(Vector squares) {
    float lanes[LANES];
    store_floats(lanes, squares);
    for (int half = LANES / 2; half > 0; half /= 2) {
        for (int lane = 0; lane < half; lane++) {
            lanes[lane] += lanes[lane + half];
        }
    }
    const float norm = sqrtf(lanes[0]);
    return 1 / (norm > FLT_EPSILON ? norm : FLT_EPSILON);
}

static HASHSIFT_TARGET void values(const HashsiftShares *shares, const float *pixels,
                                   float *values_of_patch) {
    const float round = 12582912; /* Added, it leaves no room for bits behind the point. */
    float votes[HASHSIFT_VALUES];
    Vector squares = zero_floats();
    votes_of(shares, pixels, votes);
    for (int32_t k = 0; k < HASHSIFT_VALUES; k += LANES) {
        squares = sum_of_product(load_floats(votes + k), load_floats(votes + k), squares);
    }
    const float factor = factor_of(squares);
    squares = zero_floats();
    for (int32_t k = 0; k < HASHSIFT_VALUES; k += LANES) {
        const Vector cut =
            smaller_float(load_floats(votes + k) * factor, spread_float(HASHSIFT_CUT));
        store_floats(votes + k, cut);
        squares = sum_of_product(cut, cut, squares);
    }
    const float second = factor_of(squares);
    for (int32_t k = 0; k < HASHSIFT_VALUES; k += LANES) {
        const Vector scaled = load_floats(votes + k) * second * HASHSIFT_FACTOR;
        const Vector rounded = (scaled + round) - round;
        store_floats(values_of_patch + k, smaller_float(rounded, spread_float(255)));
    }
}

/* The bits of each byte the other way round: that of the first lane has to be the highest. */
static inline HASHSIFT_TARGET uint64_t turned_bytes(uint64_t bits) {
    bits = (bits >> 4 & 0x0F0F0F0F0F0F0F0F) | (bits & 0x0F0F0F0F0F0F0F0F) << 4;
    bits = (bits >> 2 & 0x3333333333333333) | (bits & 0x3333333333333333) << 2;
    return (bits >> 1 & 0x5555555555555555) | (bits & 0x5555555555555555) << 1;
}

static HASHSIFT_TARGET void signs(const float *responses, const float *thresholds, int32_t bits,
                                  uint8_t *descriptor) {
    for (int32_t first = 0; first < bits; first += 64) {
        uint64_t word = 0;
        for (int32_t k = 0; k < 64; k += LANES) {
            const Mask mask =
                less(load_floats(thresholds + first + k), load_floats(responses + first + k));
            word |= bits_of(mask) << k;
        }
        word = turned_bytes(word);
        for (int32_t byte = 0; byte < 8; byte++) {
            *descriptor++ = (uint8_t)(word >> 8 * byte);
        }
    }
}
