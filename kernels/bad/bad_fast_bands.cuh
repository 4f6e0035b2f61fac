/*
 * Column sums for the integral image of cuda_fast, as parts of kernels: (1) of each column of each
 * band of the picture, (2) of the bands above each band.
 */
#ifndef KERNELS_BAD_FAST_BANDS_CUH
#define KERNELS_BAD_FAST_BANDS_CUH

#include "bad_fast.cuh"

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
    for (int r = 0; r < BAD_FAST_BAND; ++r) {
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
    for (int band = first; band < end; ++band) {
        total += bad_fast_column_sum(bands.sums, stride, band, x);
    }
    totals[group][column] = total;
    __syncthreads();
    uint32_t sum = 0;
    for (int g = 0; g < group; ++g) {
        sum += totals[g][column];
    }
#pragma unroll 8
    for (int band = first; band < end; ++band) {
        bands.above[(size_t)band * (size_t)stride + (size_t)x] = sum;
        sum += bad_fast_column_sum(bands.sums, stride, band, x);
    }
}

#endif
