/*
 * cuda_fast: packed dot products on four pixels a thread, rows kept in registers.
 *
 * A sample at a point between four pixels is two dot products of two weights with two neighbouring
 * bytes (dp2a), started from c·2^14 − 1: with negative weights the sign bit of the result is the
 * bit of the pattern, and one funnel shift joins it to the code. So a point costs three
 * instructions, and one on an axis two. Weights are kernel parameters, which instructions read from
 * constant memory at no cost; places are known at compile time, so that the (2R + 1) rows a pixel
 * needs stay in registers: as words, and as words shifted by one byte for pairs that begin at odd
 * places. The loop over rows is unrolled 2R + 1 times, so that rows change their roles by name.
 *
 * The image lies in a margin of zeros, so there is no test for the border.
 *
 * With 8 points and no bins to store, the histogram is of codes, and becomes one of bins at the
 * very end: there is no test per pixel whether it is uniform.
 *
 * Floor, 8192 × 8192 on an H200: 67 MB in at 4.2 TB/s are 16 µs. Dot products, of which a
 * multiprocessor does 64 lanes a clock, are the bound: 13, 29 and 45 a pixel are 54, 121 and 188 µs
 * at 1.9 GHz for (8,1), (16,2) and (24,3).
 *
 * The ladder there, histogram only, noise (texture differs by under 1 %), (8,1) / (16,2) / (24,3):
 *   610 / 872 / 1143 µs  cuda_tiled at its best tile: 4P + 1 loads of single bytes a pixel
 *   100 / 192 / 255 µs   this kernel, blocks of 256 threads, up to 20 warps, rows two ahead
 *    92 / 170 / 241 µs   blocks of 512, one or two a multiprocessor, rows one ahead. The profiler:
 *                        the pipe of the dot products 75 to 79 % busy, the ALU 47 to 54 %, an
 *                        instruction issued in 73 to 75 % of the cycles
 *
 * Tried and slower: more warps with spilled rows (24,3: 327 to 409 µs), blocks of 128 (270), of 384
 * (255), three rows ahead (16,2: 200).
 *
 * Patterns other than those listed at the end of this file go through lbp_riu_generic.cu: (24,4)
 * takes 551 µs.
 */
#include "lbp_riu_device.cuh"
#include "lbp_riu_strips.cuh"
#include "relay.h"

VARIANT_FUNCTIONS(lbp_riu_cuda_fast);

namespace {

using namespace lbp_riu;

constexpr int MARGIN = 8; /* beyond the reach: a word to each side, a row asked for ahead */
constexpr int OFFSET_UNITS = 100000;
constexpr int WORDS = 3; /* of a row that a thread sees: the one before, its own, the one after */

/* Cosines of a quarter turn times the radius, in OFFSET_UNITS, rounded as lbp_riu.h says; `place`
 * below turns them into the offsets of all points, and host code holds those against the pattern
 * that was asked for. */
template <int POINTS> struct Quarter;
template <> struct Quarter<8> {
    static constexpr int radius = 1;
    static constexpr int cosine[] = {100000, 70711, 0};
};
template <> struct Quarter<16> {
    static constexpr int radius = 2;
    static constexpr int cosine[] = {200000, 184776, 141421, 76537, 0};
};
template <> struct Quarter<24> {
    static constexpr int radius = 3;
    static constexpr int cosine[] = {300000, 289778, 259808, 212132, 150000, 77646, 0};
};

template <int POINTS> __host__ __device__ constexpr int cosine_of(int p) {
    const int turn = (p % POINTS + POINTS) % POINTS;
    const int half = turn <= POINTS / 2 ? turn : POINTS - turn;
    return half <= POINTS / 4 ? Quarter<POINTS>::cosine[half]
                              : -Quarter<POINTS>::cosine[POINTS / 2 - half];
}

__host__ __device__ constexpr int floor_pixels(int offset) {
    return offset >= 0 ? offset / OFFSET_UNITS : -((-offset + OFFSET_UNITS - 1) / OFFSET_UNITS);
}

/* First of the four pixels round a point, and whether the second row has weight. */
struct Place {
    int dx, dy;
    bool second_row;
};

template <int POINTS> struct Places { Place at[POINTS]; };

template <int POINTS> __host__ __device__ constexpr Places<POINTS> places_of() {
    Places<POINTS> places{};
    for (int p = 0; p < POINTS; p++) {
        const int x = cosine_of<POINTS>(p);
        const int y = -cosine_of<POINTS>(p - POINTS / 4);
        places.at[p] = Place{floor_pixels(x), floor_pixels(y), y % OFFSET_UNITS != 0};
    }
    return places;
}

/* Weights of the taps, negative, two to a word: upper and lower row. */
template <int POINTS> struct Weights { uint32_t upper[POINTS], lower[POINTS]; };

/* One row as a thread sees it: bytes −4 … 7 from its first pixel, and −3 … 8. */
struct Row {
    uint32_t even[WORDS], odd[WORDS];
};

struct Loaded {
    uint32_t words[WORDS];
};

__device__ __forceinline__ Loaded load_row(const uint8_t *row) {
    Loaded loaded;
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        loaded.words[i] = __ldg((const uint32_t *)row + i - 1);
    }
    return loaded;
}

