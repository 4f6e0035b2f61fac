/* The last part of a plan: what a warp does at a time, in the order in which it is handed out. */
#ifndef KERNELS_HAAR_HAAR_UNITS_H
#define KERNELS_HAAR_HAAR_UNITS_H

#include <stdbool.h>

#include "haar_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills the units of a plan whose chunks have their items. False when memory runs out. */
bool haar_units_make(int32_t height, int32_t min_side, int32_t threshold, HaarPlan *plan);

#ifdef __cplusplus
}
#endif

#endif
