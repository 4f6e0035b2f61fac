/*
 * The strongest keypoints, in the order of the answer, with their orientation.
 *
 * By FAST score, up to BINNED_MOST keypoints, nothing is sorted and the host does not wait. Corners
 * are counted in bins of a score and a slab of the pyramid; whatever is in the first bins that hold
 * as many as are wanted is put together, bin by bin, and a warp for each finds its place among
 * those of its bin by counting. Bins are small, and the one in which the answer ends has no more
 * than the corners of one score in a slab.
 *
 * By Harris score, or if more are wanted, the host waits for the number of corners that suppression
 * left, one copy of eight bytes: sorting just those is less than sorting a list of a guessed
 * length. A keypoint is its key: level, y and x
 * in as many bits as the image needs, and its score. A FAST score has eight bits, stands inverted
 * above them, and CUB's radix sort goes through no more bits than that. A Harris score has a word
 * of its own, and CUB's merge sort compares both: a radix sort would go through the data a dozen
 * times. Keys are all different, so in whichever order they come, they are sorted in one.
 *
 * Moments are made of the answer's keypoints only: a warp for each, a lane for each column of the
 * disc.
 *
 * Floors: a pass of the radix sort reads and writes eight bytes a key and takes eight bits; keys of
 * an image of 4,096 × 4,096 and eight levels have 35. Up to some 100,000 keys it is not these bytes
 * that bound it but the launches of the passes, one after the other, and the wait of the host.
 */
#include <algorithm>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "cuda_device.h"
#include "fast9_device.cuh"

VARIANT_EXTERN Status fast9_cuda_select(void *state);

namespace {

constexpr int THREADS = 256;
constexpr int WARP = 32;
constexpr int WARPS = THREADS / WARP;
constexpr unsigned int ALL_LANES = 0xFFFFFFFFU;
constexpr int SCORE_BITS = 8; /* of a FAST score */
constexpr uint64_t SCORE_MAX = 255;

/* Keypoints in the answer up to which the bins are small enough. */
constexpr unsigned int BINNED_MOST = 32768;

/* How level, y and x stand in a word. */
struct PlaceBits {
    int x, y, level;

    __host__ __device__ __forceinline__ int all() const {
        return x + y + level;
    }
    __device__ __forceinline__ uint64_t pack(const Fast9Corner &corner) const {
        return ((uint64_t)corner.level << y | corner.y) << x | corner.x;
    }
    __device__ __forceinline__ Fast9Corner unpack(uint64_t place) const {
        const uint64_t above = place >> x;
        return {(uint16_t)(place & ((1U << x) - 1)), (uint16_t)(above & ((1U << y) - 1)),
                (uint32_t)(above >> y)};
    }
};

/* The least key comes first. */
struct Fast9Key {
    uint64_t bits;

    static __device__ __forceinline__ Fast9Key make(int64_t score, uint64_t place, PlaceBits bits) {
        return {(SCORE_MAX - (uint64_t)score) << bits.all() | place};
    }
    __device__ __forceinline__ int64_t score(PlaceBits places) const {
        return (int64_t)(SCORE_MAX - (bits >> places.all()));
    }
    __device__ __forceinline__ uint64_t place(PlaceBits places) const {
        return bits & (((uint64_t)1 << places.all()) - 1);
    }
};

struct HarrisKey {
    int64_t own_score;
    uint64_t own_place;

    static __device__ __forceinline__ HarrisKey make(int64_t score, uint64_t place, PlaceBits) {
        return {score, place};
    }
    __device__ __forceinline__ int64_t score(PlaceBits) const {
        return own_score;
    }
    __device__ __forceinline__ uint64_t place(PlaceBits) const {
        return own_place;
    }
};

struct HarrisBefore {
    __device__ __forceinline__ bool operator()(const HarrisKey &a, const HarrisKey &b) const {
        return a.own_score != b.own_score ? a.own_score > b.own_score : a.own_place < b.own_place;
    }
};

/* --- Kernels --------------------------------------------------------------------------------- */

template <typename Key>
__global__ void __launch_bounds__(THREADS)
    fast9_make_keys(const Fast9Corner *corners, const int64_t *scores, const uint32_t *survivors,
                    unsigned int count, PlaceBits bits, Key *keys) {
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count) {
        const uint32_t at = survivors[i];
        keys[i] = Key::make(scores[at], bits.pack(corners[at]), bits);
    }
}