/* The last odd word lacks its last byte, which no pattern of radius 3 or less needs. */
__device__ __forceinline__ Row split_row(const Loaded &loaded) {
    Row row;
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        const uint32_t next = i + 1 < WORDS ? loaded.words[i + 1] : 0;
        row.even[i] = loaded.words[i];
        row.odd[i] = __funnelshift_r(loaded.words[i], next, 8);
    }
    return row;
}

/* Adds the products of two weights and the pixels at `start` and `start` + 1 from the thread's
 * first pixel. `start` is a constant wherever this is inlined. */
__device__ __forceinline__ int dot_pair(uint32_t weights, const Row &row, int start, int sum) {
    const int byte = start + 4;
    const uint32_t word = byte % 2 == 0 ? row.even[byte / 4] : row.odd[(byte - 1) / 4];
    return byte % 4 >= 2 ? dot_two<true>(weights, word, sum) : dot_two<false>(weights, word, sum);
}

/* Bits of the points from P on, of the pixel at `j`; `first` becomes the value of point 0. Points
 * are template arguments, so that places are known before the optimizer, which takes three times as
 * long to find them in a table. */
template <int POINTS, int FIRST, int ROWS, int P = 0>
__device__ __forceinline__ void code_of(const Weights<POINTS> &weights, const Row (&rows)[ROWS],
                                        int j, int centre, uint32_t &code, int &first) {
    if constexpr (P < POINTS) {
        constexpr int RADIUS = Quarter<POINTS>::radius;
        constexpr Place place = places_of<POINTS>().at[P];
        const Row &upper = rows[(FIRST + RADIUS + place.dy) % ROWS];
        int value = dot_pair(weights.upper[P], upper, place.dx + j, centre);
        if constexpr (place.second_row) {
            const Row &lower = rows[(FIRST + RADIUS + place.dy + 1) % ROWS];
            value = dot_pair(weights.lower[P], lower, place.dx + j, value);
        }
        if constexpr (P == 0) {
            first = value;
        }
        code = join_sign(code, value);
        code_of<POINTS, FIRST, ROWS, P + 1>(weights, rows, j, centre, code, first);
    }
}

/* Codes of the four pixels, and where neighbours on the circle differ. rows[R + FIRST + dy], taken
 * round the ring, is the row at dy from the pixels' own. */
template <int POINTS, int FIRST, int ROWS>
__device__ __forceinline__ void codes_of(const Weights<POINTS> &weights, const Row (&rows)[ROWS],
                                         uint32_t (&codes)[PIXELS],
                                         uint32_t (&differences)[PIXELS]) {
    constexpr uint32_t CENTRE = LBP_RIU_WEIGHT_SUM;
    constexpr uint32_t MASK = (1U << POINTS) - 1;
    const Row &own = rows[(FIRST + Quarter<POINTS>::radius) % ROWS];
#pragma unroll
    for (int j = 0; j < PIXELS; j++) {
        const int centre = dot_pair(CENTRE, own, j, -1);
        int first = 0;
        codes[j] = 0;
        code_of<POINTS, FIRST, ROWS>(weights, rows, j, centre, codes[j], first);
        differences[j] = (join_sign(codes[j], first) ^ codes[j]) & MASK;
    }
}

