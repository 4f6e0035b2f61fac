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

static __device__ __forceinline__ int bad_fast_cell_along(float position, int side, int cells) {
    const float cell = position * ((float)cells / (float)side);
    return (int)fminf(fmaxf(cell, 0.0F), (float)(cells - 1));
}

/* Limits first: a position may be anything, even no number. */
static __device__ __forceinline__ int bad_fast_at_least(float position, int low, int high) {
    return (int)fminf(fmaxf(floorf(position), (float)low), (float)high);
}

static __device__ __forceinline__ int bad_fast_at_most(float position, int low, int high) {
    return (int)fmaxf(fminf(ceilf(position), (float)high), (float)low);
}

/* The window of a keypoint, and whether all of it is inside the image. A box that leaves the patch
 * may be anywhere. */
static __device__ __forceinline__ bool bad_fast_window(Keypoint keypoint, int width, int height,
                                                       bool whole, BadFastPlace &place) {
    const float reach =
        (fabsf(place.map.c) + fabsf(place.map.n)) * (float)PATCH_HALF + BAD_FAST_MARGIN;
    place.left = whole ? bad_fast_at_least(keypoint.x - reach, 0, width - 1) : 0;
    place.top = whole ? bad_fast_at_least(keypoint.y - reach, 0, height - 1) : 0;
    place.right = whole ? bad_fast_at_most(keypoint.x + reach, 1, width) : width;
    place.bottom = whole ? bad_fast_at_most(keypoint.y + reach, 1, height) : height;
    return whole && keypoint.x - reach >= 0.0F && keypoint.y - reach >= 0.0F &&
           keypoint.x + reach < (float)width && keypoint.y + reach < (float)height;
}

static __device__ __forceinline__ int bad_fast_class(const BadFastPlace &place,
                                                     const BadFastSides &sides) {
    const int side = max(place.right - place.left, place.bottom - place.top) + 1;
    int which = BAD_FAST_SMALL;
    while (which < BAD_FAST_LARGE && side > sides.most[which]) {
        which++;
    }
    return which;
}

static __host__ __device__ __forceinline__ int bad_fast_class_cells(int which) {
    return which == BAD_FAST_SMALL    ? BAD_FAST_SMALL_CELLS
           : which == BAD_FAST_MIDDLE ? BAD_FAST_MIDDLE_CELLS
                                      : BAD_FAST_LARGE_CELLS;
}

/* The cells of a class begin behind those of the classes before. */
static __device__ __forceinline__ int bad_fast_first_key(int which) {
    int key = 0;
    for (int before = 0; before < which; before++) {
        key += bad_fast_class_cells(before) * bad_fast_class_cells(before);
    }
    return key;
}

/* (1) Rank and cell in one number. `narrow`: offsets into the integral image fit 32 bits, of which
 * the tests of the last class make use where no box leaves the image. */
static __device__ __forceinline__ void bad_fast_place(const Keypoint *keypoints, int k, float scale,
                                                      int width, int height, bool whole,
                                                      bool narrow, const BadFastWork &work) {
    const Keypoint keypoint = keypoints[k];
    const BadPlace found = bad_place(keypoint, scale, width, height);
    BadFastPlace place;
    place.map = found.map;
    place.near_border = found.near_border;
    place.keypoint = k;
    const bool inside = bad_fast_window(keypoint, width, height, whole, place);
    const int which = bad_fast_class(place, work.sides);
    place.inside = inside && !found.near_border && (which != BAD_FAST_LARGE || narrow);
    work.places[k] = place;
    const int cells = bad_fast_class_cells(which);
    const int key = bad_fast_first_key(which) +
                    bad_fast_cell_along(keypoint.y, height, cells) * cells +
                    bad_fast_cell_along(keypoint.x, width, cells);
    work.ranks[k] = atomicAdd(&work.cells[key], 1U) * BAD_FAST_KEYS + (uint32_t)key;
}

typedef cub::BlockScan<uint32_t, BAD_FAST_ORDER_THREADS> BadFastScan;
constexpr int BAD_FAST_ITEMS = BAD_FAST_KEYS / BAD_FAST_ORDER_THREADS; /* cells of a thread */
static_assert(BAD_FAST_SMALL_CELLS * BAD_FAST_SMALL_CELLS +
                      BAD_FAST_MIDDLE_CELLS * BAD_FAST_MIDDLE_CELLS +
                      BAD_FAST_LARGE_CELLS * BAD_FAST_LARGE_CELLS <=
                  BAD_FAST_KEYS,
              "a key for each cell");

/* Keypoints of this thread's cells, and those before each. */
typedef struct BadFastCells {
    uint32_t counts[BAD_FAST_ITEMS], starts[BAD_FAST_ITEMS];
} BadFastCells;

static __device__ __forceinline__ void
bad_fast_scan_cells(const uint32_t *cells, BadFastScan::TempStorage &room, BadFastCells &own) {
#pragma unroll
    for (int i = 0; i < BAD_FAST_ITEMS; i += 4) {
        *(uint4 *)&own.counts[i] = *(const uint4 *)&cells[BAD_FAST_ITEMS * (int)threadIdx.x + i];
    }
    BadFastScan(room).ExclusiveSum(own.counts, own.starts);
}

/* (2) Every block adds up the cells for itself, and moves a keypoint a thread, if k < count. */
static __device__ __forceinline__ void bad_fast_order(int k, int count, const BadFastWork &work,
                                                      BadFastScan::TempStorage &room,
                                                      uint32_t (&before)[BAD_FAST_KEYS]) {
    BadFastCells own;
    bad_fast_scan_cells(work.cells, room, own);
#pragma unroll
    for (int i = 0; i < BAD_FAST_ITEMS; i++) {
        before[BAD_FAST_ITEMS * (int)threadIdx.x + i] = own.starts[i];
    }
    __syncthreads();
    if (k < count) {
        const uint32_t rank = work.ranks[k];
        work.ordered[before[rank % BAD_FAST_KEYS] + rank / BAD_FAST_KEYS] = work.places[k];
    }
}

