/*
 * Weights between two searches, as adaboost.h defines them.
 *
 * A picture is a thread; what has to be known of all pictures before the next step is an integer
 * sum, so the order in which blocks add does not matter: S and the counts are added up atomically,
 * the running sum is CUB's. Alpha and the factors come from the host, which alone takes a
 * logarithm. Everything is a few dozen bytes a picture, so launches and one wait bound it, not
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

struct Pictures {
    const uint8_t *labels;
    int count, digit;
    int64_t digits, others;
    double *weights, *scores;
    uint64_t *units;
    int64_t *shares;
    AdaboostSums *sums;
};

__device__ __forceinline__ unsigned int picture_index() {
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

__global__ void __launch_bounds__(THREADS) adaboost_first_weights(const Pictures pictures) {
    const unsigned int i = picture_index();
    unsigned long long unit = 0;
    if (i < (unsigned int)pictures.count) {
        const double v = adaboost_first_weight(pictures.labels[i] == pictures.digit,
                                               pictures.digits, pictures.others);
        pictures.weights[i] = v;
        pictures.scores[i] = 0;
        unit = adaboost_sum_unit(v);
    }
    block_add(unit, &pictures.sums->weight);
}

/* Step 1, the scores, and the sums of step 2. */
__global__ void __launch_bounds__(THREADS)
    adaboost_change_weights(const Pictures pictures, const Taken taken) {
    const unsigned int i = picture_index();
    unsigned long long unit = 0;
    bool missed = false;
    bool alarmed = false;
    if (i < (unsigned int)pictures.count) {
        const bool is_digit = pictures.labels[i] == pictures.digit;
        const bool says_digit = (taken.values[i] >= taken.threshold) == (taken.polarity == 1);
        const double v = pictures.weights[i] *
                         (says_digit == is_digit ? taken.factors.right : taken.factors.wrong);
        const double score =
            pictures.scores[i] + (says_digit ? taken.factors.alpha : -taken.factors.alpha);
        pictures.weights[i] = v;
        pictures.scores[i] = score;
        unit = adaboost_sum_unit(v);
        missed = is_digit && score < 0;
        alarmed = !is_digit && score >= 0;
    }
    block_add(unit, &pictures.sums->weight);
    const int misses = __syncthreads_count(missed);
    const int false_alarms = __syncthreads_count(alarmed);
    if (threadIdx.x == 0) {
        atomicAdd(&pictures.sums->misses, (unsigned long long)misses);
        atomicAdd(&pictures.sums->false_alarms, (unsigned long long)false_alarms);
    }
}

/* Step 3 and the units of step 4. */
__global__ void __launch_bounds__(THREADS) adaboost_normalise(const Pictures pictures) {
    const unsigned int i = picture_index();
    if (i < (unsigned int)pictures.count) {
        const double w = adaboost_normalised(pictures.weights[i], pictures.sums->weight);
        pictures.weights[i] = w;
        pictures.units[i] = adaboost_share_unit(w);
    }
}

/* Step 5; units are running sums by now. */
__global__ void __launch_bounds__(THREADS) adaboost_make_shares(const Pictures pictures) {
    const unsigned int i = picture_index();
    unsigned long long other = 0;
    if (i < (unsigned int)pictures.count) {
        const uint64_t before = i > 0 ? pictures.units[i - 1] : 0;
        const uint64_t share =
            adaboost_share(before, pictures.units[i], i == (unsigned int)pictures.count - 1);
        const bool is_digit = pictures.labels[i] == pictures.digit;
        pictures.shares[i] = is_digit ? -(int64_t)share : (int64_t)share;
        other = is_digit ? 0 : share;
    }
    block_add(other, &pictures.sums->others);
}

Pictures pictures_of(const AdaboostDevice *device) {
    Pictures pictures = {};
    pictures.labels = device->labels;
    pictures.count = device->pictures;
    pictures.digit = device->point.digit;
    pictures.digits = device->work->digits;
    pictures.others = device->work->others;
    pictures.weights = device->weights;
    pictures.scores = device->scores;
    pictures.units = device->work->units;
    pictures.shares = device->shares;
    pictures.sums = device->work->sums;
    return pictures;
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
Status finish(AdaboostDevice *device, const Pictures &pictures) {
    AdaboostWork *work = device->work;
    const unsigned int blocks = adaboost_blocks(pictures.count, THREADS);
    adaboost_normalise<<<blocks, THREADS, 0, cuda_stream()>>>(pictures);
    STATUS_TRY(CUDA_LAUNCHED());
    STATUS_TRY(scan_units(work, pictures.count));
    adaboost_make_shares<<<blocks, THREADS, 0, cuda_stream()>>>(pictures);
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
    const size_t count = (size_t)device->pictures;
    const ImageSet *set = &device->request->workload->set;
    for (size_t i = 0; i < count; i++) {
        work->digits += set->labels[i] == device->point.digit ? 1 : 0;
    }
    work->others = device->pictures - work->digits;
    STATUS_TRY(adaboost_allocate(count * sizeof *device->weights, &device->weights));
    STATUS_TRY(adaboost_allocate(count * sizeof *device->scores, &device->scores));
    STATUS_TRY(adaboost_allocate(count * sizeof *device->shares, &device->shares));
    STATUS_TRY(adaboost_allocate(count * sizeof *work->units, &work->units));
    STATUS_TRY(adaboost_allocate(sizeof *work->sums, &work->sums));
    STATUS_TRY(scan_units(work, device->pictures));
    return adaboost_allocate(work->scanning.bytes, &work->scanning.memory);
}

Status adaboost_cuda_weights_start(AdaboostDevice *device) {
    const Pictures pictures = pictures_of(device);
    STATUS_TRY(clear_sums(device->work));
    adaboost_first_weights<<<adaboost_blocks(pictures.count, THREADS), THREADS, 0, cuda_stream()>>>(
        pictures);
    STATUS_TRY(CUDA_LAUNCHED());
    return finish(device, pictures);
}

Status adaboost_cuda_weights_apply(AdaboostDevice *device, AdaboostStump *stump) {
    const Pictures pictures = pictures_of(device);
    Taken taken = {};
    taken.values = device->values + (size_t)stump->candidate * (size_t)device->pictures;
    taken.threshold = (int32_t)stump->threshold;
    taken.polarity = (int)stump->polarity;
    taken.factors = adaboost_factors(stump->error);
    STATUS_TRY(clear_sums(device->work));
    adaboost_change_weights<<<adaboost_blocks(pictures.count, THREADS), THREADS, 0,
                              cuda_stream()>>>(pictures, taken);
    STATUS_TRY(CUDA_LAUNCHED());
    STATUS_TRY(finish(device, pictures));
    stump->misses = device->work->round->sums.misses;
    stump->false_alarms = device->work->round->sums.false_alarms;
    return status_ok();
}
