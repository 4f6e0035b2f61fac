/*
 * cuda_fast: a coarse bound first, finer ones and exact sums only for what may be the best.
 *
 * A search of all thresholds reads every candidate's images in the order of their values, and a
 * share for each: many bytes, and addresses without any order. So the images of a candidate are cut
 * into 16 bins of rising values, four bits an image, and each round
 *   - rounds the shares to 16 bits, as small as the largest allows, and adds up what that changes
 *     at most,
 *   - sums them over the bins of every candidate, on tensor cores (see Sums of bins): half a byte
 *     for each candidate and image, in the order of memory,
 *   - which gives the errors where bins start, and a bound for those inside: at best all others of
 *     a bin come before all its digits,
 *   - walks the bins whose bound is not above the least error known, with rounded shares,
 *   - walks the candidates whose least error there is not above the least of all and what rounding
 *     can have changed, with the shares as they are: the best of all candidates, and every one that
 *     equals it, are among them.
 * Both walks read the packed order: 16 bits an image and a bit where a value begins. It is sorted
 * by counting (see Packing).
 *
 * Floor of a round of 10,000 candidates and 60,000 images: 302 MB of bins, at 3 TB/s 0.1 ms.
 *
 * On an H100, these candidates and images, digit 0, 100 rounds, in ms (one launch each):
 *
 *                                                     values  sort  boosting  all
 *   orders by radix sort, sums over ranges of ranks      2.3  28.2      81.5  112
 *   by counting; bins, summed on tensor cores            2.2   6.8      37.9   47.2
 *
 * Two or four steps ahead instead of three change 0.2 ms, two or eight items of a thread under way
 * in the sort instead of four 0.4 and -0.2. Of a round's 0.37 ms the walk of bins takes 146 µs,
 * their sums 123, the exact search 71, the rest seven small kernels. 1000 candidates: 21.8 ms, 24.1
 * before; 32 candidates, which are kernel launches only: 16.0, 14.3 before.
 *
 * The exact search, all of it in ms, on an H200 in four launches of each in turn; candidates are
 * cut into 16 slices for as many blocks (predicted 4.4 ms less):
 *                            10,000 candidates   1000 candidates
 *   a block a candidate                   30.7              12.6
 *   16 blocks a candidate                 28.2               9.9
 * With these, dropped: bins are left out that the walks so far have beaten (predicted 2.5 ms less;
 * 28.3), and a walk reads two chunks ahead besides (predicted 3 ms less; 28.4).
 *
 * More than 65,534 images, or tables that do not fit a block's shared memory: all candidates are
 * searched exactly, as cuda_tiled does. So they are where few entries are searched
 * (adaboost_plan.c): for 2000 candidates and 1000 images predicted 3.1 ms, measured 3.29, where
 * bounds took 5.27.
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
#include "early_launch.cuh"

/* === Packing ================================================================================== */

namespace {

constexpr int LANES = ADABOOST_LANES;
constexpr int RUNS = ADABOOST_RUNS;
constexpr int CHUNK = ADABOOST_CHUNK;
constexpr int GROUP = ADABOOST_GROUP;
constexpr int GROUP_ENTRIES = ADABOOST_GROUP_ENTRIES;
constexpr int BINS = ADABOOST_BINS;
constexpr int STEP = ADABOOST_STEP;
constexpr int TILE = ADABOOST_TILE;
constexpr int SMALL_THREADS = 256;

/*
 * What is made of all values, of adaboost_plan.h. Images are counted by rank: those that are not
 * the digit before those that are, so that an index tells the sign of a share.
 */
struct Packed {
    uint4 *chunks;           /* the packed order, `pitch` from candidate to candidate */
    size_t pitch;            /* chunks */
    uint32_t *bits;          /* candidates × PARTS × groups × LANES */
    uint32_t *starts;        /* candidates × (BINS + 1): the first entry of each bin */
    uint32_t *lasts;         /* candidates × BINS: where the last value of each bin begins */
    uint4 *codes;            /* tiles × steps × 4 × LANES: bins, a bit in each member */
    const uint16_t *of_rank; /* images */
    int others;              /* images that are not the digit */
    int steps, steps_others; /* of STEP images: all, and those of the others, which come first */
    int groups;              /* of a lane */
    int candidates, images;
};

/* The rank at a place of the steps, or -1 where they are filled up. */
__device__ __forceinline__ int rank_at(const Packed &packed, int place) {
    const int digits_begin = packed.steps_others * STEP;
    const int rank = place < digits_begin ? place : place - digits_begin + packed.others;
    const int end = place < digits_begin ? packed.others : packed.images;
    return rank < end ? rank : -1;
}

/* The image of index j of a chunk. */
__device__ __forceinline__ uint32_t image_of(const uint4 &chunk, int j) {
    const uint32_t words[CHUNK / 2] = {chunk.x, chunk.y, chunk.z, chunk.w};
    const uint32_t word = words[j / 2];
    return j % 2 == 0 ? word & 0xFFFFU : word >> 16;
}

} // namespace

/*
 * Sorting by counting, a block for each candidate: how many images have each value, where the first
 * of them goes, and then each image to its place. The order of equal values is of no consequence.
 * Counts of 16 bits, the order and its bits lie in shared memory; values that spread further than
 * there are counts are gone through in several windows.
 */
