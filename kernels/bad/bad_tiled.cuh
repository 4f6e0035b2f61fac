/* A block for some keypoints: a bit per thread, from an integral image read in whatever way. */
#ifndef KERNELS_BAD_BAD_TILED_CUH
#define KERNELS_BAD_BAD_TILED_CUH

#include "bad_device.cuh"
#include "cuda_device.h"

namespace {

constexpr int WARP = 32;
constexpr int THREADS = 256;
constexpr int KEYPOINTS = 8; /* of a block, which copies the tests once for them all */

/* Threads of the block copy the tests, word by word, and make the places of its keypoints. */
__device__ __forceinline__ void stage(const BadTest *tests, int bits, BadTest *staged,
                                      const Keypoint *keypoints, int count, float scale, int width,
                                      int height, BadPlace *places) {
    const int words = bits * WEIGHTS_BAD_COLUMNS;
    for (int i = (int)threadIdx.x; i < words; i += THREADS) {
        ((float *)staged)[i] = ((const float *)tests)[i];
    }
    if ((int)threadIdx.x < count) {
        places[threadIdx.x] = bad_place(keypoints[threadIdx.x], scale, width, height);
    }
    __syncthreads();
}

/* Dynamic shared memory: the tests. */
template <typename Entry>
__global__ void __launch_bounds__(THREADS)
    describe(Entry entry, int width, int height, const Keypoint *__restrict__ keypoints, int count,
             float scale, const BadTest *__restrict__ tests, int bits, uint32_t *descriptors) {
    extern __shared__ BadTest staged[];
    __shared__ BadPlace places[KEYPOINTS];
    const int first = (int)blockIdx.x * KEYPOINTS;
    const int here = min(KEYPOINTS, count - first);
    stage(tests, bits, staged, keypoints + first, here, scale, width, height, places);
    const int lane = (int)threadIdx.x % WARP;
    const int words = bits / WARP;
    for (int i = (int)threadIdx.x / WARP; i < here * words; i += THREADS / WARP) {
        const BadTest test = staged[i % words * WARP + lane];
        const int bit = bad_test_bit(entry, places[i / words], test, width, height);
        const uint32_t votes = __ballot_sync(~0U, bit);
        if (lane == 0) {
            descriptors[(size_t)first * (size_t)words + (size_t)i] = bad_word(votes);
        }
    }
}

template <typename Entry> Status describe_tiled(const BadDevice *device, const Entry &entry) {
    const unsigned int blocks = (unsigned int)pieces_of(device->count, KEYPOINTS);
    const size_t shared = (size_t)device->bits * sizeof(BadTest);
    describe<Entry><<<blocks, THREADS, shared, cuda_stream()>>>(
        entry, device->width, device->height, device->keypoints, device->count, device->scale,
        device->tests, device->bits, device->descriptors);
    return CUDA_LAUNCHED();
}

} // namespace

#endif
