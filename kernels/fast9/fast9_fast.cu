/*
 * cuda_fast: all levels in one kernel launch; first a test of four pixels at a time that most fail,
 * then the segment test for those that are left, a thread for each.
 *
 * An arc of nine pixels on the circle has at least one of top and bottom, and one of left and
 * right. The first test looks at these four with the upper six bits of each pixel, four pixels in a
 * word: sums of such bytes do not reach into each other, so that a comparison of four pixels is one
 * addition. It lets a few more pixels pass than the exact comparison; they are listed, so that the
 * 16 reads and comparisons of the segment test are done by full warps. A block appends its corners
 * with one atomic; their FAST scores it makes from the pixels that it has at hand.
 *
 * Levels of the pyramid are made one from another, so they cannot share a kernel launch. A thread
 * makes words of four pixels from words of the level below: dp2a weighs a pixel's two neighbours
 * across a row, and as the sums are exact until the last rounding, the result is that of
 * fast9_blend. Where a column or row samples the level below is computed once for all of it, on the
 * host: it takes a division.
 *
 * Floor at 15360 × 8640 on an H200: 434 MB of pyramid read at 4.2 TB/s are 0.10 ms; five
 * instructions a pixel are 0.07 ms.
 *
 * The ladder there, a natural image, ms: pyramid, corners, and the whole run
 *   0.85   1.34   2.30   cuda_naive
 *   0.83   2.50   3.48   cuda_tiled, tiles of 16 pixels: few pixels need their circle, but all of
 *                        them are staged
 *   1.42   2.25   3.82   cuda_texture
 *   0.91   0.81   1.88   pairs of pixels in halves of words, the reads of a pixel of the pyramid
 *                        one after the other, words of a tile staged with a division for each
 *   0.59   0.80   1.52   the reads of four pixels of the pyramid under way together
 *
 * On an H100, us, back to back: pyramid, corners, suppression, choice, and the whole run
 *  at 7680 × 4320         at 15360 × 8640
 *   98   95  45  64  311   335  309  45  67  768   dp2a weighs words of four pixels, six bits of
 *                                                  each are tested; scores in suppression
 *   91  102  33  25  249   309  320  33  27  690   four rows a thread in the pyramid, six bits made
 *                                                  once when staged, scores with the corners
 * The last line is of a prototype, which clears the map within the choice and not in a kernel
 * launch of its own. With 999,000 corners instead of 214,000 (threshold 10, 7680 × 4320) the two
 * take 542 and 337 in all.
 *
 * Tried and dropped, at 7680 × 4320: one or eight rows a thread in the pyramid (117 and 100); tiles
 * of 32 rows for the corners (123); six bits made when used (109); corners of level 0 on a second
 * stream beside the pyramid, or of each level beside the next (263 and 276 in all, against 265).
 * All levels from one tile, in fewer kernel launches: 118 to 142 for the pyramid where 88 were to
 * be beaten, and 384 to 498 instead of 320 at 15360 × 8640.
 */
#include <algorithm>
#include <cstdlib>

#include "cuda_device.h"
#include "early_launch.cuh"
#include "fast9_device.cuh"
#include "warp_scan.cuh"

/* === The kernel =============================================================================== */

