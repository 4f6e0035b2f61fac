/*
 * The kernel of cuda_fast for few keypoints: sift and product in one, for as many keypoints as one
 * wave of blocks has. A block has eight, as many as the matrix units multiply at once, and each
 * multiprocessor one block.
 *
 * With a warp per keypoint 1000 of them are two warps for each scheduler, each of which goes down
 * 32 rows one after the other: latency decides. Here four warps share a patch. Warp q has the eight
 * rows from 8·q − 4 on, counted around the patch, so that all four do the same: rows of cells q − 1
 * and q get its votes, and warp 0 has the first and the last rows, for cells 3 and 0. Rows of the
 * patch that lie beside those are sampled twice, 40 for 32.
 *
 * Values stay in shared memory. In the product they are the factors on the right, of which there
 * are eight, and the weights those on the left, 16 bits at once: the same fragments as in
 * hashsift_fast_project.cuh, those of two neighbouring bytes. Two warps share the values of 16
 * bits, so that 256 bits are work for 32 warps.
 *
 * Floor for 1000 keypoints, 256 bits: 32 warps of about 1050 instructions at four a clock are 8400
 * clocks, 4.5 µs; kernel launch, map, norms, product and five barriers add about 2. Predicted
 * were 7 to 9 µs. On an H200 it takes 11.5, where the two kernels take 19.1 (six launches of each,
 * twice).
 */
#ifndef KERNELS_HASHSIFT_HASHSIFT_FAST_FEW_CUH
#define KERNELS_HASHSIFT_HASHSIFT_FAST_FEW_CUH

#include "hashsift_fast_project.cuh"
#include "hashsift_fast_sift.cuh"

enum {
    FEW_KEYPOINTS = 8, /* of a block */
    FEW_PARTS = 4,     /* of a patch: rows of two neighbouring rows of cells, of a warp each */
    FEW_SPLITS = 2,    /* of the values in a product, of a warp each */
    FEW_WARPS = FEW_KEYPOINTS * FEW_PARTS,
    FEW_THREADS = FEW_WARPS * PATCH_SIDE,
    FEW_STEPS = FRAGMENT_STEPS / FEW_SPLITS
};

struct FewRoom {
    /* Columns of pixels (hashsift_cells); then a warp's values of the upper and of the lower row of
     * cells; then sums of the product, four a lane. */
    float columns[FEW_WARPS][HASHSIFT_COLUMN_ROOM];
    __half values[FEW_KEYPOINTS * PROJECT_PITCH];
    unsigned char bytes[FEW_KEYPOINTS * PROJECT_BYTES_MAX];
    PatchMap maps[FEW_KEYPOINTS];
};

/* === Sift ===================================================================================== */

/* A pixel of row `row` of the warp's part, around the patch. */
template <bool INSIDE>
static __device__ __forceinline__ float few_pixel(const HashsiftTexture &image, const PatchMap &map,
                                                  const HashsiftColumn &column, int row) {
    const float j = hashsift_byte_to_float((unsigned)row % PATCH_SIDE);
    return hashsift_pixel<INSIDE>(image, map, column, j);
}

/* The votes of eight rows for the rows of cells above and below them. */
template <bool INSIDE>
static __device__ __forceinline__ void
few_votes(const HashsiftTexture &image, const PatchMap &map, const HashsiftColumn &column,
          const HashsiftRowShares &shares, int part, HashsiftSums &upper, HashsiftSums &lower) {
    const int first = part * HASHSIFT_CELL_SIDE - HASHSIFT_MARGIN;
    float above = few_pixel<INSIDE>(image, map, column, first - 1);
    float here = few_pixel<INSIDE>(image, map, column, first);
#pragma unroll 4
    for (int row = first; row < first + HASHSIFT_CELL_SIDE; row++) {
        const float below = few_pixel<INSIDE>(image, map, column, row + 1);
        hashsift_row_votes(upper, lower, above, here, below,
                           shares.of_row[(unsigned)row % PATCH_SIDE]);
        above = here;
        here = below;
    }
}

