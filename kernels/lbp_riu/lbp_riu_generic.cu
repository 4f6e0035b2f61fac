/*
 * cuda_fast for any pattern: the packed dot products of lbp_riu_fast.cu, with the places of the
 * points known only at run time.
 *
 * Rows cannot stay in registers here. For each point a thread reads, from the cache, the two words
 * of either row that hold its four pixels' pairs, and shifts them into place: 4 loads and 4 shifts
 * for the 8 dot products and 4 joined signs of four pixels, where the kernels for known places need
 * neither. A point that lies on one row (`nearest`, or on the horizontal axis) takes half.
 */
#include "lbp_riu_device.cuh"
#include "lbp_riu_strips.cuh"

namespace {

using namespace lbp_riu;

constexpr int THREADS = 256;
constexpr int BLOCKS_WANTED = 4;

/* One point: where its word begins, relative to the thread's own, and how far its first byte is in
 * that word. */
struct GenericTap {
    long long offset;      /* bytes, a multiple of 4 from a word */
    uint32_t shift;        /* bits */
    uint32_t upper, lower; /* weights, negative, two to a word; lower 0: that row is not read */
};

struct GenericPattern {
    int points;
    uint32_t mask; /* of `points` bits */
    GenericTap taps[LBP_RIU_POINTS_MAX];
};

/* Bytes 0…3 and 1…4 from a point's first byte: all the pairs of four neighbouring pixels. */
struct Pairs {
    uint32_t even, odd;
};

__device__ __forceinline__ Pairs load_pairs(const uint8_t *row, uint32_t shift) {
    const uint32_t first = __ldg((const uint32_t *)row);
    const uint32_t second = __ldg((const uint32_t *)row + 1);
    return Pairs{__funnelshift_rc(first, second, shift),
                 __funnelshift_rc(first, second, shift + 8)};
}

__device__ __forceinline__ void add_pairs(uint32_t weights, const Pairs &pairs,
                                          int (&values)[PIXELS]) {
    values[0] = dot_two<false>(weights, pairs.even, values[0]);
    values[1] = dot_two<false>(weights, pairs.odd, values[1]);
    values[2] = dot_two<true>(weights, pairs.even, values[2]);
    values[3] = dot_two<true>(weights, pairs.odd, values[3]);
}

__device__ __forceinline__ void codes_at(const Strips &strips, const GenericPattern &pattern,
                                         const uint8_t *own, uint32_t (&codes)[PIXELS]) {
    const Pairs centre = load_pairs(own, 0);
    int centres[PIXELS] = {-1, -1, -1, -1};
    add_pairs(LBP_RIU_WEIGHT_SUM, centre, centres);
#pragma unroll 4
    for (int p = 0; p < pattern.points; p++) {
        const GenericTap &tap = pattern.taps[p];
        const uint8_t *row = own + tap.offset;
        int values[PIXELS] = {centres[0], centres[1], centres[2], centres[3]};
        add_pairs(tap.upper, load_pairs(row, tap.shift), values);
        if (tap.lower != 0) {
            add_pairs(tap.lower, load_pairs(row + strips.image_stride, tap.shift), values);
        }
#pragma unroll
        for (int j = 0; j < PIXELS; j++) {
            codes[j] = join_sign(codes[j], values[j]);
        }
    }
}

template <bool STORE>
__global__ void __launch_bounds__(THREADS, BLOCKS_WANTED)
    lbp_riu_generic(const __grid_constant__ Strips strips,
                    const __grid_constant__ GenericPattern pattern, LbpRiuCount *add,
                    LbpRiuCount *clear) {
    __shared__ uint32_t table[LBP_RIU_BINS_MAX * LANES];
    table_clear<LBP_RIU_BINS_MAX>(table);
    clear_next(clear);
    __syncthreads();
    const Strip strip = strip_of_thread(strips);
    const uint32_t lane_table = (uint32_t)__cvta_generic_to_shared(&table[threadIdx.x % LANES]);
    const uint8_t *own = strips.image + (size_t)strip.y_begin * strips.image_stride + strip.x;
    for (int y = strip.y_begin; y < strip.y_end; y++, own += strips.image_stride) {
        uint32_t codes[PIXELS] = {};
        uint32_t differences[PIXELS];
        codes_at(strips, pattern, own, codes);
#pragma unroll
        for (int j = 0; j < PIXELS; j++) {
            const uint32_t turned = codes[j] << 1 | codes[j] >> (pattern.points - 1);
            differences[j] = (codes[j] ^ turned) & pattern.mask;
        }
        finish_pixels<STORE>(strips, strip, y, codes, differences, pattern.points, lane_table);
    }
    __syncthreads();
    const int bins = pattern.points + 2;
    if ((int)threadIdx.x < bins) {
        const uint32_t sum = table_sum(table, (int)threadIdx.x);
        if (sum != 0) {
            atomicAdd(&add[threadIdx.x], (LbpRiuCount)sum);
        }
    }
}

GenericPattern generic_pattern(const LbpRiuDevice *device) {
    const LbpRiuPattern &pattern = device->pattern;
    GenericPattern generic = {};
    generic.points = pattern.points;
    generic.mask = pattern.points < 32 ? (1U << pattern.points) - 1 : ~0U;
    for (int p = 0; p < pattern.points; p++) {
        const LbpRiuTap &tap = pattern.taps[p];
        const int byte = tap.dx & 3;
        generic.taps[p].offset =
            (long long)tap.dy * (long long)device->image_stride + tap.dx - byte;
        generic.taps[p].shift = 8U * (uint32_t)byte;
        generic.taps[p].upper = two_weights(tap.weight);
        generic.taps[p].lower = two_weights(tap.weight + 2);
    }
    return generic;
}

} // namespace

Status lbp_riu_generic_launch(const LbpRiuDevice *device, const CodedBand *band) {
    const auto kernel = band->codes != NULL ? lbp_riu_generic<true> : lbp_riu_generic<false>;
    Strips strips;
    STATUS_TRY(strips_divide(device, band, (const void *)kernel, THREADS, &strips));
    kernel<<<strips_blocks(strips, THREADS), THREADS, 0, cuda_stream()>>>(
        strips, generic_pattern(device), band->add, band->clear);
    return CUDA_LAUNCHED();
}
