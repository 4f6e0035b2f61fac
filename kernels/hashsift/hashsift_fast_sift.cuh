/* The kernel "sift" of cuda_fast, in its parts. */
#ifndef KERNELS_HASHSIFT_FAST_SIFT_CUH
#define KERNELS_HASHSIFT_FAST_SIFT_CUH

#include <cfloat>
#include <cstdint>
#include <cuda_fp16.h>

#include "early_launch.cuh"
#include "hashsift.h"
#include "hashsift_patch.cuh"
#include "patch_map.h"

/* === Patch ==================================================================================== */

/*
 * Patch pixels for hashsift_fast: four pixels of the image by one gathering fetch, and the
 * oracle's mixture of them, operation by operation, so that every byte is the oracle's.
 *
 * Conversions go through the exponent instead of the conversion unit, which does a quarter as many:
 * 2^23 + v has v in its low bits, and the sum's rounding mode is the conversion's.
 */

#define HASHSIFT_MAGIC 8388608.0F /* 2^23 */
#define HASHSIFT_MAGIC_BITS 0x4B000000U

/* The image as a texture that can be gathered from. */
typedef struct HashsiftTexture {
    cudaTextureObject_t texture;
    float width_less_1, height_less_1;
} HashsiftTexture;

typedef struct HashsiftTexels {
    uint32_t upper_left, upper_right, lower_left, lower_right;
} HashsiftTexels;

/* The pixels (x, y) to (x + 1, y + 1). */
static __device__ __forceinline__ HashsiftTexels hashsift_gather(cudaTextureObject_t texture,
                                                                 float x, float y) {
    HashsiftTexels texels;
    asm("tld4.r.2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
        : "=r"(texels.lower_left), "=r"(texels.lower_right), "=r"(texels.upper_right),
          "=r"(texels.upper_left)
        : "l"(texture), "f"(x + 1.0F), "f"(y + 1.0F));
    return texels;
}

/* 0…255 as a float. */
static __device__ __forceinline__ float hashsift_byte_to_float(uint32_t byte) {
    return __uint_as_float(byte | HASHSIFT_MAGIC_BITS) - HASHSIFT_MAGIC;
}

/* The pixel at (u, v), which is inside. */
static __device__ __forceinline__ float hashsift_sample_inside(cudaTextureObject_t texture, float u,
                                                               float v) {
    const float x = __fadd_rd(u, HASHSIFT_MAGIC) - HASHSIFT_MAGIC;
    const float y = __fadd_rd(v, HASHSIFT_MAGIC) - HASHSIFT_MAGIC;
    const HashsiftTexels texels = hashsift_gather(texture, x, y);
    const float du = u - x;
    const float dv = v - y;
    const float top = hashsift_mix(hashsift_byte_to_float(texels.upper_left),
                                   hashsift_byte_to_float(texels.upper_right), du);
    const float bottom = hashsift_mix(hashsift_byte_to_float(texels.lower_left),
                                      hashsift_byte_to_float(texels.lower_right), du);
    const float mixed = __fadd_rn(hashsift_mix(top, bottom, dv), 0.5F);
    return __fadd_rz(mixed, HASHSIFT_MAGIC) - HASHSIFT_MAGIC;
}

/* The pixel at (u, v), wherever that is: 0 outside. */
template <bool INSIDE>
static __device__ __forceinline__ float hashsift_sample_at(const HashsiftTexture &image, float u,
                                                           float v) {
    if (INSIDE) {
        return hashsift_sample_inside(image.texture, u, v);
    }
    const bool inside = u >= 0.0F && u < image.width_less_1 && v >= 0.0F && v < image.height_less_1;
    return inside ? hashsift_sample_inside(image.texture, u, v) : 0.0F;
}