/* A warp's values for two rows of cells, to its part of the room. */
static __device__ __forceinline__ void few_part(const HashsiftTexture &image, const PatchMap &map,
                                                const HashsiftRowShares &shares, int part,
                                                float *room, int lane) {
    const HashsiftColumn column = hashsift_column(map, lane);
    HashsiftSums upper;
    HashsiftSums lower;
    hashsift_clear(upper);
    hashsift_clear(lower);
    if (hashsift_all_inside(image, map)) {
        few_votes<true>(image, map, column, shares, part, upper, lower);
    } else {
        few_votes<false>(image, map, column, shares, part, upper, lower);
    }
    const float of_upper = hashsift_cells(upper, column.weight, room, lane);
    const float of_lower = hashsift_cells(lower, column.weight, room, lane);
    room[lane] = of_upper;
    room[PATCH_SIDE + lane] = of_lower;
}

/* The values of a keypoint from those of its parts; a lane has one of each row of cells. */
static __device__ __forceinline__ void few_values(const FewRoom &room, int keypoint, int lane,
                                                  float (&values)[HASHSIFT_CELLS]) {
    const float(*parts)[HASHSIFT_COLUMN_ROOM] = room.columns + keypoint * FEW_PARTS;
#pragma unroll
    for (int r = 0; r < HASHSIFT_CELLS; r++) {
        values[r] = parts[r][PATCH_SIDE + lane] + parts[(r + 1) % FEW_PARTS][lane];
    }
    hashsift_normalise(values);
}

/* === Product ================================================================================== */

/* What a warp needs of B for 16 bits and its split of the values: fragments of two bytes. */
struct FewFactors {
    Fragment steps[FEW_STEPS][2];
};

/* Work for a warp: 16 bits, and which of the values. */
static __device__ __forceinline__ FewFactors few_load_factors(const Fragment *fragments, int work,
                                                              int lane) {
    const int first_byte = work / FEW_SPLITS * 2;
    const int first_step = work % FEW_SPLITS * FEW_STEPS;
    FewFactors factors;
#pragma unroll
    for (int step = 0; step < FEW_STEPS; step++) {
#pragma unroll
        for (int byte = 0; byte < 2; byte++) {
            const size_t tile = (size_t)(first_byte + byte) * FRAGMENT_STEPS + first_step + step;
            *(uint4 *)&factors.steps[step][byte] =
                ((const uint4 *)fragments)[tile * FRAGMENT_LANES + lane];
        }
    }
    return factors;
}

static __device__ __forceinline__ float4 few_multiply(const FewFactors &factors,
                                                      const __half *values, int work, int lane) {
    const __half *own =
        values + lane / 4 * PROJECT_PITCH + work % FEW_SPLITS * FEW_STEPS * FRAGMENT_VALUES;
    float sums[4] = {0.0F, 0.0F, 0.0F, 0.0F};
#pragma unroll
    for (int step = 0; step < FEW_STEPS; step++) {
        const Fragment *of = factors.steps[step];
        const uint32_t *pairs = (const uint32_t *)(own + step * FRAGMENT_VALUES) + lane % 4;
        const uint32_t of_values[2] = {pairs[0], pairs[FRAGMENT_VALUES / 4]};
        const ProjectRows low = {{of[0].low[0], of[1].low[0], of[0].low[1], of[1].low[1]}};
        const ProjectRows high = {{of[0].high[0], of[1].high[0], of[0].high[1], of[1].high[1]}};
        project_multiply(sums, low, of_values);
        project_multiply(sums, high, of_values);
    }
    return make_float4(sums[0], sums[1], sums[2], sums[3]);
}

/* 16 bits of all keypoints: a lane has bit lane / 4 of two bytes of keypoints 2·(lane mod 4) and
 * one more, to whose bytes the eight lanes of a column contribute. */
