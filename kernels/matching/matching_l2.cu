/*
 * cuda_fast, squared distances: both directions from one pass over the pairs, whose distances are
 * scalar products of bytes on tensor cores, by mma.sync. Where there is wgmma, matching_l2_wgmma.cu
 * takes its place.
 *
 * A distance is |a|² + |b|² − 2·a·b. The products are of bytes moved by −128, which leaves
 * differences as they are and makes the bytes signed; the squared lengths are kept, times 256.
 *
 * A block takes 4 × 64 rows of A, which its warps hold in registers, and a slice of B, tile by
 * tile, through two buffers in shared memory, of which one is filled while the other is used. The
 * nearest of each row is kept in registers until the slice ends; those of a tile's columns go
 * through shared memory, where four warps' become one, to an atomic minimum. The slices are such
 * that the last wave of blocks is as full as the others (see matching_slice).
 *
 * Floor, 10,000 × 10,000 rows of 128 bytes on 132 multiprocessors at 1.7 GHz: 1.28·10^10 products,
 * 14 µs at 4096 a clock, of which mma.sync is known to reach about 60%: 23 µs. Two maxima a pair at
 * 64 a clock, 14 µs, are done meanwhile by other warps. Prediction: 40 µs with expanding, filling
 * and what remains of the last tiles.
 */
#include <climits>
#include <cstdint>
#include <cuda_pipeline_primitives.h>

#include "cuda_device.h"
#include "matching_device.cuh"

/* === Moved rows =============================================================================== */

/*
 * Rows are filled up to whole tiles with copies of the last one. A copy is as near as what it was
 * made of but has a higher index, so that it is never the nearest, and no kernel has to test where
 * the rows end.
 */

namespace {

/* A set of rows of K moved bytes. Buffers are in device memory. */
struct MovedRows {
    int32_t rows;      /* a whole number of tiles */
    int8_t *bytes;     /* rows × K, without gaps */
    uint32_t *lengths; /* rows, 256 times the squared lengths */
};

constexpr int MOVE_THREADS = 256;

/* What all bytes of a word are moved by. */
constexpr uint32_t MOVED = 0x80808080;

/* A thread a word; the WORDS threads of a row are lanes of one warp, and warps are whole, as tiles
 * of rows are. */
template <typename Kind> __global__ void move(const uint32_t *words, int count, MovedRows to) {
    const size_t i = (size_t)blockIdx.x * MOVE_THREADS + threadIdx.x;
    const int row = (int)(i / Kind::WORDS);
    if (row >= to.rows) {
        return;
    }
    const int place = (int)(i % Kind::WORDS);
    const uint32_t word = words[(size_t)min(row, count - 1) * Kind::WORDS + (size_t)place];
    const int moved = (int)(word ^ MOVED);
    ((int *)to.bytes)[i] = moved;
    int length = __dp4a(moved, moved, 0);
#pragma unroll
    for (int apart = Kind::WORDS / 2; apart > 0; apart /= 2) {
        length += __shfl_down_sync(~0U, length, (unsigned int)apart, Kind::WORDS);
    }
    if (place == 0) {
        to.lengths[row] = (uint32_t)length << 8;
    }
}

/* Opens them for `count` rows, filled up to a multiple of `tile`. */
Status open_rows(MatchingDevice *device, int32_t count, int32_t tile, MovedRows *moved) {
    const size_t rows = round_up((size_t)count, (size_t)tile);
    const CudaBuffer table[] = {
        cuda_scratch(&moved->bytes, rows * (size_t)device->sets.bytes),
        cuda_scratch(&moved->lengths, rows * sizeof *moved->lengths),
    };
    moved->rows = (int32_t)rows;
    return cuda_open_buffers(device, table);
}

/* Queues moving rows[0 … count − 1]; count is at least 1. */
template <typename Kind>
Status move_rows(const uint8_t *rows, int32_t count, const MovedRows *moved) {
    const size_t words = (size_t)moved->rows * Kind::WORDS;
    const unsigned int blocks = (unsigned int)((words + MOVE_THREADS - 1) / MOVE_THREADS);
    move<Kind><<<blocks, MOVE_THREADS, 0, cuda_stream()>>>((const uint32_t *)rows, count, *moved);
    return CUDA_LAUNCHED();
}

} // namespace

