/*
 * Scores of the corners in the list, and the map that says where they are.
 *
 * FAST, where the search for corners did not do it: a thread for each corner reads 17 bytes and
 * finds the best arc by 80 minima and maxima of both signs at once. Harris: eight lanes for each
 * corner, of which seven take a row of the window each: the 81 bytes under it are read in 27 loads
 * a lane, and a lane's loads do not wait for each other.
 *
 * Corners are few against pixels and lie apart: what bounds both is the sectors of 32 bytes that
 * their windows touch, 7 for FAST and 9 for Harris at least, and the sector that each entry of the
 * map is written into.
 */
#include "cuda_device.h"
#include "early_launch.cuh"
#include "fast9.h"
#include "fast9_claim.cuh"
#include "fast9_device.cuh"

/* === The Harris score ========================================================================= */

/* As fast9.h defines it. */

/* Sums of products of gradients. Of the 49 pixels none passes 49 × 1,020². */
struct Fast9Gradients {
    int xx, xy, yy;
};

/* Of the pixels of row dy of the window. Columns of Sobel's masks are made once and serve the three
 * pixels that they belong to. */
template <typename Pixels>
__device__ __forceinline__ Fast9Gradients fast9_gradients_of_row(const Pixels &pixel, int dy) {
    constexpr int EDGE = FAST9_HARRIS_RADIUS + 1;
    constexpr int COLUMNS = 2 * EDGE + 1;
    int smooth[COLUMNS]; /* 1 2 1 down the column */
    int change[COLUMNS]; /* -1 0 1 */
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
        const int top = pixel(i - EDGE, dy - 1);
        const int bottom = pixel(i - EDGE, dy + 1);
        smooth[i] = top + 2 * pixel(i - EDGE, dy) + bottom;
        change[i] = bottom - top;
    }
    Fast9Gradients sums = {0, 0, 0};
#pragma unroll
    for (int i = 1; i < COLUMNS - 1; i++) {
        const int x = smooth[i + 1] - smooth[i - 1];
        const int y = change[i - 1] + 2 * change[i] + change[i + 1];
        sums.xx += x * x;
        sums.xy += x * y;
        sums.yy += y * y;
    }
    return sums;
}

/* Lanes that share a corner: one has no row of the window. */
constexpr int FAST9_HARRIS_LANES = 8;

/* The sum over these lanes. */
__device__ __forceinline__ int fast9_sum_of_lanes(int value) {
    const unsigned int lanes = fast9_group<FAST9_HARRIS_LANES>();
    for (int apart = FAST9_HARRIS_LANES / 2; apart > 0; apart /= 2) {
        value += __shfl_xor_sync(lanes, value, apart);
    }
    return value;
}

/* All lanes call this for the same corner and get its score. */
template <typename Pixels>
__device__ __forceinline__ int64_t fast9_harris_score(int lane, const Pixels &pixel) {
    static_assert(FAST9_HARRIS_LANES > 2 * FAST9_HARRIS_RADIUS, "a row for each lane");
    const int row = lane - FAST9_HARRIS_RADIUS;
    Fast9Gradients own = {0, 0, 0};
    if (row <= FAST9_HARRIS_RADIUS) {
        own = fast9_gradients_of_row(pixel, row);
    }
    const int64_t a = fast9_sum_of_lanes(own.xx);
    const int64_t b = fast9_sum_of_lanes(own.xy);
    const int64_t c = fast9_sum_of_lanes(own.yy);
    return 25 * (a * c - b * b) - (a + c) * (a + c);
}

/* === Kernels ================================================================================== */

namespace {

constexpr int THREADS = 256;

struct Scoring {
    Fast9List list;
    Fast9Levels levels;
    const uint8_t *pyramid;
    uint8_t *scores;
    uint32_t *places;
    int64_t *harris;
};

__global__ void __launch_bounds__(THREADS) fast9_score_arcs(const Scoring scoring) {
    start_between_kernels();
    const unsigned int count = fast9_listed(scoring.list);
    const unsigned int step = gridDim.x * THREADS;
    for (size_t i = blockIdx.x * THREADS + threadIdx.x; i < count; i += step) {
        const Fast9Corner corner = scoring.list.corners[i];
        const size_t at = fast9_pixel_of(scoring.levels, corner);
        const Fast9GlobalPixels pixel = {scoring.pyramid + at, scoring.levels.stride[corner.level]};
        const int score = fast9_arc_score(pixel);
        scoring.list.corners[i].score = (uint16_t)score;
        scoring.scores[at] = (uint8_t)(score + 1);
    }
}

__global__ void __launch_bounds__(THREADS) fast9_score_harris(const Scoring scoring) {
    start_between_kernels();
    const int lane = (int)threadIdx.x % FAST9_HARRIS_LANES;
    const unsigned int count = fast9_listed(scoring.list);
    const unsigned int step = gridDim.x * (THREADS / FAST9_HARRIS_LANES);
    const unsigned int first = (blockIdx.x * THREADS + threadIdx.x) / FAST9_HARRIS_LANES;
    for (size_t i = first; i < count; i += step) {
        const Fast9Corner corner = scoring.list.corners[i];
        const size_t at = fast9_pixel_of(scoring.levels, corner);
        const Fast9GlobalPixels pixel = {scoring.pyramid + at, scoring.levels.stride[corner.level]};
        const int64_t score = fast9_harris_score(lane, pixel);
        if (lane == 0) {
            scoring.harris[i] = score;
            scoring.places[at] = (uint32_t)i + 1;
        }
    }
}

} // namespace

Status fast9_cuda_score(const Fast9Device *device) {
    const Fast9Work *work = device->work;
    const Scoring scoring = {fast9_list(device), device->levels, device->pyramid,
                             device->scores,     device->places, work->harris};
    if (fast9_by_harris(device)) {
        return launch_early(fast9_score_harris, work->blocks, THREADS, scoring);
    }
    return device->search->scores ? status_ok()
                                  : launch_early(fast9_score_arcs, work->blocks, THREADS, scoring);
}