struct Levels {
    const uint8_t *pyramid;
    Fast9Levels levels;
};

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

template <typename Key>
__global__ void __launch_bounds__(THREADS)
    fast9_make_answer(const Levels from, const Key *keys, unsigned int count, PlaceBits bits,
                      Fast9Keypoint *answer) {
    const unsigned int row = blockIdx.x * WARPS + threadIdx.x / WARP;
    const int lane = (int)threadIdx.x % WARP;
    if (row >= count) {
        return;
    }
    const Key key = keys[row];
    const Fast9Corner corner = bits.unpack(key.place(bits));
    const uint8_t *centre = from.pyramid + fast9_pixel_of(from.levels, corner);
    int m10 = 0;
    int m01 = 0;
    column_moments(centre, from.levels.stride[corner.level], lane - FAST9_DISC_RADIUS, m10, m01);
    m10 = sum_of_warp(m10);
    m01 = sum_of_warp(m01);
    if (lane == 0) {
        answer[row] = {corner.level, corner.x, corner.y, key.score(bits), m10, m01};
    }
}

/* --- Without sorting ------------------------------------------------------------------------- */

constexpr int SLABS = 16; /* of the pyramid's pixels */
constexpr int BINS = FAST9_BINS;
static_assert(BINS == ((int)SCORE_MAX + 1) * SLABS, "a bin for each score and slab");

struct Binning {
    const Fast9Corner *corners;
    const int64_t *scores;
    const uint32_t *survivors;
    const Fast9Counts *counts;
    Fast9Levels levels;
    const uint8_t *pyramid;
    Fast9Bins *bins;
    uint64_t *keys; /* bin and pixel of what may be in the answer */
    unsigned int most;
    Fast9Keypoint *answer;
};

/* Bin and pixel of a survivor: keys are in the order of the answer. */
__device__ __forceinline__ uint64_t binned_key(const Binning &job, uint32_t survivor) {
    const uint64_t pixel = fast9_pixel_of(job.levels, job.corners[survivor]);
    const uint64_t slab = pixel * SLABS / job.levels.pixels;
    return ((SCORE_MAX - (uint64_t)job.scores[survivor]) * SLABS + slab) << 32 | pixel;
}

__global__ void __launch_bounds__(THREADS) fast9_count_bins(const Binning job) {
    const unsigned int count = job.counts->survivors;
    for (size_t i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
        atomicAdd(&job.bins->counts[binned_key(job, job.survivors[i]) >> 32], 1U);
    }
}

/* Where each bin begins, for a block of THREADS; returns where the last one ends that begins before
 * `most`. */
__device__ unsigned int bin_starts(const Fast9Bins *bins, unsigned int most,
                                   unsigned int (&starts)[BINS]) {
    constexpr int OWN = BINS / THREADS;
    using Scan = cub::BlockScan<unsigned int, THREADS>;
    __shared__ typename Scan::TempStorage storage;
    __shared__ unsigned int chosen;
    unsigned int counts[OWN];
    unsigned int before[OWN];
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        counts[i] = bins->counts[threadIdx.x * OWN + i];
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
    __shared__ unsigned int starts[BINS];
    const unsigned int chosen = bin_starts(job.bins, job.most, starts);
    if (blockIdx.x == 0) {
        for (int i = (int)threadIdx.x; i < BINS; i += THREADS) {
            job.bins->starts[i] = starts[i];
        }
        if (threadIdx.x == 0) {
            job.bins->starts[BINS] = job.counts->survivors;
            job.bins->chosen = chosen;
        }
    }
    const unsigned int count = job.counts->survivors;
    for (size_t i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
        const uint64_t key = binned_key(job, job.survivors[i]);
        const unsigned int bin = (unsigned int)(key >> 32);
        if (starts[bin] < job.most) {
            job.keys[starts[bin] + atomicAdd(&job.bins->cursors[bin], 1U)] = key;
        }
    }
}

