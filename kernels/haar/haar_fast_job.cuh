/* What the parts of cuda_fast's kernel share: the job, and a block's shared memory. */
#ifndef KERNELS_HAAR_HAAR_FAST_JOB_CUH
#define KERNELS_HAAR_HAAR_FAST_JOB_CUH

#include "haar.h"
#include "haar_plan.h"

namespace haar_fast {

constexpr int LANES = HAAR_PLAN_LANES;
constexpr int ROWS = HAAR_PLAN_ROWS;
constexpr int ROWS_BEYOND = ROWS - 1; /* read below the picture, never used */
constexpr int THREADS = 512;
constexpr int WARPS = THREADS / LANES;
constexpr uint32_t ALL_LANES = 0xFFFFFFFFU;

/* The three loops of the search, each with a list of what it found. */
enum Loop { LOOP_COLUMNS, LOOP_HALVES, LOOP_THIRDS, LOOPS };
constexpr int FINDS_MAX = 512; /* of each */

struct Job {
    const uint8_t *pixels; /* of picture `first`, and on */
    int first, pictures;
    int width, height, min_side;
    float threshold;
    HaarPacking packing;
    const HaarItem *items;
    const HaarColumn *columns;
    const HaarUnit *units;
    const HaarChunk *chunks;
    int chunk_count;
    int stride, column_entries, record_room;
    uint64_t *records;
    unsigned long long *cursor;
    size_t capacity;
};

/* Where the counters of a block are. */
struct Counters {
    unsigned next_unit;
    unsigned finds[LOOPS];
    unsigned records; /* also those that there was no room for */
    unsigned filled;  /* records without a gap, as soon as one had no room */
    unsigned long long place;
};

struct Shared {
    uint64_t *records; /* record_room */
    float *columns;    /* `stride` entries each */
    float *integral;   /* as haar_integral.cuh lays it out */
    uint32_t *finds;   /* LOOPS × FINDS_MAX */
    Counters *counters;
};

/* A turn of a loop in which a lane's values passed the threshold: everything that is needed to look
 * at them again. */
__device__ __forceinline__ uint32_t pack_find(int item, int y0, int turn) {
    return (uint32_t)item | (uint32_t)y0 << 9 | (uint32_t)turn << 17;
}
__device__ __forceinline__ int find_item(uint32_t find) {
    return (int)(find & 0x1FFU);
}
__device__ __forceinline__ int find_y(uint32_t find) {
    return (int)(find >> 9 & 0xFFU);
}
__device__ __forceinline__ int find_turn(uint32_t find) {
    return (int)(find >> 17);
}
static_assert(HAAR_PLAN_ITEMS_MAX <= 1 << 9, "an item has nine bits in a find");

/* The columns of an item. */
struct Sums {
    const float *whole, *halves, *thirds;
};

__device__ __forceinline__ Sums sums_of(const Job &job, const Shared &shared, HaarItem item) {
    return Sums{shared.columns + item.whole * job.stride, shared.columns + item.halves * job.stride,
                shared.columns + item.thirds * job.stride};
}

} // namespace haar_fast

#endif
