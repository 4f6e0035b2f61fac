/*
 * cuda_fast: bounds from rounded shares first, exact sums only for candidates that may be the best.
 *
 * What holds cuda_tiled back is that shares of 8 bytes come from the L2 cache in the order of a
 * candidate's values, a sector of 32 bytes each. Shares of 60,000 images do not fit shared
 * memory; rounded to 16 bits they do. So each round
 *   - rounds the shares to multiples of 2^s, s as small as 15 bits and a sign allow,
 *   - walks through every candidate with them, each lane through a run of its own, and notes the
 *     largest and the least running sum where a new value begins (see Bounds),
 *   - which gives every candidate's least error but for images × 2^(s − 1), which rounding can
 *     have changed a sum by at most, on either side,
 *   - walks those whose bound is not above the least bound of all and twice that once more, with
 * the shares as they are: the best of all candidates, and every one that equals it, are among them.
 * Sorting leaves the order packed for both walks: 16 bits an image and a bit where a value begins.
 *
 * Floor of a round of 10,000 candidates and 60,000 images on an H200: 1.3 GB of packed order at
 * 4.2 TB/s are 0.3 ms; 6 × 10^8 reads of shared memory at random banks, 3.4 of a warp's to the same
 * one on average, are 0.28 ms at the same time.
 *
 * The ladder there, boosting of 100 rounds, ms:
 *   982  cuda_naive, a thread for each candidate
 *   400  cuda_tiled, a block for each candidate
 *    84  this, when the exact search read an order of 32 bits by blocks of 256 threads, 30 tiles
 * one after the other, and the host led each round with 17 launches and two waits. Now a lane walks
 * 480 entries, eight launches follow each other, and this is to be measured again.
 *
 * More than 65,534 images, or shares that do not fit a block's shared memory: all candidates are
 * searched exactly, as cuda_tiled does.
 */
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/functional>

#include "adaboost_block_search.cuh"
#include "adaboost_device.cuh"
#include "cuda_device.h"

/* === Packing ================================================================================== */

namespace {

constexpr int LANES = ADABOOST_LANES;
constexpr int PARTS = ADABOOST_PARTS;
constexpr int CHUNK = ADABOOST_CHUNK;
constexpr int GROUP = ADABOOST_GROUP;
constexpr int GROUP_ENTRIES = ADABOOST_GROUP_ENTRIES;
constexpr int SMALL_THREADS = 256;

/* The order that is walked, of adaboost_plan.h. */
struct Packed {
    uint4 *chunks;  /* candidates × PARTS × groups × GROUP × LANES */
    uint32_t *bits; /* candidates × PARTS × groups × LANES */
    int groups;     /* of a lane */
    int candidates, images;
};

/* Entry `place` of a candidate's sorted keys: the image, and whether a value begins. */
__device__ __forceinline__ uint32_t entry_at(const uint64_t *keys, size_t place, size_t images) {
    if (place >= images) {
        return (uint32_t)images;
    }
    const bool is_new = place == 0 || (keys[place - 1] ^ keys[place]) >> ADABOOST_IMAGE_BITS != 0;
    return (uint32_t)keys[place] | (is_new ? ADABOOST_NEW_VALUE : 0);
}

/* One thread packs a group of one lane, of the candidates from `first` on whose keys these are. */
__global__ void pack(const uint64_t *keys, int first, int count, Packed packed) {
    const size_t groups = (size_t)count * PARTS * packed.groups * LANES;
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < groups; i += stride) {
        const int lane = (int)(i % LANES);
        const size_t row = i / LANES; /* (candidate × PARTS + part) × groups + group */
        const int group = (int)(row % packed.groups);
        const size_t part = row / packed.groups;
        const size_t run = part % PARTS * LANES + lane;
        const size_t begin = (run * packed.groups + group) * GROUP_ENTRIES;
        const uint64_t *of_candidate = keys + part / PARTS * (size_t)packed.images;
        const size_t to = (size_t)first * PARTS * packed.groups + row;
        uint32_t bits = 0;
        for (int c = 0; c < GROUP; c++) {
            uint32_t words[CHUNK / 2];
            for (int j = 0; j < CHUNK / 2; j++) {
                words[j] = 0;
                for (int half = 0; half < 2; half++) {
                    const int at = c * CHUNK + 2 * j + half;
                    const uint32_t entry = entry_at(of_candidate, begin + at, packed.images);
                    words[j] |= (entry & ~ADABOOST_NEW_VALUE) << (16 * half);
                    bits |= entry >> 31 << at;
                }
            }
            packed.chunks[(to * GROUP + c) * LANES + lane] =
                make_uint4(words[0], words[1], words[2], words[3]);
        }
        packed.bits[to * LANES + lane] = bits;
    }
}

