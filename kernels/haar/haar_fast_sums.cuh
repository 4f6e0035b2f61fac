/* Columns of a picture from its integral image, in shared memory. Whole numbers below 2^24, exact.
 */
#ifndef KERNELS_HAAR_HAAR_FAST_SUMS_CUH
#define KERNELS_HAAR_HAAR_FAST_SUMS_CUH

#include "haar_fast_job.cuh"
#include "haar_integral.cuh"

namespace haar_fast {

/* A column's number of one row of I: weights for its entries at x, x + c, x + 2c and x + 3c. The
 * sums in between are whole numbers of less than 2^24 too. */
struct Split {
    int second, third, fourth; /* distances of entries; 0 for one of weight 0 */
    float weights[4];
};

__device__ __forceinline__ Split split_of(HaarColumn column) {
    const int c = column.cell;
    switch (column.kind) {
    case HAAR_COLUMN_WHOLE: return Split{c, 0, 0, {-1, 1, 0, 0}};
    case HAAR_COLUMN_HALVES: return Split{c, 2 * c, 0, {-1, 2, -1, 0}};
    default: return Split{c, 2 * c, 3 * c, {-1, 3, -3, 1}};
    }
}

__device__ __forceinline__ float split_row(const float *at, const Split &split) {
    return fmaf(split.weights[3], at[split.fourth],
                fmaf(split.weights[2], at[split.third],
                     fmaf(split.weights[1], at[split.second], split.weights[0] * at[0])));
}

/* A thread fills a quarter of a column, so that work divides evenly. Rows beyond the picture repeat
 * the last one: what is read there is never kept. Ends with a barrier. */
__device__ void build_columns(const Job &job, const HaarChunk &chunk, const Shared &shared) {
    constexpr int PARTS = 4;
    const int rows = job.height + 1;
    const int part_rows = (rows + PARTS - 1) / PARTS;
    for (int i = threadIdx.x; i < chunk.columns * PARTS; i += THREADS) {
        const int part = i / chunk.columns;
        const int place = i - part * chunk.columns;
        const int begin = part * part_rows;
        const int end = min(begin + part_rows, rows);
        const HaarColumn column = job.columns[chunk.first_column + place];
        const Split split = split_of(column);
        const float *at = shared.integral + begin * haar_stride(job.width) + column.x;
        float *entries = shared.columns + place * job.stride;
        float value = 0;
        for (int y = begin; y < end; ++y) {
            value = split_row(at, split);
            entries[y] = value;
            at += haar_stride(job.width);
        }
        for (int y = rows; begin < rows && end == rows && y < job.stride; ++y) {
            entries[y] = value;
        }
    }
    __syncthreads();
}

} // namespace haar_fast

#endif
