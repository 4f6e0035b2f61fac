/*
 * cuda_tiled: one thread per descriptor, the other set by tiles in shared memory.
 *
 * A block takes some rows and one tile of the other set, which its threads copy together and then
 * read in step, so that a read is a broadcast. Blocks of the same rows run side by side and their
 * answers meet in an atomic minimum, so that there are as many threads as rows times tiles: enough
 * to fill the device, where cuda_naive has only rows.
 *
 * Each direction counts bits for itself: 10,000 × 10,000 rows of 256 bits are 8·10^8 words, of
 * which a multiprocessor counts 16 a clock: 0.22 ms a direction on 132 of them at 1.7 GHz.
 */
#include "matching_device.cuh"

VARIANT_FUNCTIONS(matching_cuda_tiled);

namespace {

constexpr int THREADS = 128;
constexpr int TILE_BYTES = 8192;

template <typename Kind>
__global__ void __launch_bounds__(THREADS)
    find_nearest(const MatchingRow<Kind> *rows, int count, const MatchingRow<Kind> *others,
                 int other_count, MatchingKey *keys) {
    constexpr int TILE = TILE_BYTES / (int)sizeof(MatchingRow<Kind>);
    __shared__ MatchingRow<Kind> tile[TILE];
    const int first = (int)blockIdx.y * TILE;
    const int here = min(TILE, other_count - first);
    const uint4 *parts = (const uint4 *)(others + first);
    for (int i = (int)threadIdx.x; i < here * Kind::WORDS / 4; i += THREADS) {
        ((uint4 *)tile)[i] = parts[i];
    }
    __syncthreads();
    const int i = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (i < count) {
        const MatchingRow<Kind> row = rows[i];
        atomicMin(&keys[i], matching_nearest<Kind>(row, tile, here, first));
    }
}

struct Finder {
    template <typename Kind>
    static Status find(const uint8_t *rows, int count, const uint8_t *others, int other_count,
                       MatchingKey *keys) {
        using Row = MatchingRow<Kind>;
        const dim3 grid((unsigned int)pieces_of(count, THREADS),
                        (unsigned int)pieces_of(other_count, TILE_BYTES / (int)sizeof(Row)));
        find_nearest<Kind><<<grid, THREADS, 0, cuda_stream()>>>(
            (const Row *)rows, count, (const Row *)others, other_count, keys);
        return CUDA_LAUNCHED();
    }
};

const MatchingMethod method = {NULL, matching_find_both<Finder>, NULL};

} // namespace

Status matching_cuda_tiled_open(const Request *request, void **state) {
    return matching_cuda_open_with<MatchingDevice>(request, &method, state);
}
