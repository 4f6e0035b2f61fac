/*
 * Corners in vectors of pixels. The including file defines FAST9_TARGET, the attribute that selects
 * the instruction set, and the type Vector with LANES lanes of a byte and its operations; it gets
 * find_row of a kernel.
 *
 * The FAST score of a pixel is one less than the largest, over the arcs of 9 pixels of its circle,
 * of the least difference in the arc. All of them come from least differences of 2, 4 and 8 pixels
 * in a row; the same numbers say whether it is a corner.
 */
#include "fast9_internal.h"

enum { HALF_CIRCLE = FAST9_CIRCLE / 2, QUARTER_CIRCLE = FAST9_CIRCLE / 4 };

/* How much brighter pixels of the circle are, or darker, 0 where they are not. */
typedef struct Differences {
    Vector brighter[FAST9_CIRCLE], darker[FAST9_CIRCLE];
} Differences;

static inline FAST9_TARGET void take_difference(const uint8_t *pixels, const ptrdiff_t *circle,
                                                Vector middle, int k, Differences *d) {
    const Vector other = load(pixels + circle[k]);
    d->brighter[k] = subtract_to_0(other, middle);
    d->darker[k] = subtract_to_0(middle, other);
}

/* The least of two pairs of opposite pixels, first and first + a quarter, of which each gives its
 * larger difference: no arc has a larger least one. */
static inline FAST9_TARGET Vector pairs_allow(const Vector *differences, int first) {
    const Vector a = larger(differences[first], differences[first + HALF_CIRCLE]);
    const Vector b = larger(differences[first + QUARTER_CIRCLE],
                            differences[first + QUARTER_CIRCLE + HALF_CIRCLE]);
    return smaller(a, b);
}

/* The largest least difference of all arcs. */
static inline FAST9_TARGET Vector best_arc(const Vector *d) {
    Vector least[HALF_CIRCLE]; /* of 2, then 4, then 8 pixels from pixel 2i + 1 on */
    Vector longer[HALF_CIRCLE];
    for (int i = 0; i < HALF_CIRCLE; i++) {
        least[i] = smaller(d[2 * i + 1], d[(2 * i + 2) % FAST9_CIRCLE]);
    }
    for (int i = 0; i < HALF_CIRCLE; i++) {
        longer[i] = smaller(least[i], least[(i + 1) % HALF_CIRCLE]);
    }
    Vector best = zeros();
    for (int i = 0; i < HALF_CIRCLE; i++) {
        const Vector eight = smaller(longer[i], longer[(i + 2) % HALF_CIRCLE]);
        const Vector ninth = larger(d[2 * i], d[(2 * i + 9) % FAST9_CIRCLE]);
        best = larger(best, smaller(eight, ninth));
    }
    return best;
}

/* One more than the FAST scores of pixels, where that is larger than the thresholds, and numbers
 * that are not elsewhere. */
static inline FAST9_TARGET Vector strengths(const uint8_t *pixels, const ptrdiff_t *circle,
                                            Vector thresholds) {
    const Vector middle = load(pixels);
    Differences d;
    for (int k = 0; k < FAST9_CIRCLE; k += QUARTER_CIRCLE) {
        take_difference(pixels, circle, middle, k, &d);
    }
    Vector brighter = pairs_allow(d.brighter, 0);
    Vector darker = pairs_allow(d.darker, 0);
    if (mask_greater(larger(brighter, darker), thresholds) == 0) {
        return zeros();
    }
    for (int k = QUARTER_CIRCLE / 2; k < FAST9_CIRCLE; k += QUARTER_CIRCLE) {
        take_difference(pixels, circle, middle, k, &d);
    }
    brighter = smaller(brighter, pairs_allow(d.brighter, QUARTER_CIRCLE / 2));
    darker = smaller(darker, pairs_allow(d.darker, QUARTER_CIRCLE / 2));
    const bool some_brighter = mask_greater(brighter, thresholds) != 0;
    const bool some_darker = mask_greater(darker, thresholds) != 0;
    if (!some_brighter && !some_darker) {
        return zeros();
    }
    for (int k = 1; k < FAST9_CIRCLE; k += 2) {
        take_difference(pixels, circle, middle, k, &d);
    }
    brighter = some_brighter ? best_arc(d.brighter) : zeros();
    darker = some_darker ? best_arc(d.darker) : zeros();
    return larger(brighter, darker);
}

static FAST9_TARGET int32_t find_row(const uint8_t *row, size_t stride, int32_t width,
                                     int32_t threshold, Fast9Hit *hits) {
    static const int8_t circle_x[FAST9_CIRCLE] = FAST9_CIRCLE_X;
    static const int8_t circle_y[FAST9_CIRCLE] = FAST9_CIRCLE_Y;
    ptrdiff_t circle[FAST9_CIRCLE];
    for (int k = 0; k < FAST9_CIRCLE; k++) {
        circle[k] = circle_y[k] * (ptrdiff_t)stride + circle_x[k];
    }
    const Vector thresholds = spread((uint8_t)threshold);
    const int32_t end = width - FAST9_BORDER;
    int32_t count = 0;
    for (int32_t x = FAST9_BORDER; x < end; x += LANES) {
        const Vector found = strengths(row + x, circle, thresholds);
        uint64_t mask = mask_greater(found, thresholds);
        if (end - x < LANES) {
            mask &= (UINT64_C(1) << (end - x)) - 1;
        }
        if (mask == 0) {
            continue;
        }
        uint8_t values[LANES];
        store(values, found);
        for (; mask != 0; mask &= mask - 1) {
            const int lane = __builtin_ctzll(mask);
            hits[count++] = (Fast9Hit){.x = x + lane, .score = values[lane] - 1};
        }
    }
    return count;
}