static __device__ __forceinline__ void few_signs(FewRoom &room, const float *bias, int pair,
                                                 int row_bytes, int lane) {
    const float4 *sums = (const float4 *)room.columns + pair * FEW_SPLITS * FRAGMENT_LANES + lane;
    const float4 one = sums[0];
    const float4 other = sums[FRAGMENT_LANES];
    const int bit = lane / 4;
    const float first = bias[2 * pair * FRAGMENT_BITS + bit];
    const float second = bias[(2 * pair + 1) * FRAGMENT_BITS + bit];
    unsigned bytes = (unsigned)(one.x + other.x + first > 0.0F) |
                     (unsigned)(one.z + other.z + second > 0.0F) << 8 |
                     (unsigned)(one.y + other.y + first > 0.0F) << 16 |
                     (unsigned)(one.w + other.w + second > 0.0F) << 24;
    bytes <<= FRAGMENT_BITS - 1 - bit;
#pragma unroll
    for (int distance = 4; distance < FRAGMENT_LANES; distance *= 2) {
        bytes |= __shfl_xor_sync(HASHSIFT_ALL_LANES, bytes, distance);
    }
    if (lane < 4) {
        uint16_t *to = (uint16_t *)(room.bytes + 2 * lane * row_bytes) + pair;
        to[0] = (uint16_t)bytes;
        to[row_bytes / 2] = (uint16_t)(bytes >> 16);
    }
}

static __device__ __forceinline__ void few_product(FewRoom &room, const Fragments &weights,
                                                   FewFactors factors, int row_bytes, int warp,
                                                   int lane) {
    for (int work = warp; work < row_bytes / 2 * FEW_SPLITS; work += FEW_WARPS) {
        if (work != warp) {
            factors = few_load_factors(weights.fragments, work, lane);
        }
        ((float4 *)room.columns)[work * FRAGMENT_LANES + lane] =
            few_multiply(factors, room.values, work, lane);
    }
    __syncthreads();
    for (int pair = warp; pair < row_bytes / 2; pair += FEW_WARPS) {
        few_signs(room, weights.bias, pair, row_bytes, lane);
    }
    __syncthreads();
}

/* === The kernel =============================================================================== */

/* Beyond the last keypoint a block does it again. The first factors, which depend on nothing, are
 * under way while a warp for each keypoint norms its values. */
template <bool PROJECTED>
static __global__ void __launch_bounds__(FEW_THREADS)
    hashsift_fast_few(HashsiftTexture image, const Keypoint *keypoints, int count, float scale,
                      const __grid_constant__ HashsiftRowShares shares, Fragments weights,
                      int row_bytes, unsigned char *descriptors) {
    __shared__ __align__(16) FewRoom room;
    const int lane = (int)threadIdx.x % PATCH_SIDE;
    const int warp = (int)threadIdx.x / PATCH_SIDE;
    const int keypoint = warp / FEW_PARTS;
    const int first = (int)blockIdx.x * FEW_KEYPOINTS;
    const int keypoints_here = min(FEW_KEYPOINTS, count - first);
    if (threadIdx.x < FEW_KEYPOINTS) {
        const int k = min((int)threadIdx.x, keypoints_here - 1);
        room.maps[threadIdx.x] = hashsift_map(keypoints[first + k], scale);
    }
    hashsift_clear_margins(room.columns[warp], lane);
    __syncthreads();
    few_part(image, room.maps[keypoint], shares, warp % FEW_PARTS, room.columns[warp], lane);
    FewFactors factors;
    if (PROJECTED) {
        factors = few_load_factors(weights.fragments, warp, lane);
    }
    __syncthreads();
    if (warp % FEW_PARTS == keypoint % FEW_PARTS) { /* one for each scheduler */
        float values[HASHSIFT_CELLS];
        few_values(room, keypoint, lane, values);
#pragma unroll
        for (int r = 0; r < HASHSIFT_CELLS; r++) {
            const int value = r * PATCH_SIDE + lane;
            if (PROJECTED) {
                hashsift_store(&room.values[keypoint * PROJECT_PITCH + value], values[r]);
            } else if (keypoint < keypoints_here) {
                hashsift_store(&descriptors[(first + keypoint) * HASHSIFT_VALUES + value],
                               values[r]);
            }
        }
    }
    if (!PROJECTED) {
        return;
    }
    __syncthreads();
    few_product(room, weights, factors, row_bytes, warp, lane);
    const int quads = keypoints_here * row_bytes / (int)sizeof(uint4);
    if ((int)threadIdx.x < quads) {
        ((uint4 *)(descriptors + (size_t)first * row_bytes))[threadIdx.x] =
            ((const uint4 *)room.bytes)[threadIdx.x];
    }
}

#endif
