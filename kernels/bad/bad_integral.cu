/*
 * The integral image in two passes over it.
 *
 * Rows: a block a row, four pixels a thread, which loads them as one word and stores four entries
 * as one vector. The entries of a row are the sums of the pixels before them, so that they begin
 * where the pixels begin, and both accesses are aligned.
 *
 * Columns: a block takes 32 columns, a line of 128 bytes, and cuts their height into BANDS; each
 * band is summed, the sums of the bands above are added up in shared memory, and the band is gone
 * through again, from the cache, to be stored. One thread a column would leave most of the device
 * idle: an image has too few columns.
 *
 * 5 bytes a pixel of traffic for rows and 12 for columns, part of it in the L2 cache.
 */
#include "bad_device.cuh"
#include "block_scan.cuh"
#include "cuda_device.h"

namespace {

constexpr int ROW_THREADS = 256;
constexpr int PIXELS = 4; /* of a thread at once */
constexpr int COLUMNS = 32;
constexpr int BANDS = 32;
constexpr int AHEAD = 8; /* rows of a band that are loaded at once */

using RowScan = BlockScan<uint32_t, ROW_THREADS>;

/* Row blockIdx.x of the integral image: the first is 0, the others sums of the row of pixels above
 * them. */
__global__ void sum_rows(const uint8_t *__restrict__ image, uint32_t *__restrict__ integral,
                         int stride) {
    __shared__ RowScan::Room room;
    const size_t y = blockIdx.x;
    const uchar4 *pixels = (const uchar4 *)(image + (y == 0 ? 0 : y - 1) * (size_t)stride);
    uint4 *entries = (uint4 *)(integral + y * (size_t)stride);
    const int words = stride / PIXELS;
    uint32_t carry = 0;
    for (int begin = 0; begin < words; begin += ROW_THREADS) {
        const int i = begin + (int)threadIdx.x;
        const uchar4 word = i < words && y > 0 ? pixels[i] : make_uchar4(0, 0, 0, 0);
        uint4 sums = make_uint4(0, word.x, word.x + word.y, word.x + word.y + word.z);
        const uint32_t left = RowScan::before(sums.w + word.w, carry, room);
        if (i < words) {
            entries[i] = make_uint4(left, left + sums.y, left + sums.z, left + sums.w);
        }
        __syncthreads();
    }
}

/* Goes down `count` entries. All are loaded before the first is stored: the compiler cannot know
 * that a store does not change what a later load reads, and would wait for each. */
__device__ __forceinline__ void running_sums(uint32_t *column, int stride, int count,
                                             uint32_t *sum) {
    uint32_t entries[AHEAD];
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
        entries[i] = i < count ? column[(size_t)i * (size_t)stride] : 0;
    }
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
        *sum += entries[i];
        if (i < count) {
            column[(size_t)i * (size_t)stride] = *sum;
        }
    }
}

/* Columns COLUMNS × blockIdx.x on: entry (x, y) becomes the sum of entries (x, 1 … y). */
__global__ void sum_columns(uint32_t *integral, int stride, int height) {
    __shared__ uint32_t sums[BANDS][COLUMNS];
    const int band = (int)threadIdx.y;
    const int rows = (height + BANDS - 1) / BANDS;
    const int first = 1 + min(band * rows, height);
    const int end = min(first + rows, height + 1);
    uint32_t *column = integral + blockIdx.x * COLUMNS + threadIdx.x;
    uint32_t sum = 0;
#pragma unroll 8
    for (int y = first; y < end; y++) {
        sum += column[(size_t)y * (size_t)stride];
    }
    sums[band][threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (int above = 0; above < band; above++) {
        sum += sums[above][threadIdx.x];
    }
    for (int y = first; y < end; y += AHEAD) {
        running_sums(column + (size_t)y * (size_t)stride, stride, min(AHEAD, end - y), &sum);
    }
}

} // namespace

Status bad_cuda_sum_rows_and_columns(const BadDevice *device) {
    const int stride = (int)device->stride;
    const unsigned int rows = (unsigned int)device->height + 1;
    const unsigned int columns = (unsigned int)pieces_of(device->width + 1, COLUMNS);
    sum_rows<<<rows, ROW_THREADS, 0, cuda_stream()>>>(device->image, device->integral, stride);
    STATUS_TRY(CUDA_LAUNCHED());
    sum_columns<<<columns, dim3(COLUMNS, BANDS), 0, cuda_stream()>>>(device->integral, stride,
                                                                     device->height);
    return CUDA_LAUNCHED();
}