namespace adaboost_packing {

constexpr int THREADS = 1024;
constexpr int ITEMS = 4;      /* of a thread that are under way together */
constexpr int32_t COMMON = 0; /* the value that many images share: counted by warps */

using Scan = cub::BlockScan<uint32_t, THREADS>;
using Reduce = cub::BlockReduce<int32_t, THREADS>;

struct Shared {
    union {
        typename Scan::TempStorage scan;
        typename Reduce::TempStorage reduce;
    };
    int32_t low, high;
    uint32_t starts[BINS + 1], lasts[BINS];
};

/* Dividing by what is the same for all: exact for numbers below 2^16. */
struct Places {
    uint64_t bin_factor; /* ⌈BINS × 2^32 / images⌉ */
    uint32_t run_factor; /* ⌈2^32 / run⌉ */
    uint32_t run;        /* entries of a lane */
    int groups;
};

__device__ __forceinline__ Places places_of(const Packed &packed) {
    const uint64_t whole = (uint64_t)1 << 32;
    Places places;
    places.groups = packed.groups;
    places.run = (uint32_t)(packed.groups * GROUP_ENTRIES);
    places.run_factor = (uint32_t)((whole + places.run - 1) / places.run);
    places.bin_factor = (BINS * whole + (uint64_t)packed.images - 1) / (uint64_t)packed.images;
    return places;
}

__device__ __forceinline__ int bin_of(const Places &places, uint32_t place) {
    return (int)(place * places.bin_factor >> 32);
}

/* As adaboost_slot: the index of 16 bits, and the word of bits. */
struct Slot {
    uint32_t entry, word, bit;
};

__device__ __forceinline__ Slot slot_of(const Places &places, uint32_t place) {
    const uint32_t run = (uint32_t)((uint64_t)place * places.run_factor >> 32);
    const uint32_t within = place - run * places.run;
    const uint32_t row = run / LANES * (uint32_t)places.groups + within / GROUP_ENTRIES;
    const uint32_t bit = within % GROUP_ENTRIES;
    const uint32_t chunk = (row * GROUP + bit / CHUNK) * LANES + run % LANES;
    return {chunk * CHUNK + bit % CHUNK, row * LANES + run % LANES, bit};
}

/* The block's memory. */
struct Desk {
    uint16_t *order;
    uint32_t *bits, *counts;
};

__device__ __forceinline__ int32_t reduced(int32_t value, bool largest, Shared &shared) {
    const int32_t result = largest ? Reduce(shared.reduce).Reduce(value, cuda::maximum<int32_t>{})
                                   : Reduce(shared.reduce).Reduce(value, cuda::minimum<int32_t>{});
    __syncthreads();
    return result;
}

/* The least and the largest value, in `shared`. */
__device__ __forceinline__ void find_reach(const int32_t *values, int images, Shared &shared) {
    int32_t low = INT32_MAX;
    int32_t high = INT32_MIN;
    for (int i = (int)threadIdx.x; i < images; i += THREADS) {
        low = min(low, values[i]);
        high = max(high, values[i]);
    }
    low = reduced(low, false, shared);
    high = reduced(high, true, shared);
    if (threadIdx.x == 0) {
        shared.low = low;
        shared.high = high;
    }
}

/* No images, the last places filled up, no bits. */
__device__ __forceinline__ void clear(const Packed &packed, const Places &places, Desk &desk) {
    for (uint32_t i = (uint32_t)packed.images + threadIdx.x; i < RUNS * places.run; i += THREADS) {
        desk.order[slot_of(places, i).entry] = (uint16_t)packed.images;
    }
    for (int i = (int)threadIdx.x; i < RUNS * packed.groups; i += THREADS) {
        desk.bits[i] = 0;
    }
}

/* Adds `count` to a level's half word; what stood there. */
__device__ __forceinline__ uint32_t add(uint32_t *counts, uint32_t level, uint32_t count) {
    const uint32_t shift = level % 2 * 16;
    return atomicAdd(&counts[level / 2], count << shift) >> shift & 0xFFFF;
}

__device__ __forceinline__ void count_levels(const int32_t *values, int images, int32_t low,
                                             uint32_t levels, uint32_t *counts) {
    for (int begin = (int)threadIdx.x; begin - (int)threadIdx.x < images;
         begin += THREADS * ITEMS) {
        int32_t taken[ITEMS];
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const int i = begin + k * THREADS;
            taken[k] = i < images ? values[i] : 0;
        }
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const uint32_t level = (uint32_t)taken[k] - (uint32_t)low;
            const bool is_in = begin + k * THREADS < images && level < levels;
            const bool is_common = is_in && taken[k] == COMMON;
            const uint32_t common = __ballot_sync(UINT32_MAX, is_common);
            if (is_in && !is_common) {
                add(counts, level, 1);
            } else if (is_common && __ffs((int)common) - 1 == (int)threadIdx.x % LANES) {
                add(counts, level, (uint32_t)__popc(common));
            }
        }
    }
}

/* A level whose images have the places from `place` on. */
__device__ __forceinline__ void mark(const Places &places, Desk &desk, uint32_t place,
                                     uint32_t count, Shared &shared) {
    if (count == 0) {
        return;
    }
    const Slot slot = slot_of(places, place);
    atomicOr(&desk.bits[slot.word], 1U << slot.bit);
    const int own = bin_of(places, place);
    const int last = bin_of(places, place + count);
    if (last > own) {
        shared.lasts[own] = place;
    }
    for (int bin = own + 1; bin <= last; bin++) {
        shared.starts[bin] = place + count;
    }
}

/* Makes places of counts, from `base` on; the places used. */
__device__ __forceinline__ uint32_t find_places(const Places &places, uint32_t base,
                                                uint32_t levels, Desk &desk, Shared &shared) {
    const uint32_t words = (levels + 1) / 2;
    const uint32_t own = (words + THREADS - 1) / THREADS | 1; /* odd: in 32 banks */
    const uint32_t begin = min(threadIdx.x * own, words);
    const uint32_t end = min(begin + own, words);
    uint32_t sum = 0;
    for (uint32_t i = begin; i < end; i++) {
        sum += (desk.counts[i] & 0xFFFF) + (desk.counts[i] >> 16);
    }
    uint32_t place;
    uint32_t total;
    Scan(shared.scan).ExclusiveSum(sum, place, total);
    place += base;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t low = desk.counts[i] & 0xFFFF;
        const uint32_t high = desk.counts[i] >> 16;
        desk.counts[i] = place | (place + low) << 16;
        mark(places, desk, place, low, shared);
        mark(places, desk, place + low, high, shared);
        place += low + high;
    }
    return total;
}

/* Where the bins of 32 images lie; `word` counts them by place. */
__device__ __forceinline__ size_t code_at(const Packed &packed, int candidate, int word) {
    const int row = candidate % TILE;
    const int quarter = word / 4 % 2 * 2 + row / 8;
    const size_t step = (size_t)(candidate / TILE) * packed.steps + word / 8;
    return (step * 4 + quarter) * LANES + row % 8 * 4 + word % 4;
}

/* Writes the bins of 32 images. */
__device__ __forceinline__ void write_code(uint32_t bin, uint4 *to, bool first) {
    uint4 code;
    code.x = __ballot_sync(UINT32_MAX, (bin & 1) != 0);
    code.y = __ballot_sync(UINT32_MAX, (bin & 2) != 0);
    code.z = __ballot_sync(UINT32_MAX, (bin & 4) != 0);
    code.w = __ballot_sync(UINT32_MAX, (bin & 8) != 0);
    if (threadIdx.x % LANES == 0) {
        if (!first) {
            const uint4 before = *to;
            code = make_uint4(code.x | before.x, code.y | before.y, code.z | before.z,
                              code.w | before.w);
        }
        *to = code;
    }
}

/* Bins of all images whose value is in the window; 0 of the others, and where steps are filled up.
 */
__device__ __forceinline__ void write_codes(const int32_t *values, const Packed &packed,
                                            const Places &places, int candidate, int32_t low,
                                            uint32_t levels, bool first, const Desk &desk) {
    const int end = packed.steps * STEP;
    for (int begin = (int)threadIdx.x; begin < end; begin += THREADS * ITEMS) {
        int ranks[ITEMS];
        uint32_t own[ITEMS];
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            ranks[k] = rank_at(packed, begin + k * THREADS);
            own[k] = ranks[k] >= 0 ? (uint32_t)values[packed.of_rank[ranks[k]]] : 0;
        }
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const int place = begin + k * THREADS;
            const uint32_t level = own[k] - (uint32_t)low;
            uint32_t bin = 0;
            if (ranks[k] >= 0 && level < levels) {
                const uint32_t word = desk.counts[level / 2];
                bin = (uint32_t)bin_of(places, word >> (level % 2 * 16) & 0xFFFF);
            }
            if (place < end) { /* the same for a whole warp */
                write_code(bin, packed.codes + code_at(packed, candidate, place / LANES), first);
            }
        }
    }
}

/* The place of the next image of a level; 0 without one. All lanes of a warp call it. */
__device__ __forceinline__ uint32_t next_place(int32_t value, bool is_in, uint32_t level,
                                               uint32_t *counts) {
    const int lane = (int)threadIdx.x % LANES;
    const bool is_common = is_in && value == COMMON;
    const uint32_t common = __ballot_sync(UINT32_MAX, is_common);
    uint32_t place = 0;
    if (is_in && !is_common) {
        place = add(counts, level, 1);
    } else if (is_common && __ffs((int)common) - 1 == lane) {
        place = add(counts, level, (uint32_t)__popc(common));
    }
    if (common != 0) {
        const uint32_t first = __shfl_sync(UINT32_MAX, place, __ffs((int)common) - 1);
        place = is_common ? first + (uint32_t)__popc(common & ((1U << lane) - 1)) : place;
    }
    return place;
}

