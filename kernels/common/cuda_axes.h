/* Tuning axes that CUDA variants of every algorithm share. */
#ifndef KERNELS_COMMON_CUDA_AXES_H
#define KERNELS_COMMON_CUDA_AXES_H

#include "axis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --tile 4,8,16,32: side of the square of output elements that one thread block computes from
 * shared memory. */
extern const Axis tile_axis;

/* --block 8,16,32: side of a square thread block that reads global memory. */
extern const Axis block_axis;

/* The tuning of variants with one of them alone. */
extern const Axis *const tile_tuning[];
extern const Axis *const block_tuning[];

#ifdef __cplusplus
}
#endif

#endif
