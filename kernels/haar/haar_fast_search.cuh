/*
 * The search of cuda_fast: each warp takes units of work and notes where a value passes. No branch
 * of it depends on a single lane.
 */
#ifndef KERNELS_HAAR_HAAR_FAST_SEARCH_CUH
#define KERNELS_HAAR_HAAR_FAST_SEARCH_CUH

#include "haar_fast_records.cuh"
#include "haar_fast_values.cuh"

namespace haar_fast {

/* One lane's part of a unit. */
struct Lane {
    Sums sums;
    int item;        /* in the chunk */
    float threshold; /* infinite for a lane without an item */
    uint64_t picture;
};

template <int N> __device__ __forceinline__ float largest(const float (&values)[N]) {
    float result = fabsf(values[0]);
#pragma unroll
    for (int i = 1; i < N; ++i) {
        result = fmaxf(result, fabsf(values[i]));
    }
    return result;
}

/* Notes a turn in the list of its loop; where the list is full, it is dealt with at once. */
template <int LOOP>
__device__ __forceinline__ void note(const Job &job, const HaarChunk &chunk, const Shared &shared,
                                     const Lane &lane, bool passes, uint32_t mask, int y0,
                                     int turn) {
    const uint32_t below = (1U << (threadIdx.x % LANES)) - 1;
    const int leader = __ffs((int)mask) - 1;
    unsigned place = 0;
    if ((int)(threadIdx.x % LANES) == leader) {
        place = atomicAdd(&shared.counters->finds[LOOP], (unsigned)__popc(mask));
    }
    place = __shfl_sync(ALL_LANES, place, leader);
    const uint32_t find = pack_find(lane.item, y0, turn);
    const unsigned mine = place + (unsigned)__popc(mask & below);
    const bool fits = mine < FINDS_MAX;
    if (passes && fits) {
        shared.finds[LOOP * FINDS_MAX + mine] = find;
    }
    if (place + (unsigned)__popc(mask) > FINDS_MAX) {
        put_records<LOOP>(job, chunk, shared, lane.picture, passes && !fits, find);
    }
}

#define HAAR_NOTE(LOOP, values, turn)                                                              \
    do {                                                                                           \
        const bool passes = largest(values) > lane.threshold;                                      \
        const uint32_t mask = __ballot_sync(ALL_LANES, passes);                                    \
        if (mask != 0) {                                                                           \
            note<LOOP>(job, chunk, shared, lane, passes, mask, y0, turn);                          \
        }                                                                                          \
    } while (0)

__device__ __forceinline__ void search_columns(const Job &job, const HaarChunk &chunk,
                                               const Shared &shared, const Lane &lane, int y0,
                                               int least) {
    float upper_halves[ROWS], upper_thirds[ROWS];
    load_rows(lane.sums.halves + y0, upper_halves);
    load_rows(lane.sums.thirds + y0, upper_thirds);
    for (int k = y0 + least; k <= job.height; ++k) {
        float values[2 * ROWS];
        columns_values(lane.sums.halves[k], lane.sums.thirds[k], upper_halves, upper_thirds,
                       values);
        HAAR_NOTE(LOOP_COLUMNS, values, k);
    }
}

/* Going down, two of the four lower edges are those of the turn before. */
__device__ __forceinline__ void search_halves(const Job &job, const HaarChunk &chunk,
                                              const Shared &shared, const Lane &lane, int y0,
                                              int least) {
    const float *whole = lane.sums.whole;
    const float *halves = lane.sums.halves;
    float upper_whole[ROWS], upper_halves[ROWS];
    load_rows(whole + y0, upper_whole);
    load_rows(halves + y0, upper_halves);
    int m = y0 + least;
    int lower = 2 * m - y0; /* the lower edge of the first of the four */
    const int before = max(lower - 3, 0);
    float lower_whole[ROWS] = {0, 0, whole[min(lower - 2, job.height)],
                               whole[min(before, job.height)]};
    float lower_halves[ROWS] = {0, 0, halves[min(lower - 2, job.height)],
                                halves[min(before, job.height)]};
    for (; lower <= job.height + ROWS_BEYOND && m < job.height; ++m, lower += 2) {
        lower_whole[0] = whole[lower];
        lower_whole[1] = whole[lower - 1];
        lower_halves[0] = halves[lower];
        lower_halves[1] = halves[lower - 1];
        float values[2 * ROWS];
        halves_values(whole[m], halves[m], upper_whole, upper_halves, lower_whole, lower_halves,
                      values);
        HAAR_NOTE(LOOP_HALVES, values, m);
        lower_whole[2] = lower_whole[0];
        lower_whole[3] = lower_whole[1];
        lower_halves[2] = lower_halves[0];
        lower_halves[3] = lower_halves[1];
    }
}

__device__ __forceinline__ void search_thirds(const Job &job, const HaarChunk &chunk,
                                              const Shared &shared, const Lane &lane, int y0,
                                              int least) {
    float upper[ROWS];
    load_rows(lane.sums.whole + y0, upper);
    for (int cell = least; y0 + 3 * cell <= job.height; ++cell) {
        float values[ROWS];
        thirds_values(lane.sums.whole, y0, cell, upper, values);
        HAAR_NOTE(LOOP_THIRDS, values, cell);
    }
}

#undef HAAR_NOTE

__device__ __forceinline__ void search_unit(const Job &job, const HaarChunk &chunk,
                                            const Shared &shared, uint64_t picture, HaarUnit unit) {
    const int place = threadIdx.x % LANES;
    const bool some = place < unit.items;
    Lane lane;
    lane.item = unit.first_item + (some ? place : 0);
    lane.sums = sums_of(job, shared, job.items[chunk.first_item + lane.item]);
    lane.threshold = some ? job.threshold : INFINITY;
    lane.picture = picture;
    search_columns(job, chunk, shared, lane, unit.y, unit.height);
    search_halves(job, chunk, shared, lane, unit.y, unit.half);
    search_thirds(job, chunk, shared, lane, unit.y, unit.third);
}

/* Warps take the next unit as they come, the longest first. */
__device__ __forceinline__ void search_chunk(const Job &job, const HaarChunk &chunk,
                                             const Shared &shared, uint64_t picture) {
    for (;;) {
        unsigned next = 0;
        if (threadIdx.x % LANES == 0) {
            next = atomicAdd(&shared.counters->next_unit, 1U);
        }
        next = __shfl_sync(ALL_LANES, next, 0);
        if (next >= (unsigned)chunk.units) {
            return;
        }
        search_unit(job, chunk, shared, picture, job.units[chunk.first_unit + (int)next]);
    }
}

} // namespace haar_fast

#endif