/* Each image of the window to its place. */
__device__ __forceinline__ void scatter(const int32_t *values, const Packed &packed,
                                        const Places &places, int32_t low, uint32_t levels,
                                        Desk &desk) {
    for (int begin = (int)threadIdx.x; begin - (int)threadIdx.x < packed.images;
         begin += THREADS * ITEMS) {
        int32_t taken[ITEMS];
        uint32_t at[ITEMS];
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const int rank = begin + k * THREADS;
            taken[k] = rank < packed.images ? values[packed.of_rank[rank]] : 0;
        }
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const uint32_t level = (uint32_t)taken[k] - (uint32_t)low;
            const bool is_in = begin + k * THREADS < packed.images && level < levels;
            const uint32_t place = next_place(taken[k], is_in, level, desk.counts);
            at[k] = is_in ? place : UINT32_MAX;
        }
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            if (at[k] != UINT32_MAX) {
                desk.order[slot_of(places, at[k]).entry] = (uint16_t)(begin + k * THREADS);
            }
        }
    }
}

/* By all threads of a block, all windows of a candidate. */
__device__ __forceinline__ void sort(const int32_t *values, const Packed &packed,
                                     const Places &places, int candidate, uint32_t room, Desk &desk,
                                     Shared &shared) {
    uint32_t base = 0;
    const int32_t high = shared.high;
    for (int64_t low = shared.low; low <= high; low += room) {
        const uint32_t levels = (uint32_t)min((int64_t)room, high - low + 1);
        for (uint32_t i = threadIdx.x; i < (levels + 1) / 2; i += THREADS) {
            desk.counts[i] = 0;
        }
        __syncthreads();
        count_levels(values, packed.images, (int32_t)low, levels, desk.counts);
        __syncthreads();
        const uint32_t total = find_places(places, base, levels, desk, shared);
        __syncthreads();
        write_codes(values, packed, places, candidate, (int32_t)low, levels, base == 0, desk);
        __syncthreads();
        scatter(values, packed, places, (int32_t)low, levels, desk);
        __syncthreads();
        base += total;
    }
}

/* `room`: levels of a window, an even number. The order is written over the values it is made of.
 */
__global__ void __launch_bounds__(THREADS, 1) pack(Packed packed, uint32_t room) {
    extern __shared__ uint4 memory[];
    __shared__ Shared shared;
    const Places places = places_of(packed);
    const int chunks = RUNS * packed.groups * GROUP;
    Desk desk;
    desk.order = (uint16_t *)memory;
    desk.bits = (uint32_t *)(memory + chunks);
    desk.counts = desk.bits + RUNS * packed.groups;
    for (int candidate = (int)blockIdx.x; candidate < packed.candidates;
         candidate += (int)gridDim.x) {
        uint4 *own = packed.chunks + (size_t)candidate * packed.pitch;
        const int32_t *values = (const int32_t *)own;
        find_reach(values, packed.images, shared);
        clear(packed, places, desk);
        if (threadIdx.x == 0) {
            shared.starts[0] = 0;
        }
        __syncthreads();
        sort(values, packed, places, candidate, room, desk, shared);
        for (int i = (int)threadIdx.x; i < chunks; i += THREADS) {
            own[i] = memory[i];
        }
        for (int i = (int)threadIdx.x; i < RUNS * packed.groups; i += THREADS) {
            packed.bits[(size_t)candidate * RUNS * packed.groups + i] = desk.bits[i];
        }
        if (threadIdx.x <= BINS) {
            packed.starts[(size_t)candidate * (BINS + 1) + threadIdx.x] =
                shared.starts[threadIdx.x];
        }
        if (threadIdx.x < BINS) {
            packed.lasts[(size_t)candidate * BINS + threadIdx.x] = shared.lasts[threadIdx.x];
        }
        __syncthreads();
    }
}

} // namespace adaboost_packing

/* === Bounds =================================================================================== */

/*
 * Bounds of every candidate's error from rounded shares: sizes of 16 bits, rounded to multiples of
 * 2^shift. What rounding has changed about any sum is at most the slack: what all shares together
 * were rounded down by, or up.
 */
