/*
 * Bits and column sums of the thresholded image; see lacunarity_columns.cuh.
 *
 * Two kernels. The first reads every pixel once, 16 to a load, and leaves a bit for each and a byte
 * for each column of a step of 8 rows. The second, where asked for, adds the steps up from the top:
 * a block takes 256 columns and all steps, cut into 32 segments; each thread sums its segment, adds
 * what lies in the segments above, and walks its segment again to write the running sums.
 */
#include "cuda_device.h"
#include "lacunarity_columns.cuh"

namespace {

constexpr int PACK_THREADS = 128;
constexpr int WORDS = LACUNARITY_GROUP / 4; /* of four pixels, in a group */
constexpr int LANES = 32;
constexpr int SEGMENTS = 32;
constexpr uint32_t ONES = 0x01010101U;

struct PackJob {
    const uint8_t *image;
    size_t stride;
    int width, height, groups, steps;
    uint16_t *bits;
    uint8_t *counts;
};

struct ThresholdList {
    uint8_t values[LACUNARITY_THRESHOLDS_MAX];
};

/* 1 in each byte whose column is in the image. */
__device__ uint32_t inside_mask(int width, int x) {
    const int inside = width - x;
    return inside >= 4 ? ONES : (inside <= 0 ? 0 : ONES & ((1U << (8 * inside)) - 1));
}

/* Four bytes of 0 or 1 as four bits. */
__device__ uint32_t gather_bits(uint32_t bytes) {
    return bytes * 0x01020408U >> 24;
}

__global__ void __launch_bounds__(PACK_THREADS)
    lacunarity_pack(PackJob job, const __grid_constant__ ThresholdList thresholds) {
    const long long item = (long long)blockIdx.x * PACK_THREADS + threadIdx.x;
    if (item >= (long long)job.steps * job.groups) {
        return;
    }
    const int step = (int)(item / job.groups);
    const int group = (int)(item % job.groups);
    const int t = (int)blockIdx.y;
    const uint32_t threshold = thresholds.values[t] * ONES;
    uint32_t mask[WORDS];
    uint32_t counts[WORDS] = {};
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        mask[i] = inside_mask(job.width, group * LACUNARITY_GROUP + 4 * i);
    }
    const int first = step * LACUNARITY_STEP;
    const int last = min(job.height, first + LACUNARITY_STEP);
    for (int y = first; y < last; y++) {
        const uint4 pixels = __ldg((const uint4 *)(job.image + (size_t)y * job.stride) + group);
        const uint32_t words[WORDS] = {pixels.x, pixels.y, pixels.z, pixels.w};
        uint32_t bits = 0;
#pragma unroll
        for (int i = 0; i < WORDS; i++) {
            const uint32_t object = __vsetgeu4(words[i], threshold) & mask[i];
            counts[i] += object;
            bits |= gather_bits(object) << (4 * i);
        }
        job.bits[((size_t)t * job.height + y) * job.groups + group] = (uint16_t)bits;
    }
    ((uint4 *)job.counts)[((size_t)t * job.steps + step) * job.groups + group] =
        make_uint4(counts[0], counts[1], counts[2], counts[3]);
}

/* Sums of eight columns: i and i + 8 in the halves of word i, for four i. */
struct Quad {
    uint32_t pairs[4];
};

__device__ __forceinline__ void add_counts(Quad *sums, const uint32_t *counts) {
    /* Two words further are the columns that share their words with these. */
    lacunarity_add_counts(sums->pairs, __ldg(counts), __ldg(counts + 2));
}

