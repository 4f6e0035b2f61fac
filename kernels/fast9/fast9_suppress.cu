/*
 * Suppression: the corners that no other within the radius beats.
 *
 * The corners of the list are scored and entered into the map of pixels (fast9_score.cu), unless
 * the search for corners has done so. Each corner then looks at its window of the map. By FAST
 * score the map has the scores themselves: up to radius 1 a thread for each corner reads nine
 * bytes. Else each has as many lanes as its window has columns, rounded up to a power of two of at
 * most 32: a lane goes down its column, and the lanes vote after each row whether the corner is
 * beaten and can be left. By Harris score a lane that finds a corner reads that one's score in the
 * list. Who stays is written as a key for fast9_select.cu, which by FAST score also needs to know
 * how many there are in each bin. Last, the corners are taken out of the map again, so that no run
 * pays for clearing a map of all pixels.
 *
 * A corner lies at least as far from the edges as the largest radius, so its window is within the
 * level. Which place in the list a corner has is by chance, but not who beats it: of two with the
 * same score it is the one before, rows first.
 *
 * What bounds it: the sectors of 32 bytes of the map under a window, 2 × radius + 1 rows of one or
 * more, of which the L2 cache has those that corners near each other share.
 */
#include "cuda_device.h"
#include "early_launch.cuh"
#include "fast9_claim.cuh"
#include "fast9_device.cuh"

VARIANT_EXTERN Status fast9_cuda_suppress(void *state);

namespace {

constexpr int THREADS = 256;

/* The map by either score: `own` is a corner's score, `at` that of a pixel, less than any corner's
 * where there is none, and put() writes a survivor. */
struct ByFast {
    uint8_t *map;
    Fast9Key *survivors;
    unsigned int *bins;
    uint32_t slab_factor;

    static constexpr int LEAST_LANES = 1;

    __device__ __forceinline__ int own(size_t, const Fast9Corner &corner) const {
        return corner.score + 1;
    }
    __device__ __forceinline__ int at(size_t pixel) const {
        return map[pixel];
    }
    __device__ __forceinline__ void put(unsigned int place, int score, size_t pixel) const {
        const Fast9Key key = (Fast9Key)(FAST9_SCORE_MAX + 1 - score) << 32 | pixel;
        survivors[place] = key;
        atomicAdd(&bins[fast9_bin(key, slab_factor)], 1U);
    }
};

struct ByHarris {
    uint32_t *map;
    Fast9HarrisKey *survivors;
    const int64_t *scores;

    static constexpr int LEAST_LANES = 4;

    __device__ __forceinline__ int64_t own(size_t index, const Fast9Corner &) const {
        return scores[index];
    }
    __device__ __forceinline__ int64_t at(size_t pixel) const {
        const uint32_t place = map[pixel];
        return place == 0 ? INT64_MIN : scores[place - 1];
    }
    __device__ __forceinline__ void put(unsigned int place, int64_t score, size_t pixel) const {
        survivors[place] = {score, pixel};
    }
};

template <typename Scores> struct Suppression {
    Fast9List list;
    Fast9Levels levels;
    Scores scores;
    unsigned int *survivor_count;
    int radius;
};

/* `lane` of the group that looks at the corner. */
template <int LANES, typename Scores, typename Score>
__device__ __forceinline__ bool survives(int lane, const Suppression<Scores> &job, size_t pixel,
                                         int stride, Score own) {
    for (int dy = -job.radius; dy <= job.radius; dy++) {
        bool beaten = false;
        for (int dx = lane - job.radius; dx <= job.radius; dx += LANES) {
            const Score other = job.scores.at(pixel + dy * stride + dx);
            const bool earlier = dy < 0 || (dy == 0 && dx < 0);
            beaten = beaten || other > own || (other == own && earlier);
        }
        if (__any_sync(fast9_group<LANES>(), beaten)) {
            return false;
        }
    }
    return true;
}

template <typename Scores, int LANES>
__global__ void __launch_bounds__(THREADS) fast9_suppress(const Suppression<Scores> job) {
    start_between_kernels();
    const int lane = (int)threadIdx.x % LANES;
    const unsigned int count = fast9_listed(job.list);
    const unsigned int step = gridDim.x * (THREADS / LANES);
    for (size_t i = (blockIdx.x * THREADS + threadIdx.x) / LANES; i < count; i += step) {
        const Fast9Corner corner = job.list.corners[i];
        const size_t pixel = fast9_pixel_of(job.levels, corner);
        const auto own = job.scores.own(i, corner);
        if (survives<LANES>(lane, job, pixel, job.levels.stride[corner.level], own) && lane == 0) {
            job.scores.put(fast9_claim(job.survivor_count), own, pixel);
        }
    }
}

template <typename Scores>
__global__ void __launch_bounds__(THREADS) fast9_clear_map(const Suppression<Scores> job) {
    start_between_kernels();
    const unsigned int count = fast9_listed(job.list);
    const unsigned int step = gridDim.x * THREADS;
    for (size_t i = blockIdx.x * THREADS + threadIdx.x; i < count; i += step) {
        job.scores.map[fast9_pixel_of(job.levels, job.list.corners[i])] = 0;
    }
}

template <int LANES, typename Scores>
Status launch(const Fast9Device *device, const Suppression<Scores> &job) {
    return launch_early(fast9_suppress<Scores, LANES>, device->work->blocks, THREADS, job);
}

/* The least number of lanes for the columns of the window, or all of a warp. */
template <typename Scores>
Status launch_for_radius(const Fast9Device *device, const Suppression<Scores> &job) {
    const int columns = 2 * job.radius + 1;
    if (columns <= 4) {
        return launch<Scores::LEAST_LANES>(device, job);
    }
    if (columns <= 8) {
        return launch<8>(device, job);
    }
    return columns <= 16 ? launch<16>(device, job) : launch<32>(device, job);
}

template <typename Scores> Status suppress(const Fast9Device *device, const Scores &scores) {
    const Fast9Work *work = device->work;
    const Suppression<Scores> job = {fast9_list(device), device->levels, scores,
                                     &work->tally->counts.survivors, device->point.radius};
    STATUS_TRY(fast9_cuda_score(device));
    STATUS_TRY(launch_for_radius(device, job));
    return launch_early(fast9_clear_map<Scores>, work->blocks, THREADS, job);
}

} // namespace

Status fast9_cuda_suppress(void *state) {
    const Fast9Device *device = (const Fast9Device *)state;
    const Fast9Work *work = device->work;
    if (fast9_by_harris(device)) {
        return suppress(device,
                        ByHarris{device->places, (Fast9HarrisKey *)work->survivors, work->harris});
    }
    return suppress(device, ByFast{device->scores, (Fast9Key *)work->survivors, work->tally->bins,
                                   fast9_slab_factor(device->levels)});
}
