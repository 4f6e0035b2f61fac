#include "hashsift_fragments.h"

#include <cmath>
#include <cuda_fp16.h>

enum { LARGEST_EXPONENT = 10 };

/* The exponent by which a row is multiplied; 0 for one of zeros. */
static int row_exponent(const float *row) {
    float largest = 0.0F;
    for (int k = 0; k < HASHSIFT_COLUMNS; ++k) {
        largest = fmaxf(largest, fabsf(row[k]));
    }
    return largest > 0.0F ? LARGEST_EXPONENT - ilogbf(largest) : 0;
}

static uint32_t half_bits(__half half) {
    return __half_raw(half).x;
}

/* Two neighbouring factors as pairs of high and of low halves. */
static void split_pair(const float *factors, int exponent, uint32_t *high, uint32_t *low) {
    *high = 0;
    *low = 0;
    for (int k = 0; k < 2; ++k) {
        const float factor = ldexpf(factors[k], exponent);
        const __half rounded = __float2half_rn(factor);
        const __half rest = __float2half_rn(factor - __half2float(rounded));
        *high |= half_bits(rounded) << (16 * k);
        *low |= half_bits(rest) << (16 * k);
    }
}

static void fill_tile(const Weights *weights, int32_t first_bit, Fragment *fragments) {
    for (int step = 0; step < FRAGMENT_STEPS; ++step) {
        for (int lane = 0; lane < FRAGMENT_LANES; ++lane) {
            const float *row = weights->values + (size_t)(first_bit + lane / 4) * HASHSIFT_COLUMNS;
            const float *factors = row + 1 + step * FRAGMENT_VALUES + 2 * (lane % 4);
            const int exponent = row_exponent(row);
            Fragment *fragment = &fragments[step * FRAGMENT_LANES + lane];
            split_pair(factors, exponent, &fragment->high[0], &fragment->low[0]);
            split_pair(factors + FRAGMENT_VALUES / 2, exponent, &fragment->high[1],
                       &fragment->low[1]);
        }
    }
}

void fragments_fill(const Weights *weights, const Fragments *fragments) {
    for (int32_t b = 0; b < weights->bits; ++b) {
        const float *row = weights->values + (size_t)b * HASHSIFT_COLUMNS;
        fragments->bias[b] = ldexpf(row[0], row_exponent(row));
    }
    for (int32_t tile = 0; tile < weights->bits / FRAGMENT_BITS; ++tile) {
        fill_tile(weights, tile * FRAGMENT_BITS,
                  fragments->fragments + (size_t)tile * FRAGMENT_STEPS * FRAGMENT_LANES);
    }
}
