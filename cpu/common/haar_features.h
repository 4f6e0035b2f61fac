/*
 * Haar-like features: five ways to split a rectangle into white and black cells of equal area, each
 * with one value, the sum of the white pixels less the sum of the black ones. Shared by the
 * algorithms that search images for them (haar), train on them (adaboost) and recognise by them.
 *
 *   two columns    two rows    three columns    three rows    checker
 *     W B            W            W B W             W           W B
 *                    B                              B           B W
 *                                                   W
 *
 * A cell's side is the rectangle's side divided by 2 or 3, rounded down, in the direction that is
 * split; columns and rows left over on the right and at the bottom are not used. In the other
 * direction a cell is as long as the rectangle. Where there are three cells the middle one counts
 * double, so that white and black areas are equal. (DESIGN: P. Viola, M. Jones, "Rapid Object
 * Detection using a Boosted Cascade of Simple Features", CVPR 2001, with the checker of four.)
 *
 * An integral image of a w × h image has (w + 1) × (h + 1) entries: entry (x, y) is the sum of
 * the pixels left of column x and above row y, so its first row and column are 0.
 */
#ifndef CPU_COMMON_HAAR_FEATURES_H
#define CPU_COMMON_HAAR_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define HAAR_INLINE static __host__ __device__ __forceinline__
#else
#define HAAR_INLINE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum HaarType {
    HAAR_TWO_COLUMNS,
    HAAR_TWO_ROWS,
    HAAR_THREE_COLUMNS,
    HAAR_THREE_ROWS,
    HAAR_CHECKER,
    HAAR_TYPES
} HaarType;

enum { HAAR_SIDE_MAX = 255 }; /* of images, pixels: sums stay below 2^24 */

/* A rectangle inside an image, and how it is split. */
typedef struct HaarFeature {
    uint8_t type;       /* HaarType */
    uint8_t x, y, w, h; /* pixels; x + w ≤ the image's width, y + h ≤ its height */
} HaarFeature;

/* "two_columns" … "checker", for files and messages. */
extern const char *const haar_type_names[HAAR_TYPES];

/* Fills an integral image of `height + 1` rows of `width + 1` entries from dense pixels. */
void haar_integral(const uint8_t *pixels, int32_t width, int32_t height, int32_t *integral);

/* Sum of the pixels of a rectangle, from an integral image whose rows are `stride` entries apart.
 */
HAAR_INLINE int32_t haar_sum(const int32_t *integral, int32_t stride, int32_t x, int32_t y,
                             int32_t w, int32_t h) {
    const int32_t *top = integral + y * stride + x;
    const int32_t *bottom = top + h * stride;
    return bottom[w] - bottom[0] - top[w] + top[0];
}

/* The value of a feature: the definition. White is left, top, outer, and top left with bottom
 * right. */
HAAR_INLINE int32_t haar_value(const int32_t *integral, int32_t stride, HaarFeature f) {
    const int32_t x = f.x, y = f.y, w = f.w, h = f.h;
    switch (f.type) {
    case HAAR_TWO_COLUMNS:
        return haar_sum(integral, stride, x, y, w / 2, h) -
               haar_sum(integral, stride, x + w / 2, y, w / 2, h);
    case HAAR_TWO_ROWS:
        return haar_sum(integral, stride, x, y, w, h / 2) -
               haar_sum(integral, stride, x, y + h / 2, w, h / 2);
    case HAAR_THREE_COLUMNS:
        return haar_sum(integral, stride, x, y, w / 3, h) -
               2 * haar_sum(integral, stride, x + w / 3, y, w / 3, h) +
               haar_sum(integral, stride, x + 2 * (w / 3), y, w / 3, h);
    case HAAR_THREE_ROWS:
        return haar_sum(integral, stride, x, y, w, h / 3) -
               2 * haar_sum(integral, stride, x, y + h / 3, w, h / 3) +
               haar_sum(integral, stride, x, y + 2 * (h / 3), w, h / 3);
    default:
        return haar_sum(integral, stride, x, y, w / 2, h / 2) -
               haar_sum(integral, stride, x + w / 2, y, w / 2, h / 2) -
               haar_sum(integral, stride, x, y + h / 2, w / 2, h / 2) +
               haar_sum(integral, stride, x + w / 2, y + h / 2, w / 2, h / 2);
    }
}

/* The largest |value| that a feature of this type and size can have: every white pixel 255, every
 * black one 0, or the reverse. A threshold that is no smaller keeps none of them. */
HAAR_INLINE int32_t haar_reach(int32_t type, int32_t w, int32_t h) {
    switch (type) {
    case HAAR_TWO_COLUMNS: return 255 * (w / 2) * h;
    case HAAR_TWO_ROWS: return 255 * w * (h / 2);
    case HAAR_THREE_COLUMNS: return 255 * 2 * (w / 3) * h;
    case HAAR_THREE_ROWS: return 255 * 2 * w * (h / 3);
    default: return 255 * 2 * (w / 2) * (h / 2);
    }
}

/* Rectangles of both sides at least `min_side` in an image: sizes × positions. 0 when it is too
 * small for any. */
HAAR_INLINE int64_t haar_rectangles(int32_t width, int32_t height, int32_t min_side) {
    const int64_t across = width - min_side + 1;
    const int64_t down = height - min_side + 1;
    return across > 0 && down > 0 ? across * (across + 1) / 2 * (down * (down + 1) / 2) : 0;
}

#ifdef __cplusplus
}
#endif

#endif
