/*
 * hashsift: binary descriptors of keypoints: SIFT of a patch, projected, and the signs kept.
 *
 * Definition; all arithmetic float32 in the order written, without contraction.
 *
 * Patch. 32×32 pixels of 8 bits, placed, turned and sized by the keypoint (patch_map.h), with
 * cosine and sine of float(π)·angle / 180 taken in double precision and rounded to float, which is
 * the same number on every processor. A pixel that falls at (u, v) of the image lies between four
 * pixels: with x = ⌊u⌋, du = u − x, top = (1 − du)·p(x, y) + du·p(x + 1, y), bottom likewise a row
 * below, t = (1 − dv)·top + dv·bottom, and the value is ⌊t + 0.5⌋; 0 unless x ≥ 0, x + 1 < width, y
 * ≥ 0 and y + 1 < height. No blur.
 *
 * SIFT. For the inner 30×30 pixels (i, j): dx = right − left, dy = upper − lower, magnitude
 * √(dx² + dy²)·exp(−((i − 16)² + (j − 16)²) / 512), orientation atan2(dy, dx). The magnitude votes
 * for bins that are cells of 8×8 pixels and eighths of a circle, shared linearly between the two
 * nearest along each of the three: row bin (j − 16) / 8 + 1.5, column bin (i − 16) / 8 + 1.5,
 * orientation bin angle·8 / 2π, eighths beyond the last being the first again. Votes outside the
 * 4×4 cells are dropped. Value (row·4 + column)·8 + orientation. The 128 values are divided by
 * their L2 norm (at least FLT_EPSILON), cut at 0.2, divided by their norm again, multiplied by 512,
 * rounded to even, and cut at 255.
 *
 * Descriptor. Bit b is whether B[b][0] + Σ B[b][1 + k]·value k is above 0; the most significant
 * bit of a byte comes first. With --bits 1024 there is no projection: the descriptor is the 128
 * values, a byte each.
 *
 * Comparison: see hashsift_compare.
 *
 * Source: I. Suárez, J. M. Buenaposada, L. Baumela, "Revisiting binary local image description for
 * resource limited devices" (2021); the CUDA study of Fixstars (2024) for the ladder of variants.
 */
#ifndef CPU_HASHSIFT_H
#define CPU_HASHSIFT_H

#include "algorithm.h"
#include "keypoints.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HASHSIFT_CELLS = 4, /* along each side of the patch */
    HASHSIFT_CELL_SIDE = 8,
    HASHSIFT_ORIENTATIONS = 8,
    HASHSIFT_VALUES = HASHSIFT_CELLS * HASHSIFT_CELLS * HASHSIFT_ORIENTATIONS,
    HASHSIFT_COLUMNS = HASHSIFT_VALUES + 1,   /* of B: the bias first */
    HASHSIFT_VALUE_BITS = 8 * HASHSIFT_VALUES /* --bits of a descriptor that is not projected */
};

#define HASHSIFT_CUT 0.2F
#define HASHSIFT_FACTOR 512.0F
#define HASHSIFT_DISTANCE_SCALE (-1.0F / 512.0F) /* of the Gaussian weight's exponent */

/* The one part of the answer: a row of bits / 8 bytes for each keypoint. */
static inline uint8_t *hashsift_descriptors(const Output *output) {
    return (uint8_t *)output_part(output, 0);
}

/* At most 1 in 10,000 bits differs, or 2 where there are fewer than 20,000. Of values: none differs
 * by more than 1, and at most 5 in 10,000, or 2, differ. */
void hashsift_compare(const Output *got, const Output *want, Verdict *verdict);

#ifdef __cplusplus
}
#endif

#endif
