/*
 * cuda_fast: running column sums in registers, one scan a row; nothing is written but the sums.
 * Where the device multiplies bits and no box is taller than 256 rows, lacunarity_products.cu takes
 * the cell instead.
 *
 * A block walks down a band of rows over the whole width, a thread holding the sums of 16 columns
 * over the r rows of the box, two to a register. For each row it
 *   - sums up its columns from left to right, eight and eight in the halves of registers,
 *   - takes part in a scan of the block's totals (shuffles within warps, one reduction over them),
 *   - leaves the 16 prefix sums in shared memory and reads those r columns to the right: the
 *     difference is the mass of the box, which goes into Σs and Σs² in registers,
 *   - adds the bits of the row that enters and takes away those of the row that leaves.
 * None of it depends on r. A band begins with the counts of lacunarity_columns.cuh, a load for 8
 * rows of the box, or, where a box of the cell is taller than 256 rows, with a difference of sums
 * above, which a kernel of its own adds up. Against cuda_sat, which writes and reads 4 bytes for
 * each pixel and reads 16 for each position, this reads 2 bits for each position.
 *
 * A cell of one threshold and one box of an image at most 512 wide takes one kernel launch, as long
 * as all its blocks are on the device at once: there kernel launches cost more than reading pixels
 * again. Its runs add to two sets of sums in turn and clear the other, so that no memset is queued.
 *
 * All thresholds and boxes of a cell go into one kernel launch, as many thresholds at a time as fit
 * memory. Bands are as long as leaves a block for every place on the device.
 *
 * Floor, 15360 × 8640 on an H200: 133 MB in at 4.2 TB/s are 32 µs; about 13 instructions a position
 * at 32 T/s are 54 µs.
 *
 * The ladder there, noise, µs: 4K with sides 4 / 64 / 1024, and at 512 × 512 all sides 1…256:
 *   51 / 480 / 17,530   88,030   cuda_pipeline: row sums counted anew for every row
 *   33 / 47 / 392        6,639   cuda_tiled at its best tile: row sums from prefix sums
 *   204 / 207 / 198      1,157   cuda_sat
 *   32 / 28 / 28            70   this kernel, all bands begun with sums above; 8192 × 8192 takes
 *                                105 to 111, 16K 174 to 198
 * The profiler at 4K, side 64: 6 µs to pack the bits, 10 to add up the steps (15 blocks: latency),
 * 15 for the sums. At 16K: 41, 31 and 114, the last with an instruction issued in 54 % of the
 * cycles; of the rest, waiting at the two barriers of a row is the largest part.
 *
 * From there on an H100, noise, kernels and memset back to back, µs:
 *   512², side 64 / 256   1080p, 64   8192², 64 / 255
 *   15.9 / 16.0           18.8        111.6 / 114.0   sums above
 *   11.8 / 13.4           12.9        87.6 / 93.3     counts
 *   not run / 9.1                                     one launch, 16 warps, 2 rows of positions
 *   not run / 7.5                                     the same without the memset
 * Alone at 8192²: pack 32, the kernel for sums above 19, the last kernel 52.8 and 54.7 with them,
 * 53.2 and 60.3 with counts, whose starts grow with the box; beyond 256 they were not measured. The
 * memset takes 1.6. What is left there is pack, whose bytes keep DRAM 78 % busy, and the sums.
 *
 * Tried and dropped, in the order of that table: masses in registers, changed by the differences of
 * rows, without barriers (11.6 / –, 12.8, 83.7 / 110.0: the popcounts of wide boxes cost more than
 * the scan); the same with 48 warps (11.6, 13.1, 92.5 / 119.7); in bands of 16 (14.8, 16.4, 86.5 /
 * 115.7). One kernel launch at 512², side 256, with the memset: 8 warps 11.3, 9.7 and 10.0 for 1, 2
 * and 4 rows of positions; 16 warps 11.5, 9.1 and 9.3.
 *
 * Two prefix sums in shared memory in turn, so that a row takes one barrier, with the same 64
 * registers, on an H200: 91.9 instead of 80.4 at 8192², side 64, 98.6 instead of 87.1 at side 255;
 * 14.1 instead of 12.3 at 1080p, 178 instead of 160 at 16K. Dropped.
 *
 * Tried and dropped on an H200, six launches of each in turn, twice; 1080p with sides 64 / 255,
 * then 8192²: 13.0 / 16.6   82.8 / 89.3   this 22.1 / 28.1   80.9 / 87.0   pixels read past the
 * cache, sums cleared by pack, the last kernel launched while that ends (predicted: 7 to 9 less at
 * 8192²) 20.0 / 29.7   82.1 / 99.2   that, and rows in strips of a warp, without barriers (12 to 15
 * less)
 *
 * Limits: 16,384 columns (a block's threads), 65,535 rows and boxes of 9362 (seven column sums in
 * 16 bits); beyond, the cell is computed as cuda_sat does.
 */
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cuda_device.h"
#include "lacunarity_columns.cuh"
#include "lacunarity_device.cuh"

