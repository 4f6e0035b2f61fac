/*
 * The strongest keypoints, in the order of the answer, with their orientation.
 *
 * Suppression leaves keys of score and pixel, all different, so in whichever order they come, they
 * are sorted in one.
 *
 * By FAST score, up to BINNED_MOST keypoints, nothing is sorted and the host does not wait.
 * Suppression has counted the keys in bins of a score and a slab of the pyramid; whatever is in the
 * first bins that hold as many as are wanted is put together, bin by bin, and a warp for each finds
 * its place among those of its bin by counting. Bins are small, and the one in which the answer
 * ends has no more than the corners of one score in a slab. Each block scans all bins for itself,
 * so there are few blocks.
 *
 * By Harris score, or if more are wanted, the host waits for the number of keys, one copy of eight
 * bytes: sorting just those is less than sorting a list of a guessed length. By FAST score CUB's
 * radix sort goes through 40 bits; a Harris score has a word of its own, and CUB's merge sort
 * compares both: a radix sort would go through the data a dozen times.
 *
 * Moments are made of the answer's keypoints only: a warp for each, a lane for each column of the
 * disc.
 */
#include <algorithm>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "cuda_device.h"
#include "early_launch.cuh"
#include "fast9_device.cuh"

VARIANT_EXTERN Status fast9_cuda_select(void *state);

namespace {

constexpr int THREADS = 256;
constexpr int WARP = 32;
constexpr int WARPS = THREADS / WARP;
constexpr unsigned int ALL_LANES = 0xFFFFFFFFU;
constexpr int KEY_BITS = 40; /* of a Fast9Key */

/* Keypoints in the answer up to which the bins are small enough. */
constexpr unsigned int BINNED_MOST = 32768;

/* Of a kernel launch that goes through a list, so many times the blocks of fast9_fill_bins. */
constexpr unsigned int FILL_SHARE = 4;

struct HarrisBefore {
    __device__ __forceinline__ bool operator()(const Fast9HarrisKey &a,
                                               const Fast9HarrisKey &b) const {
        return a.score != b.score ? a.score > b.score : a.pixel < b.pixel;
    }
};

/* === Keypoints ================================================================================ */

__device__ __forceinline__ uint32_t pixel_of(Fast9Key key) {
    return (uint32_t)key;
}
__device__ __forceinline__ uint32_t pixel_of(const Fast9HarrisKey &key) {
    return (uint32_t)key.pixel;
}
__device__ __forceinline__ int64_t score_of(Fast9Key key) {
    return FAST9_SCORE_MAX - (int64_t)(key >> 32);
}
__device__ __forceinline__ int64_t score_of(const Fast9HarrisKey &key) {
    return key.score;
}

/* The sums over a column of the disc, x right of its centre. */
__device__ __forceinline__ void column_moments(const uint8_t *centre, int stride, int x, int &m10,
                                               int &m01) {
    for (int y = -FAST9_DISC_RADIUS; y <= FAST9_DISC_RADIUS; y++) {
        if (x * x + y * y <= FAST9_DISC_RADIUS * FAST9_DISC_RADIUS) {
            const int pixel = centre[y * stride + x];
            m10 += x * pixel;
            m01 += y * pixel;
        }
    }
}

__device__ __forceinline__ int sum_of_warp(int value) {
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2) {
        value += __shfl_xor_sync(ALL_LANES, value, step);
    }
    return value;
}

struct Pyramid {
    const uint8_t *pixels;
    Fast9Levels levels;
};

/* By a warp; a lane for each column makes them one write, for the row may be the host's. */
template <typename Key>
__device__ __forceinline__ void write_keypoint(const Pyramid &pyramid, const Key &key,
                                               Fast9Keypoint *row) {
    const Fast9Levels &levels = pyramid.levels;
    const int lane = (int)threadIdx.x % WARP;
    const uint32_t pixel = pixel_of(key);
    int level = levels.count - 1;
    while (level > 0 && pixel < levels.offset[level]) {
        level--;
    }
    const uint32_t stride = (uint32_t)levels.stride[level];
    const uint32_t at = pixel - (uint32_t)levels.offset[level];
    int m10 = 0;
    int m01 = 0;
    column_moments(pyramid.pixels + pixel, (int)stride, lane - FAST9_DISC_RADIUS, m10, m01);
    m10 = sum_of_warp(m10);
    m01 = sum_of_warp(m01);
    const int64_t columns[FAST9_COLUMNS] = {level,         at % stride, at / stride,
                                            score_of(key), m10,         m01};
    int64_t own = 0;
#pragma unroll
    for (int i = 0; i < FAST9_COLUMNS; i++) {
        own = lane == i ? columns[i] : own;
    }
    if (lane < FAST9_COLUMNS) {
        ((int64_t *)row)[lane] = own;
    }
}