namespace fast9_fast {

constexpr int LANES = 32;
constexpr int THREADS = 256;
constexpr int WARPS = THREADS / LANES;
constexpr uint32_t ALL_LANES = 0xFFFFFFFFU;

/* --- Pyramid ---------------------------------------------------------------------------------- */

constexpr int WORD = 4;           /* pixels */
constexpr int PYRAMID_ROWS = 4;   /* of a thread */
constexpr int PYRAMID_BLOCKS = 4; /* of a multiprocessor */

struct LevelJob {
    const uint8_t *from;
    uint8_t *to;
    int from_height, from_stride, width, height, stride;
    /* fast9_sample_place of every column, padded to whole words by the last one, and row */
    const int32_t *x_places, *y_places;
};

/* Where the four pixels of a word sample a row: six neighbouring pixels have all they need, or
 * eight where rounded sides make the step a little more than 1.2. The words that have them may
 * reach beyond the row, which the next row or level follows; what is read there has no weight. */
struct WordPlaces {
    int aligned;          /* the first of three words that have them */
    uint32_t shift;       /* bits from there to the leftmost pixel */
    uint32_t pairs[WORD]; /* selects a pixel's two from eight bytes that begin with the leftmost */
    uint32_t weights[WORD]; /* of the two, in halves */
};

__device__ __forceinline__ WordPlaces places_of_word(const LevelJob &job, int x) {
    const int4 four = *(const int4 *)(job.x_places + x);
    const int places[WORD] = {four.x, four.y, four.z, four.w};
    const int left = places[0] >> 8;
    WordPlaces word;
    word.aligned = left / WORD * WORD;
    word.shift = (uint32_t)(left % WORD) * 8;
#pragma unroll
    for (int i = 0; i < WORD; i++) {
        const uint32_t at = (uint32_t)((places[i] >> 8) - left);
        const uint32_t fraction = (uint32_t)places[i] & 255;
        word.pairs[i] = at | (at + 1) << 4;
        word.weights[i] = (256 - fraction) | fraction << 16;
    }
    return word;
}

/* Sums across a row for the four pixels. */
__device__ __forceinline__ void sum_across(const uint32_t (&words)[3], const WordPlaces &word,
                                           uint32_t (&sums)[WORD]) {
    const uint32_t low = __funnelshift_r(words[0], words[1], word.shift);
    const uint32_t high = __funnelshift_r(words[1], words[2], word.shift);
#pragma unroll
    for (int i = 0; i < WORD; i++) {
        sums[i] = __dp2a_lo(word.weights[i], __byte_perm(low, high, word.pairs[i]), 0U);
    }
}

/* A word of the level; rounded and stored as fast9_blend does, whose result is byte 2 of a sum. */
__device__ __forceinline__ uint32_t blend_word(const uint32_t (&upper)[3],
                                               const uint32_t (&lower)[3], const WordPlaces &word,
                                               uint32_t fraction) {
    uint32_t top[WORD];
    uint32_t bottom[WORD];
    uint32_t sums[WORD];
    sum_across(upper, word, top);
    sum_across(lower, word, bottom);
#pragma unroll
    for (int i = 0; i < WORD; i++) {
        sums[i] = (256 - fraction) * top[i] + (fraction * bottom[i] + 32768);
    }
    return __byte_perm(__byte_perm(sums[0], sums[1], 0x0062), __byte_perm(sums[2], sums[3], 0x0062),
                       0x5410);
}

/* A thread makes a word of PYRAMID_ROWS rows, for which the places are looked up once. Rows beyond
 * the level repeat its last one. */
__global__ void __launch_bounds__(THREADS, PYRAMID_BLOCKS) make_level(LevelJob job) {
    start_between_kernels();
    const int x = (blockIdx.x * LANES + threadIdx.x) * WORD;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * PYRAMID_ROWS;
    if (x >= job.width || first >= job.height) {
        return;
    }
    const WordPlaces word = places_of_word(job, x);
    uint32_t pixels[PYRAMID_ROWS][2][3];
    uint32_t fractions[PYRAMID_ROWS];
#pragma unroll
    for (int i = 0; i < PYRAMID_ROWS; i++) {
        const int row = job.y_places[min(first + i, job.height - 1)];
        const int top = row >> 8;
        fractions[i] = (uint32_t)row & 255;
#pragma unroll
        for (int below = 0; below < 2; below++) {
            const int y = min(top + below, job.from_height - 1);
            const uint32_t *words =
                (const uint32_t *)(job.from + (size_t)y * job.from_stride + word.aligned);
#pragma unroll
            for (int k = 0; k < 3; k++) {
                pixels[i][below][k] = words[k];
            }
        }
    }
    uint8_t *to = job.to + (size_t)first * job.stride + x;
#pragma unroll
    for (int i = 0; i < PYRAMID_ROWS; i++, to += job.stride) {
        if (first + i < job.height) {
            *(uint32_t *)to = blend_word(pixels[i][0], pixels[i][1], word, fractions[i]);
        }
    }
}

/* --- Corners ---------------------------------------------------------------------------------- */

constexpr int CIRCLE_RADIUS = 3;
constexpr int TILE_WIDTH = LANES * WORD;
constexpr int ROWS = 8; /* of a thread: one for each bit of a byte */
constexpr int TILE_HEIGHT = WARPS * ROWS;
constexpr int CHUNK = 16;                            /* bytes of a load */
constexpr int STAGED_WIDTH = TILE_WIDTH + 2 * CHUNK; /* a chunk on either side */
constexpr int STAGED_ROWS = TILE_HEIGHT + 2 * CIRCLE_RADIUS;
constexpr int CHUNKS = STAGED_WIDTH / CHUNK;
constexpr int PIXELS = TILE_WIDTH * TILE_HEIGHT;
static_assert(FAST9_BORDER % CHUNK == 0, "tiles begin at a chunk");

struct Level {
    const uint8_t *pixels;
    int width, height, stride;
    int first_block, blocks_across; /* of all blocks of the kernel launch */
    size_t offset;                  /* of its first pixel in the pyramid */
};

struct CornerJob {
    Level levels[FAST9_LEVELS_MAX];
    int count, threshold;
    Fast9List list;
    uint8_t *scores; /* Fast9Device.scores, or NULL */
};

struct Tile {
    alignas(CHUNK) uint8_t pixels[STAGED_ROWS][STAGED_WIDTH];
    alignas(CHUNK) uint8_t upper[STAGED_ROWS][STAGED_WIDTH]; /* upper_bits of the pixels */
    uint16_t places[PIXELS]; /* row × TILE_WIDTH + column: of candidates, then of corners */
    unsigned int candidate_count, corner_count, first;
};

/* The upper six bits of four pixels: sums and differences of three such bytes stay within theirs.
 * If q − p > threshold, their upper bits differ by (threshold + 1) / 4 at least. */
__device__ __forceinline__ uint32_t upper_bits(uint32_t pixels) {
    return pixels >> 2 & 0x3F3F3F3FU;
}

/* What lies beyond a level's edges is never used, for corners keep FAST9_BORDER away from them. */
__device__ void stage_tile(const Level &level, int x0, int y0, Tile &tile) {
    for (int i = threadIdx.x; i < STAGED_ROWS * CHUNKS; i += THREADS) {
        const int row = i / CHUNKS;
        const int column = i % CHUNKS * CHUNK;
        const int x = min(x0 - CHUNK + column, level.stride - CHUNK);
        const int y = min(y0 + row - CIRCLE_RADIUS, level.height - 1);
        const uint4 pixels = *(const uint4 *)(level.pixels + (size_t)y * level.stride + x);
        *(uint4 *)&tile.pixels[row][column] = pixels;
        *(uint4 *)&tile.upper[row][column] = {upper_bits(pixels.x), upper_bits(pixels.y),
                                              upper_bits(pixels.z), upper_bits(pixels.w)};
    }
    if (threadIdx.x == 0) {
        tile.candidate_count = 0;
        tile.corner_count = 0;
    }
    __syncthreads();
}

__device__ __forceinline__ uint32_t upper_word(const Tile &tile, int row, int word) {
    return ((const uint32_t *)tile.upper[row])[word];
}

/* Four pixels at once. An arc of nine has one pixel at least of top and bottom, and one of left and
 * right. Bit 7 of a byte is set where such pixels are, brighter or darker; also where that is
 * so only for the rounded difference. */
__device__ __forceinline__ uint32_t may_be_corner(uint32_t p, uint32_t top, uint32_t bottom,
                                                  uint32_t left, uint32_t right,
                                                  uint32_t difference) {
    const uint32_t high = (128 - difference) * 0x01010101U - p; /* + q: bit 7 if q is brighter */
    const uint32_t low = (127 + difference) * 0x01010101U - p;  /* + q: bit 7 if it is not darker */
    const uint32_t bright = (top + high | bottom + high) & (left + high | right + high);
    const uint32_t not_dark = top + low & bottom + low | left + low & right + low;
    return (bright | ~not_dark) & 0x80808080U;
}

/* Which of a thread's pixels may be corners: of the word's column i and row j bit 8i + 7 − j. */
__device__ __forceinline__ uint32_t candidates_of_thread(const Tile &tile, int first_row, int word,
                                                         int threshold) {
    const uint32_t difference = (uint32_t)(threshold + 1) / 4;
    uint32_t column[ROWS + 2 * CIRCLE_RADIUS];
#pragma unroll
    for (int i = 0; i < ROWS + 2 * CIRCLE_RADIUS; i++) {
        column[i] = upper_word(tile, first_row + i, word);
    }
    uint32_t found = 0;
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int row = first_row + i + CIRCLE_RADIUS;
        const uint32_t p = column[i + CIRCLE_RADIUS];
        const uint32_t left = __byte_perm(upper_word(tile, row, word - 1), p, 0x4321);
        const uint32_t right = __byte_perm(p, upper_word(tile, row, word + 1), 0x6543);
        found |=
            may_be_corner(p, column[i], column[i + 2 * CIRCLE_RADIUS], left, right, difference) >>
            i;
    }
    return found;
}

