/* Running sums along a row, by a block. */
#ifndef KERNELS_COMMON_ROW_SCAN_CUH
#define KERNELS_COMMON_ROW_SCAN_CUH

#include "block_scan.cuh"

/* sums[x] = value(0) + … + value(x) for each x below `width`. A thread has ITEMS values in each
 * round. */
template <typename Sum, int THREADS, int ITEMS, typename Value>
static __device__ __forceinline__ void scan_row(int width, const Value &value, Sum *sums) {
    using Scan = BlockScan<Sum, THREADS>;
    __shared__ typename Scan::Room room;
    Sum carry = 0;
    for (int begin = 0; begin < width; begin += THREADS * ITEMS) {
        const int x = begin + (int)threadIdx.x * ITEMS;
        Sum items[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            items[i] = x + i < width ? value(x + i) : 0;
        }
        Scan::inclusive(items, carry, room);
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
