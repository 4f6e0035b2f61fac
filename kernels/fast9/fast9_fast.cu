/*
 * cuda_fast: all levels in one launch; first a test of two pixels at a time that most fail, then
 * the segment test for those that are left, a thread for each.
 *
 * An arc of nine pixels on the circle has at least one of top and bottom, and one of left and
 * right: on packed halves that is about nine instructions a pixel, without a branch, from words of
 * four pixels in shared memory. In a natural image one pixel in ten or twenty is left; they are
 * listed, so that the 16 reads and comparisons of the segment test are done by full warps. A block
 * appends its corners with one atomic.
 *
 * Levels of the pyramid are made one from another, so they cannot share a launch. Where a column or
 * row samples the level below is computed once for all of it, on the host: it takes a division.
 *
 * Floor at 15360 × 8640 on an H200: 434 MB of pyramid read at 4.2 TB/s are 0.10 ms; nine
 * instructions a pixel are 0.13 ms.
 *
 * The ladder there, a natural image, ms: pyramid, corners, and the whole run
 *   0.85   1.34   2.30   cuda_naive
 *   0.83   2.50   3.48   cuda_tiled, tiles of 16 pixels: few pixels need their circle, but all of
 *                        them are staged
 *   1.42   2.25   3.82   cuda_texture
 *   0.91   0.81   1.88   this, with the reads of a pixel of the pyramid one after the other and
 * words of a tile staged with a division for each 0.59   0.80   1.52   this What is left in common
 * is suppression (0.05) and the choice of the strongest (0.11). By the profiler corners take
 * 640 million warp instructions, four times the floor, and that the integer pipe is busy 78 % of
 * the time: staging, listing and the tests at the edges cost more than the test itself.
 */
#include <algorithm>
#include <cstdlib>
#include <cub/warp/warp_scan.cuh>

#include "cuda_device.h"
#include "fast9_device.cuh"

/* === The kernel =============================================================================== */

