/*
 * What comes before the entries and the tests of cuda_fast, in two kernels: column sums of the
 * image and places of the keypoints have nothing to do with each other, so that some blocks do
 * the one and the others the other, instead of four short kernels after each other (8 µs less).
 */
#include <cub/block/block_scan.cuh>

#include "bad_device.cuh"
#include "bad_fast.cuh"
#include "cuda_device.h"

/* === Column sums ============================================================================== */

/*
 * Column sums for the integral image of cuda_fast, as parts of kernels: (1) of each column of each
 * band of the image, (2) of the bands above each band.
 */

enum {
    BAD_FAST_COLUMNS = 32, /* of a block of (2) */
    BAD_FAST_GROUPS = 16   /* threads that share a column's bands there */
};

/* (1) Four columns a thread, `quad` counts them: two sums of 16 bits in a word, which eight rows
 * cannot fill. */
static __device__ __forceinline__ void bad_fast_sum_columns(const uint8_t *image, int stride,
                                                            int height, int band, int quad,
                                                            uint16_t *sums) {
    const int first = band * BAD_FAST_BAND;
    uint32_t even = 0;
    uint32_t odd = 0;
#pragma unroll
    for (int r = 0; r < BAD_FAST_BAND; r++) {
        const int y = first + r;
        if (y < height) {
            const uint32_t four = ((const uint32_t *)(image + (size_t)y * (size_t)stride))[quad];
            even += four & 0x00FF00FFU;
            odd += four >> 8 & 0x00FF00FFU;
        }
    }
    ((uint2 *)(sums + (size_t)band * (size_t)stride))[quad] = make_uint2(even, odd);
}

/* (2) A thread has a column and a share of its bands: it adds them up, learns what is above them
 * from the others, and goes through them again. Sums of a column come as bad_fast_sum_columns
 * leaves them: columns 0 and 2, then 1 and 3 of four, 16 bits each. */
static __device__ __forceinline__ uint32_t bad_fast_column_sum(const uint16_t *sums, int stride,
                                                               int band, int x) {
    const int place = (x & ~3) + (x & 1) * 2 + (x >> 1 & 1);
    return sums[(size_t)band * (size_t)stride + (size_t)place];
}

/* `x` is the thread's column, threadIdx.x % BAD_FAST_COLUMNS that of the block, `group` its share.
 */
static __device__ __forceinline__ void
bad_fast_scan_bands(const BadFastBands &bands, int stride, int count, int x, int group,
                    uint32_t (&totals)[BAD_FAST_GROUPS][BAD_FAST_COLUMNS]) {
    const int column = (int)threadIdx.x % BAD_FAST_COLUMNS;
    const int share = (count + BAD_FAST_GROUPS - 1) / BAD_FAST_GROUPS;
    const int first = group * share;
    const int end = min(first + share, count);
    uint32_t total = 0;
#pragma unroll 8
    for (int band = first; band < end; band++) {
        total += bad_fast_column_sum(bands.sums, stride, band, x);
    }
    totals[group][column] = total;
    __syncthreads();
    uint32_t sum = 0;
    for (int g = 0; g < group; g++) {
        sum += totals[g][column];
    }
#pragma unroll 8
    for (int band = first; band < end; band++) {
        bands.above[(size_t)band * (size_t)stride + (size_t)x] = sum;
        sum += bad_fast_column_sum(bands.sums, stride, band, x);
    }
}

/* === Order ==================================================================================== */

/*
 * Keypoints made ready for cuda_fast, as parts of kernels: (1) the place of each, and its rank in
 * its cell of the image; (2) places cell by cell.
 */

enum { BAD_FAST_ORDER_THREADS = 512 };

#define BAD_FAST_MARGIN 3.0F /* pixels: roundings of centre and radius, and the far edge */

static __device__ __forceinline__ bool bad_fast_stays_inside(Keypoint keypoint, const PatchMap &map,
                                                             int width, int height) {
    const float reach = (fabsf(map.c) + fabsf(map.n)) * (float)PATCH_HALF + BAD_FAST_MARGIN;
    return keypoint.x - reach >= 0.0F && keypoint.y - reach >= 0.0F &&
           keypoint.x + reach < (float)width && keypoint.y + reach < (float)height;
}

static __device__ __forceinline__ int bad_fast_cell_along(float position, int side) {
    const float cell = position * ((float)BAD_FAST_SIDE / (float)side);
    return (int)fminf(fmaxf(cell, 0.0F), (float)(BAD_FAST_SIDE - 1));
}

/* (1) Rank and cell in one number: there are less than 2^22 keypoints. */
static __device__ __forceinline__ void bad_fast_place(const Keypoint *keypoints, int k, float scale,
                                                      int width, int height, bool whole,
                                                      const BadFastWork &work) {
    const Keypoint keypoint = keypoints[k];
    const BadPlace found = bad_place(keypoint, scale, width, height);
    BadFastPlace place;
    place.map = found.map;
    place.near_border = found.near_border;
    place.inside =
        whole && !found.near_border && bad_fast_stays_inside(keypoint, found.map, width, height);
    place.keypoint = k;
    work.places[k] = place;
    const int cell = bad_fast_cell_along(keypoint.y, height) * BAD_FAST_SIDE +
                     bad_fast_cell_along(keypoint.x, width);
    work.ranks[k] = atomicAdd(&work.cells[cell], 1U) * BAD_FAST_CELLS + (uint32_t)cell;
}

