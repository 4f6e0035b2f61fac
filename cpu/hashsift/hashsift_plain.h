/* The steps of hashsift for one keypoint, as plainly as hashsift.h defines them. */
#ifndef CPU_HASHSIFT_PLAIN_H
#define CPU_HASHSIFT_PLAIN_H

#include <stdint.h>

#include "hashsift.h"
#include "patch_map.h"

/* Where the pixels of a keypoint's patch lie. */
PatchMap hashsift_map(Keypoint keypoint, float scale);

/* patch[PATCH_SIDE·j + i]. */
void hashsift_patch(const Image *image, Keypoint keypoint, float scale, uint8_t *patch);

/* The unnormalised votes of a patch, HASHSIFT_VALUES of them. */
void hashsift_votes(const uint8_t *patch, float *votes);

/* Votes become values, whole numbers 0…255. */
void hashsift_normalise(float *votes);

/* bits / 8 bytes from `bits` responses. */
void hashsift_signs(const float *responses, int32_t bits, uint8_t *descriptor);

#endif