VARIANT_FUNCTIONS(lacunarity_cuda_fast);

namespace {

constexpr int COLUMNS = LACUNARITY_GROUP; /* of a thread */
constexpr int PAIRS = COLUMNS / 2;
constexpr int LANES = 32;
constexpr int THREADS_MAX = 1024;
constexpr int HEIGHT_MAX = 65535;            /* a column's sum fits 16 bits */
constexpr int BOX_MAX = 65535 / (PAIRS - 1); /* so do those left of the last of eight columns */
constexpr int BAND_ROWS_MAX = 128;           /* so that 64 bits hold a thread's Σs² */
static_assert(BAND_ROWS_MAX % LACUNARITY_STEP == 0, "bands begin with a step");
static_assert((double)BAND_ROWS_MAX * COLUMNS * BOX_MAX * BOX_MAX * BOX_MAX * BOX_MAX < 0x1p64,
              "a thread's sum of squares must fit 64 bits");
constexpr size_t COLUMNS_MEMORY = (size_t)1 << 30;
constexpr int COUNTED_BOX_MAX = 256; /* of the plan; taller ones begin with sums above */
constexpr uint32_t ALL_LANES = 0xFFFFFFFFU;
constexpr uint32_t LOW_HALF = 0xFFFFU;

struct LacunarityFast : LacunarityDevice {
    LacunarityColumns columns;
    LacunarityBand *bands_there; /* the bands in device memory */
    LacunaritySat sat;           /* takes the whole cell where there is one */
    LacunarityProducts products; /* so does this */
    LacunaritySums *spare; /* other sums, for a small image, which takes one kernel launch; NULL:
                              not one. A run adds to the set that the run before has cleared. */
};

struct FastJob {
    int width, height, groups, steps;
    int band_rows; /* of a block */
    int box_count;
    const LacunarityBand *bands;
    const uint16_t *bits;
    const uint8_t *counts;
    const LacunarityGroupSums *above; /* NULL: bands begin with counts */
    LacunaritySums *sums;
};

/* The bits of a group's columns i and i + 8 at bits i and i + 16. */
__device__ __forceinline__ uint32_t spread_bits(uint32_t bits) {
    return __byte_perm(bits, 0, 0x4140);
}

struct ColumnSums {
    uint32_t pairs[PAIRS]; /* columns i and i + 8 */

