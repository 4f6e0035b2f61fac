/*
 * Suppression: the corners that no other within the radius beats.
 *
 * Three launches. The first scores the corners of the list and enters them into the map of pixels
 * (fast9_score.cu). The second gives each corner as many lanes as its window has columns, rounded
 * up to a power of two of at most 32: a lane goes down its column of the map, and where it finds a
 * corner, it reads that one's score. The lanes vote after each row whether the corner is
 * beaten and can be left. The third takes the corners out of the map again, so that no run pays for
 * clearing a map of all pixels.
 *
 * A corner lies at least as far from the edges as the largest radius, so its window is within the
 * level. Which place in the list a corner has is by chance, but not who beats it: of two with the
 * same score it is the one before, rows first.
 *
 * What bounds it: the sectors of 32 bytes of the map under a window, 2 × radius + 1 rows of one or
 * more, of which the L2 cache has those that corners near each other share.
 */
#include "cuda_device.h"
#include "fast9_claim.cuh"
#include "fast9_device.cuh"

VARIANT_EXTERN Status fast9_cuda_suppress(void *state);

namespace cg = cooperative_groups;

namespace {

constexpr int THREADS = 256;

struct Suppression {
    Fast9List list;
    Fast9Levels levels;
    const int64_t *scores;
    uint32_t *places;
    uint32_t *survivors;
    unsigned int *survivor_count;
    int radius;
};

/* Whether the corner at (dx, dy) from one of score `score`, if there is any, beats it. */
__device__ __forceinline__ bool beats(const Suppression &job, uint32_t place, int dx, int dy,
                                      int64_t score) {
    if (place == 0 || (dx == 0 && dy == 0)) {
        return false;
    }
    const int64_t other = job.scores[place - 1];
    const bool earlier = dy < 0 || (dy == 0 && dx < 0);
    return other > score || (other == score && earlier);
}

template <int LANES>
__device__ __forceinline__ bool survives(const cg::thread_block_tile<LANES> &lanes,
                                         const Suppression &job, size_t index) {
    const Fast9Corner corner = job.list.corners[index];
    const int64_t score = job.scores[index];
    const int stride = job.levels.stride[corner.level];
    const uint32_t *centre = job.places + fast9_pixel_of(job.levels, corner);
    for (int dy = -job.radius; dy <= job.radius; dy++) {
        bool beaten = false;
        for (int dx = (int)lanes.thread_rank() - job.radius; dx <= job.radius; dx += LANES) {
            beaten = beaten || beats(job, centre[dy * stride + dx], dx, dy, score);
        }
        if (lanes.any(beaten)) {
            return false;
        }
    }
    return true;
}

template <int LANES>
__global__ void __launch_bounds__(THREADS) fast9_suppress(const Suppression job) {
    const cg::thread_block_tile<LANES> lanes = cg::tiled_partition<LANES>(cg::this_thread_block());
    const unsigned int count = fast9_listed(job.list);
    const unsigned int step = gridDim.x * (THREADS / LANES);
    for (size_t i = (blockIdx.x * THREADS + threadIdx.x) / LANES; i < count; i += step) {
        if (survives<LANES>(lanes, job, i) && lanes.thread_rank() == 0) {
            job.survivors[fast9_claim(job.survivor_count)] = (uint32_t)i;
        }
    }
}

__global__ void __launch_bounds__(THREADS) fast9_clear_places(const Suppression job) {
    const unsigned int count = fast9_listed(job.list);
    const unsigned int step = gridDim.x * THREADS;
    for (size_t i = blockIdx.x * THREADS + threadIdx.x; i < count; i += step) {
        job.places[fast9_pixel_of(job.levels, job.list.corners[i])] = 0;
    }
}

template <int LANES> Status launch(const Fast9Device *device, const Suppression &job) {
    fast9_suppress<LANES><<<device->work->blocks, THREADS, 0, cuda_stream()>>>(job);
    return CUDA_LAUNCHED();
}

/* The least number of lanes for the columns of the window, or all of a warp. */
Status suppress(const Fast9Device *device, const Suppression &job) {
    const int columns = 2 * job.radius + 1;
    if (columns <= 4) {
        return launch<4>(device, job);
    }
    if (columns <= 8) {
        return launch<8>(device, job);
    }
    return columns <= 16 ? launch<16>(device, job) : launch<32>(device, job);
}

} // namespace

Status fast9_cuda_suppress(void *state) {
    const Fast9Device *device = (const Fast9Device *)state;
    const Fast9Work *work = device->work;
    const Suppression job = {fast9_list(device),  device->levels,  work->scores,
                             device->places,      work->survivors, &work->counts->survivors,
                             device->point.radius};
    CUDA_TRY(cudaMemsetAsync(job.survivor_count, 0, sizeof *job.survivor_count, cuda_stream()));
    STATUS_TRY(fast9_cuda_score(device));
    STATUS_TRY(suppress(device, job));
    fast9_clear_places<<<work->blocks, THREADS, 0, cuda_stream()>>>(job);
    return CUDA_LAUNCHED();
}
