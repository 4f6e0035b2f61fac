/*
 * cuda_fast: sixteen pixels a thread, four to a register, rows kept in registers.
 *
 * Floor, 15360 × 8640 on an H200: 265 MB in and out at 4 TB/s are 66 µs (a device copy takes 65).
 *
 * The ladder, each step measured there, code image and histogram, noise (texture and flat images
 * differ by under 2 %):
 *   146 µs  four pixels packed in a word and compared by byte arithmetic, a strip of rows per
 *           thread rolled through registers. The profiler: ALU pipe 85 % busy, 89 instructions a
 *           word, because the compiler expanded each three-input majority into four.
 *   105 µs  the majority forced into one LOP3, the histogram address into one multiply-add (the
 *           FMA pipe idles otherwise): 60 instructions a word, ALU pipe 75 % busy; warps wait for
 *           memory. Without the histogram 100, without storing codes either 77.
 *    93 µs  rows loaded three ahead instead of one (two: 100, four: 94): ALU pipe 83 % busy, 58
 *           instructions a word, DRAM 59 % busy. Without the histogram 90: its atomics hide behind
 *           the rest, and what is left to gain is instructions.
 *
 * Tried and slower: 8 pixels a thread (115), 80 registers and 24 warps (118, spills), one 256-bin
 * histogram per warp (97 to 101), streaming stores (no difference).
 *
 * What bounds it: on an H100, noise of that size, 103.8 µs. A flat copy of the same bytes
 * takes 91.7, cudaMemcpyAsync 90.9, a copy in this kernel's strips 98.0 to 99.2: the kernel is 5 to
 * 6 % above the copy with its own access pattern, 1.13 times the flat one. None of these gained
 * (µs): half the rows a thread 107.0, a quarter 112.4; stores evicted first 104.2, loads too 104.7;
 * two blocks of 256 threads 104.4; 640 threads with 2 rows ahead 114.7, with 3 131.6; 6 rows ahead
 * 104.7.
 *
 * Comparing four bytes at once. With n a neighbour and c the centre, let ′ drop the top bit of a
 * byte: n′ + (128 − c′) has its top bit set exactly when n′ ≥ c′ and never carries into the next
 * byte. Then n ≥ c is the majority of (top bit of n, not top bit of c, that top bit). If the first
 * two are masked to the top bit, the majority is 0 everywhere else, so codes build up by
 * code = (code >> 1) + majority, from bit 0 to bit 7: three instructions for four comparisons.
 *
 * Histogram: 256 × 32 counters per block, one bank per lane, so that a warp's sixteen additions
 * never meet in a bank (16 lanes a clock measured, against 14.6 on one random 256-bin table).
 *
 * A run adds to one global histogram and clears the other for the next run: no separate memset,
 * which would cost as much as a small image takes.
 */
#include "lbp_device.cuh"

VARIANT_FUNCTIONS(lbp_cuda_fast);

