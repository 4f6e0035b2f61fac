/*
 * The values of one turn of each loop, for the search and for the second look at what it found.
 *
 * A turn has the upper edges y0 … y0 + 3 and
 *   columns: the lower edge `turn`; values of splits in two columns, then in three;
 *   halves:  the middle `turn`, the lower edge as far below it as the upper one is above; values of
 *            splits in two rows, then of the checker;
 *   thirds:  the height `turn` of a cell.
 */
#ifndef KERNELS_HAAR_HAAR_FAST_VALUES_CUH
#define KERNELS_HAAR_HAAR_FAST_VALUES_CUH

#include "haar_fast_job.cuh"

namespace haar_fast {

__device__ __forceinline__ void load_rows(const float *column, float (&rows)[ROWS]) {
#pragma unroll
    for (int j = 0; j < ROWS; ++j) {
        rows[j] = column[j];
    }
}

/* The difference of a column's numbers at the lower and at the upper edge. */
__device__ __forceinline__ void columns_values(float halves, float thirds,
                                               const float (&upper_halves)[ROWS],
                                               const float (&upper_thirds)[ROWS],
                                               float (&values)[2 * ROWS]) {
#pragma unroll
    for (int j = 0; j < ROWS; ++j) {
        values[j] = halves - upper_halves[j];
        values[ROWS + j] = thirds - upper_thirds[j];
    }
}

/* What is between upper edge and middle less what is between middle and lower edge. */
__device__ __forceinline__ void
halves_values(float middle_whole, float middle_halves, const float (&upper_whole)[ROWS],
              const float (&upper_halves)[ROWS], const float (&lower_whole)[ROWS],
              const float (&lower_halves)[ROWS], float (&values)[2 * ROWS]) {
#pragma unroll
    for (int j = 0; j < ROWS; ++j) {
        values[j] = fmaf(2, middle_whole, -upper_whole[j]) - lower_whole[j];
        values[ROWS + j] = fmaf(2, middle_halves, -upper_halves[j]) - lower_halves[j];
    }
}

/* The whole less three times its middle third. */
__device__ __forceinline__ void thirds_values(const float *whole, int y0, int cell,
                                              const float (&upper)[ROWS], float (&values)[ROWS]) {
    const float *first = whole + y0 + cell;
#pragma unroll
    for (int j = 0; j < ROWS; ++j) {
        values[j] = fmaf(3, first[j] - first[cell + j], first[2 * cell + j] - upper[j]);
    }
}

} // namespace haar_fast

#endif
