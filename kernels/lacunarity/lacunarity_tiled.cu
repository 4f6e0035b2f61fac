/*
 * cuda_tiled: row sums from running sums of a strip of the image in shared memory.
 *
 * A block takes a band of rows of some hundred columns of positions and goes down it as
 * cuda_pipeline does, --tile rows at a time. The pixels of those rows under any of its boxes are
 * staged in shared memory as running sums: element i is the number of object pixels before pixel i
 * of the row, made by one warp of a row, sixteen pixels a lane. A row sum is then the difference of
 * two elements, whatever the box, where cuda_pipeline counts r pixels. Per position two row sums
 * remain, and the share of staging: (columns + r − 1) / columns pixels of two rows.
 *
 * Rows longer than the shared memory are staged in pieces. What a box has in a piece is the
 * difference of the elements at its ends, cut to the piece; row sums add up over the pieces in
 * registers, so no box is too large. Taller tiles wait less often at barriers, but their rows are
 * cut into shorter pieces.
 *
 * What bounds it: with small boxes the instructions of staging, about six a pixel, and four loads
 * from shared memory a position; with large ones that every band starts with r rows, and that r
 * pixels beside the block's own columns are staged with each row. On small images it is the time
 * from a tile's loads to its last barrier.
 *
 * Assumes rows that start at multiples of 16 bytes; what lies behind the width is staged but never
 * part of a difference.
 */
#include <algorithm>
#include <cstdlib>

#include "cuda_device.h"
#include "cuda_variant.h"
#include "lacunarity_device.cuh"

VARIANT_FUNCTIONS(lacunarity_cuda_tiled);

namespace {

constexpr int LANES = 32;
constexpr int WARPS_MAX = 8;

/* Columns of positions that a thread has, a block's width apart. */
constexpr int COLUMNS = 2;

constexpr int LANE_PIXELS = 16;
constexpr int WARP_PIXELS = LANES * LANE_PIXELS;

/* Elements before the first of a row's running sums: the last of them is the 0 before pixel 0, the
 * others keep the rows aligned for stores of 16 bytes. */
constexpr int LEAD = 8;

/* Shared memory that every device gives a block by default, less the block's own sums. */
constexpr int STAGE_BYTES = 47 * 1024;

/* A multiprocessor's threads: enough blocks that one computes while others wait at barriers. More
 * would make bands shorter, and each band starts with a row for every row of the box. */
constexpr int THREADS_WANTED = 1024;

__host__ __device__ constexpr int warps_of(int tile) {
    return tile < WARPS_MAX ? tile : WARPS_MAX;
}

__host__ __device__ constexpr int threads_of(int tile) {
    return warps_of(tile) * LANES;
}

/* A strip of the image and how it is dealt out. */
struct Strip {
    const uint8_t *pixels;
    size_t stride;
    int width;
    int threshold, box;
    int across, down;  /* positions */
    int blocks_across; /* blocks beside each other */
    int rows;          /* positions down in a band */
    int piece;         /* pixels of a row staged at once, a multiple of LANE_PIXELS */
};

/* Where a block is: the columns of its pixels, and what is staged of them. */
struct Piece {
    int x, length;
};

__device__ __forceinline__ uint16_t *staged_row(uint16_t *stage, const Strip &strip, int row) {
    return stage + row * (LEAD + strip.piece) + LEAD - 1;
}

/* Running sums within four words of pixels, as bytes: none passes 16. */
__device__ __forceinline__ void sums_in_lane(const uint4 &pixels, uint32_t thresholds,
                                             uint32_t (&sums)[4]) {
    const uint32_t words[4] = {pixels.x, pixels.y, pixels.z, pixels.w};
    uint32_t before = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        /* Byte k of the product is the sum of bytes 0 to k. */
        sums[i] = __vsetgeu4(words[i], thresholds) * 0x01010101U + before;
        before = (sums[i] >> 24) * 0x01010101U;
    }
}

/* The sum of `value` over the lanes up to this one. */
__device__ __forceinline__ uint32_t sum_to_lane(uint32_t value, int lane) {
#pragma unroll
    for (int step = 1; step < LANES; step *= 2) {
        const uint32_t below = __shfl_up_sync(0xFFFFFFFFU, value, step);
        value += lane >= step ? below : 0;
    }
    return value;
}

/* Four sums in bytes to four of 16 bits, `before` added to each. */
__device__ __forceinline__ uint2 widen(uint32_t sums, uint32_t before) {
    const uint32_t twice = before * 0x00010001U;
    return make_uint2(__byte_perm(sums, 0, 0x4140) + twice, __byte_perm(sums, 0, 0x4342) + twice);
}

/* Sixteen pixels of a piece; none behind its end. */
__device__ __forceinline__ uint4 load_pixels(const uint8_t *row, int at, int length) {
    return at < length ? *(const uint4 *)(row + at) : make_uint4(0, 0, 0, 0);
}

/* Stores the running sums of sixteen pixels, `before` added to each. */
__device__ __forceinline__ void store_sums(uint16_t *target, const uint32_t (&sums)[4],
                                           uint32_t before) {
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const uint2 left = widen(sums[2 * half], before);
        const uint2 right = widen(sums[2 * half + 1], before);
        ((uint4 *)target)[half] = make_uint4(left.x, left.y, right.x, right.y);
    }
}