__device__ __forceinline__ Fast9Corner corner_at(const Fast9Levels &levels, uint32_t pixel) {
    int level = levels.count - 1;
    while (level > 0 && pixel < levels.offset[level]) {
        level--;
    }
    const uint32_t at = pixel - (uint32_t)levels.offset[level];
    const uint32_t stride = (uint32_t)levels.stride[level];
    return {(uint16_t)(at % stride), (uint16_t)(at / stride), (uint32_t)level};
}

/* A warp for each key. */
__global__ void __launch_bounds__(THREADS) fast9_answer_bins(const Binning job) {
    const int lane = (int)threadIdx.x % WARP;
    const unsigned int chosen = job.bins->chosen;
    for (unsigned int i = blockIdx.x * WARPS + threadIdx.x / WARP; i < chosen;
         i += gridDim.x * WARPS) {
        const uint64_t key = job.keys[i];
        const unsigned int bin = (unsigned int)(key >> 32);
        const unsigned int first = job.bins->starts[bin];
        const unsigned int end = job.bins->starts[bin + 1];
        int smaller = 0;
        for (unsigned int k = first + lane; k < end; k += WARP) {
            smaller += job.keys[k] < key ? 1 : 0;
        }
        const unsigned int row = first + (unsigned int)sum_of_warp(smaller);
        if (row >= job.most) {
            continue;
        }
        const Fast9Corner corner = corner_at(job.levels, (uint32_t)key);
        int m10 = 0;
        int m01 = 0;
        column_moments(job.pyramid + (uint32_t)key, job.levels.stride[corner.level],
                       lane - FAST9_DISC_RADIUS, m10, m01);
        m10 = sum_of_warp(m10);
        m01 = sum_of_warp(m01);
        if (lane == 0) {
            const int64_t score = (int64_t)(SCORE_MAX - bin / SLABS);
            job.answer[row] = {corner.level, corner.x, corner.y, score, m10, m01};
        }
    }
}

Status select_by_bins(const Fast9Device *device) {
    Fast9Work *work = device->work;
    const Binning job = {
        device->corners, work->scores, work->survivors,           work->counts, device->levels,
        device->pyramid, work->bins,   (uint64_t *)work->keys[0], work->rows,   work->answer};
    CUDA_TRY(cudaMemsetAsync(work->bins, 0, sizeof *work->bins, cuda_stream()));
    fast9_count_bins<<<work->blocks, THREADS, 0, cuda_stream()>>>(job);
    STATUS_TRY(CUDA_LAUNCHED());
    fast9_fill_bins<<<work->blocks, THREADS, 0, cuda_stream()>>>(job);
    STATUS_TRY(CUDA_LAUNCHED());
    fast9_answer_bins<<<work->blocks, THREADS, 0, cuda_stream()>>>(job);
    return CUDA_LAUNCHED();
}

/* --- Sorting --------------------------------------------------------------------------------- */

/* Bits that numbers from 0 to `largest` need. */
int bits_of(int largest) {
    int bits = 0;
    while (largest >> bits != 0) {
        bits++;
    }
    return bits;
}

PlaceBits place_bits(const Fast9Levels *levels) {
    return {bits_of(levels->width[0] - 1), bits_of(levels->height[0] - 1),
            bits_of(levels->count - 1)};
}

bool by_harris(const Fast9Device *device) {
    return device->point.score == FAST9_SCORE_HARRIS;
}

/* Sort the first `count` keys, or, while there is no memory for it, compute how much it takes. The
 * sorted keys are in `sorted`. */
Status sort_by_fast(Fast9Work *work, unsigned int count, int bits, Fast9Key **sorted) {
    cub::DoubleBuffer<uint64_t> keys((uint64_t *)work->keys[0], (uint64_t *)work->keys[1]);
    CUDA_TRY(cub::DeviceRadixSort::SortKeys(work->sorting, work->sorting_bytes, keys, count, 0,
                                            bits, cuda_stream()));
    *sorted = (Fast9Key *)keys.Current();
    return status_ok();
}

