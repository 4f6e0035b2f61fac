/*
 * A block's histogram in shared memory, as the naive, tiled and texture kernels keep it: every
 * thread adds its codes atomically, the block adds its counts to the global histogram at the end
 * [lbp-2020 section 5].
 */
#ifndef KERNELS_LBP_LBP_BLOCK_HISTOGRAM_CUH
#define KERNELS_LBP_LBP_BLOCK_HISTOGRAM_CUH

#include "lbp_device.h"

static __device__ inline unsigned int block_thread() {
    return threadIdx.y * blockDim.x + threadIdx.x;
}

/* All threads of the block call these; each ends or begins with a barrier where one is needed. */
static __device__ inline void block_histogram_clear(unsigned int *counts) {
    for (unsigned int bin = block_thread(); bin < LBP_BINS; bin += blockDim.x * blockDim.y) {
        counts[bin] = 0;
    }
    __syncthreads();
}

static __device__ inline void block_histogram_merge(const unsigned int *counts,
                                                    LbpCount *histogram) {
    __syncthreads();
    for (unsigned int bin = block_thread(); bin < LBP_BINS; bin += blockDim.x * blockDim.y) {
        atomicAdd(&histogram[bin], (LbpCount)counts[bin]);
    }
}

#endif
