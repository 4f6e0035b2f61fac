/*
 * Scores of the corners in the list, and the map that says where they are.
 *
 * FAST: a thread for each corner reads 17 bytes and finds the best arc by 80 minima and maxima for
 * either sign. Harris: eight lanes for each corner, of which seven take a row of the window each:
 * the 81 bytes under it are read in 27 loads a lane, and a lane's loads do not wait for each other.
 *
 * Corners are few against pixels and lie apart: what bounds both is the sectors of 32 bytes that
 * their windows touch, 7 for FAST and 9 for Harris at least, and the sector that each entry of the
 * map is written into.
 */
#include "cuda_check.h"
#include "cuda_device.h"
#include "fast9_circle.cuh"
#include "fast9_list.cuh"
#include "fast9_score.cuh"
#include "fast9_work.cuh"

namespace cg = cooperative_groups;

namespace {

constexpr int THREADS = 256;

struct Scoring {
    Fast9List list;
    Fast9Levels levels;
    const uint8_t *pyramid;
    int64_t *scores;
    uint32_t *places;
};

__global__ void __launch_bounds__(THREADS) fast9_score_arcs(const Scoring scoring) {
    const unsigned int count = fast9_listed(scoring.list);
    const unsigned int step = gridDim.x * THREADS;
    for (size_t i = blockIdx.x * THREADS + threadIdx.x; i < count; i += step) {
        const Fast9Corner corner = scoring.list.corners[i];
        const size_t at = fast9_pixel_of(scoring.levels, corner);
        const Fast9GlobalPixels pixel = {scoring.pyramid + at, scoring.levels.width[corner.level]};
        scoring.scores[i] = fast9_arc_score(pixel);
        scoring.places[at] = (uint32_t)i + 1;
    }
}

__global__ void __launch_bounds__(THREADS) fast9_score_harris(const Scoring scoring) {
    const auto lanes = cg::tiled_partition<FAST9_HARRIS_LANES>(cg::this_thread_block());
    const unsigned int count = fast9_listed(scoring.list);
    const unsigned int step = gridDim.x * (THREADS / FAST9_HARRIS_LANES);
    const unsigned int first = (blockIdx.x * THREADS + threadIdx.x) / FAST9_HARRIS_LANES;
    for (size_t i = first; i < count; i += step) {
        const Fast9Corner corner = scoring.list.corners[i];
        const size_t at = fast9_pixel_of(scoring.levels, corner);
        const Fast9GlobalPixels pixel = {scoring.pyramid + at, scoring.levels.width[corner.level]};
        const int64_t score = fast9_harris_score(lanes, pixel);
        if (lanes.thread_rank() == 0) {
            scoring.scores[i] = score;
            scoring.places[at] = (uint32_t)i + 1;
        }
    }
}

} // namespace

Status fast9_cuda_score(const Fast9Device *device) {
    const Fast9Work *work = device->work;
    const Scoring scoring = {fast9_list(device), device->levels, device->pyramid, work->scores,
                             device->places};
    if (device->point.score == FAST9_SCORE_HARRIS) {
        fast9_score_harris<<<work->blocks, THREADS, 0, cuda_stream()>>>(scoring);
    } else {
        fast9_score_arcs<<<work->blocks, THREADS, 0, cuda_stream()>>>(scoring);
    }
    return CUDA_LAUNCHED();
}
