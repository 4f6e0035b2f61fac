/*
 * The tests of cuda_fast: a block for the keypoints of a cell, a thread for a test.
 *
 * Of a keypoint with 256 bits 2048 entries of an integral image are read, 64 loads of a warp. From
 * global memory a load costs the L1 cache about eight clocks, however the entries lie
 * (bad_fast_tests.cu); from shared memory as many as the fullest bank has entries, 3.5 on average
 * of 32 at random. So an integral image of the part of the image around some keypoints is made in
 * shared memory, from its pixels, and no integral image of the whole image is needed: sums of boxes
 * are differences of entries, which do not depend on where the adding up began.
 *
 * A unit is up to 32 keypoints of one cell. The tile is put around the largest window that is still
 * waiting, and takes all others that it holds; what is left has another tile. Small windows have
 * tiles of 128 columns, three blocks a multiprocessor; the others 256 columns and all the shared
 * memory there is, of a block each.
 *
 * A tile of small windows has about 110 rows, which cost the pipe of shared memory 700 clocks; the
 * tests of a keypoint cost it 224. Floor for 40,000 keypoints on 132 multiprocessors: 39 µs for the
 * tests at 1.75 GHz, 8 µs for the tiles.
 */
#include <algorithm>

#include "bad_device.cuh"
#include "bad_fast.cuh"
#include "cuda_device.h"

namespace {

constexpr int LANES = 32;
constexpr unsigned ALL_LANES = 0xFFFFFFFFU;
constexpr float MAGIC = 8388608.0F; /* 2^23: adding it leaves a whole number in the low bits */
constexpr int LANE_PIXELS = 4;
constexpr int CHUNK = LANES * LANE_PIXELS; /* columns that a warp takes at once */

/* === Shape ==================================================================================== */

/* A tile: chunks of columns, and rows of entries at most; made by so many warps. */
template <int CHUNKS_OF, int WARPS_OF, int ROWS_OF, int BLOCKS_OF> struct Shape {
    static constexpr int CHUNKS = CHUNKS_OF;
    static constexpr int WARPS = WARPS_OF;
    static constexpr int ROWS = ROWS_OF;
    static constexpr int BLOCKS = BLOCKS_OF; /* of a multiprocessor */
    static constexpr int THREADS = WARPS * LANES;
    static constexpr int WIDTH = CHUNKS * CHUNK;
    static constexpr int PITCH = WIDTH + LANE_PIXELS;        /* rows begin at other banks */
    static constexpr int STRIP = (ROWS + WARPS - 1) / WARPS; /* rows of a warp, at most */
    static constexpr size_t ROW_BYTES = PITCH * sizeof(uint32_t);
};

typedef Shape<1, 8, 128, 3> SmallShape;
typedef Shape<2, 16, 222, 1> MiddleShape;

/* Larger windows would leave others of their cell no room in a tile. */
constexpr int SMALL_SIDE = 76;

/* === Tiles ==================================================================================== */

/* The sum of the values of this lane and of those before it. */
__device__ __forceinline__ uint32_t scan_lanes(uint32_t value, int lane) {
#pragma unroll
    for (int distance = 1; distance < LANES; distance *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, value, (unsigned)distance);
        value += lane >= distance ? other : 0;
    }
    return value;
}

/*
 * Entries 0 … rows of the tile from `rows` rows of pixels, the first at column `x` and row `y` of
 * the image. Warps share the rows. Row (w + 1)·strip is first the sum of a warp's own rows, then of
 * all rows above, and so that of the tile: the warp below goes on from there.
 */