template <int POINTS, bool STORE, bool BY_CODE> struct RingKernel {
    static constexpr int radius = Quarter<POINTS>::radius;
    static constexpr int rows = 2 * radius + 1;
    static constexpr int table_rows = BY_CODE ? 1 << POINTS : POINTS + 2;

    __device__ static __forceinline__ void finish(const Strips &strips, const Strip &strip, int y,
                                                  const uint32_t (&codes)[PIXELS],
                                                  const uint32_t (&differences)[PIXELS],
                                                  uint32_t lane_table) {
        if constexpr (BY_CODE) {
            count_pixels(strips, strip, codes, lane_table);
        } else {
            finish_pixels<STORE>(strips, strip, y, codes, differences, POINTS, lane_table);
        }
    }

    /* One row: the ring's oldest row gives way to the one that was loaded, and the next is asked
     * for before it is needed. */
    template <int PHASE>
    __device__ static __forceinline__ void
    step(const Strips &strips, const Strip &strip, int y, const Weights<POINTS> &weights,
         Row (&ring)[rows], Loaded &loaded, const uint8_t *&next, uint32_t lane_table) {
        ring[(PHASE + rows - 1) % rows] = split_row(loaded);
        loaded = load_row(next);
        next += strips.image_stride;
        uint32_t codes[PIXELS];
        uint32_t differences[PIXELS];
        codes_of<POINTS, PHASE, rows>(weights, ring, codes, differences);
        finish(strips, strip, y, codes, differences, lane_table);
    }

    /* Steps with all phases of the ring, from PHASE on; false when the strip's rows are done. */
    template <int PHASE>
    __device__ static __forceinline__ bool
    turn(const Strips &strips, const Strip &strip, int &y, const Weights<POINTS> &weights,
         Row (&ring)[rows], Loaded &loaded, const uint8_t *&next, uint32_t lane_table) {
        if constexpr (PHASE < rows) {
            step<PHASE>(strips, strip, y, weights, ring, loaded, next, lane_table);
            y++;
            if (y >= strip.y_end) {
                return false;
            }
            return turn<PHASE + 1>(strips, strip, y, weights, ring, loaded, next, lane_table);
        } else {
            return true;
        }
    }

    __device__ static __forceinline__ void walk(const Strips &strips, const Strip &strip,
                                                const Weights<POINTS> &weights,
                                                uint32_t lane_table) {
        const uint8_t *next = strips.image +
                              (long long)(strip.y_begin - radius) * (long long)strips.image_stride +
                              strip.x;
        Row ring[rows];
#pragma unroll
        for (int i = 0; i < rows - 1; i++) {
            ring[i] = split_row(load_row(next));
            next += strips.image_stride;
        }
        Loaded loaded = load_row(next);
        next += strips.image_stride;
        int y = strip.y_begin;
        while (turn<0>(strips, strip, y, weights, ring, loaded, next, lane_table)) {
        }
    }
};

/* Adds the block's counts to the histogram; a table of codes becomes one of bins on the way. */
template <int POINTS, bool BY_CODE>
__device__ __forceinline__ void merge(uint32_t *table, LbpRiuCount *add) {
    __shared__ uint32_t bins[POINTS + 2];
    constexpr int ROWS = BY_CODE ? 1 << POINTS : POINTS + 2;
    for (int i = (int)threadIdx.x; i < POINTS + 2; i += (int)blockDim.x) {
        bins[i] = 0;
    }
    __syncthreads();
    for (int row = (int)threadIdx.x; row < ROWS; row += (int)blockDim.x) {
        const uint32_t code = (uint32_t)row;
        const uint32_t turned = (code << 1 | code >> (POINTS - 1)) & ((1U << POINTS) - 1);
        const uint32_t bin = BY_CODE ? bin_of(code, code ^ turned, POINTS) : code;
        atomicAdd(&bins[bin], table_sum(table, row));
    }
    __syncthreads();
    if (threadIdx.x < POINTS + 2 && bins[threadIdx.x] != 0) {
        atomicAdd(&add[threadIdx.x], (LbpRiuCount)bins[threadIdx.x]);
    }
}

constexpr int THREADS = 512;