/* The bits of a thread's pixels that keep their distance from the edges to the right and below. */
__device__ __forceinline__ uint32_t inside(const Level &level, int x, int y) {
    const int columns = min(max(level.width - FAST9_BORDER - x, 0), WORD);
    const int rows = min(max(level.height - FAST9_BORDER - y, 0), ROWS);
    const uint32_t of_rows = (0xFF00U >> rows & 0xFF) * 0x01010101U;
    return columns == WORD ? of_rows : of_rows & ((1U << 8 * columns) - 1);
}

/* Lists the candidates of the tile. */
__device__ void find_candidates(const Level &level, int threshold, int x0, int y0, Tile &tile) {
    const int lane = threadIdx.x % LANES;
    const int first_row = threadIdx.x / LANES * ROWS;
    uint32_t found = candidates_of_thread(tile, first_row, CHUNK / WORD + lane, threshold) &
                     inside(level, x0 + lane * WORD, y0 + first_row);
    const int own = __popc(found);
    const int sum = warp_running_sum(own);
    const int all = warp_whole_sum(sum);
    unsigned int place = 0;
    if (lane == 0 && all > 0) {
        place = atomicAdd(&tile.candidate_count, (unsigned int)all);
    }
    place = __shfl_sync(ALL_LANES, place, 0) + (unsigned int)(sum - own);
    for (; found != 0; found &= found - 1) {
        const int bit = __ffs((int)found) - 1;
        tile.places[place++] =
            (uint16_t)((first_row + ROWS - 1 - bit % 8) * TILE_WIDTH + lane * WORD + bit / 8);
    }
    __syncthreads();
}