namespace adaboost_bounds {

constexpr int SHIFT_MIN = 10; /* so that rounded shares sum to less than 2^31 */
constexpr int SIZE_BITS = 16;
constexpr int COLUMNS = 8; /* of a product on tensor cores: bits of a share */
constexpr int THRESHOLDS = BINS - 1;
constexpr int32_t NOTHING = INT32_MIN / 2; /* less than every sum, also when one is added */

/* What a search finds out on its way. */
struct Turn {
    unsigned long long above, below;   /* Σ of what rounding took from shares, and added to them */
    unsigned long long others, digits; /* Σ of rounded sizes */
    long long least_start;             /* error at the start of a bin, of rounded shares */
    long long least_bound;             /* of the candidates walked */
    uint32_t walks;
};

__device__ __forceinline__ Turn fresh_turn() {
    return {0, 0, 0, 0, INT64_MAX, INT64_MAX, 0};
}

/* What is to be walked of a bin, and the sum of rounded shares before it. No threshold lies behind
 * the beginning of its last value, of which there may be many images. */
struct Walk {
    uint32_t candidate, begin, end;
    int32_t before;
};

/* How much shares have to be rounded: to multiples of 2^shift. */
__device__ __forceinline__ int shift_of(const AdaboostSums *sums) {
    const unsigned long long largest = sums->largest;
    const int length = 64 - __clzll((long long)largest);
    const int shift = max(length - SIZE_BITS, SHIFT_MIN);
    return (largest + (1ULL << (shift - 1))) >> shift > UINT16_MAX ? shift + 1 : shift;
}

/* What rounding can have changed about a sum of shares at most. */
__device__ __forceinline__ long long slack_of(const Turn *turn) {
    return (long long)max(turn->above, turn->below);
}

struct Rounding {
    const int64_t *shares; /* of images */
    int64_t *ranked;       /* the same by rank */
    uint16_t *sizes;       /* by rank, and 0 for the one that fills up */
    uint32_t *planes;      /* steps × LANES × 4: the bits of the sizes, as the product has them */
    Turn *turn, *next;
};

/* Writes bit p of 32 sizes by lane p, to where find_sums loads it. */
__device__ __forceinline__ void write_planes(uint32_t size, int word, uint32_t *planes) {
    const int lane = (int)threadIdx.x % LANES;
    uint32_t own = 0;
#pragma unroll
    for (int bit = 0; bit < SIZE_BITS; bit++) {
        const uint32_t plane = __ballot_sync(UINT32_MAX, (size >> bit & 1) != 0);
        own = lane == bit ? plane : own;
    }
    if (lane < SIZE_BITS) {
        const int to = (word / 8 * LANES + lane % COLUMNS * 4 + word % 4) * 4;
        planes[to + lane / COLUMNS * 2 + word / 4 % 2] = own;
    }
}

/* All threads of the block call it. */
__device__ __forceinline__ void add_up(unsigned long long value, unsigned long long *sum) {
    using Reduce = cub::BlockReduce<unsigned long long, SMALL_THREADS>;
    __shared__ typename Reduce::TempStorage storage;
    __syncthreads();
    const unsigned long long total = Reduce(storage).Sum(value);
    if (threadIdx.x == 0 && total != 0) {
        atomicAdd(sum, total);
    }
}

/* A block for each step. */
__global__ void __launch_bounds__(SMALL_THREADS)
    round_shares(Packed packed, const AdaboostSums *sums, Rounding rounding) {
    start_between_kernels();
    static_assert(SMALL_THREADS == STEP, "a block for each step");
    const int place = (int)(blockIdx.x * STEP + threadIdx.x);
    const int rank = rank_at(packed, place);
    const int shift = shift_of(sums);
    uint32_t size = 0;
    long long rest = 0;
    if (rank >= 0) {
        const int64_t share = rounding.shares[packed.of_rank[rank]];
        const int64_t whole = share < 0 ? -share : share;
        size = (uint32_t)((whole + ((int64_t)1 << (shift - 1))) >> shift);
        rest = whole - ((int64_t)size << shift);
        rest = rank < packed.others ? rest : -rest;
        rounding.ranked[rank] = share;
        rounding.sizes[rank] = (uint16_t)size;
    }
    write_planes(size, place / LANES, rounding.planes);
    const bool is_other = (int)blockIdx.x < packed.steps_others;
    add_up(size, is_other ? &rounding.turn->others : &rounding.turn->digits);
    add_up(rest > 0 ? (unsigned long long)rest : 0, &rounding.turn->above);
    add_up(rest < 0 ? (unsigned long long)-rest : 0, &rounding.turn->below);
    if (place == 0) {
        rounding.sizes[packed.images] = 0;
        *rounding.next = fresh_turn();
    }
}

/* --- Sums of bins ------------------------------------------------------------------------------
 *
 * For each candidate and each bin but the first: the sum of the shares of the images in this bin or
 * a later one. Bits that say which images these are, by the bits of their shares' sizes, are a
 * product of two matrices of bits: 16 candidates × 256 images by 256 images × 8 bits of a size. The
 * four bits of a bin's number are read, and become the bits for the 15 thresholds in registers.
 */

constexpr int AHEAD = 3; /* steps that are loaded before they are needed */
/* 384 spill registers: 52.8 ms of boosting instead of 37.9. */
constexpr int SUM_THREADS = 256;
constexpr int SUM_WARPS = SUM_THREADS / LANES;
constexpr int TILE_SUMS = 2 * THRESHOLDS * TILE; /* others, digits */

/* sums += A·B: rows of 256 bits by columns of 256 bits, the places as in PTX. */
__device__ __forceinline__ void multiply_bits(int (&sums)[4], const uint32_t (&a)[4], uint32_t b0,
                                              uint32_t b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    const int group = (int)threadIdx.x % LANES / 4;
    const int column = (int)threadIdx.x % 4 * 2;
    for (int t = 0; t < 4; t++) {
        uint32_t rows[4];
        for (int i = 0; i < 4; i++) {
            rows[i] = __shfl_sync(UINT32_MAX, a[i], group * 4 + t);
        }
        for (int c = 0; c < 2; c++) {
            const uint32_t low = __shfl_sync(UINT32_MAX, b0, (column + c) * 4 + t);
            const uint32_t high = __shfl_sync(UINT32_MAX, b1, (column + c) * 4 + t);
            sums[c] += __popc(rows[0] & low) + __popc(rows[2] & high);
            sums[2 + c] += __popc(rows[1] & low) + __popc(rows[3] & high);
        }
    }
#else
    asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

/* Of a bin's number of four bits, for 32 images: which are at least `least`. */
__device__ __forceinline__ uint32_t at_least(const uint4 &bits, int least) {
    const uint32_t b0 = bits.x, b1 = bits.y, b2 = bits.z, b3 = bits.w;
    switch (least) {
    case 1: return b3 | b2 | b1 | b0;
    case 2: return b3 | b2 | b1;
    case 3: return b3 | b2 | (b1 & b0);
    case 4: return b3 | b2;
    case 5: return b3 | (b2 & (b1 | b0));
    case 6: return b3 | (b2 & b1);
    case 7: return b3 | (b2 & b1 & b0);
    case 8: return b3;
    case 9: return b3 & (b2 | b1 | b0);
    case 10: return b3 & (b2 | b1);
    case 11: return b3 & (b2 | (b1 & b0));
    case 12: return b3 & b2;
    case 13: return b3 & b2 & (b1 | b0);
    case 14: return b3 & b2 & b1;
    default: return b3 & b2 & b1 & b0;
    }
}

struct Products {
    int low[THRESHOLDS][4], high[THRESHOLDS][4]; /* by the lower and the upper bits of sizes */
};

__device__ __forceinline__ void clear(Products &products) {
#pragma unroll
    for (int t = 0; t < THRESHOLDS; t++) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            products.low[t][i] = 0;
            products.high[t][i] = 0;
        }
    }
}

__device__ __forceinline__ void add_step(Products &products, const uint4 (&codes)[4],
                                         const uint4 &planes) {
#pragma unroll
    for (int t = 0; t < THRESHOLDS; t++) {
        const uint32_t a[4] = {at_least(codes[0], t + 1), at_least(codes[1], t + 1),
                               at_least(codes[2], t + 1), at_least(codes[3], t + 1)};
        multiply_bits(products.low[t], a, planes.x, planes.y);
        multiply_bits(products.high[t], a, planes.z, planes.w);
    }
}

/* The numbers whose bits were counted: added to the tile's sums. */
__device__ __forceinline__ void add_products(const Products &products, uint32_t *sums) {
    const int lane = (int)threadIdx.x % LANES;
    const int column = lane % 4 * 2;
#pragma unroll
    for (int t = 0; t < THRESHOLDS; t++) {
        uint32_t rows[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const uint32_t low =
                (uint32_t)products.low[t][2 * i] + 2 * (uint32_t)products.low[t][2 * i + 1];
            const uint32_t high =
                (uint32_t)products.high[t][2 * i] + 2 * (uint32_t)products.high[t][2 * i + 1];
            rows[i] = (low + (high << COLUMNS)) << column;
            rows[i] += __shfl_xor_sync(UINT32_MAX, rows[i], 1);
            rows[i] += __shfl_xor_sync(UINT32_MAX, rows[i], 2);
        }
        if (lane % 4 < 2) {
            atomicAdd(&sums[t * TILE + lane % 4 * 8 + lane / 4], lane % 4 == 0 ? rows[0] : rows[1]);
        }
    }
}

__device__ __forceinline__ void load_step(uint4 (&to)[4], const uint4 *codes, bool is_there) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
        to[i] = is_there ? __ldcs(codes + i * LANES) : make_uint4(0, 0, 0, 0);
    }
}

/* All steps of all tiles are one row, of which each warp has as many. The bits of the sizes stay in
 * shared memory. */
