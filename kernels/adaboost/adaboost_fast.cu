/*
 * cuda_fast: bounds from rounded shares first, exact sums only for candidates that may be the best.
 *
 * What holds cuda_tiled back is that shares of 8 bytes come from the L2 cache in the order of a
 * candidate's values, a sector of 32 bytes each. Shares of 60,000 pictures do not fit shared
 * memory; rounded to 16 bits they do. So each round
 *   - rounds the shares to multiples of 2^s, s as small as 15 bits and a sign allow,
 *   - walks through every candidate with them, each lane through a run of its own, and notes the
 *     largest and the least running sum where a new value begins (adaboost_bounds.cuh),
 *   - knows from it every candidate's least error but for pictures × 2^(s − 1), which rounding can
 *     have changed a sum by at most, on either side,
 *   - searches exactly, as cuda_tiled does, those whose bound is not above the least bound of all
 *     and twice that: the best of all candidates, and every one that equals it, are among them.
 * The order is packed for this once a run: 16 bits a picture and a bit where a value begins.
 *
 * Floor of a round of 10,000 candidates and 60,000 pictures on an H200: 1.3 GB of packed order at
 * 4.2 TB/s are 0.3 ms; 6 × 10^8 reads of shared memory at random banks, 3.4 of a warp's to the same
 * one on average, are 0.28 ms at the same time.
 *
 * The ladder there, boosting of 100 rounds, ms:
 *   982  cuda_naive, a thread for each candidate
 *   400  cuda_tiled, a block for each candidate
 *    84  this
 *
 * More than 65,534 pictures, or shares that do not fit a block's shared memory: all candidates are
 * searched exactly.
 */
#include <algorithm>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>
#include <cuda/std/limits>
#include <thrust/iterator/transform_iterator.h>

#include "adaboost_block_search.cuh"
#include "adaboost_bounds.cuh"
#include "adaboost_work.cuh"
#include "cuda_check.h"
#include "cuda_device.h"

VARIANT_FUNCTIONS(adaboost_cuda_fast);

namespace {

using namespace adaboost_bounds;

constexpr int SMALL_THREADS = 256;
constexpr int EXACT_BLOCKS = 4; /* on a multiprocessor */

struct FastSearch {
    bool bounded; /* false: too many pictures for the table, all are searched exactly */
    Packed packed;
    Range *ranges;     /* candidates × PARTS */
    long long *bounds; /* candidates */
    int16_t *rounded;  /* pictures + 1 */
    Round *round;
    AdaboostStorage largest; /* of CUB's reduction */
};

struct Size {
    __host__ __device__ unsigned long long operator()(int64_t share) const {
        return (unsigned long long)(share < 0 ? -share : share);
    }
};

FastSearch *search_of(AdaboostDevice *device) {
    return (FastSearch *)device->search_state;
}

size_t table_bytes(const AdaboostDevice *device) {
    return ((size_t)device->pictures + 1) * sizeof(int16_t);
}

/* --- Opening -----------------------------------------------------------------------------------
 */

Status find_largest(AdaboostDevice *device) {
    FastSearch *fast = search_of(device);
    const auto sizes = thrust::make_transform_iterator((const int64_t *)device->shares, Size{});
    unsigned long long *largest = fast->round != NULL ? &fast->round->largest : NULL;
    CUDA_TRY(cub::DeviceReduce::Reduce(fast->largest.memory, fast->largest.bytes, sizes, largest,
                                       device->pictures, cuda::maximum<unsigned long long>{}, 0ULL,
                                       cuda_stream()));
    return status_ok();
}

Status allocate_tables(AdaboostDevice *device) {
    FastSearch *fast = search_of(device);
    Packed *packed = &fast->packed;
    packed->candidates = device->candidates.count;
    packed->pictures = device->pictures;
    packed->groups =
        (device->pictures + PARTS * LANES * GROUP_ENTRIES - 1) / (PARTS * LANES * GROUP_ENTRIES);
    const size_t candidates = (size_t)packed->candidates;
    const size_t words = candidates * PARTS * packed->groups * LANES;
    STATUS_TRY(adaboost_allocate(words * GROUP * sizeof *packed->chunks, &packed->chunks));
    STATUS_TRY(adaboost_allocate(words * sizeof *packed->bits, &packed->bits));
    STATUS_TRY(adaboost_allocate(candidates * PARTS * sizeof *fast->ranges, &fast->ranges));
    STATUS_TRY(adaboost_allocate(candidates * sizeof *fast->bounds, &fast->bounds));
    STATUS_TRY(adaboost_allocate(table_bytes(device), &fast->rounded));
    STATUS_TRY(adaboost_allocate(sizeof *fast->round, &fast->round));
    STATUS_TRY(find_largest(device));
    return adaboost_allocate(fast->largest.bytes, &fast->largest.memory);
}

Status open_search(AdaboostDevice *device) {
    int available = 0;
    FastSearch *fast = (FastSearch *)calloc(1, sizeof *fast);
    if (fast == NULL) {
        return status_skip("not enough host memory for a variant's state");
    }
    device->search_state = fast;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &available));
    fast->bounded = device->pictures < INDEX_MAX && table_bytes(device) <= (size_t)available;
    if (!fast->bounded) {
        return status_ok();
    }
    CUDA_TRY(cudaFuncSetAttribute((const void *)find_ranges,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, available));
    return allocate_tables(device);
}