    __device__ __forceinline__ void enter(uint32_t bits) {
        const uint32_t spread = spread_bits(bits);
#pragma unroll
        for (int i = 0; i < PAIRS; i++) {
            pairs[i] += spread >> i & 0x00010001U;
        }
    }
    __device__ __forceinline__ void leave(uint32_t bits) {
        const uint32_t spread = spread_bits(bits);
#pragma unroll
        for (int i = 0; i < PAIRS; i++) {
            pairs[i] -= spread >> i & 0x00010001U;
        }
    }
};

/* Column sums of rows [y, y + box), y a multiple of the step: those of whole steps, and the rows
 * that are left. */
__device__ __forceinline__ ColumnSums start_sums(const FastJob &job, int t, int group, int y,
                                                 int box) {
    const int first = y / LACUNARITY_STEP;
    const int last = (y + box) / LACUNARITY_STEP;
    ColumnSums sums = {};
    if (job.above == NULL) {
        const uint4 *counts =
            (const uint4 *)job.counts + (size_t)t * job.steps * job.groups + group;
#pragma unroll 4
        for (int step = first; step < last; step++) {
            const uint4 count = __ldg(counts + (size_t)step * job.groups);
            lacunarity_add_counts(sums.pairs, count.x, count.z);
            lacunarity_add_counts(sums.pairs + PAIRS / 2, count.y, count.w);
        }
    } else {
        const LacunarityGroupSums *above =
            job.above + (size_t)t * (job.steps + 1) * job.groups + group;
        const LacunarityGroupSums &before = above[(size_t)first * job.groups];
        const LacunarityGroupSums &after = above[(size_t)last * job.groups];
#pragma unroll
        for (int i = 0; i < PAIRS; i++) {
            sums.pairs[i] = after.pairs[i] - before.pairs[i];
        }
    }
    for (int row = last * LACUNARITY_STEP; row < y + box; row++) {
        sums.enter(job.bits[((size_t)t * job.height + row) * job.groups + group]);
    }
    return sums;
}

/* Sum over the lanes of a warp, in all of them: one instruction where there is one for it. */
__device__ __forceinline__ uint32_t warp_sum(uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(ALL_LANES, value);
#else
    for (int distance = LANES / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(ALL_LANES, value, distance);
    }
    return value;
#endif
}

/* Sum of the values of all threads before this one. `totals` has a place for each warp. */
template <int WARPS>
__device__ __forceinline__ uint32_t exclusive_scan(uint32_t value, uint32_t *totals) {
    const int lane = (int)threadIdx.x % LANES;
    uint32_t inclusive = value;
#pragma unroll
    for (int distance = 1; distance < LANES; distance *= 2) {
        const uint32_t left = __shfl_up_sync(ALL_LANES, inclusive, distance);
        inclusive += lane >= distance ? left : 0;
    }
    if constexpr (WARPS == 1) {
        return inclusive - value;
    } else {
        const int warp = (int)threadIdx.x / LANES;
        if (lane == LANES - 1) {
            totals[warp] = inclusive;
        }
        __syncthreads();
        const uint32_t before = lane < warp ? totals[lane] : 0;
        return warp_sum(before) + inclusive - value;
    }
}

template <int WARPS> __device__ __forceinline__ void block_barrier() {
    if constexpr (WARPS == 1) {
        __syncwarp();
    } else {
        __syncthreads();
    }
}

/* A block of WARPS warps; prefix[j][thread] is the sum of all columns before column j of that
 * thread's group. The place after the last thread's holds the sum of all columns. */
template <int WARPS> struct FastKernel {
    static constexpr int threads = WARPS * LANES;
    static constexpr int pitch = threads + 1;

    struct Shared {
        uint32_t prefix[COLUMNS * pitch];
        uint32_t totals[LANES];
    };

    /* Prefix sums of the thread's columns, also to shared memory. */
    __device__ static __forceinline__ void scan_row(const ColumnSums &sums, Shared &shared,
                                                    uint32_t (&own)[COLUMNS]) {
        uint32_t before[PAIRS]; /* of each eight columns, those to the left of i */
        before[0] = 0;
#pragma unroll
        for (int i = 1; i < PAIRS; i++) {
            before[i] = before[i - 1] + sums.pairs[i - 1];
        }
        const uint32_t last = sums.pairs[PAIRS - 1];
        const uint32_t left = (before[PAIRS - 1] & LOW_HALF) + (last & LOW_HALF);
        const uint32_t total = left + (before[PAIRS - 1] >> 16) + (last >> 16);
        const uint32_t base = exclusive_scan<WARPS>(total, shared.totals);
        uint32_t *place = shared.prefix + threadIdx.x;
#pragma unroll
        for (int i = 0; i < PAIRS; i++) {
            own[i] = base + (before[i] & LOW_HALF);
            own[i + PAIRS] = base + left + (before[i] >> 16);
            place[i * pitch] = own[i];
            place[(i + PAIRS) * pitch] = own[i + PAIRS];
        }
        if (threadIdx.x == threads - 1) {
            place[1] = base + total;
        }
    }

    /* Adds the masses of the boxes that begin in the first `valid` of the thread's columns. */
    template <bool ALL>
    __device__ static __forceinline__ void add_masses(const Shared &shared, int box, int valid,
                                                      const uint32_t (&own)[COLUMNS], uint64_t &sum,
                                                      uint64_t &squares) {
        const int within = box % COLUMNS;
        const uint32_t *same = shared.prefix + threadIdx.x + box / COLUMNS + within * pitch;
        const uint32_t *next = same + 1 - COLUMNS * pitch;
        uint32_t row_sum = 0;
#pragma unroll
        for (int j = 0; j < COLUMNS; j++) {
            if (ALL || j < valid) {
                const uint32_t *place = j + within < COLUMNS ? same : next;
                const uint32_t mass = place[j * pitch] - own[j];
                row_sum += mass;
                squares += (uint64_t)mass * mass;
            }
        }
        sum += row_sum;
    }
};

template <int WARPS>
__global__ void __launch_bounds__(WARPS *LANES)
    lacunarity_fast(const __grid_constant__ FastJob job) {
    using Kernel = FastKernel<WARPS>;
    extern __shared__ uint32_t dynamic[];
    typename Kernel::Shared &shared = *(typename Kernel::Shared *)dynamic;
    const LacunarityBand band = job.bands[blockIdx.y];
    const int box = band.box;
    const int t = (int)blockIdx.z;
    const int begin = band.begin + (int)blockIdx.x * job.band_rows;
    const int end = min(band.end, begin + job.band_rows);
    if (begin >= end) {
        return;
    }
    const int group = (int)threadIdx.x;
    const bool live = group < job.groups;
    const int valid = job.width - box + 1 - group * COLUMNS;
    ColumnSums sums = {};
    if (live) {
        sums = start_sums(job, t, group, begin, box);
    }
    const uint16_t *leaving = job.bits + ((size_t)t * job.height + begin) * job.groups + group;
    const uint16_t *entering = leaving + (size_t)box * job.groups;
    uint64_t sum = 0;
    uint64_t squares = 0;
    for (int y = begin; y < end; y++) {
        const bool more = live && y + 1 < end;
        const uint32_t out = more ? __ldg(leaving) : 0;
        const uint32_t in = more ? __ldg(entering) : 0;
        leaving += job.groups;
        entering += job.groups;
        uint32_t own[COLUMNS];
        Kernel::scan_row(sums, shared, own);
        block_barrier<WARPS>();
        if (valid >= COLUMNS) {
            Kernel::template add_masses<true>(shared, box, valid, own, sum, squares);
        } else if (valid > 0) {
            Kernel::template add_masses<false>(shared, box, valid, own, sum, squares);
        }
        sums.enter(in);
        sums.leave(out);
        if constexpr (WARPS == 1) {
            __syncwarp(); /* the next row's prefix sums overwrite these; larger blocks wait within
                             the scan, before they write */
        }
    }
    Moments moments = {};
    moments.s = sum;
    moments.low = squares & 0xFFFFFFFFU;
    moments.high = squares >> 32;
    block_add_moments(moments, job.sums + (size_t)t * job.box_count + blockIdx.y);
}

/* === Small images ============================================================================= */

/* Rows of at most SMALL_WIDTH pixels, which a warp covers. A block takes SMALL_ROWS rows of
 * positions and counts the pixels under their boxes itself: those of the rows that are under all of
 * them once, by all warps; then a warp for each row of positions adds the others. */
constexpr int SMALL_WARPS = 16;
constexpr int SMALL_ROWS = 2;
constexpr int SMALL_LOADS = 8; /* in flight */
constexpr int SMALL_WIDTH = LANES * COLUMNS;
constexpr int SMALL_PITCH = LANES + 1;
constexpr int WORDS = COLUMNS / 4; /* of four pixels */
static_assert(SMALL_ROWS <= SMALL_WARPS, "a warp takes a row of positions");

struct SmallJob {
    const uint8_t *image;
    size_t stride;
    int width, box;
    int begin, end;      /* of the rows of positions */
    uint32_t thresholds; /* the one, in each byte */
    LacunaritySums *add, *clear;
};

/* The object pixels of a row, a byte for each of the thread's columns. */
__device__ __forceinline__ void count_pixels(const uint4 &pixels, uint32_t thresholds,
                                             uint32_t counted, uint32_t (&counts)[WORDS]) {
    counts[0] += __vsetgeu4(pixels.x, thresholds) & counted;
    counts[1] += __vsetgeu4(pixels.y, thresholds) & counted;
    counts[2] += __vsetgeu4(pixels.z, thresholds) & counted;
    counts[3] += __vsetgeu4(pixels.w, thresholds) & counted;
}

/* Adds bytes to sums of neighbouring columns in the halves of words. */
__device__ __forceinline__ void widen_counts(const uint32_t (&counts)[WORDS],
                                             uint32_t (&sums)[PAIRS]) {
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        sums[2 * i] += __byte_perm(counts[i], 0, 0x4140);
        sums[2 * i + 1] += __byte_perm(counts[i], 0, 0x4342);
    }
}