/* The segment test itself. */
__device__ __forceinline__ bool is_corner(const uint8_t *p, int threshold) {
    constexpr int dx[FAST9_CIRCLE] = FAST9_CIRCLE_X;
    constexpr int dy[FAST9_CIRCLE] = FAST9_CIRCLE_Y;
    const int high = p[0] + threshold;
    const int low = p[0] - threshold;
    uint32_t bright = 0;
    uint32_t dark = 0;
#pragma unroll
    for (int i = 0; i < FAST9_CIRCLE; i++) {
        const int q = p[dy[i] * STAGED_WIDTH + dx[i]];
        bright = __funnelshift_l((uint32_t)(high - q), bright, 1); /* the sign goes in */
        dark = __funnelshift_l((uint32_t)(q - low), dark, 1);
    }
    return fast9_has_arc(bright) || fast9_has_arc(dark);
}

/* Leaves the corners at the front of the list: after each round there are no more of them than
 * candidates that have been read. */
__device__ void test_candidates(int threshold, Tile &tile) {
    const unsigned int count = tile.candidate_count;
    for (unsigned int first = 0; first < count; first += THREADS) {
        const unsigned int i = first + threadIdx.x;
        bool corner = false;
        uint16_t place = 0;
        if (i < count) {
            place = tile.places[i];
            const int row = place / TILE_WIDTH + CIRCLE_RADIUS;
            corner = is_corner(&tile.pixels[row][CHUNK + place % TILE_WIDTH], threshold);
        }
        __syncthreads(); /* all candidates of the round have been read */
        if (corner) {
            tile.places[atomicAdd(&tile.corner_count, 1U)] = place;
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
        const int column = tile.places[i] % TILE_WIDTH;
        const int row = tile.places[i] / TILE_WIDTH;
        const int x = x0 + column;
        const int y = y0 + row;
        int score = 0;
        if (job.scores != NULL && tile.first + i < job.list.capacity) {
            const uint8_t *centre = &tile.pixels[row + CIRCLE_RADIUS][CHUNK + column];
            const Level &here = job.levels[level];
            score = fast9_arc_score(Fast9GlobalPixels{centre, STAGED_WIDTH});
            job.scores[here.offset + (size_t)y * here.stride + x] = (uint8_t)(score + 1);
        }
        fast9_put(job.list, tile.first + i, level, x, y, score);
    }
}

/* A block for each tile of every level. */
__global__ void __launch_bounds__(THREADS) find_corners(const __grid_constant__ CornerJob job) {
    __shared__ Tile tile;
    start_between_kernels();
    int level = job.count - 1;
    while (level > 0 && (int)blockIdx.x < job.levels[level].first_block) {
        --level;
    }
    const Level &here = job.levels[level];
    const int block = (int)blockIdx.x - here.first_block;
    /* The first tile begins at the first pixels that can be corners. */
    const int x0 = FAST9_BORDER + block % here.blocks_across * TILE_WIDTH;
    const int y0 = FAST9_BORDER + block / here.blocks_across * TILE_HEIGHT;
    stage_tile(here, x0, y0, tile);
    find_candidates(here, job.threshold, x0, y0, tile);
    test_candidates(job.threshold, tile);
    append_corners(job, level, x0, y0, tile);
}

} // namespace fast9_fast