template <typename Of>
__device__ __forceinline__ void build_tile(const uint8_t *image, int stride, int x, int y, int rows,
                                           uint32_t *tile) {
    const int lane = (int)threadIdx.x % LANES;
    const int warp = (int)threadIdx.x / LANES;
    constexpr int WARPS = Of::WARPS;
    constexpr int CHUNKS = Of::CHUNKS;
    const int strip = (rows + WARPS - 1) / WARPS;
    const int first = warp * strip;
    const int count = max(min(strip, rows - first), 0);
    uint32_t pixels[Of::STRIP][CHUNKS];
    const uint8_t *start =
        image + (size_t)(y + first) * (size_t)stride + (size_t)(x + LANE_PIXELS * lane);
#pragma unroll
    for (int r = 0; r < Of::STRIP; r++) {
#pragma unroll
        for (int c = 0; c < CHUNKS; c++) {
            const bool there = r < count && x + CHUNK * c + LANE_PIXELS * lane < stride;
            pixels[r][c] =
                there ? __ldg((const uint32_t *)(start + (size_t)r * (size_t)stride + CHUNK * c))
                      : 0;
        }
    }
    uint32_t carry = 0;
    const bool full = first + strip <= rows;
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
        uint32_t even = 0;
        uint32_t odd = 0;
#pragma unroll
        for (int r = 0; r < Of::STRIP; r++) {
            even += pixels[r][c] & 0x00FF00FFU;
            odd += pixels[r][c] >> 8 & 0x00FF00FFU;
        }
        uint4 sums;
        sums.y = even & 0xFFFFU;
        sums.z = sums.y + (odd & 0xFFFFU);
        sums.w = sums.z + (even >> 16);
        const uint32_t own = sums.w + (odd >> 16);
        const uint32_t inclusive = scan_lanes(own, lane);
        const uint32_t exclusive = carry + inclusive - own;
        carry += __shfl_sync(ALL_LANES, inclusive, LANES - 1);
        sums.x = exclusive;
        sums.y += exclusive;
        sums.z += exclusive;
        sums.w += exclusive;
        if (full) {
            *(uint4 *)&tile[(first + strip) * Of::PITCH + CHUNK * c + LANE_PIXELS * lane] = sums;
        }
    }
    __syncthreads();
    if ((int)threadIdx.x < Of::WIDTH) {
        uint32_t own[WARPS];
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            own[w] =
                (w + 1) * strip <= rows ? tile[(w + 1) * strip * Of::PITCH + (int)threadIdx.x] : 0;
        }
        tile[threadIdx.x] = 0;
        uint32_t sum = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            sum += own[w];
            if ((w + 1) * strip <= rows) {
                tile[(w + 1) * strip * Of::PITCH + (int)threadIdx.x] = sum;
            }
        }
    }
    __syncthreads();
    if (count > 0) {
        uint32_t sums[CHUNKS][4];
#pragma unroll
        for (int c = 0; c < CHUNKS; c++) {
            const uint4 above =
                *(const uint4 *)&tile[first * Of::PITCH + CHUNK * c + LANE_PIXELS * lane];
            sums[c][0] = above.x;
            sums[c][1] = above.y;
            sums[c][2] = above.z;
            sums[c][3] = above.w;
        }
        const int stored = full ? strip - 1 : count;
#pragma unroll
        for (int r = 0; r < Of::STRIP; r += 2) {
            if (r >= stored) {
                break;
            }
            uint32_t before = 0; /* of two rows, 16 bits each: at most 256 · 255 */
#pragma unroll
            for (int c = 0; c < CHUNKS; c++) {
                const uint32_t upper = pixels[r][c];
                const uint32_t lower = r + 1 < Of::STRIP ? pixels[r + 1][c] : 0;
                const uint32_t own = __dp4a(upper, 0x01010101U, 0U) | __dp4a(lower, 0x01010101U, 0U)
                                                                          << 16;
                const uint32_t inclusive = scan_lanes(own, lane);
                const uint32_t exclusive = before + inclusive - own;
                before += __shfl_sync(ALL_LANES, inclusive, LANES - 1);
#pragma unroll
                for (int half = 0; half < 2; half++) {
                    const uint32_t row = half == 0 ? upper : lower;
                    const uint32_t left = half == 0 ? exclusive & 0xFFFFU : exclusive >> 16;
                    sums[c][0] += left;
                    sums[c][1] = __dp4a(row, 0x00000001U, sums[c][1]) + left;
                    sums[c][2] = __dp4a(row, 0x00000101U, sums[c][2]) + left;
                    sums[c][3] = __dp4a(row, 0x00010101U, sums[c][3]) + left;
                    if (r + half < stored) {
                        *(uint4 *)&tile[(first + r + half + 1) * Of::PITCH + CHUNK * c +
                                        LANE_PIXELS * lane] =
                            make_uint4(sums[c][0], sums[c][1], sums[c][2], sums[c][3]);
                    }
                }
            }
        }
    }
    __syncthreads();
}

/* A position that is not negative, rounded as bad_round does. */
__device__ __forceinline__ int rounded(float position) {
    return __float_as_int(__fadd_rz(PATCH_ADD(position, 0.5F), MAGIC)) - __float_as_int(MAGIC);
}

/* === Tests ==================================================================================== */