/* === Products of matrices ===================================================================== */

/*
 * Products of 8-bit matrices on tensor cores: of a 16×32 matrix A with a 32×8 matrix B.
 *
 * Lane l of a warp, with group g = l / 4 and place t = l % 4, holds of
 *   A, by rows: rows g and g + 8, of each bytes 4t … 4t + 3 and 16 + 4t … 16 + 4t + 3, as
 *      {g, low}, {g + 8, low}, {g, high}, {g + 8, high};
 *   B, by columns: of column g bytes 4t … 4t + 3 and 16 + 4t … 16 + 4t + 3;
 *   the product: of rows g and g + 8 columns 2t and 2t + 1, as {g, 2t}, {g, 2t + 1}, {g + 8, 2t},
 *      {g + 8, 2t + 1}.
 */

enum { MMA_ROWS = 16, MMA_COLUMNS = 8, MMA_BYTES = 32 };

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
/* 8×16 by 16×8: the quarter that devices before 8.0 have, with the same places. */
static __device__ __forceinline__ void mma_quarter(int *sum, uint32_t a, uint32_t b) {
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(sum[0]), "+r"(sum[1])
                 : "r"(a), "r"(b));
}
#endif

/* sum += A·B, signed bytes. */
static __device__ __forceinline__ void mma_add(int (&sum)[4], const uint32_t (&a)[4], uint32_t b0,
                                               uint32_t b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    mma_quarter(&sum[0], a[0], b0);
    mma_quarter(&sum[0], a[2], b1);
    mma_quarter(&sum[2], a[1], b0);
    mma_quarter(&sum[2], a[3], b1);
#else
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

/* Four matrices of 8 rows of 16 bytes: lane l names row l % 8 of matrix l / 8, in shared memory and
 * aligned to 16 bytes, and gets bytes 4t … 4t + 3 of row g of each. */
static __device__ __forceinline__ void mma_load(uint32_t (&words)[4], const uint8_t *row) {
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(address)
                 : "memory");
}

/* === A tile =================================================================================== */

/*
 * A warp's part of a tile of pairs: the products of its rows of A, which stay in registers, with
 * the rows of B that lie in shared memory, here called columns; and the nearest in both directions.
 *
 * A pair's key is −256·distance + 255 − n − m, n being its column in the tile and m its row in the
 * warp, so that the greatest key of a row, where m is the same, is that of the nearest column, of
 * several the first; and the greatest of a column that of the nearest row. One number serves both
 * directions, for one maximum each. A sum becomes a key by a multiplication and an addition. Keys
 * stay within 32 bits: distances are below 2^23, n + m below 256.
 */

