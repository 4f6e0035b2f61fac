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

#include <emmintrin.h>

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

/* Half the width of the disc in each row from its middle on. */
static const int8_t disc_reach[FAST9_DISC_RADIUS + 1] = {15, 14, 14, 14, 14, 14, 13, 13,
                                                         12, 12, 11, 10, 9,  7,  5,  0};

/* Sums down the columns of the disc, 16 bits each; and each row's sum times y. */
typedef struct DiscSums {
    __m128i columns[4], rows;
} DiscSums;

static inline void add_disc_half(const uint8_t *row, __m128i inside, __m128i *columns,
                                 __m128i *sum) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i bytes =
        _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)row), inside);
    columns[0] = _mm_add_epi16(columns[0], _mm_unpacklo_epi8(bytes, zero));
    columns[1] = _mm_add_epi16(columns[1], _mm_unpackhi_epi8(bytes, zero));
    *sum = _mm_add_epi16(*sum, _mm_sad_epu8(bytes, zero));
}

static inline void add_disc_row(const uint8_t *row, int y, DiscSums *sums) {
    const __m128i left = _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m128i right = _mm_setr_epi8(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    const __m128i beyond = _mm_set1_epi8((char)(disc_reach[y < 0 ? -y : y] + 1));
    __m128i sum = _mm_setzero_si128();
    add_disc_half(row - FAST9_DISC_RADIUS, _mm_cmplt_epi8(left, beyond), sums->columns, &sum);
    add_disc_half(row + 1, _mm_cmplt_epi8(right, beyond), sums->columns + 2, &sum);
    sums->rows = _mm_add_epi32(sums->rows, _mm_madd_epi16(sum, _mm_set1_epi16((int16_t)y)));
}

void fast9_moments_quick(const uint8_t *pixel, size_t stride, int64_t *m10, int64_t *m01) {
    DiscSums sums = {.rows = _mm_setzero_si128()};
    for (int i = 0; i < 4; i++) {
        sums.columns[i] = _mm_setzero_si128();
    }
    for (int y = -FAST9_DISC_RADIUS; y <= FAST9_DISC_RADIUS; y++) {
        add_disc_row(pixel + y * (ptrdiff_t)stride, y, &sums);
    }
    __m128i x = _mm_setr_epi16(-15, -14, -13, -12, -11, -10, -9, -8);
    __m128i moments = _mm_setzero_si128();
    for (int i = 0; i < 4; i++) {
        moments = _mm_add_epi32(moments, _mm_madd_epi16(sums.columns[i], x));
        x = _mm_add_epi16(x, _mm_set1_epi16(8));
    }
    *m10 = sum_of_lanes(moments);
    *m01 = sum_of_lanes(sums.rows);
}

#else

int64_t fast9_harris_quick(const uint8_t *pixel, size_t stride) {
    return fast9_harris(pixel, stride);
}

void fast9_moments_quick(const uint8_t *pixel, size_t stride, int64_t *m10, int64_t *m01) {
    fast9_moments(pixel, stride, m10, m01);
}

#endif
