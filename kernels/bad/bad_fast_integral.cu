/*
 * The integral image of cuda_fast, in one pass over the picture and one over its own memory.
 *
 * Floor for 2832×2128 pixels: 6 MB read twice, 25 MB written, 13 µs at 2.8 TB/s to memory and less
 * where the L2 cache takes it. cuda_naive's rows, then columns, write those 25 MB twice and read
 * them once.
 *
 * The picture is cut into bands of eight rows. (1) The sum of each column of each band. (2) Of each
 * column the sum of the bands above each band. (3) A block per band goes through it from left to
 * right, a warp scanning a row of 128 pixels at a time; to the first row's pixels the sums of (2)
 * are added, so that adding up the eight rows gives entries of the whole picture.
 */
#include "bad_fast.h"
#include "cuda_check.h"
#include "cuda_device.h"
#include "round_up.h"

namespace {

constexpr int LANES = 32;
constexpr unsigned ALL_LANES = 0xFFFFFFFFU;
constexpr int BAND = BAD_FAST_BAND;
constexpr int CHUNK = 4 * LANES; /* pixels that a warp scans at once; divides BAD_ROW */
constexpr int SUM_THREADS = 128;
constexpr int SCAN_GROUPS = 16; /* threads that share a column's bands */

/* (1) Four columns a thread: two sums of 16 bits in a word, which eight rows cannot fill. */
__global__ void __launch_bounds__(SUM_THREADS)
    bad_fast_column_sums(const uint8_t *image, int stride, int height, uint2 *sums) {
    const int quad = (int)blockIdx.x * SUM_THREADS + (int)threadIdx.x;
    const int quads = stride / 4;
    const int first = (int)blockIdx.y * BAND;
    if (quad >= quads) {
        return;
    }
    uint32_t even = 0;
    uint32_t odd = 0;
#pragma unroll
    for (int r = 0; r < BAND; ++r) {
        const int y = first + r;
        if (y < height) {
            const uint32_t four = ((const uint32_t *)(image + (size_t)y * (size_t)stride))[quad];
            even += four & 0x00FF00FFU;
            odd += four >> 8 & 0x00FF00FFU;
        }
    }
    sums[(size_t)blockIdx.y * (size_t)quads + (size_t)quad] = make_uint2(even, odd);
}

/* (2) A thread has a column and a share of its bands: it adds them up, learns what is above them
 * from the others, and goes through them again. Sums of a column come as bad_fast_column_sums
 * leaves them: columns 0 and 2, then 1 and 3 of four, 16 bits each. */
__device__ __forceinline__ uint32_t column_sum(const uint16_t *sums, int stride, int band, int x) {
    const int place = (x & ~3) + (x & 1) * 2 + (x >> 1 & 1);
    return sums[(size_t)band * (size_t)stride + (size_t)place];
}

__global__ void __launch_bounds__(LANES *SCAN_GROUPS)
    bad_fast_scan_bands(const uint16_t *sums, int stride, int bands, uint32_t *above) {
    __shared__ uint32_t totals[SCAN_GROUPS][LANES];
    const int x = (int)(blockIdx.x * LANES + threadIdx.x);
    const int group = (int)threadIdx.y;
    const int share = (bands + SCAN_GROUPS - 1) / SCAN_GROUPS;
    const int first = group * share;
    const int end = min(first + share, bands);
    uint32_t total = 0;
#pragma unroll 8
    for (int band = first; band < end; ++band) {
        total += column_sum(sums, stride, band, x);
    }
    totals[group][threadIdx.x] = total;
    __syncthreads();
    uint32_t sum = 0;
    for (int g = 0; g < group; ++g) {
        sum += totals[g][threadIdx.x];
    }
#pragma unroll 8
    for (int band = first; band < end; ++band) {
        above[(size_t)band * (size_t)stride + (size_t)x] = sum;
        sum += column_sum(sums, stride, band, x);
    }
}

/* Four pixels of a row as numbers, with what is above them where it is the band's first row. */
__device__ __forceinline__ uint4 pixels_of(const uint32_t *pixels, const uint4 *above, int quad) {
    const uint32_t four = pixels != NULL ? pixels[quad] : 0;
    uint4 numbers = above != NULL ? above[quad] : make_uint4(0, 0, 0, 0);
    numbers.x += four & 0xFFU;
    numbers.y += four >> 8 & 0xFFU;
    numbers.z += four >> 16 & 0xFFU;
    numbers.w += four >> 24;
    return numbers;
}

/* Exclusive sums of a warp's 128 numbers, on top of `carry`, which becomes their total. */
__device__ __forceinline__ uint4 scan_chunk(uint4 numbers, int lane, uint32_t &carry) {
    const uint32_t two = numbers.x + numbers.y;
    const uint32_t three = two + numbers.z;
    const uint32_t own = three + numbers.w;
    uint32_t inclusive = own;
#pragma unroll
    for (int distance = 1; distance < LANES; distance *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, inclusive, (unsigned)distance);
        inclusive += lane >= distance ? other : 0;
    }
    const uint32_t before = carry + inclusive - own;
    carry += __shfl_sync(ALL_LANES, inclusive, LANES - 1);
    return make_uint4(before, before + numbers.x, before + two, before + three);
}

