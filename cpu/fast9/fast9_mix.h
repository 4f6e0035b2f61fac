/*
 * Pixels of the next level in two steps, first down columns and then along the row. Both are exact:
 * it is the sum of fast9_blend in another order.
 *
 * The including file defines FAST9_TARGET, the attribute that selects the instruction set, or
 * nothing, so that the compiler makes vectors of it.
 */
#include "fast9_internal.h"

/* Numbers of 16 bits, which mixed pixels are, are signed where they are multiplied. */
enum { MIXED_ZERO = 32768, MIXED_ROUNDING = 256 * MIXED_ZERO + 32768 };

/* One number more than there are columns: the last one has a neighbour too. */
static inline FAST9_TARGET void mix_rows(const Fast9RowPair *from, int16_t *mixed) {
    const uint8_t *top = from->top;
    const uint8_t *bottom = from->bottom;
    const uint16_t lower = (uint16_t)from->fy;
    const uint16_t upper = (uint16_t)(256 - lower);
    for (int32_t x = 0; x < from->width; x++) {
        const uint16_t sum = (uint16_t)(top[x] * upper + bottom[x] * lower);
        mixed[x] = (int16_t)(sum ^ MIXED_ZERO);
    }
    mixed[from->width] = mixed[from->width - 1];
}

static inline FAST9_TARGET void sample_columns(const int16_t *mixed, const Fast9Columns *columns,
                                               int32_t first, int32_t width, uint8_t *to) {
    for (int32_t x = first; x < width; x++) {
        const int16_t *pair = mixed + columns->first[x];
        const Fast9Weights weights = columns->weights[x];
        const int32_t sum = weights.left * pair[0] + weights.right * pair[1];
        to[x] = (uint8_t)((sum + MIXED_ROUNDING) >> 16);
    }
}
