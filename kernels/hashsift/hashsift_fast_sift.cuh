/*
 * The kernel "sift" of hashsift_fast: a warp per keypoint, a lane per column of its patch. Pixels
 * never leave the registers: a row is sampled, the one before it votes, with its neighbours to the
 * left and right from the neighbouring lanes.
 */
#ifndef KERNELS_HASHSIFT_FAST_SIFT_CUH
#define KERNELS_HASHSIFT_FAST_SIFT_CUH

#include <cfloat>
#include <cstdint>
#include <cuda_fp16.h>

#include "hashsift_fast_sample.cuh"
#include "hashsift_fast_votes.cuh"

enum { HASHSIFT_WARPS = 4 };

static constexpr unsigned HASHSIFT_ALL_LANES = 0xFFFFFFFFU;

/* A row's shares of the two rows of cells it votes for, with its part of the Gaussian weight. */
typedef struct HashsiftRowShares {
    float2 of_row[PATCH_SIDE];
} HashsiftRowShares;

/* The sum of a number over the warp, in every lane. */
static __device__ __forceinline__ float hashsift_warp_sum(float number) {
#pragma unroll
    for (int distance = PATCH_SIDE / 2; distance > 0; distance /= 2) {
        number += __shfl_xor_sync(HASHSIFT_ALL_LANES, number, distance);
    }
    return number;
}

static __device__ __forceinline__ void hashsift_divide_by_norm(float (&values)[HASHSIFT_CELLS]) {
    float sum = 0.0F;
#pragma unroll
    for (int r = 0; r < HASHSIFT_CELLS; ++r) {
        sum = fmaf(values[r], values[r], sum);
    }
    const float factor = 1.0F / fmaxf(sqrtf(hashsift_warp_sum(sum)), FLT_EPSILON);
#pragma unroll
    for (int r = 0; r < HASHSIFT_CELLS; ++r) {
        values[r] *= factor;
    }
}

/* Votes become values, whole numbers 0…255; a lane has one of each row of cells. */
static __device__ __forceinline__ void hashsift_normalise(float (&values)[HASHSIFT_CELLS]) {
    hashsift_divide_by_norm(values);
#pragma unroll
    for (int r = 0; r < HASHSIFT_CELLS; ++r) {
        values[r] = fminf(values[r], HASHSIFT_CUT);
    }
    hashsift_divide_by_norm(values);
#pragma unroll
    for (int r = 0; r < HASHSIFT_CELLS; ++r) {
        values[r] = fminf(rintf(HASHSIFT_FACTOR * values[r]), 255.0F);
    }
}

/* What a lane needs to sample its column. */
typedef struct HashsiftColumn {
    float ci, ni; /* the map's products with the column */
    float weight; /* the column's part of the Gaussian weight */
} HashsiftColumn;

template <bool INSIDE>
static __device__ __forceinline__ float hashsift_pixel(const HashsiftTexture &picture,
                                                       const PatchMap &map,
                                                       const HashsiftColumn &column, float j) {
    const float u = __fadd_rn(__fadd_rn(column.ci, -__fmul_rn(map.n, j)), map.x0);
    const float v = __fadd_rn(__fadd_rn(column.ni, __fmul_rn(map.c, j)), map.y0);
    return hashsift_sample_at<INSIDE>(picture, u, v);
}

/* The unnormalised values of a keypoint, a lane's of each row of cells. */
template <bool INSIDE>
static __device__ __forceinline__ void
hashsift_patch_votes(const HashsiftTexture &picture, const PatchMap &map,
                     const HashsiftColumn &column, const HashsiftRowShares &shares, float *room,
                     int lane, float (&values)[HASHSIFT_CELLS]) {
    HashsiftSums upper;
    HashsiftSums lower;
    hashsift_clear(upper);
    hashsift_clear(lower);
    float above = hashsift_pixel<INSIDE>(picture, map, column, 0.0F);
    float here = hashsift_pixel<INSIDE>(picture, map, column, 1.0F);
#pragma unroll
    for (int cells = 0; cells <= HASHSIFT_CELLS; ++cells) {
        const int first = cells == 0 ? 1 : HASHSIFT_CELL_SIDE * cells - HASHSIFT_MARGIN;
        const int end = cells == HASHSIFT_CELLS
                            ? PATCH_SIDE - 1
                            : HASHSIFT_CELL_SIDE * (cells + 1) - HASHSIFT_MARGIN;
#pragma unroll 1
        for (int j = first; j < end; ++j) {
            const float below = hashsift_pixel<INSIDE>(picture, map, column, (float)(j + 1));
            const float dx = __shfl_down_sync(HASHSIFT_ALL_LANES, here, 1) -
                             __shfl_up_sync(HASHSIFT_ALL_LANES, here, 1);
            const float dy = above - below;
            const float squared = fmaf(dx, dx, dy * dy);
            const float magnitude = squared * hashsift_reciprocal_root(fmaxf(squared, 1.0F));
            const float2 share = shares.of_row[j];
            hashsift_vote(upper, lower, share.x * magnitude, share.y * magnitude,
                          hashsift_orientation(dx, dy));
            above = here;
            here = below;
        }
        if (cells > 0) {
            values[cells - 1] = hashsift_cells(upper, column.weight, room, lane);
        }
        upper = lower;
        hashsift_clear(lower);
    }
}

/* What becomes of the values: halves for the product, or bytes, which are the answer. */
static __device__ __forceinline__ void hashsift_store(__half *to, float value) {
    *to = __float2half_rn(value);
}
static __device__ __forceinline__ void hashsift_store(uint8_t *to, float value) {
    *to = (uint8_t)value;
}

template <typename Value>
static __global__ void __launch_bounds__(HASHSIFT_WARPS *PATCH_SIDE)
    hashsift_fast_sift(HashsiftTexture picture, const Keypoint *keypoints, int count, float scale,
                       const __grid_constant__ HashsiftRowShares shares, Value *answers) {
    __shared__ __align__(16) float rooms[HASHSIFT_WARPS][HASHSIFT_COLUMN_ROOM];
    const int lane = (int)threadIdx.x;
    float *room = rooms[threadIdx.y];
    const int k = (int)blockIdx.x * HASHSIFT_WARPS + (int)threadIdx.y;
    hashsift_clear_margins(room, lane);
    if (k >= count) {
        return;
    }
    const PatchMap map = hashsift_map(keypoints[k], scale);
    const float x = (float)(lane - PATCH_HALF);
    const bool votes = lane > 0 && lane < PATCH_SIDE - 1;
    const HashsiftColumn column = {__fmul_rn(map.c, (float)lane), __fmul_rn(map.n, (float)lane),
                                   votes ? expf(HASHSIFT_DISTANCE_SCALE * x * x) : 0.0F};
    float values[HASHSIFT_CELLS];
    if (hashsift_all_inside(picture, map)) {
        hashsift_patch_votes<true>(picture, map, column, shares, room, lane, values);
    } else {
        hashsift_patch_votes<false>(picture, map, column, shares, room, lane, values);
    }
    hashsift_normalise(values);
    Value *answer = answers + (size_t)k * HASHSIFT_VALUES;
#pragma unroll
    for (int r = 0; r < HASHSIFT_CELLS; ++r) {
        hashsift_store(&answer[r * PATCH_SIDE + lane], values[r]);
    }
}

#endif