namespace {

constexpr int WARP = 32;
constexpr int WARPS = 4;
constexpr int GROUP_COLUMNS = 2 * MMA_COLUMNS; /* that a warp is at at once */
constexpr int KEY_PLACES = 256;

/* The sizes of tiles. */
template <typename Kind> struct Shape {
    static constexpr int K = Kind::WORDS * 4; /* bytes of a row */
    static constexpr int STEPS = K / MMA_BYTES;
    static constexpr int BANDS = 4; /* of 16 rows, in a warp */
    static constexpr int WARP_ROWS = BANDS * MMA_ROWS;
    static constexpr int BLOCK_ROWS = WARP_ROWS * WARPS;
    static constexpr int COLUMNS = 64; /* of a tile */
    /* From one column in shared memory to the next: an odd number of the 16 bytes that mma_load
     * reads, so that its eight rows lie in different banks. */
    static constexpr int STRIDE = K + 16;
    static_assert(WARP_ROWS + COLUMNS <= KEY_PLACES, "keys have room for the places of both");
};

/* The rows and columns of a lane. */
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
    uint32_t terms[Size::BANDS][2]; /* what keys of a row have in common */
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
                terms[band][half] = 0U - lengths[m] - (uint32_t)m;
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

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int i = 0; i < 8 * Size::BANDS; i++) {
            sums[i / 8][i / 4 % 2][i % 4] = 0;
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

    /* Sums to keys. `lengths` are those of the tile's columns. */
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

/* === The variant ============================================================================== */

namespace {

constexpr int THREADS = WARPS * WARP;
constexpr int PIECE = 16; /* bytes that are copied at once */

struct MatchingSquares : MatchingDevice {
    MovedRows a, b;
    int slice; /* tiles of B that a block takes */
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
        products.clear();
        products.add(rows, columns, first, lane);
        products.add_lengths(rows, lengths, first, lane);
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
    match(MovedRows a, int a_count, MovedRows b, int b_count, int slice, MatchingKey *a_keys,
          MatchingKey *b_keys) {
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
    rows.load(a.bytes + (size_t)row * Size::K, a.lengths + row, lane);
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

template <typename Call> Status for_kind(const MatchingSets *sets, const Call &call) {
    return matching_for_words<MATCHING_L2>(sets->bytes, call);
}

Status open_squares(MatchingDevice *device) {
    MatchingSquares *squares = (MatchingSquares *)device;
    const MatchingSets *sets = &device->sets;
    device->path = "mma.sync s8";
    return for_kind(sets, [&](auto kind) {
        using Size = Shape<decltype(kind)>;
        STATUS_TRY(open_rows(device, sets->a_count, Size::BLOCK_ROWS, &squares->a));
        STATUS_TRY(open_rows(device, sets->b_count, Size::COLUMNS, &squares->b));
        int resident = 0;
        STATUS_TRY(
            cuda_resident_blocks((const void *)match<decltype(kind)>, THREADS, 0, &resident));
        squares->slice =
            matching_slice(squares->b.rows / Size::COLUMNS, 1, squares->a.rows / Size::BLOCK_ROWS,
                           resident * cuda_multiprocessors());
        return status_ok();
    });
}

template <typename Kind> Status match_all(const MatchingSquares *squares) {
    const int tiles = squares->b.rows / Shape<Kind>::COLUMNS;
    const int across = squares->a.rows / Shape<Kind>::BLOCK_ROWS;
    const dim3 grid((unsigned int)across, (unsigned int)pieces_of(tiles, squares->slice));
    match<Kind><<<grid, THREADS, 0, cuda_stream()>>>(squares->a, squares->sets.a_count, squares->b,
                                                     squares->sets.b_count, squares->slice,
                                                     squares->a_keys, squares->b_keys);
    return CUDA_LAUNCHED();
}

Status search(const MatchingDevice *device) {
    const MatchingSquares *squares = (const MatchingSquares *)device;
    const MatchingSets *sets = &device->sets;
    STATUS_TRY(matching_clear_keys(device));
    return for_kind(sets, [&](auto kind) {
        using Kind = decltype(kind);
        STATUS_TRY(move_rows<Kind>(device->a, sets->a_count, &squares->a));
        STATUS_TRY(move_rows<Kind>(device->b, sets->b_count, &squares->b));
        return match_all<Kind>(squares);
    });
}

const MatchingMethod method = {open_squares, search, NULL};

} // namespace

Status matching_l2_open_sets(const Request *request, const MatchingSets *sets, void **state) {
    bool has_wgmma = false;
    STATUS_TRY(matching_l2_has_wgmma(sets, &has_wgmma));
    return has_wgmma ? matching_l2_wgmma_open_sets(request, sets, state)
                     : matching_cuda_open_sets<MatchingSquares>(request, sets, &method, state);
}