/* The image of index j of a chunk. */
__device__ __forceinline__ uint32_t image_of(const uint4 &chunk, int j) {
    const uint32_t words[CHUNK / 2] = {chunk.x, chunk.y, chunk.z, chunk.w};
    const uint32_t word = words[j / 2];
    return j % 2 == 0 ? word & 0xFFFFU : word >> 16;
}

} // namespace

/* === Bounds =================================================================================== */

/* Bounds of every candidate's error from rounded shares. */
namespace adaboost_bounds {

constexpr int THREADS = 1024;
constexpr int SHIFT_MIN = 10;              /* so that rounded shares sum to less than 2^31 */
constexpr int32_t NOTHING = INT32_MIN / 2; /* less than every sum, also when one is added */

/* Running sums of rounded shares over one part of a candidate: the sum of all, and the largest and
 * the least before an entry that begins a new value. */
struct Range {
    int32_t total, most, least;
};

/* How much shares have to be rounded for 15 bits and a sign: to multiples of 2^shift. */
__device__ __forceinline__ int shift_of(const AdaboostSums *sums) {
    const unsigned long long largest = sums->largest;
    const int length = 64 - __clzll((long long)largest);
    const int shift = max(length - 15, SHIFT_MIN);
    return (largest + (1ULL << (shift - 1))) >> shift > INT16_MAX ? shift + 1 : shift;
}

__global__ void round_shares(const int64_t *shares, int images, const AdaboostSums *sums,
                             int16_t *rounded, long long *least_bound) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < images) {
        const int shift = shift_of(sums);
        const int64_t share = shares[i];
        const int64_t half = (int64_t)1 << (shift - 1);
        const int64_t size = ((share < 0 ? -share : share) + half) >> shift;
        rounded[i] = (int16_t)(share < 0 ? -size : size);
    } else if (i == images) {
        rounded[i] = 0; /* the image that fills up */
        *least_bound = INT64_MAX;
    }
}

/* Takes the running sum into the range where `bit` of `begins` is set. Written out, since a
 * compiler makes twice as many instructions of it. */
__device__ __forceinline__ void note_sum(Range &range, uint32_t begins, uint32_t bit) {
    asm("{\n\t"
        ".reg .pred p;\n\t"
        ".reg .u32 t;\n\t"
        "and.b32 t, %3, %4;\n\t"
        "setp.ne.u32 p, t, 0;\n\t"
        "@p max.s32 %0, %0, %2;\n\t"
        "@p min.s32 %1, %1, %2;\n\t"
        "}"
        : "+r"(range.most), "+r"(range.least)
        : "r"(range.total), "r"(begins), "r"(bit));
}

/* The entries of one lane, in order. */
__device__ __forceinline__ Range walk_run(const uint4 *chunks, const uint32_t *bits, int groups,
                                          const int16_t *table) {
    Range range = {0, NOTHING, -NOTHING};
    for (int group = 0; group < groups; group++) {
        const uint32_t begins = __ldcs(bits);
        uint4 quads[GROUP];
#pragma unroll
        for (int c = 0; c < GROUP; c++) {
            quads[c] = __ldcs(chunks + c * LANES);
        }
#pragma unroll
        for (int c = 0; c < GROUP; c++) {
#pragma unroll
            for (int j = 0; j < CHUNK; j++) {
                note_sum(range, begins, 1U << (c * CHUNK + j));
                range.total += table[image_of(quads[c], j)];
            }
        }
        bits += LANES;
        chunks += GROUP * LANES;
    }
    return range;
}

