/*
 * cuda_naive: one thread per descriptor, the other set from global memory, once for each direction.
 *
 * All threads of a warp are at the same row of the other set, one access for them all, which the L1
 * cache answers; their own row is in registers. 10,000 descriptors are 10,000 threads, a tenth or
 * less of what a large device holds, and each waits for every load: that, and counting every pair
 * twice, is what the next rungs remove.
 */
#include "matching_device.cuh"

VARIANT_FUNCTIONS(matching_cuda_naive);

namespace {

constexpr int THREADS = 64;

template <typename Kind>
__global__ void find_nearest(const MatchingRow<Kind> *rows, int count,
                             const MatchingRow<Kind> *others, int other_count, MatchingKey *keys) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) {
        const MatchingRow<Kind> row = rows[i];
        keys[i] = matching_nearest<Kind>(row, others, other_count, 0);
    }
}

struct Finder {
    template <typename Kind>
    static Status find(const uint8_t *rows, int count, const uint8_t *others, int other_count,
                       MatchingKey *keys) {
        using Row = MatchingRow<Kind>;
        const unsigned int blocks = (unsigned int)pieces_of(count, THREADS);
        find_nearest<Kind><<<blocks, THREADS, 0, cuda_stream()>>>(
            (const Row *)rows, count, (const Row *)others, other_count, keys);
        return CUDA_LAUNCHED();
    }
};

const MatchingMethod method = {NULL, matching_find_both<Finder>, NULL};

} // namespace

Status matching_cuda_naive_open(const Request *request, void **state) {
    return matching_cuda_open_with<MatchingDevice>(request, &method, state);
}
