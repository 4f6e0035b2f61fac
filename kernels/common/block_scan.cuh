/*
 * Running sums over the threads of a block: threads put their values into shared memory, and the
 * lanes of the first warp each go along THREADS / 32 of them. CUB has them too, but with its header
 * a file takes four times as long to compile.
 */
#ifndef KERNELS_COMMON_BLOCK_SCAN_CUH
#define KERNELS_COMMON_BLOCK_SCAN_CUH

#include "warp_scan.cuh"

template <typename Sum, int THREADS> struct BlockScan {
    static constexpr int LANES = 32;
    static constexpr int SEGMENT = THREADS / LANES;                         /* of a lane */
    static constexpr int PADDING = SEGMENT % 2 == 0 && SEGMENT > 2 ? 1 : 0; /* for other banks */
    static_assert(THREADS % LANES == 0 && SEGMENT > 1, "whole warps, more than one");

    struct alignas(16) Room {
        Sum values[LANES * (SEGMENT + PADDING)];
    };

    /* The sum of `carry` and the values of the threads before this one. All threads call this, and
     * synchronize before they use `room` again. `carry` is the first warp's, which has the sum with
     * all values in it afterwards, for the next values of the same row. */
    __device__ static __forceinline__ Sum before(Sum value, Sum &carry, Room &room) {
        Sum *own = room.values + threadIdx.x + (PADDING != 0 ? threadIdx.x / SEGMENT : 0);
        *own = value;
        __syncthreads();
        if (threadIdx.x < LANES) {
            Sum *segment = room.values + threadIdx.x * (SEGMENT + PADDING);
            Sum values[SEGMENT];
            Sum all = 0;
#pragma unroll
            for (int i = 0; i < SEGMENT; i++) {
                values[i] = segment[i];
                all += values[i];
            }
            const Sum running = warp_running_sum(all);
            Sum sum = carry + (running - all);
            carry += warp_whole_sum(running);
#pragma unroll
            for (int i = 0; i < SEGMENT; i++) {
                segment[i] = sum;
                sum += values[i];
            }
        }
        __syncthreads();
        return *own;
    }

    /* items[i] becomes the sum of all items up to it, and of `carry`. */
    template <int ITEMS>
    __device__ static __forceinline__ void inclusive(Sum (&items)[ITEMS], Sum &carry, Room &room) {
        Sum all = items[0];
#pragma unroll
        for (int i = 1; i < ITEMS; i++) {
            all += items[i];
        }
        Sum sum = before(all, carry, room);
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            sum += items[i];
            items[i] = sum;
        }
    }
};

#endif