/* (3) Rows of the band as sums along them, then down them: half of the threads stores the upper
 * four rows, the other half the lower. */
__global__ void __launch_bounds__(BAND *LANES)
    bad_fast_entries(const uint8_t *image, int stride, int height, const uint32_t *above,
                     uint32_t *integral) {
    __shared__ __align__(16) uint32_t sums[BAND][CHUNK];
    const int lane = (int)threadIdx.x % LANES;
    const int row = (int)threadIdx.x / LANES;
    const int first = (int)blockIdx.x * BAND;
    const int column = (int)threadIdx.x % CHUNK;
    const int stored = (int)threadIdx.x / CHUNK * (BAND / 2);
    const uint32_t *pixels =
        first + row < height ? (const uint32_t *)(image + (size_t)(first + row) * (size_t)stride)
                             : NULL;
    const uint4 *tops =
        row == 0 ? (const uint4 *)(above + (size_t)blockIdx.x * (size_t)stride) : NULL;
    uint32_t carry = 0;
    uint4 numbers = pixels_of(pixels, tops, lane);
    for (int x = 0; x < stride; x += CHUNK) {
        *(uint4 *)&sums[row][4 * lane] = scan_chunk(numbers, lane, carry);
        if (x + CHUNK < stride) {
            numbers = pixels_of(pixels, tops, (x + CHUNK) / 4 + lane);
        }
        __syncthreads();
        uint32_t sum = 0;
#pragma unroll
        for (int r = 0; r < BAND; ++r) {
            sum += sums[r][column];
            const bool mine = r / (BAND / 2) == stored / (BAND / 2);
            if (mine && first + r < height) {
                integral[(size_t)(first + r + 1) * (size_t)stride + (size_t)(x + column)] = sum;
            }
        }
        __syncthreads();
    }
}

} // namespace

Status bad_fast_integral(const BadDevice *device, const BadFastBands *bands) {
    const int stride = (int)device->stride;
    const unsigned count = (unsigned)bad_fast_bands(device->height);
    const unsigned blocks = (unsigned)pieces_of(stride / 4, SUM_THREADS);
    CUDA_TRY(cudaMemsetAsync(device->integral, 0, device->stride * sizeof *device->integral,
                             cuda_stream()));
    bad_fast_column_sums<<<dim3(blocks, count), SUM_THREADS, 0, cuda_stream()>>>(
        device->image, stride, device->height, (uint2 *)bands->sums);
    STATUS_TRY(CUDA_LAUNCHED());
    bad_fast_scan_bands<<<(unsigned)stride / LANES, dim3(LANES, SCAN_GROUPS), 0, cuda_stream()>>>(
        bands->sums, stride, (int)count, bands->above);
    STATUS_TRY(CUDA_LAUNCHED());
    bad_fast_entries<<<count, BAND * LANES, 0, cuda_stream()>>>(
        device->image, stride, device->height, bands->above, device->integral);
    return CUDA_LAUNCHED();
}
