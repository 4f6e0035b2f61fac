/*
 * Weights between two searches, and the scores, as adaboost.h defines them.
 *
 * Each image has a thread; what the next step needs of all images is an integer
 * sum, so the order in which blocks add does not matter: S and the counts are added up atomically,
 * and a running sum begins with the sums of the blocks before. What a stump says of an image is
 * computed from the integral image, so that devices need only be told which stump it is. Factors
 * are two divisions and the same everywhere. Alpha is a logarithm, which the host alone takes:
 * scores are added up when the host has seen the stumps of the rounds queued, from a bit for each
 * image and round. Everything is a few dozen bytes an image, so kernel launches bound it, not
 * memory: three kernels a round.
 */
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cuda/functional>

#include "adaboost.h"
#include "adaboost_device.cuh"
#include "cuda_device.h"
#include "early_launch.cuh"

namespace {

constexpr int THREADS = 256;

using Reduce = cub::BlockReduce<unsigned long long, THREADS>;
using Scan = cub::BlockScan<unsigned long long, THREADS>;

struct Images {
    const uint8_t *labels;
    const int32_t *integrals;
    int stride, entries; /* of an integral image */
    int count, digit;
    int64_t digits, others;
    double *weights, *scores;
    int64_t *shares;
    unsigned long long *units; /* of the images of each block, summed */
    AdaboostSums *sums;
};

__device__ __forceinline__ unsigned int image_index() {
    return blockIdx.x * THREADS + threadIdx.x;
}

__device__ __forceinline__ bool is_first_thread() {
    return blockIdx.x == 0 && threadIdx.x == 0;
}

__device__ __forceinline__ bool is_digit(const Images &images, unsigned int i) {
    return images.labels[i] == images.digit;
}

/* All threads of the block call it; thread 0 has the sum. Not twice without a barrier between. */
__device__ __forceinline__ unsigned long long block_sum(unsigned long long value) {
    __shared__ typename Reduce::TempStorage storage;
    return Reduce(storage).Sum(value);
}

/* The same with the largest. */
__device__ __forceinline__ unsigned long long block_largest(unsigned long long value) {
    __shared__ typename Reduce::TempStorage storage;
    return Reduce(storage).Reduce(value, cuda::maximum<unsigned long long>{});
}

/* The sum, added to `sum`. */
__device__ __forceinline__ void block_add(unsigned long long value, unsigned long long *sum) {
    const unsigned long long total = block_sum(value);
    if (threadIdx.x == 0) {
        atomicAdd(sum, total);
    }
}

/* === Weights ================================================================================== */

__global__ void __launch_bounds__(THREADS) adaboost_first_weights(const Images images) {
    const unsigned int i = image_index();
    unsigned long long unit = 0;
    if (i < (unsigned int)images.count) {
        const double v = adaboost_first_weight(is_digit(images, i), images.digits, images.others);
        images.weights[i] = v;
        images.scores[i] = 0;
        unit = adaboost_sum_unit(v);
    }
    block_add(unit, &images.sums->weight);
}

/* The best of what devices found, each on its candidates. */
__device__ __forceinline__ AdaboostFound choose(const AdaboostFound *found, int count, bool given,
                                                bool over) {
    AdaboostFound best = found[0];
    for (int i = 1; i < count; i++) {
        if (adaboost_better(found[i].best, best.best)) {
            best = found[i];
        }
    }
    best.is_taken = given || (!over && best.best.error < ADABOOST_TOTAL / 2);
    return best;
}

struct Change {
    const AdaboostFound *found; /* of the round */
    int count;                  /* of them */
    bool given;
    AdaboostFound *taken;
    uint32_t *answers;
};

/* Step 1, and the sum of step 2. */
__global__ void __launch_bounds__(THREADS)
    adaboost_change_weights(const Images images, const Change change) {
    __shared__ AdaboostFound taken;
    start_between_kernels();
    if (threadIdx.x == 0) {
        taken = choose(change.found, change.count, change.given, images.sums->over != 0);
    }
    __syncthreads();
    if (is_first_thread()) {
        *change.taken = taken;
    }
    if (!taken.is_taken) {
        return;
    }
    const unsigned int i = image_index();
    unsigned long long unit = 0;
    bool says_digit = false;
    if (i < (unsigned int)images.count) {
        const int32_t value =
            haar_value(images.integrals + (size_t)i * images.entries, images.stride, taken.feature);
        says_digit = (value >= taken.threshold) == (taken.best.key % 2 == 0);
        const double v = images.weights[i] * (says_digit == is_digit(images, i)
                                                  ? adaboost_right(taken.best.error)
                                                  : adaboost_wrong(taken.best.error));
        images.weights[i] = v;
        unit = adaboost_sum_unit(v);
    }
    const uint32_t answers = __ballot_sync(UINT32_MAX, says_digit);
    if (i % 32 == 0 && i < (unsigned int)images.count) {
        change.answers[i / 32] = answers;
    }
    block_add(unit, &images.sums->weight);
}

/* Step 3, and the units of step 4 summed for each block. Nothing is changed unless a stump is
 * taken; `taken` is NULL at the beginning. */
__global__ void __launch_bounds__(THREADS)
    adaboost_normalise(const Images images, const AdaboostFound *taken) {
    const unsigned int i = image_index();
    unsigned long long unit = 0;
    start_between_kernels();
    if (taken != NULL && !taken->is_taken) {
        return;
    }
    if (i < (unsigned int)images.count) {
        const double w = adaboost_normalised(images.weights[i], images.sums->weight);
        images.weights[i] = w;
        unit = adaboost_share_unit(w);
    }
    const unsigned long long units = block_sum(unit);
    if (threadIdx.x == 0) {
        images.units[blockIdx.x] = units;
    }
    if (is_first_thread()) { /* the last search has read them */
        images.sums->others = 0;
        images.sums->largest = 0;
    }
}

/* For all threads of the block: the units of all blocks before it. */
__device__ __forceinline__ unsigned long long units_before(const Images &images) {
    __shared__ unsigned long long before;
    unsigned long long units = 0;
    for (unsigned int block = threadIdx.x; block < blockIdx.x; block += THREADS) {
        units += images.units[block];
    }
    const unsigned long long sum = block_sum(units);
    if (threadIdx.x == 0) {
        before = sum;
    }
    __syncthreads();
    return before;
}

/* The rest of step 4, and step 5. */
__device__ __forceinline__ void make_shares(const Images &images) {
    __shared__ typename Scan::TempStorage storage;
    const unsigned int i = image_index();
    const bool is_there = i < (unsigned int)images.count;
    const unsigned long long unit = is_there ? adaboost_share_unit(images.weights[i]) : 0;
    unsigned long long other = 0;
    unsigned long long size = 0;
    unsigned long long upto;
    Scan(storage).InclusiveSum(unit, upto);
    upto += units_before(images);
    if (is_there) {
        size = adaboost_share(upto - unit, upto, i == (unsigned int)images.count - 1);
        images.shares[i] = is_digit(images, i) ? -(int64_t)size : (int64_t)size;
        other = is_digit(images, i) ? 0 : size;
    }
    block_add(other, &images.sums->others);
    const unsigned long long largest = block_largest(size);
    if (threadIdx.x == 0) {
        atomicMax(&images.sums->largest, largest);
    }
}

__global__ void __launch_bounds__(THREADS)
    adaboost_make_shares(const Images images, const AdaboostFound *taken) {
    start_between_kernels();
    const bool is_taken = taken == NULL || taken->is_taken;
    if (is_first_thread()) {
        images.sums->weight = 0;
        images.sums->over = !is_taken || (taken != NULL && taken->best.error == 0);
    }
    if (is_taken) {
        make_shares(images);
    }
}

/* === Scores =================================================================================== */

struct Scoring {
    const uint32_t *answers; /* rounds × words */
    size_t words;
    const double *alphas; /* rounds */
    AdaboostWrong *wrong; /* rounds */
    int rounds;
};

__global__ void __launch_bounds__(THREADS)
    adaboost_add_scores(const Images images, const Scoring scoring) {
    const unsigned int i = image_index();
    const bool is_there = i < (unsigned int)images.count;
    const bool digit = is_there && is_digit(images, i);
    double score = is_there ? images.scores[i] : 0;
    for (int round = 0; round < scoring.rounds; round++) {
        const double alpha = scoring.alphas[round];
        const uint32_t answers = is_there ? scoring.answers[round * scoring.words + i / 32] : 0;
        score += (answers >> i % 32 & 1) != 0 ? alpha : -alpha;
        const int misses = __syncthreads_count(digit && score < 0);
        const int false_alarms = __syncthreads_count(is_there && !digit && score >= 0);
        if (threadIdx.x == 0) {
            atomicAdd(&scoring.wrong[round].misses, (unsigned long long)misses);
            atomicAdd(&scoring.wrong[round].false_alarms, (unsigned long long)false_alarms);
        }
    }
    if (is_there) {
        images.scores[i] = score;
    }
}

/* === Queueing ================================================================================= */

Images images_of(const AdaboostDevice *device) {
    Images images = {};
    images.labels = device->labels;
    images.integrals = device->integrals;
    images.stride = device->width + 1;
    images.entries = images.stride * (device->height + 1);
    images.count = device->images;
    images.digit = device->point.digit;
    images.digits = device->work->digits;
    images.others = device->work->others;
    images.weights = device->weights;
    images.scores = device->scores;
    images.shares = device->shares;
    images.units = device->work->units;
    images.sums = device->sums;
    return images;
}

/* Steps 3 to 5 with the sum of step 2. */
Status finish(const Images &images, const AdaboostFound *taken) {
    const unsigned int blocks = adaboost_blocks(images.count, THREADS);
    STATUS_TRY(launch_early(adaboost_normalise, blocks, THREADS, images, taken));
    return launch_early(adaboost_make_shares, blocks, THREADS, images, taken);
}

} // namespace

