/* A block's integral image of one image, in shared or global memory. */
#ifndef KERNELS_HAAR_HAAR_INTEGRAL_CUH
#define KERNELS_HAAR_HAAR_INTEGRAL_CUH

#include <cstddef>
#include <cstdint>

#include "cuda_device.h"
#include "warp_scan.cuh"

/* Entries from one row of an integral image to the next: odd, so that the lanes of a warp that go
 * down a column meet different banks of the shared memory. */
static __host__ __device__ constexpr int haar_stride(int width) {
    return (width + 1) | 1;
}

/* Entries of an integral image, those between its rows included. */
static __host__ __device__ constexpr size_t haar_entries(int width, int height) {
    return (size_t)(height + 1) * (size_t)haar_stride(width);
}

namespace {

constexpr int WARP = 32;

/* Bytes of shared memory that a block of `kernel` can have beside what it declares itself. */
inline Status haar_shared_limit(const void *kernel, size_t *bytes) {
    int most = 0;
    cudaFuncAttributes attributes;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &most));
    CUDA_TRY(cudaFuncGetAttributes(&attributes, kernel));
    *bytes = (size_t)most - attributes.sharedSizeBytes;
    return status_ok();
}

/* A warp calls put(i, get(0) + … + get(i)) for all i < count, 32 at a time. */
template <typename T, typename Get, typename Put>
__device__ __forceinline__ void warp_running_sums(int count, const Get &get, const Put &put) {
    const int lane = (int)threadIdx.x % WARP;
    T before = 0;
#pragma unroll 1
    for (int begin = 0; begin < count; begin += WARP) {
        const int i = begin + lane;
        const T sum = warp_running_sum(i < count ? get(i) : (T)0);
        const T all = warp_whole_sum(sum);
        if (i < count) {
            put(i, before + sum);
        }
        before += all;
        __syncwarp();
    }
}

/*
 * The block makes an integral image of haar_entries(width, height) entries: row by row, a warp a
 * row, then column by column, a warp a column. The caller ensures that no thread reads the memory
 * any more; it can be read on return.
 */
template <int THREADS, typename T>
__device__ __forceinline__ void block_integral(const uint8_t *pixels, int width, int height,
                                               T *integral) {
    constexpr int WARPS = THREADS / WARP;
    const int stride = haar_stride(width);
    const int warp = (int)threadIdx.x / WARP;
    for (int x = (int)threadIdx.x; x < stride; x += THREADS) {
        integral[x] = 0;
    }
    for (int y = warp; y < height; y += WARPS) {
        const uint8_t *row = pixels + (size_t)y * (size_t)width;
        T *sums = integral + (y + 1) * stride;
        if (threadIdx.x % WARP == 0) {
            sums[0] = 0;
        }
        warp_running_sums<T>(
            width, [&](int x) { return (T)row[x]; }, [&](int x, T sum) { sums[x + 1] = sum; });
    }
    __syncthreads();
    for (int x = 1 + warp; x <= width; x += WARPS) {
        T *column = integral + stride + x;
        warp_running_sums<T>(
            height, [&](int y) { return column[y * stride]; },
            [&](int y, T sum) { column[y * stride] = sum; });
    }
    __syncthreads();
}

} // namespace

#endif
