/*
 * Votes for hashsift_fast, without atomics: a lane holds a column of the patch and goes down its
 * rows. Which two rows of cells a patch row votes for is the same for all lanes, so a lane has two
 * sets of eight sums in registers, of which one is complete every eight rows.
 *
 * A vote's share of orientation bin o is max(0, 1 − |b − o|), around the circle. Sums of
 * s_o = clamp(b − o, 0, 1) cost an operation less for each: a share is s_{o−1} − s_o, so the votes
 * of a bin are the difference of two neighbouring sums.
 */
#ifndef KERNELS_HASHSIFT_FAST_VOTES_CUH
#define KERNELS_HASHSIFT_FAST_VOTES_CUH

#include "hashsift.h"
#include "patch_map.h"

/* Of one row of cells and one column of pixels: all votes, and those clamped sums. */
typedef struct HashsiftSums {
    float all;
    float beyond[HASHSIFT_ORIENTATIONS];
} HashsiftSums;

static __device__ __forceinline__ void hashsift_clear(HashsiftSums &sums) {
    sums.all = 0.0F;
#pragma unroll
    for (int o = 0; o < HASHSIFT_ORIENTATIONS; ++o) {
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
    for (int o = 0; o < HASHSIFT_ORIENTATIONS; ++o) {
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
    for (int o = 1; o < HASHSIFT_ORIENTATIONS; ++o) {
        column[o * HASHSIFT_ROW] = weight * (sums.beyond[o - 1] - sums.beyond[o]);
    }
    __syncwarp();
    const float4 *columns = (const float4 *)(room + (lane % HASHSIFT_ORIENTATIONS) * HASHSIFT_ROW +
                                             (lane / HASHSIFT_ORIENTATIONS) * HASHSIFT_CELL_SIDE);
    float value = 0.0F;
#pragma unroll
    for (int q = 0; q < 2 * HASHSIFT_CELL_SIDE / 4; ++q) {
        const float4 four = columns[q];
        value = fmaf(hashsift_column_share(4 * q), four.x, value);
        value = fmaf(hashsift_column_share(4 * q + 1), four.y, value);
        value = fmaf(hashsift_column_share(4 * q + 2), four.z, value);
        value = fmaf(hashsift_column_share(4 * q + 3), four.w, value);
    }
    __syncwarp();
    return value;
}

#endif
