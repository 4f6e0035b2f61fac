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
 *   - searches exactly, as cuda_tiled does, those whose bound is not above the least bound of all
 *     and twice that: the best of all candidates, and every one that equals it, are among them.
 * The order is packed for this once a run: 16 bits an image and a bit where a value begins.
 *
 * Floor of a round of 10,000 candidates and 60,000 images on an H200: 1.3 GB of packed order at
 * 4.2 TB/s are 0.3 ms; 6 × 10^8 reads of shared memory at random banks, 3.4 of a warp's to the same
 * one on average, are 0.28 ms at the same time.
 *
 * The ladder there, boosting of 100 rounds, ms:
 *   982  cuda_naive, a thread for each candidate
 *   400  cuda_tiled, a block for each candidate
 *    84  this
 *
 * More than 65,534 images, or shares that do not fit a block's shared memory: all candidates are
 * searched exactly.
 */
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/functional>
#include <cuda/std/limits>
#include <thrust/iterator/transform_iterator.h>

#include "adaboost_block_search.cuh"
#include "adaboost_device.cuh"
#include "cuda_device.h"

/* === Bounds =================================================================================== */

/*
 * Packing the order, and bounds of every candidate's error from rounded shares.
 *
 * Packed order. A candidate's entries are dealt out to PARTS × 32 lanes, a run of `chunks` × 8
 * entries to each, the last ones filled up with an image that has no share. Chunk t of all lanes
 * of a part lies together, 16 bytes a lane: 8 image indices of 16 bits. Which entries begin a new
 * value is marked by a bit each, 32 bits for four chunks.
 */

namespace adaboost_bounds {

constexpr int LANES = 32;
constexpr int PARTS = 4; /* of a candidate, a warp each: so that work divides evenly among warps */
constexpr int CHUNK = 8; /* entries */
constexpr int GROUP = 4; /* chunks whose bits share a word */
constexpr int GROUP_ENTRIES = GROUP * CHUNK;
constexpr int THREADS = 1024;
constexpr int SHIFT_MIN = 10;              /* so that rounded shares sum to less than 2^31 */
constexpr int INDEX_MAX = 65535;           /* of an image, and of the one without a share */
constexpr int32_t NOTHING = INT32_MIN / 2; /* less than every sum, also when one is added */

struct Packed {
    uint4 *chunks;  /* candidates × PARTS × groups × GROUP × LANES */
    uint32_t *bits; /* candidates × PARTS × groups × LANES */
    int groups;     /* of a lane */
    int candidates, images;
};

/* Running sums of rounded shares over one part of a candidate: the sum of all, and the largest and
 * the least before an entry that begins a new value. */
struct Range {
    int32_t total, most, least;
};

/* State of a round that stays on the device. */
struct Round {
    unsigned long long largest; /* |share| */
    int shift;                  /* shares are rounded to multiples of 2^shift */
    long long least_bound;      /* of all candidates */
};

/* One thread packs a group of one lane. */
__global__ void pack(const uint32_t *order, Packed packed) {
    const size_t groups = (size_t)packed.candidates * PARTS * packed.groups * LANES;
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < groups; i += stride) {
        const int lane = (int)(i % LANES);
        const size_t row = i / LANES; /* (candidate × PARTS + part) × groups + group */
        const int group = (int)(row % packed.groups);
        const size_t part = row / packed.groups;
        const size_t run = part % PARTS * LANES + lane;
        const size_t first = (run * packed.groups + group) * GROUP_ENTRIES;
        const uint32_t *entries = order + part / PARTS * (size_t)packed.images;
        uint32_t bits = 0;
        for (int c = 0; c < GROUP; c++) {
            uint32_t words[CHUNK / 2];
            for (int j = 0; j < CHUNK / 2; j++) {
                words[j] = 0;
                for (int half = 0; half < 2; half++) {
                    const int at = c * CHUNK + 2 * j + half;
                    const bool there = first + at < (size_t)packed.images;
                    const uint32_t entry = there ? entries[first + at] : (uint32_t)packed.images;
                    words[j] |= (entry & ~ADABOOST_NEW_VALUE) << (16 * half);
                    bits |= entry >> 31 << at;
                }
            }
            packed.chunks[(row * GROUP + c) * LANES + lane] =
                make_uint4(words[0], words[1], words[2], words[3]);
        }
        packed.bits[row * LANES + lane] = bits;
    }
}

