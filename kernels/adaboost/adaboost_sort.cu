/*
 * Sorting the images of every candidate by value.
 *
 * Candidates are sorted in portions, a portion as one array: its keys have the candidate above the
 * value above the image, and CUB's radix sort goes through the bits of the first two only, of
 * which there are few, because how far values reach is known. It is stable and begins in the order
 * of the images, so their bits are carried along, not sorted. Against a segmented sort this costs
 * the bits of the candidate and saves reading everything twice in each pass: the one-pass-a-digit
 * sort is for whole arrays only.
 *
 * A pass reads and writes 8 bytes for each image and candidate and takes 8 bits; making keys and
 * the order of them adds 24 bytes, the digits' counts 8. With key_bits of 25 to 32 the floor is 96
 * bytes for each.
 */
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "adaboost_device.cuh"
#include "cuda_device.h"

namespace {

constexpr int THREADS = 256;
constexpr int ENTRIES = 8; /* of a thread, where there are as many images */
constexpr int GRID_ROWS_MAX = 65535;

constexpr int IMAGE_BITS = 32;
constexpr int KEY_BITS_MAX = 64 - IMAGE_BITS;

/* Entries of a portion where a candidate has fewer: what keeps a device busy, and little memory
 * beside that of all candidates. */
constexpr int PORTION_ENTRIES = 1 << 25;

/* Bits that numbers from 0 to `largest` need, at least 1. */
int bits_of(uint32_t largest) {
    int bits = 1;
    while (bits < 32 && largest >> bits != 0) {
        bits++;
    }
    return bits;
}

AdaboostSortPlan make_plan(const AdaboostDevice *device) {
    AdaboostSortPlan plan = {};
    for (int c = 0; c < device->candidates.count; c++) {
        const HaarFeature feature = device->candidates.features[c];
        plan.reach = std::max(plan.reach, haar_reach(feature.type, feature.w, feature.h));
    }
    plan.value_bits = bits_of(2 * (uint32_t)plan.reach);
    const int fit = std::max(1, PORTION_ENTRIES / device->images);
    const int distinct = 1 << std::min(KEY_BITS_MAX - plan.value_bits, 30);
    plan.portion = std::min(std::min(fit, distinct), (int)device->candidates.count);
    const int candidate_bits = plan.portion > 1 ? bits_of((uint32_t)plan.portion - 1) : 0;
    plan.key_bits = plan.value_bits + candidate_bits;
    return plan;
}

/* A column of blocks a candidate of the portion; its rows share out the images. */
__global__ void __launch_bounds__(THREADS)
    adaboost_make_keys(const int32_t *values, int images, AdaboostSortPlan plan, uint64_t *keys) {
    const size_t row = (size_t)blockIdx.x * (size_t)images;
    const uint32_t candidate = blockIdx.x << plan.value_bits;
    const unsigned int step = gridDim.y * THREADS;
    for (unsigned int i = blockIdx.y * THREADS + threadIdx.x; i < (unsigned int)images; i += step) {
        const uint32_t key = candidate | (uint32_t)(values[row + i] + plan.reach);
        keys[row + i] = (uint64_t)key << IMAGE_BITS | i;
    }
}

__global__ void __launch_bounds__(THREADS)
    adaboost_make_order(const uint64_t *keys, int images, uint32_t *order) {
    const size_t row = (size_t)blockIdx.x * (size_t)images;
    const unsigned int step = gridDim.y * THREADS;
    for (unsigned int k = blockIdx.y * THREADS + threadIdx.x; k < (unsigned int)images; k += step) {
        const uint64_t key = keys[row + k];
        const bool is_new = k == 0 || (keys[row + k - 1] ^ key) >> IMAGE_BITS != 0;
        order[row + k] = (uint32_t)key | (is_new ? ADABOOST_NEW_VALUE : 0);
    }
}

Status sort_keys(AdaboostStorage *storage, cub::DoubleBuffer<uint64_t> *keys, unsigned int count,
                 int key_bits) {
    CUDA_TRY(cub::DeviceRadixSort::SortKeys(storage->memory, storage->bytes, *keys, count,
                                            IMAGE_BITS, IMAGE_BITS + key_bits, cuda_stream()));
    return status_ok();
}

Status sort_portion(const AdaboostDevice *device, int first, int count) {
    AdaboostWork *work = device->work;
    const size_t offset = (size_t)first * (size_t)device->images;
    const unsigned int rows =
        std::min(adaboost_blocks(device->images, THREADS * ENTRIES), (unsigned int)GRID_ROWS_MAX);
    const dim3 grid((unsigned int)count, rows);
    adaboost_make_keys<<<grid, THREADS, 0, cuda_stream()>>>(device->values + offset, device->images,
                                                            work->plan, work->keys[0]);
    STATUS_TRY(CUDA_LAUNCHED());
    cub::DoubleBuffer<uint64_t> keys(work->keys[0], work->keys[1]);
    STATUS_TRY(sort_keys(&work->sorting, &keys, (unsigned int)count * (unsigned int)device->images,
                         work->plan.key_bits));
    adaboost_make_order<<<grid, THREADS, 0, cuda_stream()>>>(keys.Current(), device->images,
                                                             device->order + offset);
    return CUDA_LAUNCHED();
}

} // namespace

Status adaboost_cuda_sort_open(AdaboostDevice *device) {
    AdaboostWork *work = device->work;
    work->plan = make_plan(device);
    const size_t entries = (size_t)work->plan.portion * (size_t)device->images;
    STATUS_TRY(adaboost_allocate(entries * sizeof(uint64_t), &work->keys[0]));
    STATUS_TRY(adaboost_allocate(entries * sizeof(uint64_t), &work->keys[1]));
    cub::DoubleBuffer<uint64_t> keys(work->keys[0], work->keys[1]);
    STATUS_TRY(sort_keys(&work->sorting, &keys, (unsigned int)entries, work->plan.key_bits));
    return adaboost_allocate(work->sorting.bytes, &work->sorting.memory);
}

Status adaboost_cuda_sort(void *state) {
    const AdaboostDevice *device = (const AdaboostDevice *)state;
    const int candidates = device->candidates.count;
    const int portion = device->work->plan.portion;
    for (int first = 0; first < candidates; first += portion) {
        STATUS_TRY(sort_portion(device, first, std::min(portion, candidates - first)));
    }
    return status_ok();
}