Status adaboost_cuda_weights_open(AdaboostDevice *device) {
    AdaboostWork *work = device->work;
    const size_t count = (size_t)device->images;
    const size_t blocks = adaboost_blocks(device->images, THREADS);
    const ImageSet *set = &device->request->workload->set;
    for (size_t i = 0; i < count; i++) {
        work->digits += set->labels[i] == device->point.digit ? 1 : 0;
    }
    work->others = device->images - work->digits;
    const size_t rounds = ADABOOST_ROUNDS_QUEUED;
    const size_t words = adaboost_words(device->images);
    const CudaBuffer table[] = {
        cuda_scratch(&device->weights, count * sizeof *device->weights),
        cuda_scratch(&device->scores, count * sizeof *device->scores),
        cuda_scratch(&device->shares, count * sizeof *device->shares),
        cuda_scratch(&device->sums, sizeof *device->sums),
        cuda_scratch(&work->units, blocks * sizeof *work->units),
        /* What is kept of the rounds that are queued. */
        cuda_scratch(&work->found, rounds * (size_t)device->devices * sizeof *work->found),
        cuda_scratch(&work->taken, rounds * sizeof *work->taken),
        cuda_scratch(&work->answers, rounds * words * sizeof *work->answers),
        cuda_scratch(&work->alphas, rounds * sizeof *work->alphas),
        cuda_scratch(&work->wrong, rounds * sizeof *work->wrong),
    };
    return cuda_open_buffers(device, table);
}