/* Entries of the tile by their positions in the image. */
template <int PITCH> struct TileEntry {
    const uint32_t *tile;
    int origin; /* of the image, in entries of the tile; negative */

    __device__ __forceinline__ uint32_t operator()(int x, int y) const {
        return tile[y * PITCH + x + origin];
    }
};

template <int PITCH>
__device__ __forceinline__ int32_t inside_sum(const TileEntry<PITCH> &entry, const PatchMap &map,
                                              float i, float j, int radius, int side) {
    const int x = rounded(patch_map_x(&map, i, j));
    const int y = rounded(patch_map_y(&map, i, j));
    const int upper = (y - radius) * PITCH + (x - radius) + entry.origin;
    const int lower = upper + side * PITCH;
    return (int32_t)(entry.tile[lower + side] - entry.tile[lower] - entry.tile[upper + side] +
                     entry.tile[upper]);
}

template <int PITCH>
__device__ __forceinline__ int test_bit(const TileEntry<PITCH> &entry, const BadFastPlace &place,
                                        const BadTest &test, int width, int height) {
    if (!place.inside) {
        const BadPlace searched = {place.map, place.near_border};
        return bad_test_bit(entry, searched, test, width, height);
    }
    const int radius = rounded(PATCH_MUL(place.map.s, test.radius));
    const int side = 2 * radius + 1;
    const int32_t sum1 = inside_sum(entry, place.map, test.x1, test.y1, radius, side);
    const int32_t sum2 = inside_sum(entry, place.map, test.x2, test.y2, radius, side);
    return (float)(sum1 - sum2) <= PATCH_MUL(test.threshold, PATCH_MUL((float)side, (float)side));
}

struct Job {
    const uint8_t *image;
    int stride, width, height;
    const BadTest *tests;
    uint32_t *descriptors;
    const BadFastPlace *places;
    const BadFastUnit *units;
    const uint32_t *unit_count;
    int rows; /* of entries in a tile */
};

/* === Windows ================================================================================== */

__device__ __forceinline__ int warp_max(int value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(ALL_LANES, value);
#else
    for (int distance = LANES / 2; distance > 0; distance /= 2) {
        value = max(value, __shfl_xor_sync(ALL_LANES, value, distance));
    }
    return value;
#endif
}

__device__ __forceinline__ int warp_min(int value) {
    return -warp_max(-value);
}

struct Window {
    int left, top, right, bottom; /* entries, ends included */
};

/* A tile of the image, and the windows in it, a bit a lane. */
struct Choice {
    uint32_t members;
    int x, y, rows; /* its first entry; rows of pixels */
};

/* The tile holds the largest window that is waiting, and begins as far left and up as that allows
 * and others that wait reach. Its rows are then those that its members need. All warps of a block
 * choose the same. */
template <typename Of>
__device__ __forceinline__ Choice choose_tile(uint32_t waiting, const Window &window, int rows,
                                              int lane) {
    constexpr int FAR = 0x7FFFFFFF;
    const bool waits = (waiting >> lane & 1U) != 0;
    const int side = max(window.right - window.left, window.bottom - window.top);
    const int largest = warp_max(waits ? side * LANES + lane : -1) % LANES;
    const int left = warp_min(waits ? window.left : FAR);
    const int top = warp_min(waits ? window.top : FAR);
    const int right = __shfl_sync(ALL_LANES, window.right, largest);
    const int bottom = __shfl_sync(ALL_LANES, window.bottom, largest);
    Choice choice;
    choice.x = max(left, right - (Of::WIDTH - LANE_PIXELS)) / LANE_PIXELS * LANE_PIXELS;
    choice.y = max(top, bottom - (rows - 1));
    const bool member = waits && window.left >= choice.x && window.top >= choice.y &&
                        window.right < choice.x + Of::WIDTH && window.bottom < choice.y + rows;
    choice.members = __ballot_sync(ALL_LANES, member);
    choice.y = warp_min(member ? window.top : FAR);
    choice.rows = warp_max(member ? window.bottom : 0) - choice.y;
    return choice;
}

/* === Kernel =================================================================================== */