__global__ void __launch_bounds__(SUM_THREADS, 1)
    find_sums(Packed packed, const uint4 *planes, const AdaboostSums *sums, uint32_t *bin_sums) {
    start_between_kernels();
    extern __shared__ uint4 table[];
    if (sums->over) {
        return;
    }
    for (int i = (int)threadIdx.x; i < packed.steps * LANES; i += SUM_THREADS) {
        table[i] = planes[i];
    }
    __syncthreads();
    const int lane = (int)threadIdx.x % LANES;
    const size_t tiles = ((size_t)packed.candidates + TILE - 1) / TILE;
    const size_t all = tiles * (size_t)packed.steps;
    const size_t warps = (size_t)gridDim.x * SUM_WARPS;
    const size_t warp = (size_t)blockIdx.x * SUM_WARPS + threadIdx.x / LANES;
    const size_t end = all * (warp + 1) / warps;
    size_t at = all * warp / warps;
    while (at < end) {
        const size_t tile = at / (size_t)packed.steps;
        const int begin = (int)(at % (size_t)packed.steps);
        const bool is_other = begin < packed.steps_others;
        const int upto =
            (int)min((size_t)(is_other ? packed.steps_others : packed.steps), begin + (end - at));
        const uint4 *codes = packed.codes + at * 4 * LANES + lane;
        Products products;
        uint4 ahead[AHEAD][4];
        clear(products);
#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            load_step(ahead[i], codes, i < upto - begin);
            codes += 4 * LANES;
        }
        for (int step = begin; step < upto; step++) {
            const uint4 now[4] = {ahead[0][0], ahead[0][1], ahead[0][2], ahead[0][3]};
#pragma unroll
            for (int i = 0; i < (AHEAD - 1) * 4; i++) {
                ahead[i / 4][i % 4] = ahead[i / 4 + 1][i % 4];
            }
            load_step(ahead[AHEAD - 1], codes, step + AHEAD < upto);
            codes += 4 * LANES;
            add_step(products, now, table[step * LANES + lane]);
        }
        add_products(products, bin_sums + tile * TILE_SUMS + (is_other ? 0 : THRESHOLDS * TILE));
        at += (size_t)(upto - begin);
    }
}

/* --- Bins that may have the best stump -------------------------------------------------------- */

/* Rounded shares of a candidate: of the others and of the digits in its bins. */
struct Binned {
    int32_t others[BINS], digits[BINS];
};

__device__ __forceinline__ Binned binned_of(const uint32_t *bin_sums, int candidate,
                                            const Turn *turn) {
    const uint32_t *others = bin_sums + (size_t)(candidate / TILE) * TILE_SUMS + candidate % TILE;
    const uint32_t *digits = others + THRESHOLDS * TILE;
    uint32_t rest_others = (uint32_t)turn->others;
    uint32_t rest_digits = (uint32_t)turn->digits;
    Binned binned;
#pragma unroll
    for (int bin = 0; bin < BINS; bin++) {
        const uint32_t later_others = bin < THRESHOLDS ? others[bin * TILE] : 0;
        const uint32_t later_digits = bin < THRESHOLDS ? digits[bin * TILE] : 0;
        binned.others[bin] = (int32_t)(rest_others - later_others);
        binned.digits[bin] = (int32_t)(rest_digits - later_digits);
        rest_others = later_others;
        rest_digits = later_digits;
    }
    return binned;
}

/* The least error of both polarities where sums of rounded shares are between these. */
__device__ __forceinline__ long long error_of(int32_t most, int32_t least,
                                              const AdaboostSums *sums) {
    const long long unit = 1LL << shift_of(sums);
    const long long others = (long long)sums->others;
    return min(others - (long long)most * unit,
               (long long)ADABOOST_TOTAL - others + (long long)least * unit);
}

/* The least error at which a bin starts. */
__global__ void __launch_bounds__(SMALL_THREADS)
    judge_starts(int candidates, const uint32_t *bin_sums, const AdaboostSums *sums, Turn *turn) {
    start_between_kernels();
    using Reduce = cub::BlockReduce<long long, SMALL_THREADS>;
    __shared__ typename Reduce::TempStorage storage;
    const int candidate = (int)(blockIdx.x * SMALL_THREADS + threadIdx.x);
    long long error = INT64_MAX;
    if (sums->over) {
        return;
    }
    if (candidate < candidates) {
        const Binned binned = binned_of(bin_sums, candidate, turn);
        int32_t before = 0;
        int32_t most = 0;
        int32_t least = 0;
#pragma unroll
        for (int bin = 0; bin < THRESHOLDS; bin++) {
            before += binned.others[bin] - binned.digits[bin];
            most = max(most, before);
            least = min(least, before);
        }
        error = error_of(most, least, sums);
    }
    const long long least = Reduce(storage).Reduce(error, cuda::minimum<long long>{});
    if (threadIdx.x == 0) {
        atomicMin(&turn->least_start, least);
    }
}

/* Whether a stump in the bin may be the best: if all its others came before all its digits, or the
 * reverse. */
__device__ __forceinline__ bool may_win(int32_t before, int32_t others, int32_t digits,
                                        const AdaboostSums *sums, const Turn *turn) {
    return error_of(before + others, before - digits, sums) - slack_of(turn) <=
           turn->least_start + slack_of(turn);
}

/* Lists the bins to be walked. Leaves the sums at 0 for the next search. */
__global__ void __launch_bounds__(SMALL_THREADS)
    choose_bins(Packed packed, uint32_t *bin_sums, const AdaboostSums *sums, Turn *turn,
                Walk *walks, long long *bounds) {
    start_between_kernels();
    using Scan = cub::BlockScan<uint32_t, SMALL_THREADS>;
    __shared__ typename Scan::TempStorage storage;
    __shared__ uint32_t first;
    const int candidate = (int)(blockIdx.x * SMALL_THREADS + threadIdx.x);
    const bool is_there = candidate < packed.candidates;
    Binned binned = {};
    uint32_t chosen = 0; /* a bit for each bin */
    if (sums->over) {
        return;
    }
    const uint32_t *starts = packed.starts + (size_t)candidate * (BINS + 1);
    if (is_there) {
        bounds[candidate] = INT64_MAX;
        binned = binned_of(bin_sums, candidate, turn);
        uint32_t *own = bin_sums + (size_t)(candidate / TILE) * TILE_SUMS + candidate % TILE;
        for (int i = 0; i < 2 * THRESHOLDS; i++) {
            own[i * TILE] = 0;
        }
        int32_t before = 0;
#pragma unroll
        for (int bin = 0; bin < BINS; bin++) {
            if (may_win(before, binned.others[bin], binned.digits[bin], sums, turn) &&
                starts[bin] < starts[bin + 1]) {
                chosen |= 1U << bin;
            }
            before += binned.others[bin] - binned.digits[bin];
        }
    }
    uint32_t place;
    uint32_t total;
    Scan(storage).ExclusiveSum((uint32_t)__popc(chosen), place, total);
    if (threadIdx.x == 0) {
        first = total > 0 ? atomicAdd(&turn->walks, total) : 0;
    }
    __syncthreads();
    place += first;
    int32_t before = 0;
#pragma unroll
    for (int bin = 0; bin < BINS; bin++) {
        if ((chosen >> bin & 1) != 0) {
            const uint32_t last = packed.lasts[(size_t)candidate * BINS + bin];
            walks[place++] = {(uint32_t)candidate, starts[bin], last + 1, before};
        }
        before += binned.others[bin] - binned.digits[bin];
    }
}

/* --- Walking bins ----------------------------------------------------------------------------- */

constexpr int WALK_THREADS = 1024;

/* Running sums of rounded shares: of all, and the largest and the least before an entry that begins
 * a new value. */
struct Range {
    int32_t total, most, least;
};

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