namespace {

constexpr int THREADS = 512;
constexpr int LANES = 32;
constexpr int WORDS = 4; /* of four pixels */
constexpr int PIXELS = 4 * WORDS;
constexpr int AHEAD = 3; /* rows in flight */
constexpr uint32_t TOP_BITS = 0x80808080U;
constexpr uint32_t ALL_LANES = 0xFFFFFFFFU;

/* What a kernel launch works on; strips are PIXELS wide, a thread takes `rows` rows of one strip.
 */
struct FastBand {
    const uint8_t *image;
    uint8_t *codes;
    size_t image_stride, codes_stride;
    int width, height;
    int row_begin, row_end;
    int strips, rows, groups;
    uint32_t bin_stride; /* bytes from bin to bin in shared memory */
};

/* A row as the strip sees it: to the left, at, to the right of each pixel; top bits apart. */
struct Row {
    uint32_t top[3][WORDS];
    uint32_t low[3][WORDS];
};

/* The words of one row in flight, and the neighbour word for the lanes at the warp's ends. */
struct Loaded {
    uint32_t words[WORDS];
    uint32_t edge;
};

struct Strip {
    int x;
    bool first, last; /* of the image's row: what lies beyond is 0 */
    int lane;
    int edge_offset; /* bytes from x to the word that no lane of this warp holds; 0: none needed */
    bool live;       /* false: past the last strip, only here for the shuffles */
};

/* Force one LOP3: left alone, the compiler emits four AND/ORs. */
__device__ __forceinline__ uint32_t majority(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t result;
    asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
}

/* Stops masks from being merged into later expressions, where they would be computed again. */
__device__ __forceinline__ uint32_t keep(uint32_t value) {
    asm("" : "+r"(value));
    return value;
}

__device__ __forceinline__ Loaded load_row(const FastBand &band, const Strip &strip, int y) {
    Loaded loaded = {};
    if (strip.live && y >= 0 && y < band.height) {
        const uint8_t *row = band.image + (size_t)y * band.image_stride + strip.x;
        const uint4 words = __ldg((const uint4 *)row);
        loaded.words[0] = words.x;
        loaded.words[1] = words.y;
        loaded.words[2] = words.z;
        loaded.words[3] = words.w;
        if (strip.edge_offset != 0) {
            loaded.edge = __ldg((const uint32_t *)(row + strip.edge_offset));
        }
    }
    return loaded;
}

__device__ __forceinline__ Row split_row(const Strip &strip, const Loaded &loaded) {
    uint32_t before = __shfl_up_sync(ALL_LANES, loaded.words[WORDS - 1], 1);
    uint32_t after = __shfl_down_sync(ALL_LANES, loaded.words[0], 1);
    before = strip.first ? 0 : (strip.lane == 0 ? loaded.edge : before);
    after = strip.last ? 0 : (strip.lane == LANES - 1 ? loaded.edge : after);

    uint32_t top[WORDS + 2];
    uint32_t low[WORDS + 2];
#pragma unroll
    for (int i = 0; i < WORDS + 2; i++) {
        const uint32_t word = i == 0 ? before : (i == WORDS + 1 ? after : loaded.words[i - 1]);
        top[i] = keep(word & TOP_BITS);
        low[i] = keep(word & ~TOP_BITS);
    }
    Row row;
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        row.top[0][i] = __funnelshift_l(top[i], top[i + 1], 8);
        row.top[1][i] = top[i + 1];
        row.top[2][i] = __funnelshift_r(top[i + 1], top[i + 2], 8);
        row.low[0][i] = __funnelshift_l(low[i], low[i + 1], 8);
        row.low[1][i] = low[i + 1];
        row.low[2][i] = __funnelshift_r(low[i + 1], low[i + 2], 8);
    }
    return row;
}

/* Codes of the middle row's four pixels in word i. */
__device__ __forceinline__ uint32_t codes_of(const Row &above, const Row &middle, const Row &below,
                                             int i) {
    const uint32_t base = TOP_BITS - middle.low[1][i];
    const uint32_t not_top = keep(middle.top[1][i] ^ TOP_BITS);
    uint32_t codes = 0;
#pragma unroll
    for (int side = 0; side < 3; side++) {
        codes = (codes >> 1) + majority(above.top[side][i], not_top, above.low[side][i] + base);
    }
    codes = (codes >> 1) + majority(middle.top[0][i], not_top, middle.low[0][i] + base);
    codes = (codes >> 1) + majority(middle.top[2][i], not_top, middle.low[2][i] + base);
#pragma unroll
    for (int side = 0; side < 3; side++) {
        codes = (codes >> 1) + majority(below.top[side][i], not_top, below.low[side][i] + base);
    }
    return codes;
}

/* Adds one to the lane's own counter. The multiply-add keeps the address off the busy ALU pipe. */
__device__ __forceinline__ void count(uint32_t lane_table, uint32_t bin_stride, uint32_t code) {
    const uint32_t address = code * bin_stride + lane_table;
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address) : "memory");
}

template <bool WHOLE>
__device__ __forceinline__ void count_codes(const FastBand &band, const Strip &strip,
                                            const uint32_t (&codes)[WORDS], uint32_t lane_table) {
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
#pragma unroll
        for (int byte = 0; byte < 4; byte++) {
            if (WHOLE || strip.x + i * 4 + byte < band.width) {
                count(lane_table, band.bin_stride, __byte_perm(codes[i], 0, 0x4440 + byte));
            }
        }
    }
}

__device__ __forceinline__ void finish_row(const FastBand &band, const Strip &strip, int y,
                                           const Row &above, const Row &middle, const Row &below,
                                           uint32_t lane_table) {
    uint32_t codes[WORDS];
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        codes[i] = codes_of(above, middle, below, i);
    }
    uint8_t *row = band.codes + (size_t)y * band.codes_stride + strip.x;
    *(uint4 *)row = make_uint4(codes[0], codes[1], codes[2], codes[3]);
    if (strip.x + PIXELS <= band.width) {
        count_codes<true>(band, strip, codes, lane_table);
    } else {
        count_codes<false>(band, strip, codes, lane_table);
    }
}

/* Walks down the strip's rows. Three copies of the step, so that the three rows in registers change
 * their roles by name instead of by moving. */