/* === Without sorting ========================================================================== */

struct Binning {
    Pyramid pyramid;
    const Fast9Key *survivors;
    Fast9Tally *tally;
    Fast9Key *keys; /* those that may be in the answer, bin by bin */
    uint32_t slab_factor;
    unsigned int most;
    Fast9Keypoint *answer;
    Fast9Counts *counts; /* get the tally's; or NULL */
};

/* Where each bin begins, for a block of THREADS; returns where the last one ends that begins before
 * `most`. */
__device__ unsigned int bin_starts(const Fast9Tally *tally, unsigned int most,
                                   unsigned int (&starts)[FAST9_BINS]) {
    constexpr int OWN = FAST9_BINS / THREADS;
    using Scan = cub::BlockScan<unsigned int, THREADS>;
    __shared__ typename Scan::TempStorage storage;
    __shared__ unsigned int chosen;
    unsigned int counts[OWN];
    unsigned int before[OWN];
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        counts[i] = tally->bins[threadIdx.x * OWN + i];
    }
    Scan(storage).ExclusiveSum(counts, before);
    if (threadIdx.x == 0) {
        chosen = 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        starts[threadIdx.x * OWN + i] = before[i];
        if (counts[i] > 0 && before[i] < most) {
            atomicMax(&chosen, before[i] + counts[i]);
        }
    }
    __syncthreads();
    return chosen;
}

__global__ void __launch_bounds__(THREADS) fast9_fill_bins(const Binning job) {
    __shared__ unsigned int starts[FAST9_BINS];
    start_between_kernels();
    Fast9Tally *tally = job.tally;
    const unsigned int chosen = bin_starts(tally, job.most, starts);
    const unsigned int count = tally->counts.survivors;
    if (blockIdx.x == 0) {
        for (int i = (int)threadIdx.x; i < FAST9_BINS; i += THREADS) {
            tally->starts[i] = starts[i];
        }
        if (threadIdx.x == 0) {
            tally->starts[FAST9_BINS] = count;
            tally->chosen = chosen;
        }
    }
    for (size_t i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
        const Fast9Key key = job.survivors[i];
        const unsigned int bin = fast9_bin(key, job.slab_factor);
        if (starts[bin] < job.most) {
            job.keys[starts[bin] + atomicAdd(&tally->cursors[bin], 1U)] = key;
        }
    }
}

/* A warp for each key. */
__global__ void __launch_bounds__(THREADS) fast9_answer_bins(const Binning job) {
    start_between_kernels();
    const unsigned int lane = threadIdx.x % WARP;
    const unsigned int chosen = job.tally->chosen;
    if (job.counts != NULL && blockIdx.x == 0 && threadIdx.x == 0) {
        *job.counts = job.tally->counts;
    }
    for (unsigned int i = blockIdx.x * WARPS + threadIdx.x / WARP; i < chosen;
         i += gridDim.x * WARPS) {
        const Fast9Key key = job.keys[i];
        const unsigned int bin = fast9_bin(key, job.slab_factor);
        const unsigned int first = job.tally->starts[bin];
        const unsigned int end = job.tally->starts[bin + 1];
        int smaller = 0;
        for (unsigned int k = first + lane; k < end; k += WARP) {
            smaller += job.keys[k] < key ? 1 : 0;
        }
        const unsigned int row = first + (unsigned int)sum_of_warp(smaller);
        if (row < job.most) {
            write_keypoint(job.pyramid, key, job.answer + row);
        }
    }
}

Status select_by_bins(const Fast9Device *device, Fast9Keypoint *answer, Fast9Counts *counts) {
    const Fast9Work *work = device->work;
    const Binning job = {{device->pyramid, device->levels},
                         (const Fast9Key *)work->survivors,
                         work->tally,
                         work->keys,
                         fast9_slab_factor(device->levels),
                         work->rows,
                         answer,
                         counts};
    const unsigned int blocks = std::max(work->blocks / FILL_SHARE, 1U);
    STATUS_TRY(launch_early(fast9_fill_bins, blocks, THREADS, job));
    return launch_early(fast9_answer_bins, work->blocks, THREADS, job);
}

