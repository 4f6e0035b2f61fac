/*
 * What comes before the tests of cuda_fast, in two kernels: the integral image by
 * summed_tiles.cuh, and places of the keypoints, which have nothing to do with it and ride along in
 * the first blocks.
 *
 * Floor for 2832×2128 pixels: 6 MB in, 25 MB out. On an H100, back to back, without the keypoints
 * and with rows that begin on lines of 128 bytes: 15.6 µs; with column sums of bands of eight rows,
 * then of those above each band, then a block a band from left to right, and a memset, 24.3 µs.
 *
 * The tests start while the integral image ends, and clear the cells for the next run: 49.4 µs
 * instead of 52.0 in all for 10,000 keypoints, 14.5 instead of 17.5 for 1000 of 480×360. Were they
 * let in while its last tiles begin, they would lie unevenly on the multiprocessors, and neighbours
 * apart: 134 instead of 122 for 40,000.
 */

#include "bad_device.cuh"
#include "bad_fast.cuh"
#include "block_scan.cuh"
#include "cuda_device.h"
#include "summed_tiles.cuh"

/* === Order ==================================================================================== */

/*
 * Keypoints made ready for cuda_fast, as parts of kernels: (1) the place of each, and its rank in
 * its cell of the image; (2) places cell by cell.
 */

enum { BAD_FAST_ORDER_THREADS = summed_tiles::THREADS };

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

typedef BlockScan<uint32_t, BAD_FAST_ORDER_THREADS> BadFastScan;

/* (2) Every block adds up the cells for itself, and moves a keypoint a thread, if k < count. */
static __device__ __forceinline__ void bad_fast_order(int k, int count, const BadFastWork &work,
                                                      BadFastScan::Room &room,
                                                      uint32_t (&before)[BAD_FAST_CELLS]) {
    constexpr int ITEMS = BAD_FAST_CELLS / BAD_FAST_ORDER_THREADS;
    uint32_t cells[ITEMS];
    uint32_t all = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        cells[i] = work.cells[ITEMS * (int)threadIdx.x + i];
        all += cells[i];
    }
    uint32_t carry = 0;
    uint32_t sum = BadFastScan::before(all, carry, room);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        before[ITEMS * (int)threadIdx.x + i] = sum;
        sum += cells[i];
    }
    __syncthreads();
    if (k < count) {
        const uint32_t rank = work.ranks[k];
        work.ordered[before[rank % BAD_FAST_CELLS] + rank / BAD_FAST_CELLS] = work.places[k];
    }
}

/* === Kernel launch ============================================================================ */

namespace {

struct Places {
    BadDevice device;
    BadFastWork work;
    bool whole;
    int blocks;

    __device__ void operator()() const {
        const int k = (int)(blockIdx.x * BAD_FAST_ORDER_THREADS + threadIdx.x);
        if (k < device.count) {
            bad_fast_place(device.keypoints, k, device.scale, device.width, device.height, whole,
                           work);
        }
    }
};

struct Order {
    static constexpr bool FOLLOWED = true; /* by the tests */
    BadFastWork work;
    int count;
    int blocks;

    __device__ void operator()() const {
        __shared__ BadFastScan::Room room;
        __shared__ uint32_t before[BAD_FAST_CELLS];
        bad_fast_order((int)(blockIdx.x * BAD_FAST_ORDER_THREADS + threadIdx.x), count, work, room,
                       before);
    }
};

} // namespace

Status bad_fast_prepare(const BadDevice *device, const BadFastWork *work,
                        const summed_tiles::Sums *sums, bool whole) {
    const int pitch = bad_fast_pitch(device->width);
    /* Offsets into the integral image are taken in 32 bits where no box leaves the image. */
    const bool small =
        (device->stride + BAD_SPARE) * (size_t)(device->height + 1) <= (size_t)INT32_MAX;
    const int blocks = pieces_of(device->count, BAD_FAST_ORDER_THREADS);
    const summed_tiles::Table<uint32_t, true> table = {device->image,
                                                       device->stride,
                                                       device->width + 1,
                                                       device->height,
                                                       device->integral,
                                                       (size_t)pitch,
                                                       false,
                                                       *sums};
    return summed_tiles::launch(table, Places{*device, *work, whole && small, blocks},
                                Order{*work, device->count, blocks});
}