/* The ranges of a warp's lanes, one after the other, as one; lane 0 has the answer. */
__device__ __forceinline__ Range join_lanes(Range range) {
    using Scan = cub::WarpScan<int32_t>;
    using Reduce = cub::WarpReduce<int32_t>;
    typename Scan::TempStorage of_scan; /* of whole warps both are empty */
    typename Reduce::TempStorage of_reduce;
    Range joined;
    int32_t before;
    Scan(of_scan).ExclusiveSum(range.total, before, joined.total);
    joined.most = Reduce(of_reduce).Reduce(before + range.most, cuda::maximum<int32_t>{});
    joined.least = Reduce(of_reduce).Reduce(before + range.least, cuda::minimum<int32_t>{});
    return joined;
}

/* A warp for each part; the table of rounded shares stays in shared memory. */
__global__ void __launch_bounds__(THREADS, 1)
    find_ranges(Packed packed, const int16_t *rounded, const AdaboostSums *sums, Range *ranges) {
    extern __shared__ int16_t table[];
    if (sums->over) {
        return;
    }
    for (int i = threadIdx.x; i <= packed.images; i += THREADS) {
        table[i] = rounded[i];
    }
    __syncthreads();
    const int lane = threadIdx.x % LANES;
    const size_t parts = (size_t)packed.candidates * PARTS;
    const size_t warps = (size_t)gridDim.x * (THREADS / LANES);
    for (size_t part = (size_t)blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES; part < parts;
         part += warps) {
        const size_t row = part * packed.groups * LANES + lane;
        const Range range = join_lanes(walk_run(packed.chunks + (row - lane) * GROUP + lane,
                                                packed.bits + row, packed.groups, table));
        if (lane == 0) {
            ranges[part] = range;
        }
    }
}

/* What rounding can have changed about a running sum at most. */
__device__ __forceinline__ long long slack_of(const Packed &packed, int shift) {
    return (long long)packed.images << (shift - 1);
}

/* A bound that no error of the candidate is below, from the ranges of its parts. */
__device__ __forceinline__ long long bound_of(const Packed &packed, const Range *of_candidate,
                                              const AdaboostSums *sums) {
    int32_t before = 0;
    int32_t most = NOTHING;
    int32_t least = -NOTHING;
    for (int part = 0; part < PARTS; part++) {
        const Range range = of_candidate[part];
        most = max(most, before + range.most);
        least = min(least, before + range.least);
        before += range.total;
    }
    const int shift = shift_of(sums);
    const long long unit = 1LL << shift;
    const long long others = (long long)sums->others;
    const long long polarity_1 = others - (long long)most * unit;
    const long long polarity_0 = (long long)ADABOOST_TOTAL - others + (long long)least * unit;
    return min(polarity_1, polarity_0) - slack_of(packed, shift);
}

__global__ void __launch_bounds__(SMALL_THREADS)
    bound_errors(Packed packed, const Range *ranges, const AdaboostSums *sums,
                 long long *least_bound, long long *bounds) {
    using Reduce = cub::BlockReduce<long long, SMALL_THREADS>;
    __shared__ typename Reduce::TempStorage storage;
    const int candidate = (int)(blockIdx.x * SMALL_THREADS + threadIdx.x);
    long long bound = INT64_MAX;
    if (candidate < packed.candidates) {
        bound = bound_of(packed, ranges + (size_t)candidate * PARTS, sums);
        bounds[candidate] = bound;
    }
    const long long least = Reduce(storage).Reduce(bound, cuda::minimum<long long>{});
    if (threadIdx.x == 0) {
        atomicMin(least_bound, least);
    }
}

} // namespace adaboost_bounds

/* === Exact search ============================================================================= */