__device__ __forceinline__ void walk(const FastBand &band, const Strip &strip, int y_begin,
                                     int y_end, uint32_t lane_table) {
    Loaded queue[AHEAD];
    Row a = split_row(strip, load_row(band, strip, y_begin - 1));
    Row b = split_row(strip, load_row(band, strip, y_begin));
    Row c;
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
        queue[i] = load_row(band, strip, y_begin + 1 + i <= y_end ? y_begin + 1 + i : -1);
    }
    int y = y_begin;
    const auto step = [&](const Row &above, const Row &middle, Row &below) {
        below = split_row(strip, queue[0]);
#pragma unroll
        for (int i = 0; i + 1 < AHEAD; i++) {
            queue[i] = queue[i + 1];
        }
        const int next = y + 1 + AHEAD;
        queue[AHEAD - 1] = load_row(band, strip, next <= y_end ? next : -1);
        if (y < y_end) {
            finish_row(band, strip, y, above, middle, below, lane_table);
        }
        y++;
    };
    while (__any_sync(ALL_LANES, y < y_end)) {
        step(a, b, c);
        step(b, c, a);
        step(c, a, b);
    }
}

__global__ void __launch_bounds__(THREADS, 1)
    lbp_fast(FastBand band, LbpCount *add, LbpCount *clear) {
    __shared__ uint32_t table[LBP_BINS * LANES];
    for (int i = (int)threadIdx.x; i < LBP_BINS * LANES; i += THREADS) {
        table[i] = 0;
    }
    if (clear != NULL && blockIdx.x == 0 && threadIdx.x < LBP_BINS) {
        clear[threadIdx.x] = 0;
    }
    __syncthreads();

    const int lane = (int)threadIdx.x % LANES;
    const int item = (int)(blockIdx.x * THREADS + threadIdx.x);
    const int group = item / band.strips;
    const int column = item - group * band.strips;
    Strip strip;
    strip.x = column * PIXELS;
    strip.first = column == 0;
    strip.last = column == band.strips - 1;
    strip.lane = lane;
    strip.live = group < band.groups;
    strip.edge_offset = 0;
    if (lane == 0 && !strip.first) {
        strip.edge_offset = -4;
    } else if (lane == LANES - 1 && !strip.last) {
        strip.edge_offset = PIXELS;
    }
    const int y_begin = strip.live ? band.row_begin + group * band.rows : 0;
    const int y_end = strip.live ? min(band.row_end, y_begin + band.rows) : 0;
    walk(band, strip, y_begin, y_end, (uint32_t)__cvta_generic_to_shared(&table[lane]));

    __syncthreads();
    if (threadIdx.x < LBP_BINS) {
        LbpCount sum = 0;
        for (int i = 0; i < LANES; i++) { /* each lane starts in another bank */
            sum += table[threadIdx.x * LANES + (i + lane) % LANES];
        }
        if (sum != 0) {
            atomicAdd(&add[threadIdx.x], sum);
        }
    }
}

/* Rows per thread such that all threads are resident at once where that is possible: a second,
 * partly filled wave would double the time. */
Status divide_rows(FastBand *band) {
    int blocks = 0;
    STATUS_TRY(cuda_resident_blocks((const void *)lbp_fast, THREADS, 0, &blocks));
    const int threads = blocks * cuda_multiprocessors() * THREADS;
    const int height = band->row_end - band->row_begin;
    int groups = threads / band->strips;
    groups = groups < 1 ? 1 : (groups > height ? height : groups);
    band->rows = (height + groups - 1) / groups;
    band->groups = (height + band->rows - 1) / band->rows;
    return status_ok();
}

} // namespace

Status lbp_fast_launch(const LbpDevice *device, const CodedBand *rows) {
    FastBand band = {};
    band.image = rows->image;
    band.codes = rows->codes;
    band.image_stride = device->image_stride;
    band.codes_stride = device->codes_stride;
    band.width = device->width;
    band.height = device->height;
    band.row_begin = rows->row_begin;
    band.row_end = rows->row_end;
    band.strips = (device->width + PIXELS - 1) / PIXELS;
    band.bin_stride = LANES * sizeof(uint32_t);
    STATUS_TRY(divide_rows(&band));
    const int items = band.strips * band.groups;
    lbp_fast<<<(unsigned int)((items + THREADS - 1) / THREADS), THREADS, 0, cuda_stream()>>>(
        band, rows->add, rows->clear);
    return CUDA_LAUNCHED();
}

Status lbp_cuda_fast_open(const Request *request, void **state) {
    return lbp_device_open_state(request, LBP_FAST_ROW_ALIGNMENT, state);
}

Status lbp_cuda_fast_run(void *state) {
    LbpDevice *device = (LbpDevice *)state;
    const CodedBand band = coded_device_turn(device);
    return lbp_fast_launch(device, &band);
}