/* Blocks a multiprocessor holds. More warps, with rows spilled to make room, are slower. */
template <int POINTS> constexpr int blocks_wanted() {
    return POINTS <= 8 ? 2 : 1;
}

template <int POINTS, bool STORE, bool BY_CODE>
__global__ void __launch_bounds__(THREADS, blocks_wanted<POINTS>())
    lbp_riu_ring(const __grid_constant__ Strips strips,
                 const __grid_constant__ Weights<POINTS> weights, LbpRiuCount *add,
                 LbpRiuCount *clear) {
    using Kernel = RingKernel<POINTS, STORE, BY_CODE>;
    __shared__ uint32_t table[Kernel::table_rows * LANES];
    table_clear<Kernel::table_rows>(table);
    clear_next(clear);
    __syncthreads();
    const Strip strip = strip_of_thread(strips);
    if (strip.y_begin < strip.y_end) {
        Kernel::walk(strips, strip, weights,
                     (uint32_t)__cvta_generic_to_shared(&table[threadIdx.x % LANES]));
    }
    __syncthreads();
    merge<POINTS, BY_CODE>(table, add);
}

template <int POINTS> bool is_ring(const LbpRiuPattern &pattern) {
    constexpr Places<POINTS> places = places_of<POINTS>();
    bool same = pattern.bilinear && pattern.points == POINTS;
    for (int p = 0; p < POINTS && same; p++) {
        const Place &place = places.at[p];
        const LbpRiuTap &tap = pattern.taps[p];
        const bool second_row = tap.weight[2] != 0 || tap.weight[3] != 0;
        same = tap.dx == place.dx && tap.dy == place.dy && second_row == place.second_row;
    }
    return same;
}

template <int POINTS, bool STORE>
Status launch_ring(const LbpRiuDevice *device, const CodedBand *band) {
    constexpr bool BY_CODE = POINTS <= 8 && !STORE;
    const auto kernel = lbp_riu_ring<POINTS, STORE, BY_CODE>;
    Strips strips;
    STATUS_TRY(strips_divide(device, band, (const void *)kernel, THREADS, &strips));
    Weights<POINTS> weights;
    for (int p = 0; p < POINTS; p++) {
        weights.upper[p] = two_weights(device->pattern.taps[p].weight);
        weights.lower[p] = two_weights(device->pattern.taps[p].weight + 2);
    }
    kernel<<<strips_blocks(strips, THREADS), THREADS, 0, cuda_stream()>>>(strips, weights,
                                                                          band->add, band->clear);
    return CUDA_LAUNCHED();
}

using Launch = Status (*)(const LbpRiuDevice *, const CodedBand *);

/* Patterns with kernels of their own: [0] without bins, [1] with. */
const struct {
    bool (*fits)(const LbpRiuPattern &pattern);
    Launch launch[2];
} rings[] = {
    {is_ring<8>, {launch_ring<8, false>, launch_ring<8, true>}},
    {is_ring<16>, {launch_ring<16, false>, launch_ring<16, true>}},
    {is_ring<24>, {launch_ring<24, false>, launch_ring<24, true>}},
};

} // namespace

LbpRiuPlace lbp_riu_fast_place(const LbpRiuPattern *pattern) {
    return LbpRiuPlace{.row_alignment = RELAY_ALIGNMENT, .margin = pattern->reach + MARGIN};
}

Status lbp_riu_fast_launch(const LbpRiuDevice *device, const CodedBand *band) {
    for (const auto &ring : rings) {
        if (ring.fits(device->pattern)) {
            return ring.launch[band->codes != NULL ? 1 : 0](device, band);
        }
    }
    return lbp_riu_generic_launch(device, band);
}

Status lbp_riu_cuda_fast_open(const Request *request, void **state) {
    LbpRiuPattern pattern;
    STATUS_TRY(lbp_riu_pattern(request->answer, &pattern));
    return lbp_riu_device_open_state(request, lbp_riu_fast_place(&pattern), state);
}

Status lbp_riu_cuda_fast_run(void *state) {
    LbpRiuDevice *device = (LbpRiuDevice *)state;
    const CodedBand band = coded_device_turn(device);
    return lbp_riu_fast_launch(device, &band);
}
