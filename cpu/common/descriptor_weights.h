/*
 * The weights of hashsift, bad and orb: what a row of each has, which rows can be, and how
 * untrained ones are drawn.
 */
#ifndef CPU_COMMON_DESCRIPTOR_WEIGHTS_H
#define CPU_COMMON_DESCRIPTOR_WEIGHTS_H

#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEIGHTS_HASHSIFT "hashsift" /* 129: bias, then a factor for each of the 128 values */
#define WEIGHTS_BAD "bad"           /* 6: x1, y1, x2, y2, radius (whole numbers), threshold */
#define WEIGHTS_ORB "orb"           /* 4: x1, y1, x2, y2 (whole numbers, from the keypoint) */

enum { WEIGHTS_HASHSIFT_COLUMNS = 129, WEIGHTS_BAD_COLUMNS = 6, WEIGHTS_ORB_COLUMNS = 4 };
enum { WEIGHTS_BAD_SIDE = 32, WEIGHTS_ORB_REACH = 15 };

extern const WeightsKind hashsift_weights, bad_weights, orb_weights;

#ifdef __cplusplus
}
#endif

#endif
