/* The kernel of cuda_fast, in its parts; haar_fast.cu says why it is as it is. */
#ifndef KERNELS_HAAR_HAAR_FAST_KERNEL_CUH
#define KERNELS_HAAR_HAAR_FAST_KERNEL_CUH

#include <cub/warp/warp_scan.cuh>

#include "haar.h"
#include "haar_integral.cuh"
#include "haar_plan.h"

namespace haar_fast {

/* === The job ================================================================================== */

/* What the parts of cuda_fast's kernel share: the job, and a block's shared memory. */

constexpr int LANES = HAAR_PLAN_LANES;
constexpr int ROWS = HAAR_PLAN_ROWS;
constexpr int ROWS_BEYOND = ROWS - 1; /* read below the image, never used */
constexpr int THREADS = 512;
constexpr int WARPS = THREADS / LANES;
constexpr uint32_t ALL_LANES = 0xFFFFFFFFU;

/* The three loops of the search, each with a list of what it found. */
enum Loop { LOOP_COLUMNS, LOOP_HALVES, LOOP_THIRDS, LOOPS };
constexpr int FINDS_MAX = 512; /* of each */

struct Job {
    const uint8_t *pixels; /* of image `first` of the set, and on */
    int first, images;
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

/* === Columns ================================================================================== */

/* Columns of an image from its integral image, in shared memory. Whole numbers below 2^24, exact.
 */

/* A column's number of one row of I: weights for its entries at x, x + c, x + 2c and x + 3c. The
 * sums in between are whole numbers of less than 2^24 too. */
struct Split {
    int second, third, fourth; /* distances of entries; 0 for one of weight 0 */
    float weights[4];
};

__device__ __forceinline__ Split split_of(HaarColumn column) {
    const int c = column.cell;
    switch (column.kind) {
    case HAAR_COLUMN_WHOLE: return Split{c, 0, 0, {-1, 1, 0, 0}};
    case HAAR_COLUMN_HALVES: return Split{c, 2 * c, 0, {-1, 2, -1, 0}};
    default: return Split{c, 2 * c, 3 * c, {-1, 3, -3, 1}};
    }
}

__device__ __forceinline__ float split_row(const float *at, const Split &split) {
    return fmaf(split.weights[3], at[split.fourth],
                fmaf(split.weights[2], at[split.third],
                     fmaf(split.weights[1], at[split.second], split.weights[0] * at[0])));
}

/* A thread fills a quarter of a column, so that work divides evenly. Rows beyond the image repeat
 * the last one: what is read there is never kept. Ends with a barrier. */
__device__ void build_columns(const Job &job, const HaarChunk &chunk, const Shared &shared) {
    constexpr int PARTS = 4;
    const int rows = job.height + 1;
    const int part_rows = (rows + PARTS - 1) / PARTS;
    for (int i = threadIdx.x; i < chunk.columns * PARTS; i += THREADS) {
        const int part = i / chunk.columns;
        const int place = i - part * chunk.columns;
        const int begin = part * part_rows;
        const int end = min(begin + part_rows, rows);
        const HaarColumn column = job.columns[chunk.first_column + place];
        const Split split = split_of(column);
        const float *at = shared.integral + begin * haar_stride(job.width) + column.x;
        float *entries = shared.columns + place * job.stride;
        float value = 0;
        for (int y = begin; y < end; y++) {
            value = split_row(at, split);
            entries[y] = value;
            at += haar_stride(job.width);
        }
        for (int y = rows; begin < rows && end == rows && y < job.stride; y++) {
            entries[y] = value;
        }
    }
    __syncthreads();
}

/* === Values =================================================================================== */

/*
 * The values of one turn of each loop, for the search and for the second look at what it found.
 *
 * A turn has the upper edges y0 … y0 + 3 and
 *   columns: the lower edge `turn`; values of splits in two columns, then in three;
 *   halves:  the middle `turn`, the lower edge as far below it as the upper one is above; values of
 *            splits in two rows, then of the checker;
 *   thirds:  the height `turn` of a cell.
 */

__device__ __forceinline__ void load_rows(const float *column, float (&rows)[ROWS]) {
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        rows[j] = column[j];
    }
}

/* The difference of a column's numbers at the lower and at the upper edge. */
__device__ __forceinline__ void columns_values(float halves, float thirds,
                                               const float (&upper_halves)[ROWS],
                                               const float (&upper_thirds)[ROWS],
                                               float (&values)[2 * ROWS]) {
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        values[j] = halves - upper_halves[j];
        values[ROWS + j] = thirds - upper_thirds[j];
    }
}