__global__ void __launch_bounds__(LANES *SEGMENTS) lacunarity_above(LacunarityColumns columns) {
    __shared__ uint4 totals[SEGMENTS][LANES];
    const int half = (int)(blockIdx.x * LANES + threadIdx.x); /* of a group */
    const int group = half / 2;
    const bool live = group < columns.groups;
    const size_t t = blockIdx.y;
    const int segment = (int)threadIdx.y;
    const int share = (columns.steps + SEGMENTS - 1) / SEGMENTS;
    const int first = min(columns.steps, segment * share);
    const int last = live ? min(columns.steps, first + share) : first;
    const uint32_t *counts = (const uint32_t *)columns.counts +
                             ((t * columns.steps) * columns.groups + group) * WORDS + half % 2;
    const size_t step_words = (size_t)columns.groups * WORDS;
    Quad sums = {};
#pragma unroll 8
    for (int step = first; step < last; step++) {
        add_counts(&sums, counts + (size_t)step * step_words);
    }
    totals[segment][threadIdx.x] =
        make_uint4(sums.pairs[0], sums.pairs[1], sums.pairs[2], sums.pairs[3]);
    __syncthreads();
    sums = Quad{};
#pragma unroll 4
    for (int above = 0; above < segment; above++) {
        const uint4 total = totals[above][threadIdx.x];
        sums.pairs[0] += total.x;
        sums.pairs[1] += total.y;
        sums.pairs[2] += total.z;
        sums.pairs[3] += total.w;
    }
    if (!live) {
        return;
    }
    uint4 *out =
        (uint4 *)(columns.above + t * (columns.steps + 1) * columns.groups + group) + half % 2;
    const size_t step_quads = (size_t)columns.groups * 2;
#pragma unroll 8
    for (int step = first; step < last; step++) {
        out[(size_t)step * step_quads] =
            make_uint4(sums.pairs[0], sums.pairs[1], sums.pairs[2], sums.pairs[3]);
        add_counts(&sums, counts + (size_t)step * step_words);
    }
    if (last == columns.steps && first < last) {
        out[(size_t)columns.steps * step_quads] =
            make_uint4(sums.pairs[0], sums.pairs[1], sums.pairs[2], sums.pairs[3]);
    }
}

} // namespace

Status lacunarity_columns_open(LacunarityDevice *device, size_t memory, bool with_above,
                               LacunarityColumns *columns) {
    columns->groups = (device->width + LACUNARITY_GROUP - 1) / LACUNARITY_GROUP;
    columns->steps = (device->height + LACUNARITY_STEP - 1) / LACUNARITY_STEP;
    const size_t height = (size_t)device->height;
    const size_t steps = (size_t)columns->steps;
    const size_t step = LACUNARITY_GROUP + (with_above ? sizeof *columns->above : 0);
    const size_t each = (height * sizeof *columns->bits + steps * step) * (size_t)columns->groups;
    const size_t fit = memory / each;
    const size_t wanted = device->plan.threshold_count;
    columns->thresholds = (int)(fit < 1 ? 1 : (fit < wanted ? fit : wanted));
    const size_t cells = (size_t)columns->thresholds * (size_t)columns->groups;
    const CudaBuffer table[] = {
        cuda_scratch(&columns->bits, cells * height * sizeof *columns->bits),
        cuda_scratch(&columns->counts, cells * steps * LACUNARITY_GROUP),
        cuda_where(with_above,
                   cuda_scratch(&columns->above, cells * (steps + 1) * sizeof *columns->above)),
    };
    return cuda_open_buffers(device, table);
}

Status lacunarity_columns_build(const LacunarityDevice *device, const LacunarityColumns *columns,
                                int first, int count, cudaStream_t stream) {
    PackJob job = {};
    job.image = device->image;
    job.stride = device->stride;
    job.width = device->width;
    job.height = device->height;
    job.groups = columns->groups;
    job.steps = columns->steps;
    job.bits = columns->bits;
    job.counts = columns->counts;
    ThresholdList thresholds = {};
    for (int i = 0; i < count; i++) {
        thresholds.values[i] = (uint8_t)device->plan.thresholds[first + i];
    }
    const size_t items = (size_t)columns->steps * (size_t)columns->groups;
    const dim3 pack_grid((unsigned int)((items + PACK_THREADS - 1) / PACK_THREADS),
                         (unsigned int)count);
    lacunarity_pack<<<pack_grid, PACK_THREADS, 0, stream>>>(job, thresholds);
    STATUS_TRY(CUDA_LAUNCHED());
    if (columns->above == NULL) {
        return status_ok();
    }
    const dim3 above_grid((unsigned int)((2 * columns->groups + LANES - 1) / LANES),
                          (unsigned int)count);
    lacunarity_above<<<above_grid, dim3(LANES, SEGMENTS), 0, stream>>>(*columns);
    return CUDA_LAUNCHED();
}