/* The entries of a chunk that are from `begin` to `end`, of which it has at least one. */
__device__ __forceinline__ void walk_chunk(Range &range, const Packed &packed, const Walk &walk,
                                           uint32_t chunk, const uint16_t *sizes) {
    const uint32_t place = chunk * CHUNK;
    const AdaboostSlot slot = adaboost_slot(packed.groups, 0, place);
    const size_t words = (size_t)RUNS * packed.groups;
    const uint4 images = packed.chunks[walk.candidate * packed.pitch + slot.chunk];
    const uint32_t begins = packed.bits[walk.candidate * words + slot.word] >> slot.bit;
#pragma unroll
    for (int j = 0; j < CHUNK; j++) {
        const uint32_t image = image_of(images, j);
        const bool is_in = place + j >= walk.begin && place + j < walk.end;
        const int32_t size = is_in ? sizes[image] : 0;
        note_sum(range, is_in ? begins : 0, 1U << j);
        range.total += (int)image < packed.others ? size : -size;
    }
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

/* A warp for each bin; the table of rounded shares stays in shared memory. */
__global__ void __launch_bounds__(WALK_THREADS, 1)
    walk_bins(Packed packed, const uint16_t *rounded, const AdaboostSums *sums, const Walk *walks,
              Turn *turn, long long *bounds) {
    start_between_kernels();
    extern __shared__ uint16_t sizes[];
    if (sums->over) {
        return;
    }
    for (int i = (int)threadIdx.x; i <= packed.images; i += WALK_THREADS) {
        sizes[i] = rounded[i];
    }
    __syncthreads();
    const uint32_t lane = threadIdx.x % LANES;
    const uint32_t warps = gridDim.x * (WALK_THREADS / LANES);
    const uint32_t count = turn->walks;
    /* Neighbouring walks to different multiprocessors. */
    for (uint32_t i = threadIdx.x / LANES * gridDim.x + blockIdx.x; i < count; i += warps) {
        const Walk walk = walks[i];
        const uint32_t first = walk.begin / CHUNK;
        const uint32_t chunks = (walk.end + CHUNK - 1) / CHUNK - first;
        const uint32_t own = (chunks + LANES - 1) / LANES;
        const uint32_t end = min((lane + 1) * own, chunks);
        Range range = {0, NOTHING, -NOTHING};
#pragma unroll 2
        for (uint32_t chunk = lane * own; chunk < end; chunk++) {
            walk_chunk(range, packed, walk, first + chunk, sizes);
        }
        range = join_lanes(range);
        if (lane == 0) {
            const long long bound =
                error_of(walk.before + range.most, walk.before + range.least, sums) -
                slack_of(turn);
            atomicMin(&bounds[walk.candidate], bound);
            if (bound < *(const volatile long long *)&turn->least_bound) {
                atomicMin(&turn->least_bound, bound);
            }
        }
    }
}

} // namespace adaboost_bounds

/* === Exact search ============================================================================= */

/* The best stumps of the candidates whose bounds allow it. They are few, so each is cut into slices
 * for as many blocks: one multiprocessor alone would be bound by what its L1 cache looks up. The
 * last block that is done with a candidate joins its slices. */
