/*
 * Weights between two searches, as adaboost.h defines them.
 *
 * Each image has a thread; what the next step needs of all images is an integer
 * sum, so the order in which blocks add does not matter: S and the counts are added up atomically,
 * the running sum is CUB's. Alpha and the factors come from the host, which alone takes a
 * logarithm. Everything is a few dozen bytes an image, so launches and one wait bound it, not
 * memory: small kernels, and all sums fetched at once.
 */
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include "adaboost.h"
#include "adaboost_device.cuh"
#include "cuda_device.h"

namespace {

constexpr int THREADS = 256;

using Reduce = cub::BlockReduce<unsigned long long, THREADS>;

/* The stump that was taken. */
struct Taken {
    const int32_t *values; /* of its candidate */
    int32_t threshold;
    int polarity;
    AdaboostFactors factors;
};

struct Images {
    const uint8_t *labels;
    int count, digit;
    int64_t digits, others;
    double *weights, *scores;
    uint64_t *units;
    int64_t *shares;
    AdaboostSums *sums;
};

__device__ __forceinline__ unsigned int image_index() {
    return blockIdx.x * THREADS + threadIdx.x;
}

/* All threads of the block call it. */
__device__ __forceinline__ void block_add(unsigned long long value, unsigned long long *sum) {
    __shared__ typename Reduce::TempStorage storage;
    const unsigned long long total = Reduce(storage).Sum(value);
    if (threadIdx.x == 0) {
        atomicAdd(sum, total);
    }
}

__global__ void __launch_bounds__(THREADS) adaboost_first_weights(const Images images) {
    const unsigned int i = image_index();
    unsigned long long unit = 0;
    if (i < (unsigned int)images.count) {
        const double v =
            adaboost_first_weight(images.labels[i] == images.digit, images.digits, images.others);
        images.weights[i] = v;
        images.scores[i] = 0;
        unit = adaboost_sum_unit(v);
    }
    block_add(unit, &images.sums->weight);
}

/* Step 1, the scores, and the sums of step 2. */
__global__ void __launch_bounds__(THREADS)
    adaboost_change_weights(const Images images, const Taken taken) {
    const unsigned int i = image_index();
    unsigned long long unit = 0;
    bool missed = false;
    bool alarmed = false;
    if (i < (unsigned int)images.count) {
        const bool is_digit = images.labels[i] == images.digit;
        const bool says_digit = (taken.values[i] >= taken.threshold) == (taken.polarity == 1);
        const double v = images.weights[i] *
                         (says_digit == is_digit ? taken.factors.right : taken.factors.wrong);
        const double score =
            images.scores[i] + (says_digit ? taken.factors.alpha : -taken.factors.alpha);
        images.weights[i] = v;
        images.scores[i] = score;
        unit = adaboost_sum_unit(v);
        missed = is_digit && score < 0;
        alarmed = !is_digit && score >= 0;
    }
    block_add(unit, &images.sums->weight);
    const int misses = __syncthreads_count(missed);
    const int false_alarms = __syncthreads_count(alarmed);
    if (threadIdx.x == 0) {
        atomicAdd(&images.sums->misses, (unsigned long long)misses);
        atomicAdd(&images.sums->false_alarms, (unsigned long long)false_alarms);
    }
}

/* Step 3 and the units of step 4. */
__global__ void __launch_bounds__(THREADS) adaboost_normalise(const Images images) {
    const unsigned int i = image_index();
    if (i < (unsigned int)images.count) {
        const double w = adaboost_normalised(images.weights[i], images.sums->weight);
        images.weights[i] = w;
        images.units[i] = adaboost_share_unit(w);
    }
}

/* Step 5; units are running sums by now. */
__global__ void __launch_bounds__(THREADS) adaboost_make_shares(const Images images) {
    const unsigned int i = image_index();
    unsigned long long other = 0;
    if (i < (unsigned int)images.count) {
        const uint64_t before = i > 0 ? images.units[i - 1] : 0;
        const uint64_t share =
            adaboost_share(before, images.units[i], i == (unsigned int)images.count - 1);
        const bool is_digit = images.labels[i] == images.digit;
        images.shares[i] = is_digit ? -(int64_t)share : (int64_t)share;
        other = is_digit ? 0 : share;
    }
    block_add(other, &images.sums->others);
}

Images images_of(const AdaboostDevice *device) {
    Images images = {};
    images.labels = device->labels;
    images.count = device->images;
    images.digit = device->point.digit;
    images.digits = device->work->digits;
    images.others = device->work->others;
    images.weights = device->weights;
    images.scores = device->scores;
    images.units = device->work->units;
    images.shares = device->shares;
    images.sums = device->work->sums;
    return images;
}

Status scan_units(AdaboostWork *work, int count) {
    CUDA_TRY(cub::DeviceScan::InclusiveSum(work->scanning.memory, work->scanning.bytes, work->units,
                                           work->units, count, cuda_stream()));
    return status_ok();
}

Status clear_sums(const AdaboostWork *work) {
    CUDA_TRY(cudaMemsetAsync(work->sums, 0, sizeof *work->sums, cuda_stream()));
    return status_ok();
}

/* Steps 3 to 5 with the sum of step 2; waits for all sums. */
Status finish(AdaboostDevice *device, const Images &images) {
    AdaboostWork *work = device->work;
    const unsigned int blocks = adaboost_blocks(images.count, THREADS);
    adaboost_normalise<<<blocks, THREADS, 0, cuda_stream()>>>(images);
    STATUS_TRY(CUDA_LAUNCHED());
    STATUS_TRY(scan_units(work, images.count));
    adaboost_make_shares<<<blocks, THREADS, 0, cuda_stream()>>>(images);
    STATUS_TRY(CUDA_LAUNCHED());
    CUDA_TRY(cudaMemcpyAsync(&work->round->sums, work->sums, sizeof *work->sums,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    device->others = work->round->sums.others;
    return status_ok();
}

} // namespace

Status adaboost_cuda_weights_open(AdaboostDevice *device) {
    AdaboostWork *work = device->work;
    const size_t count = (size_t)device->images;
    const ImageSet *set = &device->request->workload->set;
    for (size_t i = 0; i < count; i++) {
        work->digits += set->labels[i] == device->point.digit ? 1 : 0;
    }
    work->others = device->images - work->digits;
    STATUS_TRY(adaboost_allocate(count * sizeof *device->weights, &device->weights));
    STATUS_TRY(adaboost_allocate(count * sizeof *device->scores, &device->scores));
    STATUS_TRY(adaboost_allocate(count * sizeof *device->shares, &device->shares));
    STATUS_TRY(adaboost_allocate(count * sizeof *work->units, &work->units));
    STATUS_TRY(adaboost_allocate(sizeof *work->sums, &work->sums));
    STATUS_TRY(scan_units(work, device->images));
    return adaboost_allocate(work->scanning.bytes, &work->scanning.memory);
}

Status adaboost_cuda_weights_start(AdaboostDevice *device) {
    const Images images = images_of(device);
    STATUS_TRY(clear_sums(device->work));
    adaboost_first_weights<<<adaboost_blocks(images.count, THREADS), THREADS, 0, cuda_stream()>>>(
        images);
    STATUS_TRY(CUDA_LAUNCHED());
    return finish(device, images);
}

Status adaboost_cuda_weights_apply(AdaboostDevice *device, AdaboostStump *stump) {
    const Images images = images_of(device);
    Taken taken = {};
    taken.values = device->values + (size_t)stump->candidate * (size_t)device->images;
    taken.threshold = (int32_t)stump->threshold;
    taken.polarity = (int)stump->polarity;
    taken.factors = adaboost_factors(stump->error);
    STATUS_TRY(clear_sums(device->work));
    adaboost_change_weights<<<adaboost_blocks(images.count, THREADS), THREADS, 0, cuda_stream()>>>(
        images, taken);
    STATUS_TRY(CUDA_LAUNCHED());
    STATUS_TRY(finish(device, images));
    stump->misses = device->work->round->sums.misses;
    stump->false_alarms = device->work->round->sums.false_alarms;
    return status_ok();
}