namespace fast9_fast {

constexpr int LANES = 32;
constexpr int THREADS = 256;
constexpr int WARPS = THREADS / LANES;
constexpr uint32_t ALL_LANES = 0xFFFFFFFFU;

/* --- Pyramid -----------------------------------------------------------------------------------
 */

constexpr int PYRAMID_ROWS = 4; /* of a thread */

struct LevelJob {
    const uint8_t *from;
    uint8_t *to;
    int from_width, from_height, width, height;
    const int32_t *x_places, *y_places; /* fast9_sample_place of every column and row */
};

/* A thread makes PYRAMID_ROWS pixels of one column, for which the places are looked up once. All of
 * them are read before any is made, so that the reads are under way together; rows beyond the level
 * repeat its last one. */
__global__ void make_level(LevelJob job) {
    const int x = blockIdx.x * LANES + threadIdx.x;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * PYRAMID_ROWS;
    if (x >= job.width || first >= job.height) {
        return;
    }
    const int place = job.x_places[x];
    const int left = place >> 8;
    const int right = min(left + 1, job.from_width - 1);
    uint8_t corners[PYRAMID_ROWS][4];
    int fractions[PYRAMID_ROWS];
#pragma unroll
    for (int i = 0; i < PYRAMID_ROWS; i++) {
        const int row = job.y_places[min(first + i, job.height - 1)];
        const int top = row >> 8;
        const uint8_t *upper = job.from + (size_t)top * job.from_width;
        const uint8_t *lower =
            job.from + (size_t)min(top + 1, job.from_height - 1) * job.from_width;
        corners[i][0] = upper[left];
        corners[i][1] = upper[right];
        corners[i][2] = lower[left];
        corners[i][3] = lower[right];
        fractions[i] = row & 255;
    }
    uint8_t *to = job.to + (size_t)first * job.width + x;
#pragma unroll
    for (int i = 0; i < PYRAMID_ROWS; i++, to += job.width) {
        if (first + i < job.height) {
            *to = fast9_blend(corners[i][0], corners[i][1], corners[i][2], corners[i][3],
                              place & 255, fractions[i]);
        }
    }
}

/* --- Corners -----------------------------------------------------------------------------------
 */

constexpr int CIRCLE_RADIUS = 3;
constexpr int WORD = 4;        /* pixels */
constexpr int TILE_WORDS = 32; /* across: one for each lane */
constexpr int TILE_WIDTH = TILE_WORDS * WORD;
constexpr int ROWS = 4; /* of a thread */
constexpr int TILE_HEIGHT = WARPS * ROWS;
constexpr int STAGED_WORDS = TILE_WORDS + 2; /* a word on either side */
constexpr int STAGED_ROWS = TILE_HEIGHT + 2 * CIRCLE_RADIUS;
constexpr int PIXELS = TILE_WIDTH * TILE_HEIGHT;

struct Level {
    const uint8_t *pixels;
    int width, height;
    int first_block, blocks_across; /* of all blocks of the launch */
};

struct CornerJob {
    Level levels[FAST9_LEVELS_MAX];
    int count, threshold;
    const uint8_t *limit; /* end of the pyramid */
    Fast9List list;
};

struct Tile {
    uint32_t words[STAGED_ROWS][STAGED_WORDS];
    uint16_t candidates[PIXELS]; /* places in the tile: row × TILE_WIDTH + column */
    uint16_t corners[PIXELS];
    unsigned int candidate_count, corner_count, first;
};

/* A row of the tile, a word for each lane and the two behind them. Rows begin at any address, the
 * same for all words but for multiples of four: two aligned words have it. What lies beyond a row's
 * end is never used, for corners keep FAST9_BORDER away from the edges; nothing is read from
 * `limit` on. */
__device__ __forceinline__ void stage_row(const uint8_t *at, const uint8_t *limit,
                                          uint32_t *words) {
    const uint32_t shift = (uint32_t)((size_t)at % WORD);
    const uint32_t *aligned = (const uint32_t *)(at - shift);
    for (int word = threadIdx.x % LANES; word < STAGED_WORDS; word += LANES) {
        uint32_t low = 0;
        uint32_t high = 0;
        if ((const uint8_t *)(aligned + word + 2) <= limit) {
            low = aligned[word];
            high = shift != 0 ? aligned[word + 1] : 0;
        }
        words[word] = __funnelshift_r(low, high, 8 * shift);
    }
}

__device__ void stage_tile(const Level &level, const uint8_t *limit, int x0, int y0, Tile &tile) {
    for (int row = threadIdx.x / LANES; row < STAGED_ROWS; row += WARPS) {
        const int y = min(y0 + row - CIRCLE_RADIUS, level.height - 1);
        stage_row(level.pixels + (size_t)y * level.width + x0 - WORD, limit, tile.words[row]);
    }
    if (threadIdx.x == 0) {
        tile.candidate_count = 0;
        tile.corner_count = 0;
    }
    __syncthreads();
}

/* Two pixels in the halves of a word. */
__device__ __forceinline__ uint32_t halves_of(uint32_t word, int upper) {
    return __byte_perm(word, 0, upper ? 0x4342 : 0x4140);
}

/* An arc of nine has one pixel at least of top and bottom, and one of left and right. Sets bits 15
 * and 31 for the pixels of a pair that have such pixels, brighter or darker. `beyond` is
 * 0x8000 − 257 − threshold in both halves. */
__device__ __forceinline__ uint32_t may_be_corner(uint32_t p, uint32_t top, uint32_t bottom,
                                                  uint32_t left, uint32_t right, uint32_t beyond) {
    const uint32_t bright = __vminu2(__vmaxu2(top, bottom), __vmaxu2(left, right));
    const uint32_t dark = __vmaxu2(__vminu2(top, bottom), __vminu2(left, right));
    constexpr uint32_t BIAS = 0x01000100U; /* keeps differences of halves apart */
    const uint32_t most = __vmaxu2(bright + BIAS - p, p + BIAS - dark);
    return (most + beyond) & 0x80008000U;
}

/* Which of the four pixels of a word may be corners, in bits 0 … 3. */
__device__ __forceinline__ uint32_t candidates_of_word(const Tile &tile, int row, int word,
                                                       uint32_t beyond) {
    const uint32_t p = tile.words[row][word];
    const uint32_t top = tile.words[row - CIRCLE_RADIUS][word];
    const uint32_t bottom = tile.words[row + CIRCLE_RADIUS][word];
    const uint32_t left = __byte_perm(tile.words[row][word - 1], p, 0x4321);
    const uint32_t right = __byte_perm(p, tile.words[row][word + 1], 0x6543);
    uint32_t found = 0;
#pragma unroll
    for (int upper = 0; upper < 2; upper++) {
        const uint32_t pair =
            may_be_corner(halves_of(p, upper), halves_of(top, upper), halves_of(bottom, upper),
                          halves_of(left, upper), halves_of(right, upper), beyond);
        found |= (pair >> 15 & 1U | pair >> 30 & 2U) << (2 * upper);
    }
    return found;
}

/* The bits of the word's pixels that keep their distance from the edges. */
__device__ __forceinline__ uint32_t inside(const Level &level, int x, int y) {
    if (y < FAST9_BORDER || y >= level.height - FAST9_BORDER) {
        return 0;
    }
    uint32_t bits = 0;
#pragma unroll
    for (int i = 0; i < WORD; i++) {
        bits |= x + i >= FAST9_BORDER && x + i < level.width - FAST9_BORDER ? 1U << i : 0;
    }
    return bits;
}

/* Lists the candidates of the tile. */
__device__ void find_candidates(const Level &level, int threshold, int x0, int y0, Tile &tile) {
    const int lane = threadIdx.x % LANES;
    const int first_row = threadIdx.x / LANES * ROWS;
    const uint32_t beyond = (uint32_t)(0x8000 - 257 - threshold) * 0x10001U;
    uint32_t found = 0;
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int row = first_row + i;
        const uint32_t bits = candidates_of_word(tile, row + CIRCLE_RADIUS, lane + 1, beyond) &
                              inside(level, x0 + lane * WORD, y0 + row);
        found |= bits << (WORD * i);
    }
    using Scan = cub::WarpScan<unsigned int>;
    typename Scan::TempStorage storage; /* of whole warps it is empty */
    unsigned int before, all;
    Scan(storage).ExclusiveSum((unsigned int)__popc(found), before, all);
    unsigned int place = 0;
    if (lane == 0 && all > 0) {
        place = atomicAdd(&tile.candidate_count, all);
    }
    place = __shfl_sync(ALL_LANES, place, 0) + before;
    for (; found != 0; found &= found - 1) {
        const int bit = __ffs((int)found) - 1;
        tile.candidates[place++] =
            (uint16_t)((first_row + bit / WORD) * TILE_WIDTH + lane * WORD + bit % WORD);
    }
    __syncthreads();
}