/* Whether all of a patch is inside by a margin that covers rounding. */
static __device__ __forceinline__ bool hashsift_all_inside(const HashsiftTexture &image,
                                                           const PatchMap &map) {
    const float last = PATCH_SIDE - 1;
    const float low_x = map.x0 + fminf(map.c * last, 0.0F) - fmaxf(map.n * last, 0.0F);
    const float high_x = map.x0 + fmaxf(map.c * last, 0.0F) - fminf(map.n * last, 0.0F);
    const float low_y = map.y0 + fminf(map.n * last, 0.0F) + fminf(map.c * last, 0.0F);
    const float high_y = map.y0 + fmaxf(map.n * last, 0.0F) + fmaxf(map.c * last, 0.0F);
    return low_x >= 1.0F && high_x < image.width_less_1 - 1.0F && low_y >= 1.0F &&
           high_y < image.height_less_1 - 1.0F;
}

/* === Votes ==================================================================================== */

/*
 * Votes for hashsift_fast, without atomics: a lane holds a column of the patch and goes down its
 * rows. Which two rows of cells a patch row votes for is the same for all lanes, so a lane has two
 * sets of eight sums in registers, of which one is complete every eight rows.
 *
 * A vote's share of orientation bin o is max(0, 1 − |b − o|), around the circle. Sums of
 * s_o = clamp(b − o, 0, 1) cost an operation less for each: a share is s_{o−1} − s_o, so the votes
 * of a bin are the difference of two neighbouring sums.
 */

/* Of one row of cells and one column of pixels: all votes, and those clamped sums. */
typedef struct HashsiftSums {
    float all;
    float beyond[HASHSIFT_ORIENTATIONS];
} HashsiftSums;

static __device__ __forceinline__ void hashsift_clear(HashsiftSums &sums) {
    sums.all = 0.0F;
#pragma unroll
    for (int o = 0; o < HASHSIFT_ORIENTATIONS; o++) {
        sums.beyond[o] = 0.0F;
    }
}

/* Without the care for numbers below 2^-126, which there are none of. */
static __device__ __forceinline__ float hashsift_reciprocal(float number) {
    float reciprocal;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(number));
    return reciprocal;
}
static __device__ __forceinline__ float hashsift_reciprocal_root(float number) {
    float reciprocal;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(number));
    return reciprocal;
}

/* atan2(dy, dx) in eighths of a circle, 0 up to 8; dx and dy are whole numbers. The polynomial is
 * within 4e-7 of atan(r)·4/π on 0…1. */
static __device__ __forceinline__ float hashsift_orientation(float dx, float dy) {
    const float width = fabsf(dx);
    const float height = fabsf(dy);
    const float r = fminf(width, height) * hashsift_reciprocal(fmaxf(fmaxf(width, height), 1.0F));
    const float z = r * r;
    float factor = 0.008673027F;
    factor = fmaf(factor, z, -0.04278617F);
    factor = fmaf(factor, z, 0.10137995F);
    factor = fmaf(factor, z, -0.16849211F);
    factor = fmaf(factor, z, 0.25220093F);
    factor = fmaf(factor, z, -0.42420989F);
    factor = fmaf(factor, z, 1.2732346F);
    float eighths = r * factor;
    eighths = height > width ? 2.0F - eighths : eighths;
    eighths = dx < 0.0F ? 4.0F - eighths : eighths;
    return dy < 0.0F ? 8.0F - eighths : eighths;
}

/* A pixel's votes: `upper` and `lower` are its magnitude's shares of two rows of cells. */
static __device__ __forceinline__ void hashsift_vote(HashsiftSums &upper_sums,
                                                     HashsiftSums &lower_sums, float upper,
                                                     float lower, float eighths) {
    upper_sums.all += upper;
    lower_sums.all += lower;
#pragma unroll
    for (int o = 0; o < HASHSIFT_ORIENTATIONS; o++) {
        const float beyond = __saturatef(eighths - (float)o);
        upper_sums.beyond[o] = fmaf(upper, beyond, upper_sums.beyond[o]);
        lower_sums.beyond[o] = fmaf(lower, beyond, lower_sums.beyond[o]);
    }
}

/* --- From columns of pixels to cells ------------------------------------------------------------
 *
 * Each row of cells has four times eight values, one for each lane: lane 8·c + o adds up the 16
 * columns that vote for cell c, of which pixel p has the share 1 − |p − 8| / 8. Columns lie in
 * shared memory behind four zeros and before four, so that no lane needs to look where it is.
 */
