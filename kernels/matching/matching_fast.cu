/*
 * cuda_fast: both directions from one pass over the pairs, whose distances are scalar products of
 * bytes on tensor cores.
 *
 * What it improves on: cuda_tiled counts every pair twice, 16 words a clock. Here bits become bytes
 * of one sign or the other (matching_expand.cuh), whose products tensor cores sum exactly, 2048 or
 * more a clock; and a sum is a key that serves both directions (matching_fast_tile.cuh).
 *
 * A block takes 4 × 64 rows of A, which its warps hold in registers, and a slice of B, tile by
 * tile, through two buffers in shared memory, of which one is filled while the other is used. The
 * nearest of each row is kept in registers until the slice ends; those of a tile's columns go
 * through shared memory, where four warps' become one, to an atomic minimum. The slices are such
 * that all blocks run at once.
 *
 * Floor, 10,000 × 10,000 rows of 256 bits on 132 multiprocessors at 1.7 GHz: 2.56·10^10 products,
 * 28 µs at 4096 a clock, of which mma.sync is known to reach about 60%: 46 µs. Two maxima a pair at
 * 64 a clock, 14 µs, are done meanwhile by other warps. Prediction: 60 µs with expanding, filling
 * and what remains of the last tiles; l2 with 128 bytes 40 µs.
 */
#include <cuda_pipeline_primitives.h>

#include "cuda_check.h"
#include "cuda_device.h"
#include "matching_fast_tile.cuh"
#include "round_up.h"

VARIANT_FUNCTIONS(matching_cuda_fast);