/* The segment test itself. */
__device__ __forceinline__ bool is_corner(const uint8_t *p, int threshold) {
    constexpr int STRIDE = STAGED_WORDS * WORD;
    constexpr int dx[FAST9_CIRCLE] = FAST9_CIRCLE_X;
    constexpr int dy[FAST9_CIRCLE] = FAST9_CIRCLE_Y;
    const int high = p[0] + threshold;
    const int low = p[0] - threshold;
    uint32_t bright = 0;
    uint32_t dark = 0;
#pragma unroll
    for (int i = 0; i < FAST9_CIRCLE; i++) {
        const int q = p[dy[i] * STRIDE + dx[i]];
        bright = __funnelshift_l((uint32_t)(high - q), bright, 1); /* the sign goes in */
        dark = __funnelshift_l((uint32_t)(q - low), dark, 1);
    }
    return fast9_has_arc(bright) || fast9_has_arc(dark);
}

__device__ void test_candidates(int threshold, Tile &tile) {
    const uint8_t *bytes = (const uint8_t *)tile.words;
    for (unsigned int i = threadIdx.x; i < tile.candidate_count; i += THREADS) {
        const int place = tile.candidates[i];
        const uint8_t *p = bytes + (place / TILE_WIDTH + CIRCLE_RADIUS) * STAGED_WORDS * WORD +
                           WORD + place % TILE_WIDTH;
        if (is_corner(p, threshold)) {
            tile.corners[atomicAdd(&tile.corner_count, 1U)] = (uint16_t)place;
        }
    }
    __syncthreads();
}

__device__ void append_corners(const CornerJob &job, int level, int x0, int y0, Tile &tile) {
    if (threadIdx.x == 0 && tile.corner_count > 0) {
        tile.first = atomicAdd(job.list.cursor, tile.corner_count);
    }
    __syncthreads();
    for (unsigned int i = threadIdx.x; i < tile.corner_count; i += THREADS) {
        const int place = tile.corners[i];
        fast9_put(job.list, tile.first + i, level, x0 + place % TILE_WIDTH,
                  y0 + place / TILE_WIDTH);
    }
}

/* A block for each tile of every level. */
__global__ void __launch_bounds__(THREADS) find_corners(const __grid_constant__ CornerJob job) {
    __shared__ Tile tile;
    int level = job.count - 1;
    while (level > 0 && (int)blockIdx.x < job.levels[level].first_block) {
        --level;
    }
    const Level &here = job.levels[level];
    const int block = (int)blockIdx.x - here.first_block;
    /* The first tile begins at the first pixels that can be corners. */
    const int x0 = FAST9_BORDER + block % here.blocks_across * TILE_WIDTH;
    const int y0 = FAST9_BORDER + block / here.blocks_across * TILE_HEIGHT;
    stage_tile(here, job.limit, x0, y0, tile);
    find_candidates(here, job.threshold, x0, y0, tile);
    test_candidates(job.threshold, tile);
    append_corners(job, level, x0, y0, tile);
}

} // namespace fast9_fast