/* === The variant ============================================================================== */

VARIANT_FUNCTIONS(fast9_cuda_fast);

namespace {

using namespace fast9_fast;

/* Where columns and rows of all levels sample those below, level by level, columns first; both
 * padded to whole words, so that the places of a word are one load. */
struct Places {
    int32_t *host; /* page-locked */
    int32_t *device;
    size_t first[FAST9_LEVELS_MAX];
    size_t count;
};

Places *places_of(const Fast9Device *device) {
    return (Places *)device->search_state;
}

int whole_words(int pixels) {
    return (int)round_up((size_t)pixels, WORD);
}

void fill_places(const Fast9Levels &levels, Places *places) {
    for (int l = 1; l < levels.count; l++) {
        int32_t *entry = places->host + places->first[l];
        for (int i = 0; i < whole_words(levels.width[l]); i++) {
            const int x = std::min(i, levels.width[l] - 1);
            *entry++ = fast9_sample_place(x, levels.width[l - 1], levels.width[l]);
        }
        for (int i = 0; i < whole_words(levels.height[l]); i++) {
            const int y = std::min(i, levels.height[l] - 1);
            *entry++ = fast9_sample_place(y, levels.height[l - 1], levels.height[l]);
        }
    }
}

Status open_search(Fast9Device *device) {
    const Fast9Levels &levels = device->levels;
    STATUS_TRY(cuda_state_part(device, sizeof(Places), &device->search_state));
    Places *places = places_of(device);
    for (int l = 1; l < levels.count; l++) {
        places->first[l] = places->count;
        places->count += (size_t)(whole_words(levels.width[l]) + whole_words(levels.height[l]));
    }
    const size_t bytes = std::max(places->count, (size_t)1) * sizeof *places->host;
    const CudaBuffer host[] = {cuda_pinned(&places->host, bytes)};
    STATUS_TRY(cuda_open_buffers(device, host));
    fill_places(levels, places);
    const CudaBuffer table[] = {cuda_rows_up(
        &places->device, bytes, cuda_row(places->host, places->count * sizeof *places->host))};
    return cuda_open_buffers(device, table);
}

Status make_pyramid(Fast9Device *device) {
    const Fast9Levels &levels = device->levels;
    const Places *places = places_of(device);
    const dim3 threads(LANES, WARPS);
    for (int l = 1; l < levels.count; l++) {
        const int32_t *x_places = places->device + places->first[l];
        const LevelJob job = {device->pyramid + levels.offset[l - 1],
                              device->pyramid + levels.offset[l],
                              levels.height[l - 1],
                              levels.stride[l - 1],
                              levels.width[l],
                              levels.height[l],
                              levels.stride[l],
                              x_places,
                              x_places + whole_words(levels.width[l])};
        const dim3 blocks((unsigned)pieces_of(levels.width[l], LANES * WORD),
                          (unsigned)pieces_of(levels.height[l], WARPS * PYRAMID_ROWS));
        STATUS_TRY(launch_early(make_level, blocks, threads, job));
    }
    return status_ok();
}

Status search_corners(Fast9Device *device) {
    const Fast9Levels &levels = device->levels;
    CornerJob job = {};
    job.count = levels.count;
    job.threshold = device->point.corner_threshold;
    job.list = fast9_list(device);
    job.scores = device->scores;
    int blocks = 0;
    for (int l = 0; l < levels.count; l++) {
        const int across = pieces_of(levels.width[l] - 2 * FAST9_BORDER, TILE_WIDTH);
        const int down = pieces_of(levels.height[l] - 2 * FAST9_BORDER, TILE_HEIGHT);
        job.levels[l] = Level{device->pyramid + levels.offset[l],
                              levels.width[l],
                              levels.height[l],
                              levels.stride[l],
                              blocks,
                              across,
                              levels.offset[l]};
        blocks += across * down;
    }
    return blocks > 0 ? launch_early(find_corners, (unsigned)blocks, THREADS, job) : status_ok();
}

} // namespace

Status fast9_cuda_fast_open(const Request *request, void **state) {
    static const Fast9Search fast = {open_search, make_pyramid, search_corners, true};
    return fast9_cuda_open_with(request, &fast, state);
}