/* What is between upper edge and middle less what is between middle and lower edge. */
__device__ __forceinline__ void
halves_values(float middle_whole, float middle_halves, const float (&upper_whole)[ROWS],
              const float (&upper_halves)[ROWS], const float (&lower_whole)[ROWS],
              const float (&lower_halves)[ROWS], float (&values)[2 * ROWS]) {
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        values[j] = fmaf(2, middle_whole, -upper_whole[j]) - lower_whole[j];
        values[ROWS + j] = fmaf(2, middle_halves, -upper_halves[j]) - lower_halves[j];
    }
}

/* The whole less three times its middle third. */
__device__ __forceinline__ void thirds_values(const float *whole, int y0, int cell,
                                              const float (&upper)[ROWS], float (&values)[ROWS]) {
    const float *first = whole + y0 + cell;
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        values[j] = fmaf(3, first[j] - first[cell + j], first[2 * cell + j] - upper[j]);
    }
}

/* === Records ================================================================================== */

/*
 * Records of cuda_fast: what the search noted is evaluated a second time, every lane of a warp with
 * something to do, and written where the records of the warp lie together.
 */

/* --- What a find stands for ------------------------------------------------------------------- */

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
        for (int j = 0; j < ROWS; j++) {
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
    for (int i = 0; i < Found<LOOP>::VALUES; i++) {
        const int y = y0 + i % ROWS;
        const int least = Found<LOOP>::height_of(y, turn);
        const bool passes = keeps(job, found.values[i]) && least > 0;
#pragma unroll
        for (int n = 0; n < PARTS; n++) {
            const int h = least + n;
            if (passes && h >= job.min_side && y + h <= job.height) {
                kept |= 1U << (PARTS * i + n);
            }
        }
    }
    return kept;
}

/* --- Where records go ------------------------------------------------------------------------- */

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
                                         const Shared &shared, uint64_t image, bool some,
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
    const uint64_t common = image | (uint64_t)item.x << (b + 3 * s) | (uint64_t)item.w << (b + s);
#pragma unroll
    for (int i = 0; i < Found<LOOP>::VALUES; i++) {
        const int y = y0 + i % ROWS;
        const uint64_t of_value = common | (uint64_t)Found<LOOP>::type_of(i) << packing.type_shift |
                                  (uint64_t)y << (b + 2 * s) |
                                  (uint64_t)(uint32_t)((int)found.values[i] + packing.value_offset);
#pragma unroll
        for (int n = 0; n < PARTS; n++) {
            if ((kept >> (PARTS * i + n) & 1U) != 0) {
                const int h = Found<LOOP>::height_of(y, turn) + n;
                if (next < place.room) {
                    place.at[next] = of_value | (uint64_t)h << b;
                }
                next++;
            }
        }
    }
}

