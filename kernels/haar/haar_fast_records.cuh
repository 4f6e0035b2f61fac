/*
 * Records of cuda_fast: what the search noted is looked at a second time, every lane of a warp with
 * something to look at, and written where the records of the warp lie together.
 */
#ifndef KERNELS_HAAR_HAAR_FAST_RECORDS_CUH
#define KERNELS_HAAR_HAAR_FAST_RECORDS_CUH

#include <cub/warp/warp_scan.cuh>

#include "haar_fast_values.cuh"

namespace haar_fast {

/* --- What a find stands for --------------------------------------------------------------------
 */

/* The values of a find again, and for each value which of its heights are kept: bit parts × i + n
 * stands for the n-th height of value i. */
template <int LOOP> struct Found;

__device__ __forceinline__ bool keeps(const Job &job, float value) {
    return fabsf(value) > job.threshold;
}

template <> struct Found<LOOP_COLUMNS> {
    static constexpr int VALUES = 2 * ROWS;
    static constexpr int PARTS = 1;
    float values[VALUES];

    __device__ static int type_of(int i) {
        return i < ROWS ? HAAR_TWO_COLUMNS : HAAR_THREE_COLUMNS;
    }
    __device__ static int height_of(int y, int turn) {
        return turn - y;
    }
    __device__ void load(const Sums &sums, int y0, int k, int) {
        float upper_halves[ROWS], upper_thirds[ROWS];
        load_rows(sums.halves + y0, upper_halves);
        load_rows(sums.thirds + y0, upper_thirds);
        columns_values(sums.halves[k], sums.thirds[k], upper_halves, upper_thirds, values);
    }
};

template <> struct Found<LOOP_HALVES> {
    static constexpr int VALUES = 2 * ROWS;
    static constexpr int PARTS = 2;
    float values[VALUES];

    __device__ static int type_of(int i) {
        return i < ROWS ? HAAR_TWO_ROWS : HAAR_CHECKER;
    }
    __device__ static int height_of(int y, int turn) {
        return 2 * (turn - y);
    }
    __device__ void load(const Sums &sums, int y0, int m, int last) {
        float upper_whole[ROWS], upper_halves[ROWS], lower_whole[ROWS], lower_halves[ROWS];
        load_rows(sums.whole + y0, upper_whole);
        load_rows(sums.halves + y0, upper_halves);
#pragma unroll
        for (int j = 0; j < ROWS; ++j) {
            const int lower = min(max(2 * m - y0 - j, 0), last);
            lower_whole[j] = sums.whole[lower];
            lower_halves[j] = sums.halves[lower];
        }
        halves_values(sums.whole[m], sums.halves[m], upper_whole, upper_halves, lower_whole,
                      lower_halves, values);
    }
};

template <> struct Found<LOOP_THIRDS> {
    static constexpr int VALUES = ROWS;
    static constexpr int PARTS = 3;
    float values[VALUES];

    __device__ static int type_of(int) {
        return HAAR_THREE_ROWS;
    }
    __device__ static int height_of(int, int turn) {
        return 3 * turn;
    }
    __device__ void load(const Sums &sums, int y0, int cell, int) {
        float upper[ROWS];
        load_rows(sums.whole + y0, upper);
        thirds_values(sums.whole, y0, cell, upper, values);
    }
};

/* Which records a find stands for. A value belongs to as many heights as leave its cells as they
 * are: `PARTS` × the cell's, and the next ones. */
template <int LOOP>
__device__ __forceinline__ uint32_t kept_records(const Job &job, const Found<LOOP> &found, int y0,
                                                 int turn) {
    constexpr int PARTS = Found<LOOP>::PARTS;
    uint32_t kept = 0;
#pragma unroll
    for (int i = 0; i < Found<LOOP>::VALUES; ++i) {
        const int y = y0 + i % ROWS;
        const int least = Found<LOOP>::height_of(y, turn);
        const bool passes = keeps(job, found.values[i]) && least > 0;
#pragma unroll
        for (int n = 0; n < PARTS; ++n) {
            const int h = least + n;
            if (passes && h >= job.min_side && y + h <= job.height) {
                kept |= 1U << (PARTS * i + n);
            }
        }
    }
    return kept;
}

/* --- Where records go --------------------------------------------------------------------------
 */

/* Room for `count` records of a warp: in shared memory, or else in global memory. */
struct Place {
    uint64_t *at; /* of the warp's first record */
    size_t room;  /* records from there on */
};

__device__ __forceinline__ Place take_room(const Job &job, const Shared &shared, unsigned count) {
    unsigned long long first = 0;
    bool here = true;
    if (threadIdx.x % LANES == 0) {
        const unsigned place = atomicAdd(&shared.counters->records, count);
        first = place;
        here = place + count <= (unsigned)job.record_room;
        if (!here) {
            atomicMin(&shared.counters->filled, place);
            first = atomicAdd(job.cursor, (unsigned long long)count);
        }
    }
    first = __shfl_sync(ALL_LANES, first, 0);
    here = __shfl_sync(ALL_LANES, (int)here, 0) != 0;
    if (here) {
        return Place{shared.records + first, count};
    }
    return Place{job.records + first, first < job.capacity ? job.capacity - first : 0};
}

/* A lane's finds; `some` is false for a lane that has none. By a whole warp. */
template <int LOOP>
__device__ __noinline__ void put_records(const Job &job, const HaarChunk &chunk,
                                         const Shared &shared, uint64_t picture, bool some,
                                         uint32_t find) {
    constexpr int PARTS = Found<LOOP>::PARTS;
    const int y0 = some ? find_y(find) : 0;
    const int turn = some ? find_turn(find) : 0;
    const HaarItem item = job.items[chunk.first_item + (some ? find_item(find) : 0)];
    Found<LOOP> found;
    found.load(sums_of(job, shared, item), y0, turn, job.height + ROWS_BEYOND);
    const uint32_t kept = some ? kept_records<LOOP>(job, found, y0, turn) : 0;
    using Scan = cub::WarpScan<unsigned>;
    typename Scan::TempStorage storage; /* of whole warps it is empty */
    unsigned before, all;
    Scan(storage).ExclusiveSum((unsigned)__popc(kept), before, all);
    if (all == 0) {
        return;
    }
    const Place place = take_room(job, shared, all);
    size_t next = before;
    const HaarPacking &packing = job.packing;
    const int b = packing.value_bits;
    const int s = packing.side_bits;
    const uint64_t common = picture | (uint64_t)item.x << (b + 3 * s) | (uint64_t)item.w << (b + s);
#pragma unroll
    for (int i = 0; i < Found<LOOP>::VALUES; ++i) {
        const int y = y0 + i % ROWS;
        const uint64_t of_value = common | (uint64_t)Found<LOOP>::type_of(i) << packing.type_shift |
                                  (uint64_t)y << (b + 2 * s) |
                                  (uint64_t)(uint32_t)((int)found.values[i] + packing.value_offset);
#pragma unroll
        for (int n = 0; n < PARTS; ++n) {
            if ((kept >> (PARTS * i + n) & 1U) != 0) {
                const int h = Found<LOOP>::height_of(y, turn) + n;
                if (next < place.room) {
                    place.at[next] = of_value | (uint64_t)h << b;
                }
                ++next;
            }
        }
    }
}

template <int LOOP>
__device__ __forceinline__ void put_finds(const Job &job, const HaarChunk &chunk,
                                          const Shared &shared, uint64_t picture) {
    const int count = (int)min(shared.counters->finds[LOOP], (unsigned)FINDS_MAX);
    const int lane = threadIdx.x % LANES;
    for (int first = (int)threadIdx.x - lane; first < count; first += THREADS) {
        const bool some = first + lane < count;
        const uint32_t find = some ? shared.finds[LOOP * FINDS_MAX + first + lane] : 0;
        put_records<LOOP>(job, chunk, shared, picture, some, find);
    }
}

/* The records in shared memory go to global memory in one piece. */
__device__ void flush_records(const Job &job, const Shared &shared) {
    Counters *counters = shared.counters;
    const unsigned count = min(counters->records, counters->filled);
    if (threadIdx.x == 0 && count > 0) {
        counters->place = atomicAdd(job.cursor, (unsigned long long)count);
    }
    __syncthreads();
    const unsigned long long place = counters->place;
    for (unsigned i = threadIdx.x; i < count; i += THREADS) {
        if (place + i < job.capacity) {
            job.records[place + i] = shared.records[i];
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        counters->records = 0;
        counters->filled = (unsigned)job.record_room;
    }
}

} // namespace haar_fast

#endif