__device__ __forceinline__ uint4 load_row(const SmallJob &job, int lane, int y) {
    return __ldg((const uint4 *)(job.image + (size_t)y * job.stride) + lane);
}

/* Adds every SMALL_WARPS-th of the rows [first, last). */
__device__ __forceinline__ void add_share(const SmallJob &job, int lane, int first, int last,
                                          uint32_t (&sums)[PAIRS]) {
    for (int base = first; base < last; base += SMALL_WARPS * SMALL_LOADS) {
        uint4 rows[SMALL_LOADS];
        uint32_t counts[WORDS] = {};
#pragma unroll
        for (int i = 0; i < SMALL_LOADS; i++) {
            rows[i] = load_row(job, lane, min(base + i * SMALL_WARPS, last - 1));
        }
#pragma unroll
        for (int i = 0; i < SMALL_LOADS; i++) {
            const uint32_t counted = base + i * SMALL_WARPS < last ? ~0U : 0;
            count_pixels(rows[i], job.thresholds, counted, counts);
        }
        widen_counts(counts, sums);
    }
}

/* The masses of a row of positions from its columns' sums; `prefix` is the warp's. */
__device__ __forceinline__ void add_row_masses(const SmallJob &job, int lane,
                                               const uint32_t (&sums)[PAIRS], uint32_t *prefix,
                                               uint64_t &sum, uint64_t &squares) {
    uint32_t own[COLUMNS];
    uint32_t total = 0;
#pragma unroll
    for (int i = 0; i < PAIRS; i++) {
        own[2 * i] = total;
        total += sums[i] & LOW_HALF;
        own[2 * i + 1] = total;
        total += sums[i] >> 16;
    }
    const uint32_t base = exclusive_scan<1>(total, NULL);
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
        own[i] += base;
        prefix[i * SMALL_PITCH + lane] = own[i];
    }
    if (lane == LANES - 1) {
        prefix[LANES] = base + total;
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
        const int far = lane * COLUMNS + i + job.box;
        if (far <= job.width) {
            const uint32_t mass = prefix[far % COLUMNS * SMALL_PITCH + far / COLUMNS] - own[i];
            sum += mass;
            squares += (uint64_t)mass * mass;
        }
    }
}