Status sort_by_harris(Fast9Work *work, unsigned int count, HarrisKey **sorted) {
    HarrisKey *keys = (HarrisKey *)work->keys[0];
    CUDA_TRY(cub::DeviceMergeSort::SortKeys(work->sorting, work->sorting_bytes, keys, count,
                                            HarrisBefore(), cuda_stream()));
    *sorted = keys;
    return status_ok();
}

Status sort(Fast9Work *work, unsigned int count, PlaceBits bits, Fast9Key **sorted) {
    return sort_by_fast(work, count, SCORE_BITS + bits.all(), sorted);
}

Status sort(Fast9Work *work, unsigned int count, PlaceBits, HarrisKey **sorted) {
    return sort_by_harris(work, count, sorted);
}

/* --- The stage ------------------------------------------------------------------------------- */

/* Blocks of `items` items each for `count` of them. */
unsigned int blocks_for(unsigned int count, int items) {
    return (unsigned int)(((size_t)count + (size_t)items - 1) / (size_t)items);
}

/* Sorts the survivors and answers with the first `rows`. */
template <typename Key>
Status select(const Fast9Device *device, unsigned int survivors, unsigned int rows) {
    Fast9Work *work = device->work;
    const PlaceBits bits = place_bits(&device->levels);
    fast9_make_keys<<<blocks_for(survivors, THREADS), THREADS, 0, cuda_stream()>>>(
        device->corners, work->scores, work->survivors, survivors, bits, (Key *)work->keys[0]);
    STATUS_TRY(CUDA_LAUNCHED());
    Key *sorted = NULL;
    STATUS_TRY(sort(work, survivors, bits, &sorted));
    const Levels levels = {device->pyramid, device->levels};
    fast9_make_answer<<<blocks_for(rows, WARPS), THREADS, 0, cuda_stream()>>>(levels, sorted, rows,
                                                                              bits, work->answer);
    return CUDA_LAUNCHED();
}

Status copy_counts(const Fast9Work *work) {
    CUDA_TRY(cudaMemcpyAsync(work->counts_copy, work->counts, sizeof *work->counts_copy,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    return status_ok();
}

} // namespace

Status fast9_cuda_select_open(Fast9Device *device) {
    Fast9Work *work = device->work;
    const size_t key_bytes = by_harris(device) ? sizeof(HarrisKey) : sizeof(Fast9Key);
    STATUS_TRY(cuda_backend.alloc(device->capacity * key_bytes, &work->keys[0]));
    if (by_harris(device)) {
        HarrisKey *sorted = NULL;
        STATUS_TRY(sort_by_harris(work, device->capacity, &sorted));
    } else {
        Fast9Key *sorted = NULL;
        STATUS_TRY(cuda_backend.alloc(device->capacity * key_bytes, &work->keys[1]));
        STATUS_TRY(sort_by_fast(work, device->capacity, 64, &sorted));
    }
    return cuda_backend.alloc(work->sorting_bytes, &work->sorting);
}

void fast9_cuda_select_close(Fast9Device *device) {
    Fast9Work *work = device->work;
    cuda_backend.release(work->keys[0]);
    cuda_backend.release(work->keys[1]);
    cuda_backend.release(work->sorting);
    work->keys[0] = NULL;
    work->keys[1] = NULL;
    work->sorting = NULL;
}

Status fast9_cuda_select(void *state) {
    const Fast9Device *device = (const Fast9Device *)state;
    const Fast9Work *work = device->work;
    STATUS_TRY(copy_counts(work));
    if (!by_harris(device) && work->rows <= BINNED_MOST) {
        return select_by_bins(device);
    }
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    const unsigned int survivors = work->counts_copy->survivors;
    const unsigned int rows = std::min(survivors, work->rows);
    if (rows == 0) {
        return status_ok();
    }
    return by_harris(device) ? select<HarrisKey>(device, survivors, rows)
                             : select<Fast9Key>(device, survivors, rows);
}