/* The best stumps of the candidates whose bounds allow it. */
namespace adaboost_exact {

constexpr int THREADS = ADABOOST_RUNS;        /* a lane for each run of a candidate */
constexpr int64_t NOTHING = (int64_t)1 << 61; /* far beyond every sum */

/* Running sums of the shares of one run: of all, and the largest and the least before an entry that
 * begins a new value, with the first place in the run where it is so. */
struct Extremes {
    int64_t total, most, least;
    uint32_t most_at, least_at;
};

__device__ __forceinline__ void note_sum(Extremes &extremes, uint32_t place) {
    if (extremes.total > extremes.most) {
        extremes.most = extremes.total;
        extremes.most_at = place;
    }
    if (extremes.total < extremes.least) {
        extremes.least = extremes.total;
        extremes.least_at = place;
    }
}

/* The entries of one lane, in order: the shares of a chunk are under way together. */
__device__ __forceinline__ Extremes walk_run(const uint4 *chunks, const uint32_t *bits, int groups,
                                             const int64_t *shares, uint32_t images) {
    Extremes extremes = {0, -NOTHING, NOTHING, 0, 0};
    for (int group = 0; group < groups; group++) {
        const uint32_t begins = bits[group * LANES];
#pragma unroll 2
        for (int c = 0; c < GROUP; c++) {
            const uint4 chunk = chunks[(group * GROUP + c) * LANES];
            int64_t taken[CHUNK];
#pragma unroll
            for (int j = 0; j < CHUNK; j++) {
                const uint32_t image = image_of(chunk, j);
                taken[j] = image < images ? shares[image] : 0;
            }
#pragma unroll
            for (int j = 0; j < CHUNK; j++) {
                if ((begins >> (c * CHUNK + j) & 1) != 0) {
                    note_sum(extremes, (uint32_t)(group * GROUP_ENTRIES + c * CHUNK + j));
                }
                extremes.total += taken[j];
            }
        }
    }
    return extremes;
}

using Scan = cub::BlockScan<int64_t, THREADS>;
using Reduce = cub::BlockReduce<AdaboostBest, THREADS>;

union Storage {
    typename Scan::TempStorage scan;
    typename Reduce::TempStorage reduce;
};

/* The better of both polarities in one run, before which shares sum to `before`. */
__device__ __forceinline__ AdaboostBest best_of_run(const Extremes &extremes, int64_t before,
                                                    int64_t others, uint32_t candidate,
                                                    uint32_t first) {
    const int64_t polarity_1 = others - (before + extremes.most);
    const int64_t polarity_0 = (int64_t)ADABOOST_TOTAL - others + (before + extremes.least);
    const AdaboostBest one = {(uint64_t)polarity_1, candidate, 2 * (first + extremes.most_at), 0};
    const AdaboostBest zero = {(uint64_t)polarity_0, candidate, 2 * (first + extremes.least_at) + 1,
                               0};
    return AdaboostBetter{}(one, zero);
}

/* By all threads of a block; the answer is thread 0's. Ends with a barrier. */
__device__ __forceinline__ AdaboostBest search(const Packed &packed, const int64_t *shares,
                                               int64_t others, uint32_t candidate,
                                               Storage &storage) {
    const uint32_t lane = threadIdx.x % LANES;
    const size_t row = ((size_t)candidate * PARTS + threadIdx.x / LANES) * (size_t)packed.groups;
    const Extremes extremes =
        walk_run(packed.chunks + row * GROUP * LANES + lane, packed.bits + row * LANES + lane,
                 packed.groups, shares, (uint32_t)packed.images);
    int64_t before;
    Scan(storage.scan).ExclusiveSum(extremes.total, before);
    __syncthreads();
    const AdaboostBest best = best_of_run(extremes, before, others, candidate,
                                          threadIdx.x * (uint32_t)(packed.groups * GROUP_ENTRIES));
    const AdaboostBest best_of_all = Reduce(storage.reduce).Reduce(best, AdaboostBetter{});
    __syncthreads();
    return best_of_all;
}

/* Each block has every gridDim.x-th candidate: its threads look at the bounds of as many at once,
 * and together walk those that may be the best. `results` has one for each block. */
__global__ void __launch_bounds__(THREADS)
    search_bounded(Packed packed, const int64_t *shares, const AdaboostSums *sums,
                   const long long *bounds, const long long *least_bound, AdaboostBest *results) {
    __shared__ Storage storage;
    __shared__ uint32_t chosen[THREADS];
    __shared__ int count;
    if (sums->over) {
        return;
    }
    /* The least error of all is at most its candidate's bound and what that may be too low by. */
    const long long limit =
        *least_bound + 2 * adaboost_bounds::slack_of(packed, adaboost_bounds::shift_of(sums));
    AdaboostBest best = adaboost_none();
    for (size_t begin = 0; begin * gridDim.x < (size_t)packed.candidates; begin += THREADS) {
        const size_t own = (begin + threadIdx.x) * gridDim.x + blockIdx.x;
        if (threadIdx.x == 0) {
            count = 0;
        }
        __syncthreads();
        if (own < (size_t)packed.candidates && bounds[own] <= limit) {
            chosen[atomicAdd(&count, 1)] = (uint32_t)own;
        }
        __syncthreads();
        for (int i = 0; i < count; i++) {
            best = AdaboostBetter{}(
                best, search(packed, shares, (int64_t)sums->others, chosen[i], storage));
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        if (best.candidate != UINT32_MAX) {
            const AdaboostSlot slot = adaboost_slot(packed.groups, best.candidate, best.key / 2);
            best.image = image_of(packed.chunks[slot.chunk], slot.half);
        }
        results[blockIdx.x] = best;
    }
}

/* The same of all candidates, from the order of 32 bits. */
__global__ void __launch_bounds__(adaboost_block::THREADS)
    search_all(const uint32_t *order, const int64_t *shares, AdaboostPlan plan,
               const AdaboostSums *sums, AdaboostBest *results) {
    __shared__ adaboost_block::Storage storage;
    if (sums->over) {
        return;
    }
    AdaboostBest best = adaboost_none();
    for (int c = (int)blockIdx.x; c < plan.candidates; c += (int)gridDim.x) {
        best = AdaboostBetter{}(best,
                                adaboost_block::search(order, shares, plan, (int64_t)sums->others,
                                                       (uint32_t)c, storage));
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        results[blockIdx.x] = best;
    }
}

} // namespace adaboost_exact

/* === The variant ============================================================================== */

VARIANT_FUNCTIONS(adaboost_cuda_fast);

namespace {

constexpr int EXACT_BLOCKS = 8; /* on a multiprocessor */

struct FastSearch {
    Packed packed;                  /* its chunks are the device's */
    adaboost_bounds::Range *ranges; /* candidates × PARTS */
    long long *bounds;              /* candidates */
    long long *least_bound;         /* of them */
    int16_t *rounded;               /* images + 1 */
};

FastSearch *search_of(AdaboostDevice *device) {
    return (FastSearch *)device->search_state;
}

size_t table_bytes(const AdaboostDevice *device) {
    return ((size_t)device->images + 1) * sizeof(int16_t);
}

/* --- Opening -----------------------------------------------------------------------------------
 */

Status allocate_tables(AdaboostDevice *device) {
    FastSearch *fast = search_of(device);
    Packed *packed = &fast->packed;
    const size_t candidates = (size_t)device->plan.candidates;
    packed->chunks = device->chunks;
    packed->candidates = device->plan.candidates;
    packed->images = device->images;
    packed->groups = device->plan.groups;
    STATUS_TRY(adaboost_allocate(candidates * ADABOOST_RUNS * packed->groups * sizeof *packed->bits,
                                 &packed->bits));
    STATUS_TRY(adaboost_allocate(candidates * PARTS * sizeof *fast->ranges, &fast->ranges));
    STATUS_TRY(adaboost_allocate(candidates * sizeof *fast->bounds, &fast->bounds));
    STATUS_TRY(adaboost_allocate(sizeof *fast->least_bound, &fast->least_bound));
    return adaboost_allocate(table_bytes(device), &fast->rounded);
}

Status open_search(AdaboostDevice *device) {
    int available = 0;
    FastSearch *fast = (FastSearch *)calloc(1, sizeof *fast);
    if (fast == NULL) {
        return status_skip("not enough host memory for a variant's state");
    }
    device->search_state = fast;
    device->best_count = std::min(EXACT_BLOCKS * cuda_multiprocessors(), device->plan.candidates);
    STATUS_TRY(adaboost_allocate((size_t)device->best_count * sizeof *device->best, &device->best));
    if (!device->plan.packed) {
        return status_ok();
    }
    /* The most there is, for states with more images and fewer stand open together. */
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &available));
    CUDA_TRY(cudaFuncSetAttribute((const void *)adaboost_bounds::find_ranges,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, available));
    return allocate_tables(device);
}

