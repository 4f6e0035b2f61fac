/*
 * A warp's part of a tile of pairs: the products of its rows of A, which stay in registers, with
 * the rows of B that lie in shared memory, here called columns; and the nearest in both directions.
 *
 * A pair's key is −256·distance + 255 − n − m, n being its column in the tile and m its row in the
 * warp, so that the greatest key of a row, where m is the same, is that of the nearest column, of
 * several the first; and the greatest of a column that of the nearest row. One number serves both
 * directions, for one maximum each. For Hamming distances the products are scaled such that the
 * sums, begun at 255 − n − m − 128·K, are keys; the others take a multiplication and an addition.
 * Keys stay within 32 bits: distances are below 2^23, n + m below 256.
 */
#ifndef KERNELS_MATCHING_MATCHING_FAST_TILE_CUH
#define KERNELS_MATCHING_MATCHING_FAST_TILE_CUH

#include <climits>

#include "matching_expand.cuh"
#include "matching_mma.cuh"

namespace {

constexpr int WARP = 32;
constexpr int WARPS = 4;
constexpr int GROUP_COLUMNS = 2 * MMA_COLUMNS; /* that a warp is at at once */
constexpr int KEY_PLACES = 256;

/* The sizes of tiles: rows of A take 128 registers at most, columns of B 17 KiB of shared memory.
 */
template <typename Kind> struct Shape {
    static constexpr int K = matching_expanded_bytes<Kind>(); /* bytes of an expanded row */
    static constexpr int STEPS = K / MMA_BYTES;
    static constexpr int BANDS = STEPS <= 8 ? 4 : 32 / STEPS; /* of 16 rows, in a warp */
    static constexpr int WARP_ROWS = BANDS * MMA_ROWS;
    static constexpr int BLOCK_ROWS = WARP_ROWS * WARPS;
    static constexpr int COLUMNS = STEPS <= 8 ? 64 : 512 / STEPS; /* of a tile */
    /* From one column in shared memory to the next: an odd number of the 16 bytes that mma_load
     * reads, so that its eight rows lie in different banks. */
    static constexpr int STRIDE = K + 16;
    static_assert(WARP_ROWS + COLUMNS <= KEY_PLACES, "keys have room for the places of both");
};

/* What a lane knows: which rows and columns are its own. */
struct Lane {
    int group, place, index;
};

__device__ __forceinline__ Lane this_lane() {
    const int lane = (int)threadIdx.x % WARP;
    return Lane{lane / 4, lane % 4, lane};
}

__device__ __forceinline__ int greatest(int a, int b, int c) {
    return max(max(a, b), c);
}

/* Rows of A of a warp, as this lane holds them; the two of a band are 8 apart. */
template <typename Kind> struct WarpRows {
    using Size = Shape<Kind>;
    uint32_t words[Size::BANDS][Size::STEPS][4];
    uint32_t terms[Size::BANDS][2]; /* l2: what keys of a row have in common */
    int keys[Size::BANDS][2];       /* the greatest so far … */
    int tiles[Size::BANDS][2];      /* … and the tile it is in */

    /* `bytes` and `lengths` begin at the warp's first row. */
    __device__ __forceinline__ void load(const int8_t *bytes, const uint32_t *lengths, Lane lane) {
#pragma unroll
        for (int band = 0; band < Size::BANDS; band++) {
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const int m = band * MMA_ROWS + half * 8 + lane.group;
                const uint32_t *row = (const uint32_t *)(bytes + (size_t)m * Size::K);
#pragma unroll
                for (int step = 0; step < Size::STEPS; step++) {
                    words[band][step][half] = row[step * 8 + lane.place];
                    words[band][step][half + 2] = row[step * 8 + 4 + lane.place];
                }
                terms[band][half] = lengths != NULL ? 0U - lengths[m] - (uint32_t)m : 0U;
                keys[band][half] = INT_MIN;
                tiles[band][half] = 0;
            }
        }
    }

    /* The greatest keys of a tile; later tiles win only by distance, not by place. */
    __device__ __forceinline__ void take(const int (&found)[Size::BANDS][2], int tile) {
#pragma unroll
        for (int band = 0; band < Size::BANDS; band++) {
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const bool nearer = found[band][half] > (keys[band][half] | (KEY_PLACES - 1));
                keys[band][half] = nearer ? found[band][half] : keys[band][half];
                tiles[band][half] = nearer ? tile : tiles[band][half];
            }
        }
    }
};