typedef cub::BlockScan<uint32_t, BAD_FAST_ORDER_THREADS> BadFastScan;

/* (2) Every block adds up the cells for itself, and moves a keypoint a thread, if k < count. */
static __device__ __forceinline__ void bad_fast_order(int k, int count, const BadFastWork &work,
                                                      BadFastScan::TempStorage &room,
                                                      uint32_t (&before)[BAD_FAST_CELLS]) {
    constexpr int ITEMS = BAD_FAST_CELLS / BAD_FAST_ORDER_THREADS;
    uint32_t cells[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        cells[i] = work.cells[ITEMS * (int)threadIdx.x + i];
    }
    BadFastScan(room).ExclusiveSum(cells, cells);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        before[ITEMS * (int)threadIdx.x + i] = cells[i];
    }
    __syncthreads();
    if (k < count) {
        const uint32_t rank = work.ranks[k];
        work.ordered[before[rank % BAD_FAST_CELLS] + rank / BAD_FAST_CELLS] = work.places[k];
    }
}

/* === Launch =================================================================================== */

namespace {

constexpr int FIRST_THREADS = 128;
static_assert(BAD_FAST_ORDER_THREADS == BAD_FAST_COLUMNS * BAD_FAST_GROUPS,
              "blocks of one kernel have one size");

/* Blocks of a kernel that work on keypoints; those after them work on the image. */
struct Share {
    int keypoint_blocks;
};

__global__ void __launch_bounds__(FIRST_THREADS)
    bad_fast_first(BadDevice device, BadFastBands bands, BadFastWork work, bool whole,
                   Share share) {
    const int block = (int)blockIdx.x - share.keypoint_blocks;
    if (block < 0) {
        const int k = (int)(blockIdx.x * FIRST_THREADS + threadIdx.x);
        if (k < device.count) {
            bad_fast_place(device.keypoints, k, device.scale, device.width, device.height, whole,
                           work);
        }
        return;
    }
    const int quads = (int)device.stride / 4;
    const int quad_blocks = (quads + FIRST_THREADS - 1) / FIRST_THREADS;
    const int quad = block % quad_blocks * FIRST_THREADS + (int)threadIdx.x;
    if (quad < quads) {
        bad_fast_sum_columns(device.image, (int)device.stride, device.height, block / quad_blocks,
                             quad, bands.sums);
    }
}

union Room {
    struct {
        BadFastScan::TempStorage scan;
        uint32_t before[BAD_FAST_CELLS];
    } order;
    uint32_t totals[BAD_FAST_GROUPS][BAD_FAST_COLUMNS];
};

__global__ void __launch_bounds__(BAD_FAST_ORDER_THREADS)
    bad_fast_second(BadDevice device, BadFastBands bands, BadFastWork work, Share share) {
    __shared__ Room room;
    const int block = (int)blockIdx.x - share.keypoint_blocks;
    if (block < 0) {
        bad_fast_order((int)(blockIdx.x * BAD_FAST_ORDER_THREADS + threadIdx.x), device.count, work,
                       room.order.scan, room.order.before);
        return;
    }
    const int x = block * BAD_FAST_COLUMNS + (int)threadIdx.x % BAD_FAST_COLUMNS;
    const int count = (device.height + BAD_FAST_BAND - 1) / BAD_FAST_BAND;
    bad_fast_scan_bands(bands, (int)device.stride, count, x, (int)threadIdx.x / BAD_FAST_COLUMNS,
                        room.totals);
}

} // namespace

Status bad_fast_prepare(const BadDevice *device, const BadFastBands *bands, const BadFastWork *work,
                        bool whole) {
    /* Offsets into the integral image are taken in 32 bits where no box leaves the image. */
    const bool small =
        (device->stride + BAD_SPARE) * (size_t)(device->height + 1) <= (size_t)INT32_MAX;
    const size_t quad_blocks = pieces_of(device->stride / 4, FIRST_THREADS);
    const Share first = {(int)pieces_of(device->count, FIRST_THREADS)};
    const Share second = {(int)pieces_of(device->count, BAD_FAST_ORDER_THREADS)};
    const size_t first_blocks =
        (size_t)first.keypoint_blocks + quad_blocks * (size_t)bad_fast_bands(device->height);
    const size_t second_blocks = (size_t)second.keypoint_blocks + device->stride / BAD_FAST_COLUMNS;
    CUDA_TRY(cudaMemsetAsync(work->cells, 0, BAD_FAST_CELLS * sizeof *work->cells, cuda_stream()));
    bad_fast_first<<<(unsigned)first_blocks, FIRST_THREADS, 0, cuda_stream()>>>(
        *device, *bands, *work, whole && small, first);
    STATUS_TRY(CUDA_LAUNCHED());
    bad_fast_second<<<(unsigned)second_blocks, BAD_FAST_ORDER_THREADS, 0, cuda_stream()>>>(
        *device, *bands, *work, second);
    return CUDA_LAUNCHED();
}