void close_search(AdaboostDevice *device) {
    FastSearch *fast = search_of(device);
    if (fast == NULL) {
        return;
    }
    void *const memory[] = {fast->packed.bits, fast->ranges, fast->bounds, fast->least_bound,
                            fast->rounded};
    for (void *const block : memory) {
        cuda_backend.release(block);
    }
    free(fast);
}

Status arrange(AdaboostDevice *device, const uint64_t *keys, MultiPart portion) {
    const FastSearch *fast = search_of(device);
    if (!device->plan.packed) {
        return adaboost_cuda_arrange_order(device, keys, portion);
    }
    const unsigned blocks = 16U * (unsigned)cuda_multiprocessors();
    pack<<<blocks, SMALL_THREADS, 0, cuda_stream()>>>(keys, portion.begin,
                                                      portion.end - portion.begin, fast->packed);
    return CUDA_LAUNCHED();
}

/* --- A round -----------------------------------------------------------------------------------
 */

Status find_bounds(AdaboostDevice *device) {
    using namespace adaboost_bounds;
    const FastSearch *fast = search_of(device);
    const cudaStream_t stream = cuda_stream();
    round_shares<<<adaboost_blocks(device->images + 1, SMALL_THREADS), SMALL_THREADS, 0, stream>>>(
        device->shares, device->images, device->sums, fast->rounded, fast->least_bound);
    STATUS_TRY(CUDA_LAUNCHED());
    find_ranges<<<(unsigned)cuda_multiprocessors(), THREADS, table_bytes(device), stream>>>(
        fast->packed, fast->rounded, device->sums, fast->ranges);
    STATUS_TRY(CUDA_LAUNCHED());
    bound_errors<<<adaboost_blocks(fast->packed.candidates, SMALL_THREADS), SMALL_THREADS, 0,
                   stream>>>(fast->packed, fast->ranges, device->sums, fast->least_bound,
                             fast->bounds);
    return CUDA_LAUNCHED();
}

Status search(AdaboostDevice *device) {
    using namespace adaboost_exact;
    const FastSearch *fast = search_of(device);
    const unsigned blocks = (unsigned)device->best_count;
    if (!device->plan.packed) {
        search_all<<<blocks, adaboost_block::THREADS, 0, cuda_stream()>>>(
            device->order, device->shares, device->plan, device->sums, device->best);
        return CUDA_LAUNCHED();
    }
    STATUS_TRY(find_bounds(device));
    search_bounded<<<blocks, adaboost_exact::THREADS, 0, cuda_stream()>>>(
        fast->packed, device->shares, device->sums, fast->bounds, fast->least_bound, device->best);
    return CUDA_LAUNCHED();
}

} // namespace

const AdaboostSearch adaboost_cuda_fast_search = {true, open_search, arrange, search, close_search};

Status adaboost_cuda_fast_open(const Request *request, void **state) {
    return adaboost_cuda_open_with(request, &adaboost_cuda_fast_search, state);
}
