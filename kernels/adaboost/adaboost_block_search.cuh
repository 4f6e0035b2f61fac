/*
 * The best stump of one candidate by a block: tiles of its sorted images, CUB's scan for the
 * running sums of their shares. All shares of a tile are under way together. Each thread keeps the
 * best of the places it saw; the block's reduction takes the best of those.
 */
#ifndef KERNELS_ADABOOST_ADABOOST_BLOCK_SEARCH_CUH
#define KERNELS_ADABOOST_ADABOOST_BLOCK_SEARCH_CUH

#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include "adaboost_device.cuh"

namespace adaboost_block {

constexpr int THREADS = 256;
constexpr int ITEMS = 8; /* of a thread in a tile: shares under way */
constexpr unsigned int TILE = THREADS * ITEMS;

using Load = cub::BlockLoad<uint32_t, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
using Scan = cub::BlockScan<int64_t, THREADS>;
using Reduce = cub::BlockReduce<AdaboostBest, THREADS>;

union Storage {
    typename Load::TempStorage load;
    typename Scan::TempStorage scan;
    typename Reduce::TempStorage reduce;
};

/* Carries the sum of all tiles so far into the next one. */
struct TileCarry {
    int64_t total;
    __device__ int64_t operator()(int64_t tile) {
        const int64_t before = total;
        total += tile;
        return before;
    }
};

/* Each thread gets ITEMS entries in a row of the `count` from `entries` on; the image behind the
 * last one is UINT32_MAX. */
__device__ __forceinline__ void gather(const uint32_t *entries, unsigned int count,
                                       const int64_t *shares, Storage &storage,
                                       uint32_t (&items)[ITEMS], int64_t (&sums)[ITEMS]) {
    if (count >= TILE) {
        Load(storage.load).Load(entries, items);
    } else {
        Load(storage.load).Load(entries, items, (int)count, UINT32_MAX);
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        sums[i] = items[i] != UINT32_MAX ? shares[items[i] & ~ADABOOST_NEW_VALUE] : 0;
    }
    __syncthreads();
}

/* By all THREADS threads of a block; the answer is thread 0's. `storage` may be used again after
 * the next __syncthreads. */
__device__ __forceinline__ AdaboostBest search(const uint32_t *order, const int64_t *shares,
                                               const AdaboostPlan &plan, int64_t others,
                                               uint32_t candidate, Storage &storage) {
    const uint32_t *entries = order + candidate * plan.pitch;
    const unsigned int images = (unsigned int)plan.images;
    AdaboostBest best = adaboost_none();
    TileCarry carry = {0};
    for (unsigned int begin = 0; begin < images; begin += TILE) {
        uint32_t items[ITEMS];
        int64_t sums[ITEMS];
        gather(entries + begin, images - begin, shares, storage, items, sums);
        Scan(storage.scan).ExclusiveSum(sums, sums, carry);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const bool is_new = (items[i] & ADABOOST_NEW_VALUE) != 0 && items[i] != UINT32_MAX;
            if (is_new) {
                adaboost_try(best, candidate, begin + threadIdx.x * ITEMS + i, sums[i], others);
            }
        }
    }
    best = Reduce(storage.reduce).Reduce(best, AdaboostBetter{});
    if (threadIdx.x == 0) {
        adaboost_set_image(best, entries);
    }
    return best;
}

} // namespace adaboost_block

#endif
