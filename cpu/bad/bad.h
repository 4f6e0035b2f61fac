/*
 * bad: binary descriptors of keypoints: which of two boxes is brighter on average (Box Average
 * Difference).
 *
 * Definition; floating point is float32 in the order written, without contraction.
 *
 * Boxes. Each bit has two boxes of one radius, given on a patch of 32×32 pixels, and a threshold
 * (bench/api/weights.h). The keypoint's map (patch_map.h, with cosine and sine in double precision
 * of angle·0.017453292519943295, then rounded to float) moves the centres into the image; they
 * and the radius s·r are rounded by (int)(v + 0.5). Positions beyond ±BAD_POSITION_MAX are moved
 * there, and a radius into 0…BAD_RADIUS_MAX. A box is the (2r + 1)² pixels around its centre,
 * half-open: left = x − r, right = x + r + 1, of which left is moved into 0…width − 1 and right
 * into 1…width, top and bottom likewise.
 *
 * Bits. Is the keypoint within border = 0.875·scale·size of an edge (x < border, x + border >=
 * width, or so in y), a bit is average 1 − average 2 ≤ threshold, averages being float(sum) / float
 * (pixels of the moved box). Else it is float(sum 1 − sum 2) ≤ threshold·(2r + 1)². The most
 * significant bit of a byte comes first. All variants give the same bits.
 *
 * Source: I. Suárez, J. M. Buenaposada, L. Baumela, "Revisiting binary local image description for
 * resource limited devices" (2021). Beyond it: boxes are moved into the image always, and radii
 * are limited, so that every keypoint has a descriptor and sums fit 32 bits.
 */
#ifndef CPU_BAD_H
#define CPU_BAD_H

#include "algorithm.h"
#include "keypoints.h"
#include "patch_map.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BAD_POSITION_MAX = 1 << 28, /* pixels */
    BAD_RADIUS_MAX = 1448       /* (2·1448 + 1)²·255 < 2^31 */
};

#define BAD_RADIANS_PER_DEGREE 0.017453292519943295
#define BAD_BORDER_RATIO 1.75F /* of half a patch */

/* The one part of the answer: a row of bits / 8 bytes for each keypoint. */
static inline uint8_t *bad_descriptors(const Output *output) {
    return (uint8_t *)output_part(output, 0);
}

/* A row of the weights: the columns as they stand in the file, all but the last whole numbers. */
typedef struct BadTest {
    float x1, y1, x2, y2, radius, threshold;
} BadTest;

PATCH_INLINE int32_t bad_round(float position) {
    const float low = position > (float)-BAD_POSITION_MAX ? position : (float)-BAD_POSITION_MAX;
    const float inside = low < (float)BAD_POSITION_MAX ? low : (float)BAD_POSITION_MAX;
    return (int32_t)PATCH_ADD(inside, 0.5F);
}

PATCH_INLINE int32_t bad_radius(const PatchMap *map, float radius) {
    const int32_t rounded = bad_round(PATCH_MUL(map->s, radius));
    return rounded < 0 ? 0 : rounded > BAD_RADIUS_MAX ? BAD_RADIUS_MAX : rounded;
}

/* A box in the image, half-open, after it was moved into it. */
typedef struct BadBox {
    int32_t left, top, right, bottom;
} BadBox;

PATCH_INLINE int32_t bad_inside(int32_t position, int32_t low, int32_t high) {
    return position < low ? low : position > high ? high : position;
}

PATCH_INLINE BadBox bad_box(const PatchMap *map, float x, float y, int32_t radius, int32_t width,
                            int32_t height) {
    const int32_t centre_x = bad_round(patch_map_x(map, x, y));
    const int32_t centre_y = bad_round(patch_map_y(map, x, y));
    BadBox box;
    box.left = bad_inside(centre_x - radius, 0, width - 1);
    box.top = bad_inside(centre_y - radius, 0, height - 1);
    box.right = bad_inside(centre_x + radius + 1, 1, width);
    box.bottom = bad_inside(centre_y + radius + 1, 1, height);
    return box;
}

/* Whether averages are compared rather than sums. */
PATCH_INLINE int bad_near_border(Keypoint keypoint, float scale, int32_t width, int32_t height) {
    const float half = PATCH_MUL(scale, keypoint.size) / (float)(2 * PATCH_SIDE);
    const float border = PATCH_MUL(PATCH_MUL((float)PATCH_SIDE, half), BAD_BORDER_RATIO);
    return keypoint.x < border || PATCH_ADD(keypoint.x, border) >= (float)width ||
           keypoint.y < border || PATCH_ADD(keypoint.y, border) >= (float)height;
}

PATCH_INLINE int32_t bad_area(const BadBox *box) {
    return (box->right - box->left) * (box->bottom - box->top);
}

/* The bit, of boxes with these sums of pixels. */
PATCH_INLINE int bad_bit(int near_border, int32_t sum1, const BadBox *box1, int32_t sum2,
                         const BadBox *box2, int32_t radius, float threshold) {
    const float side = (float)(2 * radius + 1);
    if (near_border) {
        const float average1 = (float)sum1 / (float)bad_area(box1);
        const float average2 = (float)sum2 / (float)bad_area(box2);
        return PATCH_ADD(average1, -average2) <= threshold;
    }
    return (float)(sum1 - sum2) <= PATCH_MUL(threshold, PATCH_MUL(side, side));
}

/* The map of a keypoint, with its cosine and sine in double precision. */
PATCH_INLINE PatchMap bad_map(Keypoint keypoint, float scale) {
    const double radians = (double)keypoint.angle * BAD_RADIANS_PER_DEGREE;
    const int turned = keypoint.angle >= 0;
    return patch_map(keypoint, scale, turned ? (float)cos(radians) : 1.0F,
                     turned ? (float)sin(radians) : 0.0F);
}

#ifdef __cplusplus
}
#endif

#endif