/* How much shares have to be rounded for 15 bits and a sign. */
__global__ void choose_shift(Round *round) {
    const int length = 64 - __clzll((long long)round->largest);
    int shift = max(length - 15, SHIFT_MIN);
    if ((round->largest + (1ULL << (shift - 1))) >> shift > INT16_MAX) {
        shift++;
    }
    round->shift = shift;
    round->least_bound = INT64_MAX;
}

__global__ void round_shares(const int64_t *shares, int images, const Round *round,
                             int16_t *rounded) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < images) {
        const int shift = round->shift;
        const int64_t share = shares[i];
        const int64_t half = (int64_t)1 << (shift - 1);
        const int64_t size = ((share < 0 ? -share : share) + half) >> shift;
        rounded[i] = (int16_t)(share < 0 ? -size : size);
    } else if (i == images) {
        rounded[i] = 0; /* the image that fills up */
    }
}

__device__ __forceinline__ int32_t rounded_at(const int16_t *table, uint32_t word, int half) {
    return table[half == 0 ? word & 0xFFFFU : word >> 16];
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
            const uint32_t words[CHUNK / 2] = {quads[c].x, quads[c].y, quads[c].z, quads[c].w};
#pragma unroll
            for (int j = 0; j < CHUNK; j++) {
                note_sum(range, begins, 1U << (c * CHUNK + j));
                range.total += rounded_at(table, words[j / 2], j % 2);
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
    find_ranges(Packed packed, const int16_t *rounded, Range *ranges) {
    extern __shared__ int16_t table[];
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

/* A bound that no error of the candidate is below. */
__global__ void bound_errors(Packed packed, const Range *ranges, int64_t others, Round *round,
                             long long *bounds) {
    const int candidate = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (candidate >= packed.candidates) {
        return;
    }
    int32_t before = 0;
    int32_t most = NOTHING;
    int32_t least = -NOTHING;
    for (int part = 0; part < PARTS; part++) {
        const Range range = ranges[(size_t)candidate * PARTS + part];
        most = max(most, before + range.most);
        least = min(least, before + range.least);
        before += range.total;
    }
    const int shift = round->shift;
    const long long polarity_1 = others - ((long long)most << shift);
    const long long polarity_0 = (long long)ADABOOST_TOTAL - others + ((long long)least << shift);
    const long long bound = min(polarity_1, polarity_0) - slack_of(packed, shift);
    bounds[candidate] = bound;
    atomicMin(&round->least_bound, bound);
}

} // namespace adaboost_bounds

/* === The variant ============================================================================== */

VARIANT_FUNCTIONS(adaboost_cuda_fast);

namespace {

using namespace adaboost_bounds;

constexpr int SMALL_THREADS = 256;
constexpr int EXACT_BLOCKS = 4; /* on a multiprocessor */

struct FastSearch {
    bool bounded; /* false: too many images for the table, all are searched exactly */
    Packed packed;
    Range *ranges;     /* candidates × PARTS */
    long long *bounds; /* candidates */
    int16_t *rounded;  /* images + 1 */
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
    return ((size_t)device->images + 1) * sizeof(int16_t);
}

/* --- Opening -----------------------------------------------------------------------------------
 */

Status find_largest(AdaboostDevice *device) {
    FastSearch *fast = search_of(device);
    const auto sizes = thrust::make_transform_iterator((const int64_t *)device->shares, Size{});
    unsigned long long *largest = fast->round != NULL ? &fast->round->largest : NULL;
    CUDA_TRY(cub::DeviceReduce::Reduce(fast->largest.memory, fast->largest.bytes, sizes, largest,
                                       device->images, cuda::maximum<unsigned long long>{}, 0ULL,
                                       cuda_stream()));
    return status_ok();
}

Status allocate_tables(AdaboostDevice *device) {
    FastSearch *fast = search_of(device);
    Packed *packed = &fast->packed;
    packed->candidates = device->candidates.count;
    packed->images = device->images;
    packed->groups =
        (device->images + PARTS * LANES * GROUP_ENTRIES - 1) / (PARTS * LANES * GROUP_ENTRIES);
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
    fast->bounded = device->images < INDEX_MAX && table_bytes(device) <= (size_t)available;
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
            adaboost_block::search(order, shares, packed.images, others, (uint32_t)c, storage);
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
    round_shares<<<adaboost_blocks(device->images + 1, SMALL_THREADS), SMALL_THREADS, 0, stream>>>(
        device->shares, device->images, fast->round, fast->rounded);
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
    packed.images = device->images;
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
