/*
 * Sums of masses and of their squares: kept by every thread in registers, added up by the block,
 * and added to the sums in global memory by one thread. A list of masses or a frequency table,
 * which the study has, is not needed for them.
 */
#ifndef KERNELS_LACUNARITY_LACUNARITY_SUMS_CUH
#define KERNELS_LACUNARITY_LACUNARITY_SUMS_CUH

#include "lacunarity_device.h"

/* What one thread has seen: Σs, and Σs² = low + high·2^32. Begins as {0, 0, 0}. */
struct Moments {
    unsigned long long s, low, high;
};

/* Whether `count` squares of masses of this box fit 64 bits, so that add_mass<true> may be used. */
static inline bool squares_fit(int box, unsigned long long count) {
    const unsigned long long mass = (unsigned long long)box * (unsigned long long)box;
    return count <= ~0ULL / (mass * mass);
}

/* Adds a mass. SQUARES_FIT: the sum of the thread's squares stays below 2^64, which takes less than
 * half as many instructions; otherwise up to 2^32 masses of any box may be added. */
template <bool SQUARES_FIT = false>
static __device__ __forceinline__ void add_mass(Moments &moments, uint32_t mass) {
    const unsigned long long square = (unsigned long long)mass * mass;
    moments.s += mass;
    if (SQUARES_FIT) {
        moments.low += square;
    } else {
        moments.low += (uint32_t)square;
        moments.high += square >> 32;
    }
}

/* Adds up the moments of a warp's first `lanes` threads; the sum is right in lane 0. */
static __device__ inline Moments warp_sum_moments(Moments moments, int lane, int lanes) {
    const unsigned int mask = 0xFFFFFFFFU >> (warpSize - lanes);
    for (int step = warpSize / 2; step > 0; step /= 2) {
        const unsigned long long s = __shfl_down_sync(mask, moments.s, step);
        const unsigned long long low = __shfl_down_sync(mask, moments.low, step);
        const unsigned long long high = __shfl_down_sync(mask, moments.high, step);
        if (lane + step < lanes) {
            moments.s += s;
            moments.low += low;
            moments.high += high;
        }
    }
    return moments;
}

/* Adds the moments of all threads of a block, of one or two dimensions and at most 1024 threads,
 * to `sums` in global memory. All threads call it, at most once in a kernel or with a barrier
 * between. */
static __device__ inline void block_add_moments(const Moments &moments, LacunaritySums *sums) {
    const int warps_max = 32;
    __shared__ Moments warp_sums[warps_max];
    const int threads = (int)(blockDim.x * blockDim.y);
    const int thread = (int)(threadIdx.y * blockDim.x + threadIdx.x);
    const int warp = thread / warpSize;
    const int lane = thread % warpSize;
    /* From here on low has 32 bits, and a thousand of them cannot pass 64. */
    const Moments split = {moments.s, (uint32_t)moments.low, moments.high + (moments.low >> 32)};
    const Moments of_warp = warp_sum_moments(split, lane, min(warpSize, threads - warp * warpSize));
    if (lane == 0) {
        warp_sums[warp] = of_warp;
    }
    __syncthreads();
    if (warp > 0) {
        return;
    }
    const int warps = (threads + warpSize - 1) / warpSize;
    const int lanes = min(warpSize, threads);
    const Moments none = {0, 0, 0};
    const Moments total = warp_sum_moments(lane < warps ? warp_sums[lane] : none, lane, lanes);
    if (lane == 0 && total.s != 0) { /* without an object pixel there is nothing to add */
        atomicAdd(&sums->sum_s, total.s);
        atomicAdd(&sums->low, total.low);
        atomicAdd(&sums->high, total.high);
    }
}

#endif