/* A warp stages the running sums of a piece of row y; the pixels of its next step are on the way
 * while it adds up those of one. */
__device__ __forceinline__ void stage_row(const Strip &strip, const Piece &piece, int y, int lane,
                                          uint16_t *sums) {
    const uint8_t *row = strip.pixels + (size_t)y * strip.stride + piece.x;
    const uint32_t thresholds = (uint32_t)strip.threshold * 0x01010101U;
    uint32_t before = 0; /* in the piece, up to this step's first pixel */
    uint4 next = load_pixels(row, lane * LANE_PIXELS, piece.length);
    if (lane == 0) {
        sums[0] = 0;
    }
    for (int start = 0; start < piece.length; start += WARP_PIXELS) {
        const int at = start + lane * LANE_PIXELS;
        const uint4 pixels = next;
        next = load_pixels(row, at + WARP_PIXELS, piece.length);
        uint32_t in_lane[4];
        sums_in_lane(pixels, thresholds, in_lane);
        const uint32_t of_lane = in_lane[3] >> 24;
        const uint32_t to_lane = sum_to_lane(of_lane, lane);
        if (at < piece.length) {
            store_sums(sums + 1 + at, in_lane, before + to_lane - of_lane);
        }
        before += __shfl_sync(0xFFFFFFFFU, to_lane, LANES - 1);
    }
}

/* The block stages a piece of the `count` rows from y on, after everyone is done with the last. */
template <int TILE>
__device__ __forceinline__ void stage_rows(const Strip &strip, const Piece &piece, int y, int count,
                                           uint16_t *stage) {
    const int warp = (int)threadIdx.x / LANES;
    const int lane = (int)threadIdx.x % LANES;
    __syncthreads();
    for (int row = warp; row < count; row += warps_of(TILE)) {
        stage_row(strip, piece, y + row, lane, staged_row(stage, strip, row));
    }
    __syncthreads();
}

__device__ __forceinline__ int round_up_lanes(int pixels) {
    return (pixels + LANE_PIXELS - 1) / LANE_PIXELS * LANE_PIXELS;
}

__device__ __forceinline__ int clamped(int value, int most) {
    return min(max(value, 0), most);
}

/*
 * Adds (SIGN 1) or subtracts (-1) the row sums of the `count` rows from y on to `changes`, one for
 * each row and column of the thread. `x` is the block's first column. Rows from count on are given
 * something unused: a branch round each would make every load wait for the one before.
 */
template <int TILE, int SIGN>
__device__ __forceinline__ void add_rows(const Strip &strip, int x, int y, int count,
                                         uint16_t *stage, int (&changes)[TILE][COLUMNS]) {
    const int end = min(x + threads_of(TILE) * COLUMNS + strip.box - 1, strip.width);
    Piece piece;
    for (piece.x = x; piece.x < end; piece.x += strip.piece) {
        piece.length = min(strip.piece, round_up_lanes(end - piece.x));
        stage_rows<TILE>(strip, piece, y, count, stage);
#pragma unroll
        for (int column = 0; column < COLUMNS; column++) {
            const int left = x + (int)threadIdx.x + column * threads_of(TILE) - piece.x;
            const int first = clamped(left, piece.length);
            const int last = clamped(left + strip.box, piece.length);
#pragma unroll
            for (int row = 0; row < TILE; row++) {
                const uint16_t *sums = staged_row(stage, strip, min(row, count - 1));
                changes[row][column] += SIGN * ((int)sums[last] - (int)sums[first]);
            }
        }
    }
}

/* What a thread has of its columns. */
struct Columns {
    uint32_t masses[COLUMNS];
    bool counted[COLUMNS]; /* is a position */
    Moments moments;
};

template <bool SQUARES_FIT> __device__ __forceinline__ void count_masses(Columns &columns) {
#pragma unroll
    for (int column = 0; column < COLUMNS; column++) {
        if (columns.counted[column]) {
            add_mass<SQUARES_FIT>(columns.moments, columns.masses[column]);
        }
    }
}

template <int TILE>
__device__ __forceinline__ void add_changes(Columns &columns, const int (&changes)[TILE][COLUMNS],
                                            int row) {
#pragma unroll
    for (int column = 0; column < COLUMNS; column++) {
        columns.masses[column] += (uint32_t)changes[row][column];
    }
}

/* The masses of the first row of positions. */
template <int TILE>
__device__ __forceinline__ void start_band(const Strip &strip, int x, int y, uint16_t *stage,
                                           Columns &columns) {
    for (int done = 0; done < strip.box; done += TILE) {
        const int count = min(TILE, strip.box - done);
        int changes[TILE][COLUMNS] = {};
        add_rows<TILE, 1>(strip, x, y + done, count, stage, changes);
#pragma unroll
        for (int row = 0; row < TILE; row++) {
            if (row < count) {
                add_changes<TILE>(columns, changes, row);
            }
        }
    }
}

