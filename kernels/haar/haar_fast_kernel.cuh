/* The kernel of cuda_fast, in its parts; haar_fast.cu says why it is as it is. */
#ifndef KERNELS_HAAR_HAAR_FAST_KERNEL_CUH
#define KERNELS_HAAR_HAAR_FAST_KERNEL_CUH

#include "haar.h"
#include "haar_integral.cuh"
#include "haar_plan.h"
#include "warp_scan.cuh"

namespace haar_fast {

/* === The job ================================================================================== */

/* What the parts of cuda_fast's kernel share: the job, and a block's shared memory. */

constexpr int LANES = 32;
constexpr int STARTS = 4; /* of features on a line that a lane searches together */
constexpr int THREADS = 128;
constexpr int BLOCKS_WANTED = 8; /* on a multiprocessor, where shared memory suffices */
constexpr int LINES_MAX = 512;   /* of the plan that are looked at together */
constexpr uint32_t ALL_LANES = 0xFFFFFFFFU;

/* The two loops of the search, each with a list of lines to search and one of what it found. */
enum Loop { LOOP_DIFFERENCES, LOOP_CHECKERS, LOOPS };
constexpr int FINDS_MAX = 512; /* of each */

struct Job {
    const uint8_t *pixels; /* of image `first` of the set, and on */
    int first, images;
    int width, height, min_side;
    float threshold;
    HaarPacking packing;
    const HaarLine *lines;
    int line_count;
    int groups[LOOPS]; /* of STARTS on the longest line */
    int record_room;
    uint64_t *records;
    unsigned long long *cursor;
    size_t capacity;
};

/* Where the counters of a block are. */
struct Counters {
    unsigned next_unit;
    unsigned listed[LOOPS];
    unsigned finds[LOOPS];
    unsigned records; /* also those that there was no room for */
    unsigned filled;  /* records without a gap, as soon as one had no room */
    unsigned long long place;
};

struct Shared {
    uint64_t *records; /* record_room */
    float *integral;   /* as haar_integral.cuh lays it out */
    uint32_t *finds;   /* LOOPS × FINDS_MAX */
    uint16_t *listed;  /* LOOPS × LINES_MAX: lines of the plan */
    Counters *counters;
};

/* STARTS features on a line of which one passed the threshold: everything that is needed to look at
 * them again. */
__device__ __forceinline__ uint32_t pack_find(int line, int start, int turn) {
    return (uint32_t)line | (uint32_t)start << 16 | (uint32_t)turn << 24;
}
__device__ __forceinline__ int find_line(uint32_t find) {
    return (int)(find & 0xFFFFU);
}
__device__ __forceinline__ int find_start(uint32_t find) {
    return (int)(find >> 16 & 0xFFU);
}
__device__ __forceinline__ int find_turn(uint32_t find) {
    return (int)(find >> 24);
}
static_assert(HAAR_PLAN_LINES_MAX <= 1 << 16, "a line has sixteen bits in a find");

/* === Numbers of a line ======================================================================== */

/* The integral image's entries at the edges of a line's cells, and their weights. Sums of them are
 * whole numbers below 2^24, exact; so are those in between. */
struct Cells {
    const float *at;           /* the first edge, at the line's beginning */
    int along;                 /* entries to the next place */
    int second, third, fourth; /* distances of edges; 0 for one of weight 0 */
    float weights[4];
    int length; /* places */
};

__device__ __forceinline__ Cells cells_of(const Job &job, const Shared &shared, HaarLine line) {
    const int stride = haar_stride(job.width);
    const int across = line.rows != 0 ? stride : 1;
    const bool three = line.cells == 3;
    Cells cells;
    cells.at = shared.integral + line.place * across;
    cells.along = line.rows != 0 ? 1 : stride;
    cells.length = line.rows != 0 ? job.width : job.height;
    cells.second = line.size * across;
    cells.third = 2 * cells.second;
    cells.fourth = three ? 3 * cells.second : 0;
    cells.weights[0] = -1;
    cells.weights[1] = three ? 3 : 2;
    cells.weights[2] = three ? -3 : -1;
    cells.weights[3] = three ? 1 : 0;
    return cells;
}

__device__ __forceinline__ float number_at(const Cells &cells, const float *at) {
    return fmaf(cells.weights[3], at[cells.fourth],
                fmaf(cells.weights[2], at[cells.third],
                     fmaf(cells.weights[1], at[cells.second], cells.weights[0] * at[0])));
}

__device__ __forceinline__ float number(const Cells &cells, int i) {
    return number_at(cells, cells.at + i * cells.along);
}

/* Numbers at `start` and the next places; those beyond the line are its last one. */
__device__ __forceinline__ void load_upper(const Cells &cells, int start, float (&upper)[STARTS]) {
#pragma unroll
    for (int i = 0; i < STARTS; i++) {
        upper[i] = number(cells, min(start + i, cells.length));
    }
}

/* Features from start + i to the place whose number is `lower`. */
__device__ __forceinline__ void differences(float lower, const float (&upper)[STARTS],
                                            float (&values)[STARTS]) {
#pragma unroll
    for (int i = 0; i < STARTS; i++) {
        values[i] = lower - upper[i];
    }
}

/* Checkers from start + i with their middle at one place and as much below it as above. */
__device__ __forceinline__ void checkers(float middle, const float (&upper)[STARTS],
                                         const float (&lower)[STARTS], float (&values)[STARTS]) {
#pragma unroll
    for (int i = 0; i < STARTS; i++) {
        values[i] = fmaf(2, middle, -upper[i]) - lower[i];
    }
}

/* === Records ================================================================================== */

/*
 * Records of cuda_fast: what the search noted is evaluated a second time, every lane of a warp with
 * something to do, and written where the records of the warp lie together.
 */

/* --- What a find stands for ------------------------------------------------------------------- */

/* The values of a find again; `turn` is the lower end of differences and the middle of checkers.
 * EACH: lengths that one value belongs to, as they have the same cells. */
template <int LOOP> struct Found;

template <> struct Found<LOOP_DIFFERENCES> {
    static constexpr int EACH = 1;

    __device__ static int type_of(HaarLine line) {
        return line.cells == 2 ? (line.rows != 0 ? HAAR_TWO_ROWS : HAAR_TWO_COLUMNS)
                               : (line.rows != 0 ? HAAR_THREE_ROWS : HAAR_THREE_COLUMNS);
    }
    __device__ static int length_of(int from, int turn) {
        return turn - from;
    }
    __device__ static void load(const Cells &cells, int start, int turn, float (&values)[STARTS]) {
        float upper[STARTS];
        load_upper(cells, start, upper);
        differences(number(cells, turn), upper, values);
    }
};

template <> struct Found<LOOP_CHECKERS> {
    static constexpr int EACH = 2;

    __device__ static int type_of(HaarLine) {
        return HAAR_CHECKER;
    }
    __device__ static int length_of(int from, int turn) {
        return 2 * (turn - from);
    }
    __device__ static void load(const Cells &cells, int start, int turn, float (&values)[STARTS]) {
        float upper[STARTS], lower[STARTS];
        load_upper(cells, start, upper);
#pragma unroll
        for (int i = 0; i < STARTS; i++) {
            lower[i] = number(cells, min(max(2 * turn - start - i, 0), cells.length));
        }
        checkers(number(cells, turn), upper, lower, values);
    }
};

/* Which features of a find are kept: bit EACH × i + n stands for the n-th length of value i. */
template <int LOOP>
__device__ __forceinline__ uint32_t kept_features(const Job &job, const Cells &cells, int start,
                                                  int turn, const float (&values)[STARTS]) {
    constexpr int EACH = Found<LOOP>::EACH;
    uint32_t kept = 0;
#pragma unroll
    for (int i = 0; i < STARTS; i++) {
        const int from = start + i;
        const int least = Found<LOOP>::length_of(from, turn);
        const bool passes = fabsf(values[i]) > job.threshold && least > 0;
#pragma unroll
        for (int n = 0; n < EACH; n++) {
            const int length = least + n;
            if (passes && length >= job.min_side && from + length <= cells.length) {
                kept |= 1U << (EACH * i + n);
            }
        }
    }
    return kept;
}

/* --- Where records go ------------------------------------------------------------------------- */

/* Where the fields of a record begin, of a line that leads down or across. */
struct Fields {
    int place, side, from, length;
};

__device__ __forceinline__ Fields fields_of(const HaarPacking &packing, HaarLine line) {
    const int h = packing.value_bits;
    const int w = h + packing.side_bits;
    const int y = w + packing.side_bits;
    const int x = y + packing.side_bits;
    return line.rows != 0 ? Fields{y, h, x, w} : Fields{x, w, y, h};
}

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
__device__ __noinline__ void put_records(const Job &job, const Shared &shared, uint64_t image,
                                         bool some, uint32_t find) {
    constexpr int EACH = Found<LOOP>::EACH;
    const int start = some ? find_start(find) : 0;
    const int turn = some ? find_turn(find) : 0;
    const HaarLine line = job.lines[some ? find_line(find) : 0];
    const Cells cells = cells_of(job, shared, line);
    float values[STARTS];
    Found<LOOP>::load(cells, start, turn, values);
    const uint32_t kept = some ? kept_features<LOOP>(job, cells, start, turn, values) : 0;
    const int own = __popc(kept) * line.sides;
    const int sum = warp_running_sum(own);
    const unsigned all = (unsigned)warp_whole_sum(sum);
    if (all == 0) {
        return;
    }
    const Place place = take_room(job, shared, all);
    size_t next = (unsigned)(sum - own);
    const Fields fields = fields_of(job.packing, line);
    const uint64_t common = image | (uint64_t)Found<LOOP>::type_of(line) << job.packing.type_shift |
                            (uint64_t)line.place << fields.place |
                            (uint64_t)line.side << fields.side;
#pragma unroll
    for (int i = 0; i < STARTS; i++) {
        const int from = start + i;
        const uint64_t of_value = common | (uint64_t)from << fields.from |
                                  (uint64_t)(uint32_t)((int)values[i] + job.packing.value_offset);
#pragma unroll
        for (int n = 0; n < EACH; n++) {
            if ((kept >> (EACH * i + n) & 1U) != 0) {
                const uint64_t length = (uint64_t)(Found<LOOP>::length_of(from, turn) + n);
                uint64_t record = of_value | length << fields.length;
                for (int side = 0; side < line.sides; side++) {
                    if (next < place.room) {
                        place.at[next] = record;
                    }
                    next++;
                    record += (uint64_t)1 << fields.side;
                }
            }
        }
    }
}

template <int LOOP>
__device__ __forceinline__ void put_finds(const Job &job, const Shared &shared, uint64_t image) {
    const int count = (int)min(shared.counters->finds[LOOP], (unsigned)FINDS_MAX);
    const int lane = threadIdx.x % LANES;
    for (int first = (int)threadIdx.x - lane; first < count; first += THREADS) {
        const bool some = first + lane < count;
        const uint32_t find = some ? shared.finds[LOOP * FINDS_MAX + first + lane] : 0;
        put_records<LOOP>(job, shared, image, some, find);
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

/* === Lines ==================================================================================== */

/* Appends the line to a list where `is_listed`; by a whole warp. */
__device__ __forceinline__ void append_line(const Shared &shared, Loop loop, bool is_listed,
                                            int line) {
    const uint32_t mask = __ballot_sync(ALL_LANES, is_listed);
    if (mask == 0) {
        return;
    }
    const int lane = (int)(threadIdx.x % LANES);
    unsigned place = 0;
    if (lane == 0) {
        place = atomicAdd(&shared.counters->listed[loop], (unsigned)__popc(mask));
    }
    place = __shfl_sync(ALL_LANES, place, 0);
    if (is_listed) {
        shared.listed[loop * LINES_MAX + place + (unsigned)__popc(mask & ((1U << lane) - 1))] =
            (uint16_t)line;
    }
}

/* Lists the lines from `begin` on that can have a value above the threshold in this image. Pixels
 * are no less than 0: no value is more than all white or all black pixels of the whole line. */
__device__ __forceinline__ void list_lines(const Job &job, const Shared &shared, int begin,
                                           int end) {
    const int lane = (int)(threadIdx.x % LANES);
    for (int first = begin + (int)threadIdx.x - lane; first < end; first += THREADS) {
        const bool some = first + lane < end;
        const HaarLine line = job.lines[some ? first + lane : first];
        const Cells cells = cells_of(job, shared, line);
        const float *last = cells.at + cells.length * cells.along;
        const float whole = last[cells.third] - last[0];
        const float second = last[cells.third] - last[cells.second];
        const float beyond = last[cells.fourth] - last[cells.third]; /* of three cells */
        const float most = line.cells == 2 ? fmaxf(whole - second, second)
                                           : fmaxf(2 * second, whole - second + beyond);
        append_line(shared, LOOP_DIFFERENCES, some && line.least > 0 && most > job.threshold,
                    first + lane);
        append_line(shared, LOOP_CHECKERS, some && line.least_cell > 0 && whole > job.threshold,
                    first + lane);
    }
}

/* === Search =================================================================================== */

/*
 * The search of cuda_fast: each warp takes units of work, the same places of up to 32 lines, and
 * notes where a value passes. No branch of it depends on a single lane.
 */

/* One lane's part of a unit. */
struct Lane {
    HaarLine line;
    int index; /* in the plan */
    bool some; /* false: a lane without a line, whose numbers are those of another one */
    Cells cells;
};

__device__ __forceinline__ Lane lane_of(const Job &job, const Shared &shared, Loop loop,
                                        unsigned first) {
    const unsigned place = first + threadIdx.x % LANES;
    Lane lane;
    lane.some = place < shared.counters->listed[loop];
    lane.index = shared.listed[loop * LINES_MAX + (lane.some ? place : first)];
    lane.line = job.lines[lane.index];
    lane.cells = cells_of(job, shared, lane.line);
    return lane;
}

__device__ __forceinline__ int warp_largest(int value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(ALL_LANES, value);
#else
    for (int distance = LANES / 2; distance > 0; distance /= 2) {
        value = max(value, __shfl_xor_sync(ALL_LANES, value, distance));
    }
    return value;
#endif
}

__device__ __forceinline__ float largest(const float (&values)[STARTS]) {
    float result = fabsf(values[0]);
#pragma unroll
    for (int i = 1; i < STARTS; i++) {
        result = fmaxf(result, fabsf(values[i]));
    }
    return result;
}

/* Notes what passed in a turn in the list of its loop; where the list is full, it is processed at
 * once. By a whole warp. */
template <int LOOP>
__device__ __forceinline__ void note(const Job &job, const Shared &shared, uint64_t image,
                                     bool passes, uint32_t find) {
    const uint32_t mask = __ballot_sync(ALL_LANES, passes);
    if (mask == 0) {
        return;
    }
    const uint32_t below = (1U << (threadIdx.x % LANES)) - 1;
    const int leader = __ffs((int)mask) - 1;
    unsigned place = 0;
    if ((int)(threadIdx.x % LANES) == leader) {
        place = atomicAdd(&shared.counters->finds[LOOP], (unsigned)__popc(mask));
    }
    place = __shfl_sync(ALL_LANES, place, leader);
    const unsigned mine = place + (unsigned)__popc(mask & below);
    const bool fits = mine < FINDS_MAX;
    if (passes && fits) {
        shared.finds[LOOP * FINDS_MAX + mine] = find;
    }
    if (place + (unsigned)__popc(mask) > FINDS_MAX) {
        put_records<LOOP>(job, shared, image, passes && !fits, find);
    }
}

/* Features from `start` and the next places on, to each place that is far enough. */
__device__ __forceinline__ void search_differences(const Job &job, const Shared &shared,
                                                   uint64_t image, unsigned first, int start) {
    const Lane lane = lane_of(job, shared, LOOP_DIFFERENCES, first);
    const Cells &cells = lane.cells;
    const int turns = lane.some ? max(cells.length - start - lane.line.least + 1, 0) : 0;
    const int most = warp_largest(turns);
    if (most == 0) {
        return;
    }
    float upper[STARTS];
    load_upper(cells, start, upper);
    const int nearest = turns > 0 ? start + lane.line.least : 0;
    const float *at = cells.at + nearest * cells.along;
    for (int turn = 0; turn < most; turn++) {
        float values[STARTS];
        differences(number_at(cells, at), upper, values);
        note<LOOP_DIFFERENCES>(job, shared, image, turn < turns && largest(values) > job.threshold,
                               pack_find(lane.index, start, nearest + turn));
        at += turn + 1 < turns ? cells.along : 0;
    }
}

/* Checkers from `start` and the next places on: going down, two numbers of lower ends are new in a
 * turn. */
__device__ __forceinline__ void search_checkers(const Job &job, const Shared &shared,
                                                uint64_t image, unsigned first, int start) {
    const Lane lane = lane_of(job, shared, LOOP_CHECKERS, first);
    const Cells &cells = lane.cells;
    const float threshold = lane.some ? job.threshold : INFINITY;
    const int length = job.height;
    const int nearest = -warp_largest(-(int)lane.line.least_cell);
    const int last = min((length + start + STARTS - 1) / 2, length - nearest);
    if (start + 2 * nearest > length) {
        return;
    }
    float upper[STARTS], lower[STARTS];
    load_upper(cells, start, upper);
    const int beyond = 2 * nearest + start; /* the lower end of the first */
#pragma unroll
    for (int i = 2; i < STARTS; i++) {
        lower[i] = number(cells, max(beyond - i, 0));
    }
    for (int middle = start + nearest; middle <= last; middle++) {
        const int end = 2 * middle - start;
        lower[0] = number(cells, min(end, length));
        lower[1] = number(cells, min(end - 1, length));
        float values[STARTS];
        checkers(number(cells, middle), upper, lower, values);
        note<LOOP_CHECKERS>(job, shared, image, largest(values) > threshold,
                            pack_find(lane.index, start, middle));
#pragma unroll
        for (int i = STARTS - 1; i >= 2; --i) {
            lower[i] = lower[i - 2];
        }
    }
}

/* Warps take the next unit as they come: first the beginnings of lines, from which the way is
 * longest. */
__device__ __forceinline__ void search_lines(const Job &job, const Shared &shared, uint64_t image) {
    const unsigned rows[LOOPS] = {(shared.counters->listed[LOOP_DIFFERENCES] + LANES - 1) / LANES,
                                  (shared.counters->listed[LOOP_CHECKERS] + LANES - 1) / LANES};
    const unsigned of_differences = rows[LOOP_DIFFERENCES] * job.groups[LOOP_DIFFERENCES];
    const unsigned units = of_differences + rows[LOOP_CHECKERS] * job.groups[LOOP_CHECKERS];
    for (;;) {
        unsigned unit = 0;
        if (threadIdx.x % LANES == 0) {
            unit = atomicAdd(&shared.counters->next_unit, 1U);
        }
        unit = __shfl_sync(ALL_LANES, unit, 0);
        if (unit >= units) {
            return;
        }
        const bool is_difference = unit < of_differences;
        const unsigned across = rows[is_difference ? LOOP_DIFFERENCES : LOOP_CHECKERS];
        const unsigned index = is_difference ? unit : unit - of_differences;
        const unsigned first = index % across * LANES;
        const int start = (int)(index / across) * STARTS;
        if (is_difference) {
            search_differences(job, shared, image, first, start);
        } else {
            search_checkers(job, shared, image, first, start);
        }
    }
}

/* === The kernel =============================================================================== */

/* Nothing listed, taken or found. */
__device__ __forceinline__ void clear_counters(Counters *counters) {
    if (threadIdx.x == 0) {
        counters->next_unit = 0;
        for (int loop = 0; loop < LOOPS; loop++) {
            counters->listed[loop] = 0;
            counters->finds[loop] = 0;
        }
    }
}

__device__ __forceinline__ Shared divide_shared(const Job &job, float *memory, Counters *counters) {
    Shared shared;
    shared.records = (uint64_t *)memory;
    shared.finds = (uint32_t *)(memory + 2 * job.record_room);
    shared.listed = (uint16_t *)(shared.finds + LOOPS * FINDS_MAX);
    shared.integral = (float *)(shared.listed + LOOPS * LINES_MAX);
    shared.counters = counters;
    return shared;
}

/* A block takes an image at a time. */
__global__ void __launch_bounds__(THREADS, BLOCKS_WANTED)
    search_kernel(const __grid_constant__ Job job) {
    extern __shared__ __align__(16) float memory[];
    __shared__ Counters counters;
    const Shared shared = divide_shared(job, memory, &counters);
    clear_counters(&counters);
    if (threadIdx.x == 0) {
        counters.records = 0;
        counters.filled = (unsigned)job.record_room;
    }
    for (int image = blockIdx.x; image < job.images; image += gridDim.x) {
        const uint64_t bits = (uint64_t)(job.first + image) << job.packing.image_shift;
        block_integral<THREADS>(job.pixels + (size_t)image * job.width * job.height, job.width,
                                job.height, shared.integral);
        for (int begin = 0; begin < job.line_count; begin += LINES_MAX) {
            list_lines(job, shared, begin, min(begin + LINES_MAX, job.line_count));
            __syncthreads();
            search_lines(job, shared, bits);
            __syncthreads();
            put_finds<LOOP_DIFFERENCES>(job, shared, bits);
            put_finds<LOOP_CHECKERS>(job, shared, bits);
            __syncthreads();
            clear_counters(&counters);
            __syncthreads();
        }
        flush_records(job, shared);
    }
}

} // namespace haar_fast

#endif