template <typename Of, int BITS>
__global__ void __launch_bounds__(Of::THREADS, Of::BLOCKS) bad_fast_describe_tiles(Job job) {
    constexpr int WORDS = BITS / LANES;
    constexpr int TESTS = WORDS > Of::WARPS ? WORDS / Of::WARPS : 1;  /* of a thread */
    constexpr int GROUPS = Of::WARPS > WORDS ? Of::WARPS / WORDS : 1; /* keypoints at once */
    extern __shared__ uint4 room[];
    __shared__ BadFastPlace places[BAD_FAST_UNIT];
    uint32_t *tile = (uint32_t *)room;
    if (blockIdx.x >= *job.unit_count) {
        return;
    }
    const int lane = (int)threadIdx.x % LANES;
    const int warp = (int)threadIdx.x / LANES;
    const int word = warp % (WORDS / TESTS);
    const BadFastUnit unit = job.units[blockIdx.x];
    constexpr int VECTORS = sizeof(BadFastPlace) / sizeof(uint4);
    if (threadIdx.x < VECTORS * unit.count) {
        ((uint4 *)places)[threadIdx.x] = ((const uint4 *)(job.places + unit.first))[threadIdx.x];
    }
    BadTest tests[TESTS];
#pragma unroll
    for (int t = 0; t < TESTS; t++) {
        tests[t] = job.tests[(t * Of::WARPS + word) * LANES + lane];
    }
    __syncthreads();
    Window window = {0, 0, 0, 0};
    if (lane < (int)unit.count) {
        const BadFastPlace &own = places[lane];
        window = Window{own.left, own.top, own.right, own.bottom};
    }
    uint32_t waiting = ALL_LANES >> (BAD_FAST_UNIT - unit.count);
    while (waiting != 0) {
        const Choice choice = choose_tile<Of>(waiting, window, job.rows, lane);
        waiting &= ~choice.members;
        build_tile<Of>(job.image, job.stride, choice.x, choice.y, choice.rows, tile);
        const TileEntry<Of::PITCH> entry = {tile, -(choice.y * Of::PITCH + choice.x)};
        int turn = 0;
        for (uint32_t left = choice.members; left != 0; left &= left - 1, turn++) {
            if (turn % GROUPS != warp / (WORDS / TESTS)) {
                continue;
            }
            const BadFastPlace &place = places[__ffs((int)left) - 1];
#pragma unroll
            for (int t = 0; t < TESTS; t++) {
                const int bit = test_bit(entry, place, tests[t], job.width, job.height);
                const uint32_t votes = __ballot_sync(ALL_LANES, bit);
                if (lane == 0) {
                    job.descriptors[(size_t)place.keypoint * WORDS +
                                    (size_t)(t * Of::WARPS + word)] =
                        BadRule<BadGlobal>::word(votes);
                }
            }
        }
        __syncthreads(); /* before the next tile */
    }
}

/* === Launch =================================================================================== */

/* Rows of entries that the shared memory of a block has room for beside its places. */
template <typename Of> int rows_of(int bytes) {
    const int room = bytes - (int)(BAD_FAST_UNIT * sizeof(BadFastPlace));
    return std::min(Of::ROWS, room / (int)Of::ROW_BYTES);
}

template <typename Of, int BITS>
Status describe(const BadDevice *device, const BadFastWork *work, int which) {
    int bytes = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &bytes));
    const int rows = rows_of<Of>(bytes);
    const size_t tile_bytes = Of::ROW_BYTES * (size_t)rows;
    CUDA_TRY(cudaFuncSetAttribute((const void *)bad_fast_describe_tiles<Of, BITS>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, (int)tile_bytes));
    const Job job = {device->image,
                     (int)device->stride,
                     device->width,
                     device->height,
                     device->tests,
                     device->descriptors,
                     work->ordered,
                     work->units[which],
                     work->unit_counts + which,
                     rows};
    bad_fast_describe_tiles<Of, BITS>
        <<<(unsigned)bad_fast_units(device, which), Of::THREADS, tile_bytes, cuda_stream()>>>(job);
    return CUDA_LAUNCHED();
}

/* The larger ones first: their blocks take longest. */
template <int BITS> Status describe_both(const BadDevice *device, const BadFastWork *work) {
    STATUS_TRY((describe<MiddleShape, BITS>(device, work, BAD_FAST_MIDDLE)));
    return describe<SmallShape, BITS>(device, work, BAD_FAST_SMALL);
}

} // namespace

Status bad_fast_sides(BadFastSides *sides) {
    int bytes = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &bytes));
    sides->most[BAD_FAST_SMALL] = std::min(SMALL_SIDE, rows_of<SmallShape>(bytes));
    sides->most[BAD_FAST_MIDDLE] = std::min(MiddleShape::ROWS, rows_of<MiddleShape>(bytes));
    return status_ok();
}

Status bad_fast_tiles(const BadDevice *device, const BadFastWork *work) {
    return device->bits == 256 ? describe_both<256>(device, work)
                               : describe_both<512>(device, work);
}
