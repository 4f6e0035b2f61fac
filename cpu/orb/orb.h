/*
 * orb: binary descriptors of keypoints: which of two pixels of the smoothed image is brighter, the
 * pairs turned with the keypoint (rotated BRIEF).
 *
 * Definition; floating point is float32 in the order written, without contraction.
 *
 * Blur. B is the image smoothed by a Gaussian of deviation 2 in 7×7 pixels, along rows and then
 * along columns, in whole numbers:
 *     h(x, y) = (Σ w(|i|)·pixel(x + i, y) + 128) >> 8            i = −3…3
 *     B(x, y) = (Σ w(|j|)·h(x, y + j) + 2^23) >> 24              j = −3…3
 * w(0…3) = 14162, 12499, 8590, 4598 of 65536: exp(−d² / 8) over its sum, rounded, the rest at the
 * centre. Beyond an edge the image is mirrored at the centre of its last pixel (−1 is 1, −2 is 2).
 *
 * Pairs. Each bit has two positions in whole pixels relative to the keypoint, −15…15
 * (bench/api/workload.h). s = scale·size / 31, α = angle·(float)(π / 180), a = s·cos α, b = s·sin α
 * (cosine and sine in double precision of the float α, then rounded to float; without an angle,
 * which is a negative one, α = 0). Position (px, py) is the pixel
 *     (round(x) + round(a·px − b·py), round(y) + round(b·px + a·py)),
 * halves to even. Positions beyond ±ORB_POSITION_MAX are moved there first; a pixel outside the
 * image is moved to the nearest one in it.
 *
 * Bits. A bit is B(first) < B(second). The least significant bit of a byte comes first, unlike
 * those of hashsift and bad: descriptors are to be those of OpenCV, byte for byte. All variants
 * give the same bits.
 *
 * There is one level: the size of a keypoint stretches the pairs, where OpenCV shrinks the image.
 * With s = 1 (scale·size = 31, as of keypoints of level 0) and the same pairs, descriptors of
 * keypoints at least 31 pixels from the edges are those of OpenCV's ORB but for three bits in a
 * hundred thousand. OpenCV smooths in floating point, so that a pixel is now and then the next grey
 * level (tests/cpu/opencv_orb.py shows it). Nearer to the edges OpenCV reads pixels beyond them
 * that are mirrored but not smoothed; here it never leaves the image.
 *
 * Source: E. Rublee, V. Rabaud, K. Konolige, G. Bradski, "ORB: an efficient alternative to SIFT or
 * SURF" (ICCV 2011), section 4, with the Gaussian of OpenCV in place of 5×5 boxes.
 */
#ifndef CPU_ORB_H
#define CPU_ORB_H

#include "algorithm.h"
#include "keypoints.h"
#include "patch_map.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ORB_REACH = 3, /* of the Gaussian, pixels */
    ORB_WEIGHT_0 = 14162,
    ORB_WEIGHT_1 = 12499,
    ORB_WEIGHT_2 = 8590,
    ORB_WEIGHT_3 = 4598,
    ORB_ROW_SHIFT = 8,     /* what is left are 8 bits of a pixel and 8 of its fraction */
    ORB_COLUMN_SHIFT = 24, /* of the sum of a column, below 2^32 */
    ORB_POSITION_MAX = 1 << 28
};

#define ORB_SIDE 31.0F /* pixels: the size of a keypoint whose pairs are not stretched */
#define ORB_RADIANS_PER_DEGREE 0.01745329238474369F

/* The one part of the answer: a row of bits / 8 bytes for each keypoint. */
static inline uint8_t *orb_descriptors(const Output *output) {
    return (uint8_t *)output_part(output, 0);
}

/* A row of the weights: two positions. */
typedef struct OrbTest {
    float x1, y1, x2, y2;
} OrbTest;

/* --- Blur ------------------------------------------------------------------------------------- */

/* Σ w(|i|)·value(i), of the centre and of sums of the two values at each distance. */
PATCH_INLINE uint32_t orb_sum(uint32_t centre, uint32_t one, uint32_t two, uint32_t three) {
    return ORB_WEIGHT_0 * centre + ORB_WEIGHT_1 * one + ORB_WEIGHT_2 * two + ORB_WEIGHT_3 * three;
}

PATCH_INLINE uint32_t orb_row_value(uint32_t sum) {
    return (sum + (1U << (ORB_ROW_SHIFT - 1))) >> ORB_ROW_SHIFT;
}

PATCH_INLINE uint32_t orb_column_value(uint32_t sum) {
    return (sum + (1U << (ORB_COLUMN_SHIFT - 1))) >> ORB_COLUMN_SHIFT;
}

/* Where the mirrored image has the pixel of this index: in 0…side − 1. An image of one pixel is
 * that pixel everywhere; a narrow one is mirrored more than once. */
PATCH_INLINE int32_t orb_mirrored(int32_t index, int32_t side) {
    while (index < 0 || index >= side) {
        index = side == 1 ? 0 : index < 0 ? -index : 2 * (side - 1) - index;
    }
    return index;
}

/* --- Pairs ------------------------------------------------------------------------------------ */

/* A keypoint's turn and stretch, and the pixel it lies on. */
typedef struct OrbPlace {
    float a, b; /* s·cos, s·sin */
    int32_t x, y;
} OrbPlace;

PATCH_INLINE int32_t orb_round(float position) {
    const float low = position > (float)-ORB_POSITION_MAX ? position : (float)-ORB_POSITION_MAX;
    const float inside = low < (float)ORB_POSITION_MAX ? low : (float)ORB_POSITION_MAX;
#ifdef __CUDA_ARCH__
    return __float2int_rn(inside);
#else
    return (int32_t)rintf(inside);
#endif
}

PATCH_INLINE OrbPlace orb_place(Keypoint keypoint, float scale) {
    const double radians = (double)PATCH_MUL(keypoint.angle, ORB_RADIANS_PER_DEGREE);
    const int turned = keypoint.angle >= 0;
    const float s = PATCH_MUL(scale, keypoint.size) / ORB_SIDE;
    OrbPlace place;
    place.a = PATCH_MUL(s, turned ? (float)cos(radians) : 1.0F);
    place.b = PATCH_MUL(s, turned ? (float)sin(radians) : 0.0F);
    place.x = orb_round(keypoint.x);
    place.y = orb_round(keypoint.y);
    return place;
}

PATCH_INLINE int32_t orb_turned_x(const OrbPlace *place, float px, float py) {
    return orb_round(PATCH_ADD(PATCH_MUL(place->a, px), -PATCH_MUL(place->b, py)));
}

PATCH_INLINE int32_t orb_turned_y(const OrbPlace *place, float px, float py) {
    return orb_round(PATCH_ADD(PATCH_MUL(place->b, px), PATCH_MUL(place->a, py)));
}

PATCH_INLINE int32_t orb_inside(int32_t position, int32_t side) {
    return position < 0 ? 0 : position >= side ? side - 1 : position;
}

#ifdef __cplusplus
}
#endif

#endif