/* === Sorting ================================================================================== */

/* A warp for each row. */
template <typename Key>
__global__ void __launch_bounds__(THREADS)
    fast9_make_answer(const Pyramid pyramid, const Key *keys, unsigned int count,
                      Fast9Keypoint *answer) {
    const unsigned int row = blockIdx.x * WARPS + threadIdx.x / WARP;
    if (row < count) {
        write_keypoint(pyramid, keys[row], answer + row);
    }
}

/* Sort the first `count` survivors, or, while there is no memory for it, compute how much it takes.
 * The sorted keys are in `sorted`. */
Status sort(Fast9Work *work, unsigned int count, Fast9Key **sorted) {
    cub::DoubleBuffer<Fast9Key> keys((Fast9Key *)work->survivors, work->keys);
    CUDA_TRY(cub::DeviceRadixSort::SortKeys(work->sorting, work->sorting_bytes, keys, count, 0,
                                            KEY_BITS, cuda_stream()));
    *sorted = keys.Current();
    return status_ok();
}

Status sort(Fast9Work *work, unsigned int count, Fast9HarrisKey **sorted) {
    *sorted = (Fast9HarrisKey *)work->survivors;
    CUDA_TRY(cub::DeviceMergeSort::SortKeys(work->sorting, work->sorting_bytes, *sorted, count,
                                            HarrisBefore(), cuda_stream()));
    return status_ok();
}

/* Sorts the survivors and answers with the first `rows`. */
template <typename Key>
Status select(const Fast9Device *device, unsigned int survivors, unsigned int rows) {
    Fast9Work *work = device->work;
    Key *sorted = NULL;
    STATUS_TRY(sort(work, survivors, &sorted));
    const Pyramid pyramid = {device->pyramid, device->levels};
    fast9_make_answer<<<(unsigned int)pieces_of((int)rows, WARPS), THREADS, 0, cuda_stream()>>>(
        pyramid, sorted, rows, work->answer);
    return CUDA_LAUNCHED();
}

} // namespace

/* === The stage ================================================================================ */

Status fast9_cuda_select_open(Fast9Device *device) {
    Fast9Work *work = device->work;
    const bool harris = fast9_by_harris(device);
    const size_t bytes = device->capacity * (harris ? sizeof(Fast9HarrisKey) : sizeof(Fast9Key));
    const CudaBuffer lists[] = {
        cuda_scratch(&work->survivors, bytes),
        cuda_where(!harris, cuda_scratch(&work->keys, bytes)),
    };
    Fast9HarrisKey *sorted_by_harris = NULL;
    Fast9Key *sorted = NULL;
    STATUS_TRY(cuda_open_buffers(device, lists));
    /* Without memory it says how much it needs. */
    STATUS_TRY(harris ? sort(work, device->capacity, &sorted_by_harris)
                      : sort(work, device->capacity, &sorted));
    const CudaBuffer sorting[] = {cuda_scratch(&work->sorting, work->sorting_bytes)};
    return cuda_open_buffers(device, sorting);
}

void fast9_cuda_select_close(Fast9Device *device) {
    cuda_buffer_close(device, &device->work->survivors);
    cuda_buffer_close(device, &device->work->keys);
    cuda_buffer_close(device, &device->work->sorting);
}

bool fast9_select_waits(const Fast9Device *device) {
    return fast9_by_harris(device) || device->work->rows > BINNED_MOST;
}

Status fast9_cuda_select(void *state) {
    const Fast9Device *device = (const Fast9Device *)state;
    const Fast9Work *work = device->work;
    const bool harris = fast9_by_harris(device);
    if (!fast9_select_waits(device)) {
        return select_by_bins(device, work->answer, NULL);
    }
    STATUS_TRY(fast9_cuda_counts(device));
    const unsigned int survivors = work->counts_copy->survivors;
    const unsigned int rows = std::min(survivors, work->rows);
    if (rows == 0) {
        return status_ok();
    }
    return harris ? select<Fast9HarrisKey>(device, survivors, rows)
                  : select<Fast9Key>(device, survivors, rows);
}

Status fast9_cuda_queue_answer(const Fast9Device *device) {
    Output seen = *device->request->output;
    Fast9Counts *counts = NULL;
    STATUS_TRY(cuda_seen_by_device(seen.data, &seen.data));
    STATUS_TRY(cuda_seen_by_device(device->work->counts_copy, &counts));
    return select_by_bins(device, fast9_keypoints(&seen), counts);
}