namespace {

constexpr int THREADS = WARPS * WARP;
constexpr int PIECE = 16; /* bytes that are copied at once */

struct MatchingFast {
    MatchingDevice device;
    MatchingExpanded a, b;
};

/* The shared memory of a block. */
template <typename Kind> struct Tiles {
    using Size = Shape<Kind>;
    alignas(PIECE) uint8_t columns[2][Size::COLUMNS * Size::STRIDE];
    int keys[WARPS][Size::COLUMNS]; /* the greatest of each column among a warp's rows */
};

/* Queues copying the tile that begins at `bytes`. */
template <typename Kind>
__device__ __forceinline__ void copy_tile(const int8_t *bytes, uint8_t *to) {
    using Size = Shape<Kind>;
    constexpr int PIECES = Size::K / PIECE; /* of a column */
    for (int i = (int)threadIdx.x; i < Size::COLUMNS * PIECES; i += THREADS) {
        __pipeline_memcpy_async(to + i / PIECES * Size::STRIDE + i % PIECES * PIECE,
                                bytes + (size_t)i * PIECE, PIECE);
    }
}

__device__ __forceinline__ MatchingKey key_of(int key, int index) {
    return matching_key((unsigned int)-(key >> 8), index);
}

template <typename Kind>
__device__ __forceinline__ void match_tile(WarpRows<Kind> &rows, const uint8_t *columns,
                                           const uint32_t *lengths, int tile, int *keys,
                                           Lane lane) {
    using Size = Shape<Kind>;
    int found[Size::BANDS][2];
#pragma unroll
    for (int i = 0; i < 2 * Size::BANDS; i++) {
        found[i / 2][i % 2] = INT_MIN;
    }
#pragma unroll 1
    for (int first = 0; first < Size::COLUMNS; first += GROUP_COLUMNS) {
        Products<Kind> products;
        products.begin(first, lane);
        products.add(rows, columns, first, lane);
        if constexpr (Kind::DISTANCE == MATCHING_L2) {
            products.add_lengths(rows, lengths, first, lane);
        }
        products.greatest_of_rows(found);
        products.greatest_of_columns(keys + first, lane);
    }
    rows.take(found, tile);
}

/* Lowers the keys of a tile's columns, of which there are `count`. Of warps with the same distance
 * the first has the lowest rows. */
template <typename Kind>
__device__ __forceinline__ void store_columns(const int (&keys)[WARPS][Shape<Kind>::COLUMNS],
                                              int first_row, int count, MatchingKey *b_keys) {
    using Size = Shape<Kind>;
    const int n = (int)threadIdx.x;
    if (n >= min(count, Size::COLUMNS)) {
        return;
    }
    int key = keys[0][n];
    int warp = 0;
#pragma unroll
    for (int other = 1; other < WARPS; other++) {
        const bool nearer = keys[other][n] > (key | (KEY_PLACES - 1));
        key = nearer ? keys[other][n] : key;
        warp = nearer ? other : warp;
    }
    const int m = KEY_PLACES - 1 - n - (key & (KEY_PLACES - 1));
    atomicMin(&b_keys[n], key_of(key, first_row + warp * Size::WARP_ROWS + m));
}

/* Lowers the keys of a warp's rows, of which there are `count`. */
template <typename Kind>
__device__ __forceinline__ void store_rows(const WarpRows<Kind> &rows, int count, Lane lane,
                                           MatchingKey *a_keys) {
    using Size = Shape<Kind>;
#pragma unroll
    for (int i = 0; i < 2 * Size::BANDS; i++) {
        const int m = i * 8 + lane.group;
        const int key = rows.keys[i / 2][i % 2];
        const int n = KEY_PLACES - 1 - m - (key & (KEY_PLACES - 1));
        MatchingKey nearest = key_of(key, rows.tiles[i / 2][i % 2] * Size::COLUMNS + n);
        nearest = min(nearest, __shfl_xor_sync(~0U, nearest, 1));
        nearest = min(nearest, __shfl_xor_sync(~0U, nearest, 2));
        if (lane.place == 0 && m < count) {
            atomicMin(&a_keys[m], nearest);
        }
    }
}

/* Block (x, y): BLOCK_ROWS rows of A and tiles y·slice … (y + 1)·slice − 1 of B. */
template <typename Kind>
__global__ void __launch_bounds__(THREADS, 2)
    match(MatchingExpanded a, int a_count, MatchingExpanded b, int b_count, int slice,
          MatchingKey *a_keys, MatchingKey *b_keys) {
    using Size = Shape<Kind>;
    __shared__ Tiles<Kind> tiles;
    const Lane lane = this_lane();
    const int warp = (int)threadIdx.x / WARP;
    const int block_row = (int)blockIdx.x * Size::BLOCK_ROWS;
    const int row = block_row + warp * Size::WARP_ROWS;
    const int begin = (int)blockIdx.y * slice;
    const int end = min(begin + slice, b.rows / Size::COLUMNS);
    constexpr size_t TILE_BYTES = (size_t)Size::COLUMNS * Size::K;

    copy_tile<Kind>(b.bytes + begin * TILE_BYTES, tiles.columns[0]);
    __pipeline_commit();
    WarpRows<Kind> rows;
    rows.load(a.bytes + (size_t)row * Size::K, a.lengths == NULL ? NULL : a.lengths + row, lane);
#pragma unroll 1
    for (int tile = begin; tile < end; tile++) {
        const int buffer = (tile - begin) % 2;
        const int first = tile * Size::COLUMNS;
        if (tile + 1 < end) {
            copy_tile<Kind>(b.bytes + (tile + 1) * TILE_BYTES, tiles.columns[1 - buffer]);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        match_tile<Kind>(rows, tiles.columns[buffer], b.lengths + first, tile, tiles.keys[warp],
                         lane);
        /* From here on the buffer may be filled; keys are written again after the next barrier. */
        __syncthreads();
        store_columns<Kind>(tiles.keys, block_row, b_count - first, b_keys + first);
    }
    store_rows<Kind>(rows, a_count - row, lane, a_keys + row);
}

Status open_fast(MatchingDevice *device) {
    MatchingFast *fast = (MatchingFast *)device;
    const MatchingSets *sets = &device->sets;
    return matching_for_kind(sets, [&](auto kind) {
        using Size = Shape<decltype(kind)>;
        STATUS_TRY(matching_expanded_open(sets, sets->a_count, Size::BLOCK_ROWS, &fast->a));
        return matching_expanded_open(sets, sets->b_count, Size::COLUMNS, &fast->b);
    });
}

void close_fast(MatchingDevice *device) {
    MatchingFast *fast = (MatchingFast *)device;
    matching_expanded_close(&fast->a);
    matching_expanded_close(&fast->b);
}

template <typename Kind> Status match_all(const MatchingFast *fast) {
    const MatchingDevice *device = &fast->device;
    int resident = 0;
    STATUS_TRY(cuda_resident_blocks((const void *)match<Kind>, THREADS, 0, &resident));
    const int tiles = fast->b.rows / Shape<Kind>::COLUMNS;
    const int across = fast->a.rows / Shape<Kind>::BLOCK_ROWS;
    const int wanted = resident * cuda_multiprocessors() / across;
    const int slices = wanted < 1 ? 1 : wanted < tiles ? wanted : tiles;
    const int slice = pieces_of(tiles, slices);
    const dim3 grid((unsigned int)across, (unsigned int)pieces_of(tiles, slice));
    match<Kind><<<grid, THREADS, 0, cuda_stream()>>>(fast->a, device->sets.a_count, fast->b,
                                                     device->sets.b_count, slice, device->a_keys,
                                                     device->b_keys);
    return CUDA_LAUNCHED();
}

Status search(const MatchingDevice *device) {
    const MatchingFast *fast = (const MatchingFast *)device;
    const MatchingSets *sets = &device->sets;
    STATUS_TRY(matching_expand(sets, device->a, sets->a_count, MATCHING_A_BYTE, &fast->a));
    STATUS_TRY(matching_expand(sets, device->b, sets->b_count, MATCHING_B_BYTE, &fast->b));
    return matching_for_kind(sets, [&](auto kind) { return match_all<decltype(kind)>(fast); });
}

const MatchingMethod method = {open_fast, search, close_fast};

} // namespace

Status matching_cuda_fast_open(const Request *request, void **state) {
    return matching_cuda_open_with<MatchingFast>(request, &method, state);
}