enum {
    HASHSIFT_MARGIN = 4,
    HASHSIFT_ROW = 44, /* numbers per orientation: 32, margins, and no two rows on the same banks */
    HASHSIFT_COLUMN_ROOM = HASHSIFT_ORIENTATIONS * HASHSIFT_ROW
};

static __device__ __forceinline__ void hashsift_clear_margins(float *room, int lane) {
    for (int k = lane; k < HASHSIFT_COLUMN_ROOM; k += PATCH_SIDE) {
        room[k] = 0.0F;
    }
    __syncwarp();
}

/* The share of column p of 16 as above. */
static constexpr __device__ float hashsift_column_share(int p) {
    return p < HASHSIFT_CELL_SIDE ? (float)p / HASHSIFT_CELL_SIDE
                                  : 2.0F - (float)p / HASHSIFT_CELL_SIDE;
}

/* The value of this lane's cell and orientation from all lanes' sums, which become 0; `weight` is
 * the lane's column's part of the Gaussian weight. */
static __device__ __forceinline__ float hashsift_cells(const HashsiftSums &sums, float weight,
                                                       float *room, int lane) {
    float *column = room + HASHSIFT_MARGIN + lane;
    column[0] = weight * (sums.all - sums.beyond[0] + sums.beyond[HASHSIFT_ORIENTATIONS - 1]);
#pragma unroll
    for (int o = 1; o < HASHSIFT_ORIENTATIONS; o++) {
        column[o * HASHSIFT_ROW] = weight * (sums.beyond[o - 1] - sums.beyond[o]);
    }
    __syncwarp();
    const float4 *columns = (const float4 *)(room + (lane % HASHSIFT_ORIENTATIONS) * HASHSIFT_ROW +
                                             (lane / HASHSIFT_ORIENTATIONS) * HASHSIFT_CELL_SIDE);
    float value = 0.0F;
#pragma unroll
    for (int q = 0; q < 2 * HASHSIFT_CELL_SIDE / 4; q++) {
        const float4 four = columns[q];
        value = fmaf(hashsift_column_share(4 * q), four.x, value);
        value = fmaf(hashsift_column_share(4 * q + 1), four.y, value);
        value = fmaf(hashsift_column_share(4 * q + 2), four.z, value);
        value = fmaf(hashsift_column_share(4 * q + 3), four.w, value);
    }
    __syncwarp();
    return value;
}

/* === The kernel =============================================================================== */

/*
 * The kernel "sift" of hashsift_fast: a warp per keypoint, a lane per column of its patch. Pixels
 * never leave the registers: a row is sampled, the one before it votes, with its neighbours to the
 * left and right from the neighbouring lanes.
 */

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
    for (int r = 0; r < HASHSIFT_CELLS; r++) {
        sum = fmaf(values[r], values[r], sum);
    }
    const float factor = 1.0F / fmaxf(sqrtf(hashsift_warp_sum(sum)), FLT_EPSILON);
#pragma unroll
    for (int r = 0; r < HASHSIFT_CELLS; r++) {
        values[r] *= factor;
    }
}

/* Votes become values, whole numbers 0…255; a lane has one of each row of cells. */
static __device__ __forceinline__ void hashsift_normalise(float (&values)[HASHSIFT_CELLS]) {
    hashsift_divide_by_norm(values);
#pragma unroll
    for (int r = 0; r < HASHSIFT_CELLS; r++) {
        values[r] = fminf(values[r], HASHSIFT_CUT);
    }
    hashsift_divide_by_norm(values);
#pragma unroll
    for (int r = 0; r < HASHSIFT_CELLS; r++) {
        values[r] = fminf(rintf(HASHSIFT_FACTOR * values[r]), 255.0F);
    }
}

/* What a lane needs to sample its column. */
typedef struct HashsiftColumn {
    float ci, ni; /* the map's products with the column */
    float weight; /* the column's part of the Gaussian weight */
} HashsiftColumn;

static __device__ __forceinline__ HashsiftColumn hashsift_column(const PatchMap &map, int lane) {
    const float x = (float)(lane - PATCH_HALF);
    const bool votes = lane > 0 && lane < PATCH_SIDE - 1;
    return {__fmul_rn(map.c, (float)lane), __fmul_rn(map.n, (float)lane),
            votes ? expf(HASHSIFT_DISTANCE_SCALE * x * x) : 0.0F};
}