/* Of 16 columns, from `first` on in the tile. */
template <typename Kind> struct Products {
    using Size = Shape<Kind>;
    int sums[Size::BANDS][2][4]; /* by band, eight columns, and element of mma_add's */

    __device__ __forceinline__ void begin(int first, Lane lane) {
        const int corner = KEY_PLACES - 1 - first - 2 * lane.place - lane.group - 128 * Size::K;
#pragma unroll
        for (int band = 0; band < Size::BANDS; band++) {
#pragma unroll
            for (int i = 0; i < 8; i++) {
                const int n = i / 4 * MMA_COLUMNS + i % 2;
                const int m = band * MMA_ROWS + i % 4 / 2 * 8;
                sums[band][i / 4][i % 4] = Kind::DISTANCE == MATCHING_L2 ? 0 : corner - n - m;
            }
        }
    }

    /* `columns` is the tile, in shared memory. */
    __device__ __forceinline__ void add(const WarpRows<Kind> &rows, const uint8_t *columns,
                                        int first, Lane lane) {
        /* Matrices 0 and 1 are the halves of a step of the first eight columns, 2 and 3 of the
         * others. */
        const uint8_t *column =
            columns + (first + lane.index / 16 * MMA_COLUMNS + lane.index % 8) * Size::STRIDE +
            lane.index / 8 % 2 * 16;
#pragma unroll
        for (int step = 0; step < Size::STEPS; step++) {
            uint32_t b[4];
            mma_load(b, column + step * MMA_BYTES);
#pragma unroll
            for (int band = 0; band < Size::BANDS; band++) {
                mma_add(sums[band][0], rows.words[band][step], b[0], b[1]);
                mma_add(sums[band][1], rows.words[band][step], b[2], b[3]);
            }
        }
    }

    /* l2: sums to keys. `lengths` are those of the tile's columns. */
    __device__ __forceinline__ void add_lengths(const WarpRows<Kind> &rows, const uint32_t *lengths,
                                                int first, Lane lane) {
#pragma unroll
        for (int eight = 0; eight < 2; eight++) {
            const int n = first + eight * MMA_COLUMNS + 2 * lane.place;
            const uint2 length = __ldg((const uint2 *)(lengths + n));
            const uint32_t terms[2] = {KEY_PLACES - 1U - (uint32_t)n - length.x,
                                       KEY_PLACES - 2U - (uint32_t)n - length.y};
#pragma unroll
            for (int i = 0; i < 4 * Size::BANDS; i++) {
                int *sum = &sums[i / 4][eight][i % 4];
                const uint32_t common = rows.terms[i / 4][i % 4 / 2] + terms[i % 2];
                *sum = (int)((uint32_t)*sum * (2U * KEY_PLACES) + common);
            }
        }
    }

    __device__ __forceinline__ void greatest_of_rows(int (&found)[Size::BANDS][2]) const {
#pragma unroll
        for (int i = 0; i < 2 * Size::BANDS; i++) {
            const int band = i / 2;
            const int half = i % 2 * 2;
            int *row = &found[band][i % 2];
            *row = greatest(*row, sums[band][0][half], sums[band][0][half + 1]);
            *row = greatest(*row, sums[band][1][half], sums[band][1][half + 1]);
        }
    }

    /* The greatest key of each column among all the warp's rows, to keys[0 … 15]. A lane has four
     * columns; at each step it gives half of them away, for as many of another's. */
    __device__ __forceinline__ void greatest_of_columns(int *keys, Lane lane) const {
        int own[4] = {INT_MIN, INT_MIN, INT_MIN, INT_MIN};
#pragma unroll
        for (int i = 0; i < 4 * Size::BANDS; i++) {
            const int column = i % 4;
            const int *sum = sums[i / 4][column / 2];
            own[column] = greatest(own[column], sum[column % 2], sum[column % 2 + 2]);
        }
        const bool last_eight = (lane.index & 16) != 0;
        const bool odd = (lane.index & 8) != 0;
        int two[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int given = last_eight ? own[i] : own[i + 2];
            two[i] = max(last_eight ? own[i + 2] : own[i], __shfl_xor_sync(~0U, given, 16));
        }
        int one = max(odd ? two[1] : two[0], __shfl_xor_sync(~0U, odd ? two[0] : two[1], 8));
        one = max(one, __shfl_xor_sync(~0U, one, 4));
        if ((lane.index & 4) == 0) {
            keys[last_eight * MMA_COLUMNS + 2 * lane.place + odd] = one;
        }
    }
};

} // namespace

#endif
