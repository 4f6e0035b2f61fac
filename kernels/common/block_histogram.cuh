/*
 * A block's histogram in shared memory, as the naive, tiled and texture kernels keep it: every
 * thread adds its values atomically, the block adds its counts to the global histogram at the end
 * [lbp-2020 section 5].
 */
#ifndef KERNELS_COMMON_BLOCK_HISTOGRAM_CUH
#define KERNELS_COMMON_BLOCK_HISTOGRAM_CUH

static __device__ inline unsigned int block_thread() {
    return threadIdx.y * blockDim.x + threadIdx.x;
}

/* All threads of the block call these; each ends or begins with a barrier where one is needed. */
template <int BINS>
static __device__ inline void block_histogram_clear(unsigned int (&counts)[BINS]) {
    for (unsigned int bin = block_thread(); bin < BINS; bin += blockDim.x * blockDim.y) {
        counts[bin] = 0;
    }
    __syncthreads();
}

/* `histogram` has BINS counts in global memory. */
template <int BINS>
static __device__ inline void block_histogram_merge(const unsigned int (&counts)[BINS],
                                                    unsigned long long *histogram) {
    __syncthreads();
    for (unsigned int bin = block_thread(); bin < BINS; bin += blockDim.x * blockDim.y) {
        atomicAdd(&histogram[bin], (unsigned long long)counts[bin]);
    }
}

#endif
