/*
 * Running sums over the lanes of a warp, all of which call this. CUB has them too, but with its
 * header a file takes four times as long to compile.
 */
#ifndef KERNELS_COMMON_WARP_SCAN_CUH
#define KERNELS_COMMON_WARP_SCAN_CUH

#include <cuda_runtime.h>

/* Adds the value `apart` lanes below. The shuffle says whether there is such a lane (PTX ISA,
 * shfl), so that adding takes no comparison. */
static __device__ __forceinline__ int warp_scan_step(int value, int apart) {
    int sum;
    asm volatile("{"
                 ".reg .s32 below;"
                 ".reg .pred there;"
                 "shfl.sync.up.b32 below|there, %1, %2, 0, 0xffffffff;"
                 "@there add.s32 below, below, %1;"
                 "mov.s32 %0, below;"
                 "}"
                 : "=r"(sum)
                 : "r"(value), "r"(apart));
    return sum;
}

static __device__ __forceinline__ unsigned int warp_scan_step(unsigned int value, int apart) {
    return (unsigned int)warp_scan_step((int)value, apart);
}

static __device__ __forceinline__ float warp_scan_step(float value, int apart) {
    float sum;
    asm volatile("{"
                 ".reg .f32 below;"
                 ".reg .pred there;"
                 "shfl.sync.up.b32 below|there, %1, %2, 0, 0xffffffff;"
                 "@there add.f32 below, below, %1;"
                 "mov.f32 %0, below;"
                 "}"
                 : "=f"(sum)
                 : "f"(value), "r"(apart));
    return sum;
}

static __device__ __forceinline__ unsigned long long warp_scan_step(unsigned long long value,
                                                                    int apart) {
    const unsigned long long below = __shfl_up_sync(~0U, value, (unsigned int)apart);
    return (int)(threadIdx.x % 32) < apart ? value : value + below;
}

/* The sum of the values of this lane and those below it. */
template <typename T> __device__ __forceinline__ T warp_running_sum(T value) {
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2) {
        value = warp_scan_step(value, apart);
    }
    return value;
}

/* That of all lanes, given the running sum. */
template <typename T> __device__ __forceinline__ T warp_whole_sum(T running) {
    return __shfl_sync(~0U, running, 31);
}

#endif
