/*
 * What comes before the entries and the tests of cuda_fast, in two kernels: column sums of the
 * picture and places of the keypoints have nothing to do with each other, so that some blocks do
 * the one and the others the other, instead of four short kernels after each other (8 µs less).
 */
#include "bad_fast_bands.cuh"
#include "bad_fast_order.cuh"
#include "cuda_check.h"
#include "cuda_device.h"
#include "round_up.h"

namespace {

constexpr int FIRST_THREADS = 128;
static_assert(BAD_FAST_ORDER_THREADS == BAD_FAST_COLUMNS * BAD_FAST_GROUPS,
              "blocks of one kernel have one size");

/* Blocks of a kernel that work on keypoints; those after them work on the picture. */
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
    /* Offsets into the integral image are taken in 32 bits where no box leaves the picture. */
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