template <bool INSIDE>
static __device__ __forceinline__ float hashsift_pixel(const HashsiftTexture &image,
                                                       const PatchMap &map,
                                                       const HashsiftColumn &column, float j) {
    const float u = __fadd_rn(__fadd_rn(column.ci, -__fmul_rn(map.n, j)), map.x0);
    const float v = __fadd_rn(__fadd_rn(column.ni, __fmul_rn(map.c, j)), map.y0);
    return hashsift_sample_at<INSIDE>(image, u, v);
}

/* A row's votes: the pixels of this column in the row above, in the row, and in the one below. */
static __device__ __forceinline__ void hashsift_row_votes(HashsiftSums &upper, HashsiftSums &lower,
                                                          float above, float here, float below,
                                                          float2 share) {
    const float dx =
        __shfl_down_sync(HASHSIFT_ALL_LANES, here, 1) - __shfl_up_sync(HASHSIFT_ALL_LANES, here, 1);
    const float dy = above - below;
    const float squared = fmaf(dx, dx, dy * dy);
    const float magnitude = squared * hashsift_reciprocal_root(fmaxf(squared, 1.0F));
    hashsift_vote(upper, lower, share.x * magnitude, share.y * magnitude,
                  hashsift_orientation(dx, dy));
}

/* The unnormalised values of a keypoint, a lane's of each row of cells. */
template <bool INSIDE>
static __device__ __forceinline__ void
hashsift_patch_votes(const HashsiftTexture &image, const PatchMap &map,
                     const HashsiftColumn &column, const HashsiftRowShares &shares, float *room,
                     int lane, float (&values)[HASHSIFT_CELLS]) {
    HashsiftSums upper;
    HashsiftSums lower;
    hashsift_clear(upper);
    hashsift_clear(lower);
    float above = hashsift_pixel<INSIDE>(image, map, column, 0.0F);
    float here = hashsift_pixel<INSIDE>(image, map, column, 1.0F);
#pragma unroll
    for (int cells = 0; cells <= HASHSIFT_CELLS; cells++) {
        const int first = cells == 0 ? 1 : HASHSIFT_CELL_SIDE * cells - HASHSIFT_MARGIN;
        const int end = cells == HASHSIFT_CELLS
                            ? PATCH_SIDE - 1
                            : HASHSIFT_CELL_SIDE * (cells + 1) - HASHSIFT_MARGIN;
#pragma unroll 1
        for (int j = first; j < end; j++) {
            const float below = hashsift_pixel<INSIDE>(image, map, column, (float)(j + 1));
            hashsift_row_votes(upper, lower, above, here, below, shares.of_row[j]);
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
    hashsift_fast_sift(HashsiftTexture image, const Keypoint *keypoints, int count, float scale,
                       const __grid_constant__ HashsiftRowShares shares, Value *answers) {
    __shared__ __align__(16) float rooms[HASHSIFT_WARPS][HASHSIFT_COLUMN_ROOM];
    const int lane = (int)threadIdx.x;
    float *room = rooms[threadIdx.y];
    let_next_start();
    const int k = (int)blockIdx.x * HASHSIFT_WARPS + (int)threadIdx.y;
    hashsift_clear_margins(room, lane);
    if (k >= count) {
        return;
    }
    const PatchMap map = hashsift_map(keypoints[k], scale);
    const HashsiftColumn column = hashsift_column(map, lane);
    float values[HASHSIFT_CELLS];
    if (hashsift_all_inside(image, map)) {
        hashsift_patch_votes<true>(image, map, column, shares, room, lane, values);
    } else {
        hashsift_patch_votes<false>(image, map, column, shares, room, lane, values);
    }
    hashsift_normalise(values);
    Value *answer = answers + (size_t)k * HASHSIFT_VALUES;
#pragma unroll
    for (int r = 0; r < HASHSIFT_CELLS; r++) {
        hashsift_store(&answer[r * PATCH_SIDE + lane], values[r]);
    }
}

#endif
