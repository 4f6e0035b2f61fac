/* Running sums along a row, by a block. */
#ifndef KERNELS_COMMON_ROW_SCAN_CUH
#define KERNELS_COMMON_ROW_SCAN_CUH

#include <cub/block/block_scan.cuh>

/* Carries the sum of a row from one round of its scan to the next. */
template <typename Sum> struct RowCarry {
    Sum total;
    __device__ Sum operator()(Sum round) {
        const Sum before = total;
        total += round;
        return before;
    }
};

/* sums[x] = value(0) + … + value(x) for each x below `width`. A thread has ITEMS values in each
 * round. */
template <typename Sum, int THREADS, int ITEMS, typename Value>
static __device__ __forceinline__ void scan_row(int width, const Value &value, Sum *sums) {
    using Scan = cub::BlockScan<Sum, THREADS>;
    __shared__ typename Scan::TempStorage storage;
    RowCarry<Sum> carry{0};
    for (int begin = 0; begin < width; begin += THREADS * ITEMS) {
        const int x = begin + (int)threadIdx.x * ITEMS;
        Sum items[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            items[i] = x + i < width ? value(x + i) : 0;
        }
        Scan(storage).InclusiveSum(items, items, carry);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (x + i < width) {
                sums[x + i] = items[i];
            }
        }
    }
}

#endif