Status adaboost_cuda_weights_start(AdaboostDevice *device) {
    const Images images = images_of(device);
    CUDA_TRY(cudaMemsetAsync(device->sums, 0, sizeof *device->sums, cuda_stream()));
    adaboost_first_weights<<<adaboost_blocks(images.count, THREADS), THREADS, 0, cuda_stream()>>>(
        images);
    STATUS_TRY(CUDA_LAUNCHED());
    return finish(images, NULL);
}

Status adaboost_cuda_weights_apply(AdaboostDevice *device, int slot, int found, bool given) {
    const AdaboostWork *work = device->work;
    const Images images = images_of(device);
    Change change = {};
    change.found = work->found + (size_t)slot * (size_t)device->devices;
    change.count = found;
    change.given = given;
    change.taken = work->taken + slot;
    change.answers = work->answers + (size_t)slot * adaboost_words(device->images);
    STATUS_TRY(launch_early(adaboost_change_weights, adaboost_blocks(images.count, THREADS),
                            THREADS, images, change));
    return finish(images, change.taken);
}

Status adaboost_cuda_scores_add(AdaboostDevice *device, int rounds) {
    const AdaboostWork *work = device->work;
    const Images images = images_of(device);
    const size_t bytes = (size_t)rounds * sizeof *work->wrong;
    Scoring scoring = {};
    scoring.answers = work->answers;
    scoring.words = adaboost_words(device->images);
    scoring.alphas = work->alphas;
    scoring.wrong = work->wrong;
    scoring.rounds = rounds;
    CUDA_TRY(cudaMemsetAsync(work->wrong, 0, bytes, cuda_stream()));
    adaboost_add_scores<<<adaboost_blocks(images.count, THREADS), THREADS, 0, cuda_stream()>>>(
        images, scoring);
    STATUS_TRY(CUDA_LAUNCHED());
    CUDA_TRY(cudaMemcpyAsync(work->rounds->wrong, work->wrong, bytes, cudaMemcpyDeviceToHost,
                             cuda_stream()));
    return status_ok();
}