/* Columns from the width on are counted too, where a row has bytes there, but lie under no box. */
__global__ void __launch_bounds__(SMALL_WARPS *LANES)
    lacunarity_small(const __grid_constant__ SmallJob job) {
    __shared__ uint4 parts[SMALL_WARPS][2][LANES];
    __shared__ uint32_t prefix[SMALL_ROWS][COLUMNS * SMALL_PITCH];
    const int warp = (int)threadIdx.x / LANES;
    const int lane = (int)threadIdx.x % LANES;
    const bool live = lane * COLUMNS < job.width;
    const int first = job.begin + (int)blockIdx.x * SMALL_ROWS;
    const int rows = min(SMALL_ROWS, job.end - first);
    /* Rows under the boxes of all positions. */
    const int common = first + rows - 1;
    const int common_end = first + job.box;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *job.clear = LacunaritySums{0, 0, 0};
    }
    uint32_t sums[PAIRS] = {};
    if (live) {
        add_share(job, lane, common + warp, common_end, sums);
    }
    parts[warp][0][lane] = make_uint4(sums[0], sums[1], sums[2], sums[3]);
    parts[warp][1][lane] = make_uint4(sums[4], sums[5], sums[6], sums[7]);
    __syncthreads();
    uint64_t sum = 0;
    uint64_t squares = 0;
    if (warp < rows) {
        const int y = first + warp;
        uint32_t counts[WORDS] = {};
        uint32_t all[PAIRS] = {};
        if (live) {
            for (int row = y; row < common; row++) {
                count_pixels(load_row(job, lane, row), job.thresholds, ~0U, counts);
            }
            for (int row = common_end; row < y + job.box; row++) {
                count_pixels(load_row(job, lane, row), job.thresholds, ~0U, counts);
            }
        }
        widen_counts(counts, all);
#pragma unroll
        for (int i = 0; i < SMALL_WARPS; i++) {
            const uint4 left = parts[i][0][lane];
            const uint4 right = parts[i][1][lane];
            const uint32_t part[PAIRS] = {left.x,  left.y,  left.z,  left.w,
                                          right.x, right.y, right.z, right.w};
#pragma unroll
            for (int j = 0; j < PAIRS; j++) {
                all[j] += part[j];
            }
        }
        add_row_masses(job, lane, all, prefix[warp], sum, squares);
    }
    Moments moments = {};
    moments.s = sum;
    moments.low = squares & 0xFFFFFFFFU;
    moments.high = squares >> 32;
    block_add_moments(moments, job.add);
}

