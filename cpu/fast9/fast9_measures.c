#include "cpu_features.h"
#include "fast9_internal.h"

/* === As defined =============================================================================== */

static inline int32_t circle_difference(const uint8_t *pixel, size_t stride, int k) {
    static const int8_t circle_x[FAST9_CIRCLE] = FAST9_CIRCLE_X;
    static const int8_t circle_y[FAST9_CIRCLE] = FAST9_CIRCLE_Y;
    return pixel[circle_y[k] * (ptrdiff_t)stride + circle_x[k]] - *pixel;
}

/* One bit for each pixel of the circle. */
static bool arc_in(uint32_t circle) {
    const uint32_t round_the_end = circle | circle << FAST9_CIRCLE;
    uint32_t arcs = round_the_end;
    for (int i = 1; i < FAST9_ARC; i++) {
        arcs &= round_the_end >> i;
    }
    return arcs != 0;
}

bool fast9_is_corner(const uint8_t *pixel, size_t stride, int32_t t) {
    uint32_t brighter = 0;
    uint32_t darker = 0;
    for (int k = 0; k < FAST9_CIRCLE; k++) {
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
    for (int i = 0; i < CIRCLE_AND_ARC; i++) {
        differences[i] = circle_difference(pixel, stride, i % FAST9_CIRCLE);
    }
    int32_t best = -256;
    for (int first = 0; first < FAST9_CIRCLE; first++) {
        int32_t least = differences[first];
        int32_t most = differences[first];
        for (int i = first + 1; i < first + FAST9_ARC; i++) {
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
    for (int y = -FAST9_HARRIS_RADIUS; y <= FAST9_HARRIS_RADIUS; y++) {
        for (int x = -FAST9_HARRIS_RADIUS; x <= FAST9_HARRIS_RADIUS; x++) {
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
    for (int y = -FAST9_DISC_RADIUS; y <= FAST9_DISC_RADIUS; y++) {
        for (int x = -FAST9_DISC_RADIUS; x <= FAST9_DISC_RADIUS; x++) {
            if (x * x + y * y <= FAST9_DISC_RADIUS * FAST9_DISC_RADIUS) {
                const int value = pixel[y * (ptrdiff_t)stride + x];
                *m10 += x * value;
                *m01 += y * value;
            }
        }
    }
}

/* === In vectors =============================================================================== */

#if CPU_HAS_X86_64 /* and so SSE2 */

#include <immintrin.h>

/* Eight neighbouring pixels in 16 bits. */
static inline __m128i load_8(const uint8_t *from) {
    const __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)from);
    return _mm_unpacklo_epi8(bytes, _mm_setzero_si128());
}

/* The parts of Sobel's filters that go along a row: differences and smoothed pixels. */
typedef struct SobelRow {
    __m128i difference, smooth;
} SobelRow;

static inline SobelRow sobel_row(const uint8_t *row) {
    const __m128i left = load_8(row - 1);
    const __m128i right = load_8(row + 1);
    const __m128i middle = _mm_slli_epi16(load_8(row), 1);
    return (SobelRow){
        .difference = _mm_sub_epi16(right, left),
        .smooth = _mm_add_epi16(_mm_add_epi16(left, right), middle),
    };
}

static inline int32_t sum_of_lanes(__m128i vector) {
    vector = _mm_add_epi32(vector, _mm_shuffle_epi32(vector, _MM_SHUFFLE(1, 0, 3, 2)));
    vector = _mm_add_epi32(vector, _mm_shuffle_epi32(vector, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_cvtsi128_si32(vector);
}

/* Sums of 49 products of numbers up to 1020 fit 32 bits. */
int64_t fast9_harris_quick(const uint8_t *pixel, size_t stride) {
    const __m128i seven = _mm_setr_epi16(-1, -1, -1, -1, -1, -1, -1, 0);
    const uint8_t *row = pixel - 4 * (ptrdiff_t)stride - FAST9_HARRIS_RADIUS;
    SobelRow up = sobel_row(row);
    SobelRow here = sobel_row(row + stride);
    __m128i a = _mm_setzero_si128();
    __m128i b = a;
    __m128i c = a;
    row += 2 * stride;
    for (int y = -FAST9_HARRIS_RADIUS; y <= FAST9_HARRIS_RADIUS; y++, row += stride) {
        const SobelRow down = sobel_row(row);
        const __m128i sides = _mm_add_epi16(up.difference, down.difference);
        const __m128i twice = _mm_slli_epi16(here.difference, 1);
        const __m128i dx = _mm_and_si128(_mm_add_epi16(sides, twice), seven);
        const __m128i dy = _mm_and_si128(_mm_sub_epi16(down.smooth, up.smooth), seven);
        a = _mm_add_epi32(a, _mm_madd_epi16(dx, dx));
        b = _mm_add_epi32(b, _mm_madd_epi16(dx, dy));
        c = _mm_add_epi32(c, _mm_madd_epi16(dy, dy));
        up = here;
        here = down;
    }
    return fast9_harris_of_sums(sum_of_lanes(a), sum_of_lanes(b), sum_of_lanes(c));
}

#else

int64_t fast9_harris_quick(const uint8_t *pixel, size_t stride) {
    return fast9_harris(pixel, stride);
}

#endif

/* === Factors of moments ======================================================================= */

#define IN_DISC(x, y, factor)                                                                      \
    ((x) * (x) + (y) * (y) <= FAST9_DISC_RADIUS * FAST9_DISC_RADIUS ? (factor) : 0)
#define X_IN_DISC(x, y) IN_DISC(x, y, x)
#define Y_IN_DISC(x, y) IN_DISC(x, y, y)
#define OF_FOUR(of, x, y) of(x, y), of((x) + 1, y), of((x) + 2, y), of((x) + 3, y)
#define OF_ROW(of, y)                                                                              \
    {                                                                                              \
        OF_FOUR(of, -15, y), OF_FOUR(of, -11, y), OF_FOUR(of, -7, y), OF_FOUR(of, -3, y),          \
            OF_FOUR(of, 1, y), OF_FOUR(of, 5, y), OF_FOUR(of, 9, y), OF_FOUR(of, 13, y)            \
    }
#define DISC_ROW(y)                                                                                \
    { OF_ROW(X_IN_DISC, y), OF_ROW(Y_IN_DISC, y) }

const Fast9DiscRow fast9_disc[FAST9_DISC_RADIUS + 1] = {
    DISC_ROW(0),  DISC_ROW(1),  DISC_ROW(2),  DISC_ROW(3), DISC_ROW(4),  DISC_ROW(5),
    DISC_ROW(6),  DISC_ROW(7),  DISC_ROW(8),  DISC_ROW(9), DISC_ROW(10), DISC_ROW(11),
    DISC_ROW(12), DISC_ROW(13), DISC_ROW(14), DISC_ROW(15)};