namespace adaboost_exact {

constexpr int BLOCKS = 6;    /* of a multiprocessor */
constexpr int THREADS = 128; /* a thread for each group of entries of a slice */
constexpr int SLICES = ADABOOST_EXACT_SLICES;
constexpr int SLICE_RUNS = ADABOOST_RUNS / SLICES;
constexpr int GROUPS = THREADS / SLICE_RUNS;
static_assert(ADABOOST_PACKED_IMAGES_MAX <= GROUPS * ADABOOST_RUNS * GROUP_ENTRIES,
              "a run's groups need a thread each");
constexpr int64_t NOTHING = (int64_t)1 << 61; /* far beyond every sum */

/* Running sums of the shares of some entries: of all, and the largest and the least before an entry
 * that begins a new value, with the first place where it is so. */
struct Extremes {
    int64_t total, most, least;
    uint32_t most_at, least_at;
};

__device__ __forceinline__ Extremes no_entries() {
    return {0, -NOTHING, NOTHING, UINT32_MAX, UINT32_MAX};
}

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

/* Of sums that begin at the same entry; the total is the first one's. */
struct Further {
    __device__ Extremes operator()(const Extremes &a, const Extremes &b) const {
        Extremes further = a;
        if (b.most > a.most || (b.most == a.most && b.most_at < a.most_at)) {
            further.most = b.most;
            further.most_at = b.most_at;
        }
        if (b.least < a.least || (b.least == a.least && b.least_at < a.least_at)) {
            further.least = b.least;
            further.least_at = b.least_at;
        }
        return further;
    }
};

/* The entries of a group, in order; the shares of half of it are under way together. */
__device__ __forceinline__ Extremes walk_group(const Packed &packed, const int64_t *shares,
                                               uint32_t candidate, int run, int group) {
    Extremes extremes = no_entries();
    if (group >= packed.groups) {
        return extremes;
    }
    const uint32_t place = (uint32_t)((run * packed.groups + group) * GROUP_ENTRIES);
    const AdaboostSlot slot = adaboost_slot(packed.groups, 0, place);
    const uint4 *chunks = packed.chunks + candidate * packed.pitch + slot.chunk;
    const size_t words = (size_t)RUNS * packed.groups;
    const uint32_t begins = packed.bits[candidate * words + slot.word];
    uint4 images[GROUP];
#pragma unroll
    for (int c = 0; c < GROUP; c++) {
        images[c] = chunks[c * LANES];
    }
#pragma unroll
    for (int half = 0; half < 2; half++) {
        constexpr int ENTRIES = GROUP_ENTRIES / 2;
        int64_t taken[ENTRIES];
#pragma unroll
        for (int j = 0; j < ENTRIES; j++) {
            const int entry = half * ENTRIES + j;
            const uint32_t image = image_of(images[entry / CHUNK], entry % CHUNK);
            taken[j] = image < (uint32_t)packed.images ? shares[image] : 0;
        }
#pragma unroll
        for (int j = 0; j < ENTRIES; j++) {
            const int entry = half * ENTRIES + j;
            if ((begins >> entry & 1) != 0) {
                note_sum(extremes, place + (uint32_t)entry);
            }
            extremes.total += taken[j];
        }
    }
    return extremes;
}

using Scan = cub::BlockScan<int64_t, THREADS>;
using ReduceSlice = cub::BlockReduce<Extremes, THREADS>;
using Reduce = cub::BlockReduce<AdaboostBest, THREADS>;

struct Storage {
    union {
        typename Scan::TempStorage scan;
        typename ReduceSlice::TempStorage reduce_slice;
        typename Reduce::TempStorage reduce;
    };
    bool joins;
};

/* The better of both polarities. */
__device__ __forceinline__ AdaboostBest best_of(const Extremes &extremes, int64_t others,
                                                uint32_t candidate) {
    const int64_t polarity_1 = others - extremes.most;
    const int64_t polarity_0 = (int64_t)ADABOOST_TOTAL - others + extremes.least;
    const AdaboostBest one = {(uint64_t)polarity_1, candidate, 2 * extremes.most_at, 0};
    const AdaboostBest zero = {(uint64_t)polarity_0, candidate, 2 * extremes.least_at + 1, 0};
    return AdaboostBetter{}(one, zero);
}

/* What slices have in global memory, of each candidate. */
struct Slices {
    Extremes *found;   /* SLICES */
    uint32_t *arrived; /* of them; 0 between searches */
};

/* The sums of threads that have entries one after the other, from the first thread's on. */
__device__ __forceinline__ int64_t put_after(Extremes &extremes, Storage &storage) {
    int64_t before;
    int64_t total;
    Scan(storage.scan).ExclusiveSum(extremes.total, before, total);
    __syncthreads();
    extremes.most += before;
    extremes.least += before;
    return total;
}

/* Whether this block is the last one that has written its slice: thread 0 has it. */
__device__ __forceinline__ bool write_slice(const Extremes &slice, int number, uint32_t candidate,
                                            const Slices &slices) {
    slices.found[(size_t)candidate * SLICES + number] = slice;
    __threadfence();
    const bool last = atomicAdd(&slices.arrived[candidate], 1U) == SLICES - 1;
    __threadfence();
    return last;
}

__device__ __forceinline__ Extremes read_slice(const Extremes *found) {
    const volatile Extremes *slice = found;
    return {slice->total, slice->most, slice->least, slice->most_at, slice->least_at};
}

/* By all threads of a block, of its slice of a candidate. The answer is thread 0's of the block
 * that joins the slices; others have none. Ends with a barrier. */
__device__ __forceinline__ AdaboostBest search(const Packed &packed, const int64_t *shares,
                                               int64_t others, uint32_t candidate, int slice,
                                               const Slices &slices, Storage &storage) {
    const int thread = (int)threadIdx.x;
    Extremes extremes = walk_group(packed, shares, candidate, slice * SLICE_RUNS + thread / GROUPS,
                                   thread % GROUPS);
    const int64_t total = put_after(extremes, storage);
    extremes = ReduceSlice(storage.reduce_slice).Reduce(extremes, Further{});
    extremes.total = total;
    if (thread == 0) {
        storage.joins = write_slice(extremes, slice, candidate, slices);
    }
    __syncthreads();
    if (!storage.joins) {
        __syncthreads(); /* before the next one is written */
        return adaboost_none();
    }
    const bool is_slice = thread < SLICES;
    extremes =
        is_slice ? read_slice(&slices.found[(size_t)candidate * SLICES + thread]) : no_entries();
    put_after(extremes, storage);
    const AdaboostBest best =
        Reduce(storage.reduce)
            .Reduce(is_slice ? best_of(extremes, others, candidate) : adaboost_none(),
                    AdaboostBetter{});
    if (thread == 0) {
        slices.arrived[candidate] = 0;
    }
    __syncthreads();
    return best;
}

/* SLICES blocks have every so many-th candidate: their threads look at the bounds of as many at
 * once, and together walk those that may be the best. `results` has one for each block. */
__global__ void __launch_bounds__(THREADS, BLOCKS)
    search_bounded(Packed packed, const int64_t *shares, const AdaboostSums *sums,
                   const long long *bounds, const adaboost_bounds::Turn *turn, Slices slices,
                   AdaboostBest *results) {
    start_between_kernels();
    __shared__ Storage storage;
    __shared__ uint32_t chosen[THREADS];
    __shared__ int count;
    if (sums->over) {
        return;
    }
    const size_t team = blockIdx.x / SLICES;
    const size_t teams = gridDim.x / SLICES;
    /* The least error of all is at most its candidate's bound and what that may be too low by. */
    const long long limit = turn->least_bound + 2 * adaboost_bounds::slack_of(turn);
    AdaboostBest best = adaboost_none();
    for (size_t begin = 0; begin * teams < (size_t)packed.candidates; begin += THREADS) {
        const size_t own = (begin + threadIdx.x) * teams + team;
        if (threadIdx.x == 0) {
            count = 0;
        }
        __syncthreads();
        if (own < (size_t)packed.candidates && bounds[own] <= limit) {
            chosen[atomicAdd(&count, 1)] = (uint32_t)own;
        }
        __syncthreads();
        for (int i = 0; i < count; i++) {
            best = AdaboostBetter{}(best, search(packed, shares, (int64_t)sums->others, chosen[i],
                                                 (int)(blockIdx.x % SLICES), slices, storage));
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        if (best.candidate != UINT32_MAX) {
            const AdaboostSlot slot = adaboost_slot(packed.groups, 0, best.key / 2);
            const uint4 chunk = packed.chunks[best.candidate * packed.pitch + slot.chunk];
            best.image = packed.of_rank[image_of(chunk, slot.half)];
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

using RankScan = cub::BlockScan<int, SMALL_THREADS>;
using RankReduce = cub::BlockReduce<int, SMALL_THREADS>;

union RankStorage {
    typename RankScan::TempStorage scan;
    typename RankReduce::TempStorage reduce;
};

/* Images by rank: each thread counts the others before its own image. */
__global__ void __launch_bounds__(SMALL_THREADS)
    rank_images(const uint8_t *labels, int images, int digit, int others, uint16_t *of_rank,
                adaboost_bounds::Turn *turns) {
    __shared__ RankStorage storage;
    __shared__ int before;
    const int begin = (int)blockIdx.x * SMALL_THREADS;
    const int image = begin + (int)threadIdx.x;
    int count = 0;
    for (int i = (int)threadIdx.x; i < begin; i += SMALL_THREADS) {
        count += labels[i] != digit ? 1 : 0;
    }
    count = RankReduce(storage.reduce).Sum(count);
    if (threadIdx.x == 0) {
        before = count;
    }
    __syncthreads();
    const bool is_other = image < images && labels[image] != digit;
    int rank;
    RankScan(storage.scan).ExclusiveSum(is_other ? 1 : 0, rank);
    rank += before;
    if (image < images) {
        of_rank[is_other ? rank : others + image - rank] = (uint16_t)image;
    }
    if (image == 0) {
        turns[0] = adaboost_bounds::fresh_turn();
        turns[1] = adaboost_bounds::fresh_turn();
    }
}

struct FastSearch {
    Packed packed; /* its chunks are the device's */
    uint16_t *of_rank;
    int64_t *ranked;              /* images: shares by rank */
    uint16_t *sizes;              /* images + 1 */
    uint4 *planes;                /* steps × LANES */
    uint32_t *bin_sums;           /* tiles × TILE_SUMS; 0 between searches */
    adaboost_bounds::Walk *walks; /* candidates × BINS */
    long long *bounds;            /* candidates */
    adaboost_exact::Slices slices;
    adaboost_bounds::Turn *turns; /* of this search, and of the next one */
    int turn;
    int shared; /* bytes a block can have */
};

FastSearch *search_of(AdaboostDevice *device) {
    return (FastSearch *)device->search_state;
}

/* --- Opening ---------------------------------------------------------------------------------- */

void size_packed(const AdaboostDevice *device, Packed *packed) {
    const AdaboostPlan *plan = &device->plan;
    packed->chunks = device->chunks;
    packed->pitch = plan->pitch * sizeof *device->values / sizeof *packed->chunks;
    packed->candidates = plan->candidates;
    packed->images = device->images;
    packed->groups = plan->groups;
    packed->others = (int)device->work->others;
    packed->steps_others = adaboost_steps(packed->others);
    packed->steps = packed->steps_others + adaboost_steps((int)device->work->digits);
}

Status open_tables(AdaboostDevice *device) {
    using namespace adaboost_bounds;
    FastSearch *fast = search_of(device);
    Packed *packed = &fast->packed;
    size_packed(device, packed);
    const size_t candidates = (size_t)device->plan.candidates;
    const size_t images = (size_t)device->images;
    const size_t tiles = adaboost_tiles(device->plan.candidates);
    const size_t steps = (size_t)packed->steps;
    const CudaBuffer table[] = {
        cuda_scratch(&packed->bits, candidates * RUNS * packed->groups * sizeof *packed->bits),
        cuda_scratch(&packed->starts, candidates * (BINS + 1) * sizeof *packed->starts),
        cuda_scratch(&packed->lasts, candidates * BINS * sizeof *packed->lasts),
        cuda_scratch(&packed->codes, tiles * steps * 4 * LANES * sizeof *packed->codes),
        cuda_scratch(&fast->of_rank, images * sizeof *fast->of_rank),
        cuda_scratch(&fast->ranked, images * sizeof *fast->ranked),
        cuda_scratch(&fast->sizes, (images + 1) * sizeof *fast->sizes),
        cuda_scratch(&fast->planes, steps * LANES * sizeof *fast->planes),
        cuda_scratch(&fast->bin_sums, tiles * TILE_SUMS * sizeof *fast->bin_sums),
        cuda_scratch(&fast->walks, candidates * BINS * sizeof *fast->walks),
        cuda_scratch(&fast->bounds, candidates * sizeof *fast->bounds),
        cuda_scratch(&fast->slices.found,
                     candidates * adaboost_exact::SLICES * sizeof *fast->slices.found),
        cuda_cleared(&fast->slices.arrived, candidates * sizeof *fast->slices.arrived),
        cuda_scratch(&fast->turns, 2 * sizeof *fast->turns),
    };
    STATUS_TRY(cuda_open_buffers(device, table));
    packed->of_rank = fast->of_rank;
    return status_ok();
}

/* The most there is, for states with more images and fewer stand open together. */
Status allow_shared(int bytes) {
    const void *const kernels[] = {(const void *)adaboost_packing::pack,
                                   (const void *)adaboost_bounds::find_sums,
                                   (const void *)adaboost_bounds::walk_bins};
    for (const void *kernel : kernels) {
        cudaFuncAttributes attributes;
        CUDA_TRY(cudaFuncGetAttributes(&attributes, kernel));
        CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      bytes - (int)attributes.sharedSizeBytes));
    }
    return status_ok();
}

Status open_search(AdaboostDevice *device) {
    STATUS_TRY(cuda_state_part(device, sizeof(FastSearch), &device->search_state));
    FastSearch *fast = search_of(device);
    const int slices = device->plan.packed ? adaboost_exact::SLICES : 1;
    const int teams = std::max(adaboost_exact::BLOCKS * cuda_multiprocessors() / slices, 1);
    device->best_count = std::min(teams, device->plan.candidates) * slices;
    const CudaBuffer table[] = {
        cuda_scratch(&device->best, (size_t)device->best_count * sizeof *device->best)};
    STATUS_TRY(cuda_open_buffers(device, table));
    if (!device->plan.packed) {
        return status_ok();
    }
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &fast->shared));
    STATUS_TRY(allow_shared(fast->shared));
    return open_tables(device);
}

/* What searches find before the first one. */
Status prepare(AdaboostDevice *device) {
    const FastSearch *fast = search_of(device);
    const Packed *packed = &fast->packed;
    const size_t sums = adaboost_tiles(packed->candidates) * adaboost_bounds::TILE_SUMS;
    const size_t tile = (size_t)packed->steps * 4 * LANES;
    const size_t last = (adaboost_tiles(packed->candidates) - 1) * tile;
    CUDA_TRY(cudaMemsetAsync(fast->bin_sums, 0, sums * sizeof *fast->bin_sums, cuda_stream()));
    /* Of the last tile also rows without a candidate are read. */
    CUDA_TRY(cudaMemsetAsync(packed->codes + last, 0, tile * sizeof *packed->codes, cuda_stream()));
    rank_images<<<adaboost_blocks(device->images, SMALL_THREADS), SMALL_THREADS, 0,
                  cuda_stream()>>>(device->labels, device->images, device->point.digit,
                                   packed->others, fast->of_rank, fast->turns);
    return CUDA_LAUNCHED();
}

Status pack(AdaboostDevice *device) {
    const FastSearch *fast = search_of(device);
    const size_t fixed = adaboost_packing_bytes(device->images);
    const size_t room = (size_t)fast->shared - sizeof(adaboost_packing::Shared) - fixed;
    const uint32_t levels = (uint32_t)(room / sizeof(uint32_t)) * 2;
    STATUS_TRY(prepare(device));
    adaboost_packing::pack<<<(unsigned)cuda_multiprocessors(), adaboost_packing::THREADS,
                             fixed + levels * sizeof(uint16_t), cuda_stream()>>>(fast->packed,
                                                                                 levels);
    return CUDA_LAUNCHED();
}

/* --- A round ---------------------------------------------------------------------------------- */

Status find_sums(AdaboostDevice *device, adaboost_bounds::Turn *turn, adaboost_bounds::Turn *next) {
    using namespace adaboost_bounds;
    const FastSearch *fast = search_of(device);
    const Rounding rounding = {device->shares,           fast->ranked, fast->sizes,
                               (uint32_t *)fast->planes, turn,         next};
    const unsigned steps = (unsigned)fast->packed.steps;
    STATUS_TRY(
        launch_early(round_shares, steps, SMALL_THREADS, fast->packed, device->sums, rounding));
    return launch_early_sharing(adaboost_bounds::find_sums, (unsigned)cuda_multiprocessors(),
                                SUM_THREADS, steps * LANES * sizeof(uint4), fast->packed,
                                fast->planes, device->sums, fast->bin_sums);
}

Status find_bounds(AdaboostDevice *device, adaboost_bounds::Turn *turn) {
    using namespace adaboost_bounds;
    const FastSearch *fast = search_of(device);
    const unsigned blocks = adaboost_blocks(fast->packed.candidates, SMALL_THREADS);
    STATUS_TRY(launch_early(judge_starts, blocks, SMALL_THREADS, fast->packed.candidates,
                            fast->bin_sums, device->sums, turn));
    STATUS_TRY(launch_early(choose_bins, blocks, SMALL_THREADS, fast->packed, fast->bin_sums,
                            device->sums, turn, fast->walks, fast->bounds));
    return launch_early_sharing(walk_bins, (unsigned)cuda_multiprocessors(), WALK_THREADS,
                                ((size_t)device->images + 1) * sizeof(uint16_t), fast->packed,
                                fast->sizes, device->sums, fast->walks, turn, fast->bounds);
}

Status search(AdaboostDevice *device) {
    using namespace adaboost_exact;
    FastSearch *fast = search_of(device);
    const unsigned blocks = (unsigned)device->best_count;
    if (!device->plan.packed) {
        search_all<<<blocks, adaboost_block::THREADS, 0, cuda_stream()>>>(
            device->order, device->shares, device->plan, device->sums, device->best);
        return CUDA_LAUNCHED();
    }
    adaboost_bounds::Turn *turn = &fast->turns[fast->turn];
    fast->turn = 1 - fast->turn;
    STATUS_TRY(find_sums(device, turn, &fast->turns[fast->turn]));
    STATUS_TRY(find_bounds(device, turn));
    return launch_early(search_bounded, blocks, adaboost_exact::THREADS, fast->packed, fast->ranked,
                        device->sums, fast->bounds, turn, fast->slices, device->best);
}

} // namespace

const AdaboostSearch adaboost_cuda_fast_search = {pack, open_search, adaboost_cuda_arrange_order,
                                                  search};

Status adaboost_cuda_fast_open(const Request *request, void **state) {
    return adaboost_cuda_open_with(request, &adaboost_cuda_fast_search, state);
}
