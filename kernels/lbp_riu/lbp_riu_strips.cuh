/*
 * What the fast kernels share: a thread takes four neighbouring pixels, one aligned word, and walks
 * down a run of rows; its codes become bins, counts and, when asked for, stored bytes.
 *
 * A block's histogram has 32 columns, one for each lane, each in a memory bank of its own, so that
 * the 32 additions of a warp never wait for each other whatever the image is.
 */
#ifndef KERNELS_LBP_RIU_LBP_RIU_STRIPS_CUH
#define KERNELS_LBP_RIU_LBP_RIU_STRIPS_CUH

#include "lbp_riu_device.cuh"

namespace lbp_riu {

constexpr int LANES = 32;
constexpr int PIXELS = 4; /* of a thread in each row */

/* What a kernel launch works on: `strips` runs of PIXELS columns, each cut into `groups` of `rows`
 * rows.
 */
struct Strips {
    const uint8_t *image;
    uint8_t *bins;
    size_t image_stride, bins_stride;
    int width;
    int row_begin, row_end;
    int strips, rows, groups;
    uint32_t bin_stride; /* bytes from bin to bin in shared memory. Not a constant: multiplied, it
                            leaves the adders to the codes (16,2: 170 µs instead of 176) */
};

/* The part of one thread. */
struct Strip {
    int x;
    int y_begin, y_end; /* empty for threads past the last group */
    bool whole;         /* all PIXELS columns are in the image */
};

__device__ __forceinline__ Strip strip_of_thread(const Strips &strips) {
    const int item = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int group = item / strips.strips;
    Strip strip;
    strip.x = (item - group * strips.strips) * PIXELS;
    strip.y_begin = group < strips.groups ? strips.row_begin + group * strips.rows : 0;
    strip.y_end = group < strips.groups ? min(strips.row_end, strip.y_begin + strips.rows) : 0;
    strip.whole = strip.x + PIXELS <= strips.width;
    return strip;
}

/* Sum of products of two weights with the first or second two pixels of a word, plus `sum`. */
template <bool SECOND>
__device__ __forceinline__ int dot_two(uint32_t weights, uint32_t pixels, int sum) {
    int result;
    if (SECOND) {
        asm("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(weights), "r"(pixels), "r"(sum));
    } else {
        asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(weights), "r"(pixels), "r"(sum));
    }
    return result;
}

/* The code with the sign of `value` joined as its lowest bit: one instruction. */
__device__ __forceinline__ uint32_t join_sign(uint32_t code, int value) {
    return __funnelshift_l((uint32_t)value, code, 1);
}

/* `differences` has a bit for each place where neighbours on the circle differ. */
__device__ __forceinline__ uint32_t bin_of(uint32_t code, uint32_t differences, int points) {
    return __popc(differences) <= 2 ? (uint32_t)__popc(code) : (uint32_t)points + 1;
}

/* Adds one to a lane's counter of row `index` of the table. */
__device__ __forceinline__ void count_one(uint32_t lane_table, uint32_t bin_stride,
                                          uint32_t index) {
    const uint32_t address = index * bin_stride + lane_table;
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address) : "memory");
}

__device__ __forceinline__ void count_pixels(const Strips &strips, const Strip &strip,
                                             const uint32_t (&indices)[PIXELS],
                                             uint32_t lane_table) {
#pragma unroll
    for (int j = 0; j < PIXELS; j++) {
        if (strip.whole || strip.x + j < strips.width) {
            count_one(lane_table, strips.bin_stride, indices[j]);
        }
    }
}

__device__ __forceinline__ void store_pixels(const Strips &strips, const Strip &strip, int y,
                                             const uint32_t (&bins)[PIXELS]) {
    const uint32_t low = __byte_perm(bins[0], bins[1], 0x0040);
    const uint32_t high = __byte_perm(bins[2], bins[3], 0x0040);
    *(uint32_t *)(strips.bins + (size_t)y * strips.bins_stride + strip.x) =
        __byte_perm(low, high, 0x5410);
}

/* Codes become bins, which are counted and, if STORE, stored. */
template <bool STORE>
__device__ __forceinline__ void
finish_pixels(const Strips &strips, const Strip &strip, int y, const uint32_t (&codes)[PIXELS],
              const uint32_t (&differences)[PIXELS], int points, uint32_t lane_table) {
    uint32_t bins[PIXELS];
#pragma unroll
    for (int j = 0; j < PIXELS; j++) {
        bins[j] = bin_of(codes[j], differences[j], points);
    }
    count_pixels(strips, strip, bins, lane_table);
    if (STORE) {
        store_pixels(strips, strip, y, bins);
    }
}

/* All threads of the block call these. */
template <int ROWS> __device__ __forceinline__ void table_clear(uint32_t *table) {
    for (int i = (int)threadIdx.x; i < ROWS * LANES; i += (int)blockDim.x) {
        table[i] = 0;
    }
}

/* Sum of the lanes' counters in a row of the table; each thread starts in another bank. */
__device__ __forceinline__ uint32_t table_sum(const uint32_t *table, int row) {
    uint32_t sum = 0;
    for (int i = 0; i < LANES; i++) {
        sum += table[row * LANES + (i + (int)threadIdx.x) % LANES];
    }
    return sum;
}

/* The first block clears the histogram that the next run will add to: no separate memset, which
 * would take as long as a small image. */
__device__ __forceinline__ void clear_next(LbpRiuCount *clear) {
    if (clear != NULL && blockIdx.x == 0 && threadIdx.x < LBP_RIU_BINS_MAX) {
        clear[threadIdx.x] = 0;
    }
}

/* Two weights of a tap, negative, as dot_two takes them. */
inline uint32_t two_weights(const int32_t *weights) {
    return (uint32_t)(uint16_t)-weights[0] | (uint32_t)(uint16_t)-weights[1] << 16;
}

/* Rows per thread such that all threads are resident at once where that is possible: a second,
 * partly filled wave would double the time. */
inline Status strips_divide(const LbpRiuDevice *device, const CodedBand *band, const void *kernel,
                            int threads, Strips *strips) {
    int blocks = 0;
    STATUS_TRY(cuda_resident_blocks(kernel, threads, 0, &blocks));
    *strips = Strips{};
    strips->image = band->image;
    strips->bins = band->codes;
    strips->image_stride = device->image_stride;
    strips->bins_stride = device->codes_stride;
    strips->width = device->width;
    strips->row_begin = band->row_begin;
    strips->row_end = band->row_end;
    strips->strips = (device->width + PIXELS - 1) / PIXELS;
    strips->bin_stride = LANES * sizeof(uint32_t);
    const int height = band->row_end - band->row_begin;
    int groups = blocks * cuda_multiprocessors() * threads / strips->strips;
    groups = groups < 1 ? 1 : (groups > height ? height : groups);
    strips->rows = (height + groups - 1) / groups;
    strips->groups = (height + strips->rows - 1) / strips->rows;
    return status_ok();
}

inline unsigned int strips_blocks(const Strips &strips, int threads) {
    const long long items = (long long)strips.strips * strips.groups;
    return (unsigned int)((items + threads - 1) / threads);
}

} // namespace lbp_riu

#endif