/* Rows of positions of a cell that has one threshold and one box. */
int small_blocks(const LacunarityDevice *device) {
    return pieces_of(device->bands[0].end - device->bands[0].begin, SMALL_ROWS);
}

/* Whether all blocks are on the device at once: each reads the rows of its boxes anew. */
Status fits_small(const LacunarityDevice *device, bool *small) {
    int resident = 0;
    STATUS_TRY(
        cuda_resident_blocks((const void *)lacunarity_small, SMALL_WARPS * LANES, 0, &resident));
    *small = device->plan.threshold_count == 1 && device->plan.box_count == 1 &&
             device->width <= SMALL_WIDTH && device->plan.boxes[0] >= SMALL_ROWS &&
             small_blocks(device) <= resident * cuda_multiprocessors();
    return status_ok();
}

Status run_small(LacunarityFast *state) {
    LacunarityDevice *device = state;
    std::swap(device->sums, state->spare);
    SmallJob job = {};
    job.image = device->image;
    job.stride = device->stride;
    job.width = device->width;
    job.box = device->plan.boxes[0];
    job.begin = device->bands[0].begin;
    job.end = device->bands[0].end;
    job.thresholds = (uint32_t)device->plan.thresholds[0] * 0x01010101U;
    job.add = device->sums;
    job.clear = state->spare;
    lacunarity_small<<<(unsigned int)small_blocks(device), SMALL_WARPS * LANES, 0, cuda_stream()>>>(
        job);
    return CUDA_LAUNCHED();
}

/* === Kernel launches ========================================================================== */

using Kernel = void (*)(FastJob);

struct Shape {
    Kernel kernel;
    int threads;
    size_t shared_bytes;
};

template <int WARPS> Shape shape_of() {
    return Shape{lacunarity_fast<WARPS>, WARPS * LANES, sizeof(typename FastKernel<WARPS>::Shared)};
}

/* The smallest block that covers the groups of a row. */
Shape choose_shape(int groups) {
    const Shape shapes[] = {shape_of<1>(),  shape_of<2>(),  shape_of<4>(), shape_of<8>(),
                            shape_of<16>(), shape_of<24>(), shape_of<32>()};
    for (const Shape &shape : shapes) {
        if (groups <= shape.threads) {
            return shape;
        }
    }
    return shapes[sizeof shapes / sizeof shapes[0] - 1];
}

/* Rows of a band: all bands at once on the device where that leaves enough rows to each. */
int choose_band_rows(const LacunarityDevice *device, int thresholds, int places) {
    long long rows = 0;
    for (size_t b = 0; b < device->plan.box_count; b++) {
        rows += device->bands[b].end - device->bands[b].begin;
    }
    const long long share = (rows * thresholds + places - 1) / places;
    const long long whole = (share + LACUNARITY_STEP - 1) / LACUNARITY_STEP * LACUNARITY_STEP;
    return (int)std::min<long long>(whole, BAND_ROWS_MAX);
}

/* Rows of the longest band. */
int most_rows(const LacunarityDevice *device) {
    int most = 0;
    for (size_t b = 0; b < device->plan.box_count; b++) {
        most = std::max(most, (int)(device->bands[b].end - device->bands[b].begin));
    }
    return most;
}

