/*
 * Values of a keypoint by a block of 32×WARPS threads: the patch and the votes in shared memory,
 * votes added by atomics, the norms by the shuffles of one warp. The study weighs 32, 4 and 1 warps
 * and takes 4.
 *
 * Votes have a ring of cells around the 4×4, so that those beyond the patch need no test; they are
 * dropped when values are read. Pixels are dealt to threads in the study's order: consecutive
 * threads four columns apart, rows two apart, so that fewer of a warp vote for one bin at a time.
 * With a thread for each pixel there is nothing to deal: a warp has a row of the patch.
 */
#ifndef KERNELS_HASHSIFT_HASHSIFT_BLOCK_CUH
#define KERNELS_HASHSIFT_HASHSIFT_BLOCK_CUH

#include "cuda_device.h"
#include "hashsift_device.cuh"
#include "hashsift_patch.cuh"

enum {
    HASHSIFT_WARP = 32,
    HASHSIFT_STUDY_WARPS = 4, /* of a block, as the study has it */
    HASHSIFT_RING = HASHSIFT_CELLS + 2,
    HASHSIFT_RING_ORIENTATIONS = HASHSIFT_ORIENTATIONS + 2,
    HASHSIFT_VALUES_OF_LANE = HASHSIFT_VALUES / HASHSIFT_WARP
};

typedef float HashsiftRing[HASHSIFT_RING][HASHSIFT_RING][HASHSIFT_RING_ORIENTATIONS];

struct HashsiftShared {
    PatchMap map;
    HashsiftRing ring;
    uint8_t patch[HASHSIFT_PATCH_PIXELS];
};

struct HashsiftAddToRing {
    HashsiftRing &ring;

    __device__ __forceinline__ void operator()(int row, int column, int orientation,
                                               float share) const {
        atomicAdd(&ring[row + 1][column + 1][orientation], share);
    }
};

template <int WARPS>
static __device__ __forceinline__ void hashsift_clear_ring(HashsiftShared &shared, int thread) {
    float *votes = &shared.ring[0][0][0];
    for (int v = thread; v < (int)(sizeof shared.ring / sizeof *votes);
         v += WARPS * HASHSIFT_WARP) {
        votes[v] = 0;
    }
}

template <int WARPS, typename Texels>
static __device__ __forceinline__ void hashsift_take_patch(const Texels &texels,
                                                           HashsiftShared &shared, int thread) {
    const PatchMap map = shared.map;
    for (int p = thread; p < HASHSIFT_PATCH_PIXELS; p += WARPS * HASHSIFT_WARP) {
        shared.patch[p] = hashsift_patch_pixel(texels, map, p % PATCH_SIDE, p / PATCH_SIDE);
    }
}

template <int WARPS>
static __device__ __forceinline__ void hashsift_count_votes(HashsiftShared &shared, int thread) {
    constexpr int PIXELS = PATCH_SIDE / WARPS; /* of a thread */
    constexpr int COLUMNS = PIXELS < 4 ? PIXELS : 4;
    constexpr int ROWS = PIXELS / COLUMNS;
    const HashsiftAddToRing add = {shared.ring};
    for (int n = 0; n < COLUMNS * ROWS; n++) {
        const int i = thread % (PATCH_SIDE / COLUMNS) * COLUMNS + n % COLUMNS;
        const int j = thread / (PATCH_SIDE / COLUMNS) * ROWS + n / COLUMNS;
        if (hashsift_is_inner(i, j)) {
            hashsift_share(hashsift_vote(shared.patch, i, j), add);
        }
    }
}

/* Eighths of a circle beyond the last are the first ones again. */
static __device__ __forceinline__ float hashsift_votes_for(const HashsiftRing &ring, int value) {
    constexpr int WRAPPED = HASHSIFT_RING_ORIENTATIONS - HASHSIFT_ORIENTATIONS;
    const int cell = value / HASHSIFT_ORIENTATIONS;
    const int orientation = value % HASHSIFT_ORIENTATIONS;
    const float *bins = ring[cell / HASHSIFT_CELLS + 1][cell % HASHSIFT_CELLS + 1];
    return bins[orientation] +
           (orientation < WRAPPED ? bins[orientation + HASHSIFT_ORIENTATIONS] : 0);
}

/* Of the values that all lanes of the warp hold together. */
static __device__ __forceinline__ float
hashsift_warp_unit_factor(const float (&values)[HASHSIFT_VALUES_OF_LANE]) {
    float square = 0;
#pragma unroll
    for (int n = 0; n < HASHSIFT_VALUES_OF_LANE; n++) {
        square += values[n] * values[n];
    }
#pragma unroll
    for (int distance = HASHSIFT_WARP / 2; distance > 0; distance /= 2) {
        square += __shfl_xor_sync(0xFFFFFFFFU, square, distance);
    }
    return hashsift_unit_factor(square);
}

/* One whole warp calls this. Lane l has values l, l + 32, …, so that it writes beside the next. */
static __device__ __forceinline__ void hashsift_write_values(const HashsiftRing &ring, int lane,
                                                             float *output) {
    float values[HASHSIFT_VALUES_OF_LANE];
#pragma unroll
    for (int n = 0; n < HASHSIFT_VALUES_OF_LANE; n++) {
        values[n] = hashsift_votes_for(ring, lane + n * HASHSIFT_WARP);
    }
    const float first = hashsift_warp_unit_factor(values);
#pragma unroll
    for (int n = 0; n < HASHSIFT_VALUES_OF_LANE; n++) {
        values[n] = fminf(first * values[n], HASHSIFT_CUT);
    }
    const float second = hashsift_warp_unit_factor(values);
#pragma unroll
    for (int n = 0; n < HASHSIFT_VALUES_OF_LANE; n++) {
        output[lane + n * HASHSIFT_WARP] = hashsift_whole(second * values[n]);
    }
}

/* A block for each keypoint. */
template <int WARPS, typename Texels>
static __global__ void __launch_bounds__(WARPS *HASHSIFT_WARP)
    hashsift_block_sift(const Texels texels, const Keypoint *keypoints, float scale,
                        float *values) {
    __shared__ HashsiftShared shared;
    const int thread = (int)(threadIdx.y * HASHSIFT_WARP + threadIdx.x);
    if (thread == 0) {
        shared.map = hashsift_map(keypoints[blockIdx.x], scale);
    }
    hashsift_clear_ring<WARPS>(shared, thread);
    __syncthreads();
    hashsift_take_patch<WARPS>(texels, shared, thread);
    __syncthreads();
    hashsift_count_votes<WARPS>(shared, thread);
    __syncthreads();
    if (threadIdx.y == 0) {
        hashsift_write_values(shared.ring, thread, values + (size_t)blockIdx.x * HASHSIFT_VALUES);
    }
}

/* Queues filling device->values. */
template <int WARPS, typename Texels>
static Status hashsift_queue_block_sift(const HashsiftDevice *device, const Texels &texels) {
    hashsift_block_sift<WARPS>
        <<<(unsigned int)device->keypoints_count, dim3(HASHSIFT_WARP, WARPS), 0, cuda_stream()>>>(
            texels, device->keypoints, device->scale, device->values);
    return CUDA_LAUNCHED();
}

#endif