template <int LOOP>
__device__ __forceinline__ void put_finds(const Job &job, const HaarChunk &chunk,
                                          const Shared &shared, uint64_t image) {
    const int count = (int)min(shared.counters->finds[LOOP], (unsigned)FINDS_MAX);
    const int lane = threadIdx.x % LANES;
    for (int first = (int)threadIdx.x - lane; first < count; first += THREADS) {
        const bool some = first + lane < count;
        const uint32_t find = some ? shared.finds[LOOP * FINDS_MAX + first + lane] : 0;
        put_records<LOOP>(job, chunk, shared, image, some, find);
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

/* === Search =================================================================================== */

/*
 * The search of cuda_fast: each warp takes units of work and notes where a value passes. No branch
 * of it depends on a single lane.
 */

/* One lane's part of a unit. */
struct Lane {
    Sums sums;
    int item;        /* in the chunk */
    float threshold; /* infinite for a lane without an item */
    uint64_t image;
};

template <int N> __device__ __forceinline__ float largest(const float (&values)[N]) {
    float result = fabsf(values[0]);
#pragma unroll
    for (int i = 1; i < N; i++) {
        result = fmaxf(result, fabsf(values[i]));
    }
    return result;
}

/* Notes a turn in the list of its loop; where the list is full, it is processed at once. */
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
        put_records<LOOP>(job, chunk, shared, lane.image, passes && !fits, find);
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
    for (int k = y0 + least; k <= job.height; k++) {
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
    for (; lower <= job.height + ROWS_BEYOND && m < job.height; m++, lower += 2) {
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
    for (int cell = least; y0 + 3 * cell <= job.height; cell++) {
        float values[ROWS];
        thirds_values(lane.sums.whole, y0, cell, upper, values);
        HAAR_NOTE(LOOP_THIRDS, values, cell);
    }
}

#undef HAAR_NOTE

__device__ __forceinline__ void search_unit(const Job &job, const HaarChunk &chunk,
                                            const Shared &shared, uint64_t image, HaarUnit unit) {
    const int place = threadIdx.x % LANES;
    const bool some = place < unit.items;
    Lane lane;
    lane.item = unit.first_item + (some ? place : 0);
    lane.sums = sums_of(job, shared, job.items[chunk.first_item + lane.item]);
    lane.threshold = some ? job.threshold : INFINITY;
    lane.image = image;
    search_columns(job, chunk, shared, lane, unit.y, unit.height);
    search_halves(job, chunk, shared, lane, unit.y, unit.half);
    search_thirds(job, chunk, shared, lane, unit.y, unit.third);
}

/* Warps take the next unit as they come, the longest first. */
__device__ __forceinline__ void search_chunk(const Job &job, const HaarChunk &chunk,
                                             const Shared &shared, uint64_t image) {
    for (;;) {
        unsigned next = 0;
        if (threadIdx.x % LANES == 0) {
            next = atomicAdd(&shared.counters->next_unit, 1U);
        }
        next = __shfl_sync(ALL_LANES, next, 0);
        if (next >= (unsigned)chunk.units) {
            return;
        }
        search_unit(job, chunk, shared, image, job.units[chunk.first_unit + (int)next]);
    }
}

/* === The kernel =============================================================================== */

constexpr int BLOCKS_WANTED = 2; /* on a multiprocessor, where shared memory suffices */

/* Begins a chunk: nothing taken, nothing found. */
__device__ __forceinline__ void clear_counters(Counters *counters) {
    if (threadIdx.x == 0) {
        counters->next_unit = 0;
        for (int loop = 0; loop < LOOPS; loop++) {
            counters->finds[loop] = 0;
        }
    }
}

__device__ __forceinline__ Shared divide_shared(const Job &job, float *memory, Counters *counters) {
    Shared shared;
    shared.records = (uint64_t *)memory;
    shared.columns = memory + 2 * job.record_room;
    shared.finds = (uint32_t *)(shared.columns + job.column_entries);
    shared.integral = (float *)(shared.finds + LOOPS * FINDS_MAX);
    shared.counters = counters;
    return shared;
}

/* A block takes an image at a time. */
__global__ void __launch_bounds__(THREADS, BLOCKS_WANTED)
    search_kernel(const __grid_constant__ Job job) {
    extern __shared__ __align__(16) float memory[];
    __shared__ Counters counters;
    const Shared shared = divide_shared(job, memory, &counters);
    if (threadIdx.x == 0) {
        counters.records = 0;
        counters.filled = (unsigned)job.record_room;
    }
    for (int image = blockIdx.x; image < job.images; image += gridDim.x) {
        const uint64_t bits = (uint64_t)(job.first + image) << job.packing.image_shift;
        block_integral<THREADS>(job.pixels + (size_t)image * job.width * job.height, job.width,
                                job.height, shared.integral);
        for (int i = 0; i < job.chunk_count; i++) {
            const HaarChunk chunk = job.chunks[i];
            clear_counters(&counters);
            build_columns(job, chunk, shared);
            search_chunk(job, chunk, shared, bits);
            __syncthreads();
            put_finds<LOOP_COLUMNS>(job, chunk, shared, bits);
            put_finds<LOOP_HALVES>(job, chunk, shared, bits);
            put_finds<LOOP_THIRDS>(job, chunk, shared, bits);
            __syncthreads();
        }
        flush_records(job, shared);
    }
}

} // namespace haar_fast

#endif