/* (2) The units of the first two classes, and the part of the last one, by one block. */
static __device__ __forceinline__ void bad_fast_list_units(int count, const BadFastWork &work,
                                                           BadFastScan::TempStorage &room) {
    BadFastCells own;
    bad_fast_scan_cells(work.cells, room, own);
    const int first = BAD_FAST_ITEMS * (int)threadIdx.x;
    for (int which = 0; which < BAD_FAST_LARGE; which++) {
        uint32_t units[BAD_FAST_ITEMS];
        uint32_t numbers[BAD_FAST_ITEMS];
        uint32_t total = 0;
#pragma unroll
        for (int i = 0; i < BAD_FAST_ITEMS; i++) {
            const bool of_class =
                first + i >= bad_fast_first_key(which) && first + i < bad_fast_first_key(which + 1);
            units[i] = of_class ? (own.counts[i] + BAD_FAST_UNIT - 1) / BAD_FAST_UNIT : 0;
        }
        __syncthreads(); /* `room` was used */
        BadFastScan(room).ExclusiveSum(units, numbers, total);
#pragma unroll
        for (int i = 0; i < BAD_FAST_ITEMS; i++) {
            for (uint32_t u = 0; u < units[i]; u++) {
                work.units[which][numbers[i] + u] =
                    BadFastUnit{own.starts[i] + BAD_FAST_UNIT * u,
                                min(own.counts[i] - BAD_FAST_UNIT * u, (uint32_t)BAD_FAST_UNIT)};
            }
        }
        if (threadIdx.x == 0) {
            work.unit_counts[which] = total;
        }
    }
#pragma unroll
    for (int i = 0; i < BAD_FAST_ITEMS; i++) {
        if (first + i == bad_fast_first_key(BAD_FAST_LARGE)) {
            *work.large = BadFastUnit{own.starts[i], (uint32_t)count - own.starts[i]};
        }
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

/* What is known of all keypoints. */
struct Known {
    bool whole, narrow;
};

__global__ void __launch_bounds__(FIRST_THREADS)
    bad_fast_first(BadDevice device, BadFastBands bands, BadFastWork work, Known known,
                   Share share) {
    const int block = (int)blockIdx.x - share.keypoint_blocks;
    if (block < 0) {
        const int k = (int)(blockIdx.x * FIRST_THREADS + threadIdx.x);
        if (k < device.count) {
            bad_fast_place(device.keypoints, k, device.scale, device.width, device.height,
                           known.whole, known.narrow, work);
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
        uint32_t before[BAD_FAST_KEYS];
    } order;
    uint32_t totals[BAD_FAST_GROUPS][BAD_FAST_COLUMNS];
};

__global__ void __launch_bounds__(BAD_FAST_ORDER_THREADS)
    bad_fast_second(BadDevice device, BadFastBands bands, BadFastWork work, Share share) {
    __shared__ Room room;
    if (blockIdx.x == 0) {
        bad_fast_list_units(device.count, work, room.order.scan);
        return;
    }
    const int block = (int)blockIdx.x - share.keypoint_blocks;
    if (block < 0) {
        bad_fast_order((int)((blockIdx.x - 1) * BAD_FAST_ORDER_THREADS + threadIdx.x), device.count,
                       work, room.order.scan, room.order.before);
        return;
    }
    const int x = block * BAD_FAST_COLUMNS + (int)threadIdx.x % BAD_FAST_COLUMNS;
    const int count = (device.height + BAD_FAST_BAND - 1) / BAD_FAST_BAND;
    bad_fast_scan_bands(bands, (int)device.stride, count, x, (int)threadIdx.x / BAD_FAST_COLUMNS,
                        room.totals);
}

} // namespace

int bad_fast_units(const BadDevice *device, int which) {
    const int cells = bad_fast_class_cells(which) * bad_fast_class_cells(which);
    const int most = cells + device->count / BAD_FAST_UNIT;
    return most < device->count ? most : device->count;
}

Status bad_fast_prepare(const BadDevice *device, const BadFastBands *bands, const BadFastWork *work,
                        bool whole, bool large) {
    const Known known = {whole, (device->stride + BAD_SPARE) * (size_t)(device->height + 1) <=
                                    (size_t)INT32_MAX};
    const size_t quad_blocks = pieces_of(device->stride / 4, FIRST_THREADS);
    const Share first = {(int)pieces_of(device->count, FIRST_THREADS)};
    const Share second = {1 + (int)pieces_of(device->count, BAD_FAST_ORDER_THREADS)};
    const size_t first_blocks = (size_t)first.keypoint_blocks +
                                (large ? quad_blocks * (size_t)bad_fast_bands(device->height) : 0);
    const size_t second_blocks =
        (size_t)second.keypoint_blocks + (large ? device->stride / BAD_FAST_COLUMNS : 0);
    if (device->count == 0) {
        return status_ok();
    }
    CUDA_TRY(cudaMemsetAsync(work->cells, 0, BAD_FAST_KEYS * sizeof *work->cells, cuda_stream()));
    bad_fast_first<<<(unsigned)first_blocks, FIRST_THREADS, 0, cuda_stream()>>>(
        *device, *bands, *work, known, first);
    STATUS_TRY(CUDA_LAUNCHED());
    bad_fast_second<<<(unsigned)second_blocks, BAD_FAST_ORDER_THREADS, 0, cuda_stream()>>>(
        *device, *bands, *work, second);
    return CUDA_LAUNCHED();
}
