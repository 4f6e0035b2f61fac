#include "fast9_measures.h"

static inline int32_t circle_difference(const uint8_t *pixel, size_t stride, int k) {
    static const int8_t circle_x[FAST9_CIRCLE] = FAST9_CIRCLE_X;
    static const int8_t circle_y[FAST9_CIRCLE] = FAST9_CIRCLE_Y;
    return pixel[circle_y[k] * (ptrdiff_t)stride + circle_x[k]] - *pixel;
}

/* One bit for each pixel of the circle. */
static bool arc_in(uint32_t circle) {
    const uint32_t round_the_end = circle | circle << FAST9_CIRCLE;
    uint32_t arcs = round_the_end;
    for (int i = 1; i < FAST9_ARC; ++i) {
        arcs &= round_the_end >> i;
    }
    return arcs != 0;
}

bool fast9_is_corner(const uint8_t *pixel, size_t stride, int32_t t) {
    uint32_t brighter = 0;
    uint32_t darker = 0;
    for (int k = 0; k < FAST9_CIRCLE; ++k) {
        const int32_t difference = circle_difference(pixel, stride, k);
        brighter |= (uint32_t)(difference > t) << k;
        darker |= (uint32_t)(difference < -t) << k;
    }
    return arc_in(brighter) || arc_in(darker);
}

/* The circle, and its first pixels again behind the last, so that arcs go round the end. */
enum { CIRCLE_AND_ARC = FAST9_CIRCLE + FAST9_ARC - 1 };

int32_t fast9_score(const uint8_t *pixel, size_t stride) {
    int32_t differences[CIRCLE_AND_ARC];
    for (int i = 0; i < CIRCLE_AND_ARC; ++i) {
        differences[i] = circle_difference(pixel, stride, i % FAST9_CIRCLE);
    }
    int32_t best = -256;
    for (int first = 0; first < FAST9_CIRCLE; ++first) {
        int32_t least = differences[first];
        int32_t most = differences[first];
        for (int i = first + 1; i < first + FAST9_ARC; ++i) {
            least = differences[i] < least ? differences[i] : least;
            most = differences[i] > most ? differences[i] : most;
        }
        best = least > best ? least : best;
        best = -most > best ? -most : best;
    }
    return best - 1;
}

int64_t fast9_harris(const uint8_t *pixel, size_t stride) {
    int64_t a = 0;
    int64_t b = 0;
    int64_t c = 0;
    for (int y = -FAST9_HARRIS_RADIUS; y <= FAST9_HARRIS_RADIUS; ++y) {
        for (int x = -FAST9_HARRIS_RADIUS; x <= FAST9_HARRIS_RADIUS; ++x) {
            const uint8_t *row = pixel + y * (ptrdiff_t)stride + x;
            const uint8_t *up = row - stride;
            const uint8_t *down = row + stride;
            const int32_t dx = up[1] - up[-1] + 2 * (row[1] - row[-1]) + down[1] - down[-1];
            const int32_t dy = down[-1] - up[-1] + 2 * (down[0] - up[0]) + down[1] - up[1];
            a += dx * dx;
            b += dx * dy;
            c += dy * dy;
        }
    }
    return fast9_harris_of_sums(a, b, c);
}

void fast9_moments(const uint8_t *pixel, size_t stride, int64_t *m10, int64_t *m01) {
    *m10 = 0;
    *m01 = 0;
    for (int y = -FAST9_DISC_RADIUS; y <= FAST9_DISC_RADIUS; ++y) {
        for (int x = -FAST9_DISC_RADIUS; x <= FAST9_DISC_RADIUS; ++x) {
            if (x * x + y * y <= FAST9_DISC_RADIUS * FAST9_DISC_RADIUS) {
                const int value = pixel[y * (ptrdiff_t)stride + x];
                *m10 += x * value;
                *m01 += y * value;
            }
        }
    }
}