void close_search(AdaboostDevice *device) {
    FastSearch *fast = search_of(device);
    if (fast == NULL) {
        return;
    }
    void *const memory[] = {fast->packed.chunks, fast->packed.bits, fast->ranges,
                            fast->bounds,        fast->rounded,     fast->round,
                            fast->largest.memory};
    for (void *const block : memory) {
        cuda_backend.release(block);
    }
    free(fast);
}

/* --- A round -----------------------------------------------------------------------------------
 */

Status prepare(AdaboostDevice *device) {
    const FastSearch *fast = search_of(device);
    if (!fast->bounded) {
        return status_ok();
    }
    const unsigned blocks = 16U * (unsigned)cuda_multiprocessors();
    pack<<<blocks, SMALL_THREADS, 0, cuda_stream()>>>(device->order, fast->packed);
    return CUDA_LAUNCHED();
}

/* Blocks take candidates in turn; those that are proved worse than another are passed over. */
__global__ void __launch_bounds__(adaboost_block::THREADS)
    search_candidates(const uint32_t *order, const int64_t *shares, Packed packed, int64_t others,
                      const Round *round, const long long *bounds, AdaboostBest *results) {
    __shared__ adaboost_block::Storage storage;
    /* The least error of all is at most its candidate's bound and what that may be too low by. */
    const long long limit =
        bounds != NULL ? round->least_bound + 2 * slack_of(packed, round->shift) : 0;
    for (int c = (int)blockIdx.x; c < packed.candidates; c += (int)gridDim.x) {
        if (bounds != NULL && bounds[c] > limit) {
            if (threadIdx.x == 0) {
                results[c] = adaboost_none();
            }
            continue;
        }
        const AdaboostBest best =
            adaboost_block::search(order, shares, packed.pictures, others, (uint32_t)c, storage);
        if (threadIdx.x == 0) {
            results[c] = best;
        }
        __syncthreads();
    }
}

Status find_bounds(AdaboostDevice *device) {
    const FastSearch *fast = search_of(device);
    const cudaStream_t stream = cuda_stream();
    STATUS_TRY(find_largest(device));
    choose_shift<<<1, 1, 0, stream>>>(fast->round);
    STATUS_TRY(CUDA_LAUNCHED());
    round_shares<<<adaboost_blocks(device->pictures + 1, SMALL_THREADS), SMALL_THREADS, 0,
                   stream>>>(device->shares, device->pictures, fast->round, fast->rounded);
    STATUS_TRY(CUDA_LAUNCHED());
    find_ranges<<<(unsigned)cuda_multiprocessors(), THREADS, table_bytes(device), stream>>>(
        fast->packed, fast->rounded, fast->ranges);
    STATUS_TRY(CUDA_LAUNCHED());
    bound_errors<<<adaboost_blocks(fast->packed.candidates, SMALL_THREADS), SMALL_THREADS, 0,
                   stream>>>(fast->packed, fast->ranges, (int64_t)device->others, fast->round,
                             fast->bounds);
    return CUDA_LAUNCHED();
}

Status search(AdaboostDevice *device) {
    const FastSearch *fast = search_of(device);
    Packed packed = fast->packed;
    packed.candidates = device->candidates.count;
    packed.pictures = device->pictures;
    if (fast->bounded) {
        STATUS_TRY(find_bounds(device));
    }
    const int blocks = std::min(EXACT_BLOCKS * cuda_multiprocessors(), packed.candidates);
    search_candidates<<<(unsigned)blocks, adaboost_block::THREADS, 0, cuda_stream()>>>(
        device->order, device->shares, packed, (int64_t)device->others, fast->round, fast->bounds,
        device->best);
    return CUDA_LAUNCHED();
}

} // namespace

Status adaboost_cuda_fast_open(const Request *request, void **state) {
    static const AdaboostSearch fast = {open_search, prepare, search, close_search};
    return adaboost_cuda_open_with(request, &fast, state);
}
