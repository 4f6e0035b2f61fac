/*
 * cuda_fast: all levels in one launch; first a test of two pixels at a time that most fail, then
 * the segment test for those that are left, a thread for each.
 *
 * An arc of nine pixels on the circle has at least one of top and bottom, and one of left and
 * right: on packed halves that is about nine instructions a pixel, without a branch, from words of
 * four pixels in shared memory. Of a photograph one pixel in ten or twenty is left; they are
 * listed, so that the 16 reads and comparisons of the segment test are done by full warps. A block
 * appends its corners with one atomic.
 *
 * Levels of the pyramid are made one from another, so they cannot share a launch. Where a column or
 * row samples the level below is computed once for all of it, on the host: it takes a division.
 *
 * Floor at 15360 × 8640 on an H200: 434 MB of pyramid read at 4.2 TB/s are 0.10 ms; nine
 * instructions a pixel are 0.13 ms.
 *
 * The ladder there, a photograph, ms: pyramid, corners, and the whole run
 *   0.85   1.34   2.30   cuda_naive
 *   0.83   2.50   3.48   cuda_tiled, tiles of 16 pixels: few pixels need their circle, but all of
 *                        them are staged
 *   1.42   2.25   3.82   cuda_texture
 *   0.91   0.81   1.88   this, with the reads of a pixel of the pyramid one after the other and
 * words of a tile staged with a division for each 0.59   0.80   1.52   this What is left in common
 * is suppression (0.05) and the choice of the strongest (0.11). The profiler says that corners take
 * 640 million warp instructions, four times the floor, and that the integer pipe is busy 78 % of
 * the time: staging, listing and the tests at the edges cost more than the test itself.
 */
#include <algorithm>
#include <cstdlib>

#include "cuda_check.h"
#include "cuda_device.h"
#include "fast9_fast_kernel.cuh"
#include "round_up.h"

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
    for (int l = 1; l < levels.count; ++l) {
        int32_t *entry = places->host + places->first[l];
        for (int x = 0; x < levels.width[l]; ++x) {
            *entry++ = fast9_sample_place(x, levels.width[l - 1], levels.width[l]);
        }
        for (int y = 0; y < levels.height[l]; ++y) {
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
    for (int l = 1; l < levels.count; ++l) {
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
    for (int l = 1; l < levels.count; ++l) {
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
    for (int l = 0; l < levels.count; ++l) {
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