/* === The variant ============================================================================== */

VARIANT_FUNCTIONS(fast9_cuda_fast);

namespace {

using namespace fast9_fast;

/* Where columns and rows of all levels sample those below, level by level, columns first. */
struct Places {
    int32_t *host; /* page-locked */
    int32_t *device;
    size_t first[FAST9_LEVELS_MAX];
    size_t count;
};

Places *places_of(Fast9Device *device) {
    return (Places *)device->search_state;
}

void fill_places(const Fast9Levels &levels, Places *places) {
    for (int l = 1; l < levels.count; l++) {
        int32_t *entry = places->host + places->first[l];
        for (int x = 0; x < levels.width[l]; x++) {
            *entry++ = fast9_sample_place(x, levels.width[l - 1], levels.width[l]);
        }
        for (int y = 0; y < levels.height[l]; y++) {
            *entry++ = fast9_sample_place(y, levels.height[l - 1], levels.height[l]);
        }
    }
}

Status open_search(Fast9Device *device) {
    const Fast9Levels &levels = device->levels;
    Places *places = (Places *)calloc(1, sizeof *places);
    if (places == NULL) {
        return status_skip("not enough host memory for a variant's state");
    }
    device->search_state = places;
    for (int l = 1; l < levels.count; l++) {
        places->first[l] = places->count;
        places->count += (size_t)(levels.width[l] + levels.height[l]);
    }
    const size_t bytes = std::max(places->count, (size_t)1) * sizeof *places->host;
    CUDA_TRY(cudaMallocHost((void **)&places->host, bytes));
    fill_places(levels, places);
    return cuda_backend.alloc(bytes, (void **)&places->device);
}

void close_search(Fast9Device *device) {
    Places *places = places_of(device);
    if (places != NULL) {
        (void)cudaFreeHost(places->host);
        cuda_backend.release(places->device);
        free(places);
    }
}

Status upload_search(Fast9Device *device) {
    const Places *places = places_of(device);
    if (places->count > 0) {
        CUDA_TRY(cudaMemcpyAsync(places->device, places->host, places->count * sizeof *places->host,
                                 cudaMemcpyHostToDevice, cuda_stream()));
    }
    return status_ok();
}

Status make_pyramid(Fast9Device *device) {
    const Fast9Levels &levels = device->levels;
    const Places *places = places_of(device);
    const dim3 threads(LANES, WARPS);
    for (int l = 1; l < levels.count; l++) {
        const int32_t *x_places = places->device + places->first[l];
        const LevelJob job = {device->pyramid + levels.offset[l - 1],
                              device->pyramid + levels.offset[l],
                              levels.width[l - 1],
                              levels.height[l - 1],
                              levels.width[l],
                              levels.height[l],
                              x_places,
                              x_places + levels.width[l]};
        const dim3 blocks((unsigned)pieces_of(levels.width[l], LANES),
                          (unsigned)pieces_of(levels.height[l], WARPS * PYRAMID_ROWS));
        make_level<<<blocks, threads, 0, cuda_stream()>>>(job);
        STATUS_TRY(CUDA_LAUNCHED());
    }
    return status_ok();
}

Status search_corners(Fast9Device *device) {
    const Fast9Levels &levels = device->levels;
    CornerJob job = {};
    job.count = levels.count;
    job.threshold = device->point.corner_threshold;
    job.limit = device->pyramid + levels.pixels;
    job.list = fast9_list(device);
    int blocks = 0;
    for (int l = 0; l < levels.count; l++) {
        const int across = pieces_of(levels.width[l] - 2 * FAST9_BORDER, TILE_WIDTH);
        const int down = pieces_of(levels.height[l] - 2 * FAST9_BORDER, TILE_HEIGHT);
        job.levels[l] = Level{device->pyramid + levels.offset[l], levels.width[l], levels.height[l],
                              blocks, across};
        blocks += across * down;
    }
    if (blocks > 0) {
        find_corners<<<(unsigned)blocks, THREADS, 0, cuda_stream()>>>(job);
    }
    return CUDA_LAUNCHED();
}

} // namespace

Status fast9_cuda_fast_open(const Request *request, void **state) {
    static const Fast9Search fast = {open_search, upload_search, make_pyramid, search_corners,
                                     close_search};
    return fast9_cuda_open_with(request, &fast, state);
}