Status launch(const LacunarityFast *state, int first, int count) {
    const LacunarityDevice *device = state;
    const Shape shape = choose_shape(state->columns.groups);
    CUDA_TRY(cudaFuncSetAttribute((const void *)shape.kernel,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)shape.shared_bytes));
    int blocks = 0;
    STATUS_TRY(cuda_resident_blocks((const void *)shape.kernel, shape.threads, shape.shared_bytes,
                                    &blocks));
    FastJob job = {};
    job.width = device->width;
    job.height = device->height;
    job.groups = state->columns.groups;
    job.steps = state->columns.steps;
    job.band_rows = choose_band_rows(device, count, blocks * cuda_multiprocessors());
    job.box_count = (int)device->plan.box_count;
    job.bands = state->bands_there;
    job.bits = state->columns.bits;
    job.counts = state->columns.counts;
    job.above = state->columns.above;
    job.sums = lacunarity_device_sums(device, (size_t)first, 0);
    const dim3 grid((unsigned int)pieces_of(most_rows(device), job.band_rows),
                    (unsigned int)job.box_count, (unsigned int)count);
    shape.kernel<<<grid, (unsigned int)shape.threads, shape.shared_bytes, cuda_stream()>>>(job);
    return CUDA_LAUNCHED();
}

int largest_box(const LacunarityDevice *device) {
    int largest = 0;
    for (size_t b = 0; b < device->plan.box_count; b++) {
        largest = std::max(largest, (int)device->plan.boxes[b]);
    }
    return largest;
}

bool within_limits(const LacunarityDevice *device) {
    return device->width <= THREADS_MAX * COLUMNS && device->height <= HEIGHT_MAX &&
           largest_box(device) <= BOX_MAX;
}

/* Of a small image the first run adds to the spare sums and clears the others. */
Status open_fast(int index, int count, LacunarityFast *state) {
    STATUS_TRY(lacunarity_device_open_share(LACUNARITY_COLUMNS_ALIGNMENT, index, count, state));
    if (state->height == 0) {
        return status_ok();
    }
    bool small = false;
    STATUS_TRY(fits_small(state, &small));
    if (small) {
        const CudaBuffer table[] = {cuda_cleared(&state->spare, sizeof *state->spare)};
        return cuda_open_buffers(state, table);
    }
    bool products = false;
    STATUS_TRY(lacunarity_products_are_here(&products));
    if (products && state->height <= HEIGHT_MAX &&
        largest_box(state) <= LACUNARITY_PRODUCTS_BOX_MAX) {
        return lacunarity_products_open(state, &state->products);
    }
    if (!within_limits(state)) {
        return lacunarity_sat_open(state, &state->sat);
    }
    const CudaBuffer table[] = {
        cuda_up(&state->bands_there, state->plan.box_count * sizeof *state->bands, state->bands)};
    STATUS_TRY(cuda_open_buffers(state, table));
    return lacunarity_columns_open(state, COLUMNS_MEMORY, largest_box(state) > COUNTED_BOX_MAX,
                                   &state->columns);
}

} // namespace

Status lacunarity_fast_open_share(const Request *request, int index, int count, void **state) {
    void *opened = NULL;
    STATUS_TRY(cuda_open_state<LacunarityFast>(
        request, &opened, [&](LacunarityFast *fast) { return open_fast(index, count, fast); }));
    if (((const LacunarityFast *)opened)->height == 0) {
        cuda_state_close(opened);
        opened = NULL;
    }
    *state = opened;
    return status_ok();
}

Status lacunarity_cuda_fast_open(const Request *request, void **state) {
    return lacunarity_fast_open_share(request, 0, 1, state);
}

Status lacunarity_cuda_fast_run(void *state) {
    LacunarityFast *opened = (LacunarityFast *)state;
    if (opened->spare != NULL) {
        return run_small(opened);
    }
    if (opened->products.words != NULL) {
        return lacunarity_products_compute(opened, &opened->products);
    }
    STATUS_TRY(lacunarity_device_clear(opened));
    if (opened->sat.table != NULL) {
        return lacunarity_sat_compute(opened, &opened->sat);
    }
    const int thresholds = (int)opened->plan.threshold_count;
    for (int first = 0; first < thresholds; first += opened->columns.thresholds) {
        const int count = std::min(opened->columns.thresholds, thresholds - first);
        STATUS_TRY(lacunarity_columns_build(opened, &opened->columns, first, count, cuda_stream()));
        STATUS_TRY(launch(opened, first, count));
    }
    return status_ok();
}