template <int TILE, bool SQUARES_FIT>
__global__ void __launch_bounds__(threads_of(TILE))
    lacunarity_tiled(const Strip strip, LacunaritySums *sums) {
    extern __shared__ uint4 memory[];
    uint16_t *stage = (uint16_t *)memory;
    const int band = (int)blockIdx.x / strip.blocks_across;
    const int x = ((int)blockIdx.x - band * strip.blocks_across) * threads_of(TILE) * COLUMNS;
    const int first = band * strip.rows;
    const int steps = min(strip.rows, strip.down - first) - 1;
    Columns columns = {};
#pragma unroll
    for (int column = 0; column < COLUMNS; column++) {
        columns.counted[column] = x + (int)threadIdx.x + column * threads_of(TILE) < strip.across;
    }
    start_band<TILE>(strip, x, first, stage, columns);
    count_masses<SQUARES_FIT>(columns);
    for (int done = 0; done < steps; done += TILE) {
        const int count = min(TILE, steps - done);
        int changes[TILE][COLUMNS] = {};
        add_rows<TILE, -1>(strip, x, first + done, count, stage, changes);
        add_rows<TILE, 1>(strip, x, first + done + strip.box, count, stage, changes);
#pragma unroll
        for (int row = 0; row < TILE; row++) {
            if (row < count) {
                add_changes<TILE>(columns, changes, row);
                count_masses<SQUARES_FIT>(columns);
            }
        }
    }
    block_add_moments(columns.moments, sums);
}

typedef void (*TiledKernel)(Strip, LacunaritySums *);

template <int TILE> TiledKernel kernel_of_tile(bool squares_fit_) {
    return squares_fit_ ? lacunarity_tiled<TILE, true> : lacunarity_tiled<TILE, false>;
}

TiledKernel tiled_kernel(int tile, bool squares_fit_) {
    switch (tile) {
    case 4: return kernel_of_tile<4>(squares_fit_);
    case 8: return kernel_of_tile<8>(squares_fit_);
    case 16: return kernel_of_tile<16>(squares_fit_);
    default: return kernel_of_tile<32>(squares_fit_);
    }
}

/* As much of a row as fits, a whole number of warps' steps, or all that the boxes cover. */
int piece_pixels(int tile, int covered) {
    const int fits = STAGE_BYTES / (tile * (int)sizeof(uint16_t)) - LEAD;
    const int most = fits / WARP_PIXELS * WARP_PIXELS;
    return (int)std::min(round_up((size_t)covered, LANE_PIXELS), (size_t)most);
}

Strip strip_of(const LacunarityDevice *device, int tile, int threshold, int box) {
    Strip strip = {};
    strip.pixels = device->image;
    strip.stride = device->stride;
    strip.width = device->width;
    strip.threshold = threshold;
    strip.box = box;
    strip.across = device->width - box + 1;
    strip.down = device->height - box + 1;
    const int columns = threads_of(tile) * COLUMNS;
    strip.blocks_across = pieces_of(strip.across, columns);
    strip.piece = piece_pixels(tile, std::min(columns + box - 1, device->width));
    return strip;
}

/* Cuts the strip into bands so that all of its blocks are resident at once. */
Status cut_bands(Strip *strip, TiledKernel kernel, int tile, size_t shared_bytes) {
    const int threads = threads_of(tile);
    int resident = 0;
    STATUS_TRY(cuda_resident_blocks((const void *)kernel, threads, shared_bytes, &resident));
    const int blocks = cuda_multiprocessors() * std::min(resident, THREADS_WANTED / threads);
    const int bands = std::min(std::max(blocks / strip->blocks_across, 1), strip->down);
    strip->rows = pieces_of(strip->down, bands);
    return status_ok();
}

int tile_rows(const Request *request) {
    return atoi(point_text(request->tuning, tile_axis.name));
}

Status launch(const LacunarityDevice *device, size_t t, size_t b) {
    const int tile = tile_rows(device->request);
    Strip strip = strip_of(device, tile, device->plan.thresholds[t], device->plan.boxes[b]);
    const unsigned long long masses_max = (unsigned long long)strip.down * COLUMNS;
    const TiledKernel kernel = tiled_kernel(tile, squares_fit(strip.box, masses_max));
    const size_t bytes = (size_t)tile * (size_t)(LEAD + strip.piece) * sizeof(uint16_t);
    STATUS_TRY(cut_bands(&strip, kernel, tile, bytes));
    const int blocks = strip.blocks_across * pieces_of(strip.down, strip.rows);
    kernel<<<(unsigned int)blocks, (unsigned int)threads_of(tile), bytes, cuda_stream()>>>(
        strip, lacunarity_device_sums(device, t, b));
    return CUDA_LAUNCHED();
}

} // namespace

Status lacunarity_cuda_tiled_open(const Request *request, void **state) {
    return lacunarity_device_open_state(request, LANE_PIXELS, state);
}

Status lacunarity_cuda_tiled_run(void *state) {
    const LacunarityDevice *device = (const LacunarityDevice *)state;
    return lacunarity_each(device, [&](size_t t, size_t b) { return launch(device, t, b); });
}
