/*
 * The pyramid, a level after the other: each is made of the one below.
 *
 * A block makes a square of 32 × 32 pixels. Where a column and a row sample the level below takes a
 * division of 64 bits each; the block does them once for its 32 columns and 32 rows, and its
 * threads read the results from shared memory. A thread makes four pixels of a column, eight rows
 * apart, of four bytes each from the level below, most of which the L1 cache has from its
 * neighbours.
 *
 * Floors: each byte of a level is written once and read once for the next; on small images the time
 * from one kernel launch to the next, for every level.
 */
#include "cuda_device.h"
#include "fast9_device.cuh"

namespace {

constexpr int SIDE = 32; /* of the square of a block */
constexpr int ROWS = 8;  /* of threads */
constexpr int FRACTION_BITS = 8;

struct Resizing {
    const uint8_t *from;
    uint8_t *to;
    int from_width, from_height, from_stride, width, height, stride;
};

/* Samples of the square's columns (the first SIDE threads) and rows (the next). What lies beyond
 * the level is not used. */
__device__ __forceinline__ void sample_places(const Resizing &job, int32_t (&columns)[SIDE],
                                              int32_t (&rows)[SIDE]) {
    if (threadIdx.y == 0) {
        const int x = (int)(blockIdx.x * SIDE + threadIdx.x);
        columns[threadIdx.x] = fast9_sample_place(x, job.from_width, job.width);
    } else if (threadIdx.y == 1) {
        const int y = (int)(blockIdx.y * SIDE + threadIdx.x);
        rows[threadIdx.x] = fast9_sample_place(y, job.from_height, job.height);
    }
    __syncthreads();
}

/* The pixel at a place of the level below. In the last column or row the neighbour that has no
 * weight is not there. */
__device__ __forceinline__ uint8_t sample(const Resizing &job, int32_t column, int32_t row) {
    const int x = column >> FRACTION_BITS;
    const int y = row >> FRACTION_BITS;
    const uint8_t *top = job.from + (size_t)y * (size_t)job.from_stride + x;
    const uint8_t *bottom = top + (y + 1 < job.from_height ? job.from_stride : 0);
    const int right = x + 1 < job.from_width ? 1 : 0;
    const int fraction = (1 << FRACTION_BITS) - 1;
    return fast9_blend(top[0], top[right], bottom[0], bottom[right], column & fraction,
                       row & fraction);
}

__global__ void __launch_bounds__(SIDE *ROWS) fast9_resize(const Resizing job) {
    __shared__ int32_t columns[SIDE];
    __shared__ int32_t rows[SIDE];
    sample_places(job, columns, rows);
    const int x = (int)(blockIdx.x * SIDE + threadIdx.x);
    if (x >= job.width) {
        return;
    }
    const int32_t column = columns[threadIdx.x];
#pragma unroll
    for (int i = (int)threadIdx.y; i < SIDE; i += ROWS) {
        const int y = (int)(blockIdx.y * SIDE) + i;
        if (y < job.height) {
            job.to[(size_t)y * (size_t)job.stride + x] = sample(job, column, rows[i]);
        }
    }
}

} // namespace

Status fast9_cuda_pyramid_levels(Fast9Device *device) {
    const Fast9Levels *levels = &device->levels;
    for (int level = 1; level < levels->count; level++) {
        const int below = level - 1;
        const Resizing job = {device->pyramid + levels->offset[below],
                              device->pyramid + levels->offset[level],
                              levels->width[below],
                              levels->height[below],
                              levels->stride[below],
                              levels->width[level],
                              levels->height[level],
                              levels->stride[level]};
        const dim3 grid((unsigned int)pieces_of(job.width, SIDE),
                        (unsigned int)pieces_of(job.height, SIDE));
        fast9_resize<<<grid, dim3(SIDE, ROWS), 0, cuda_stream()>>>(job);
        STATUS_TRY(CUDA_LAUNCHED());
    }
    return status_ok();
}
