/*
 * Sorting the images of every candidate by value.
 *
 * Candidates are sorted in portions, a portion as one array: its keys have the candidate above the
 * value above the image, and CUB's radix sort goes through the bits of the first two only, of
 * which there are few, because how far values reach is known. It is stable and begins in the order
 * of the images, so their bits are carried along, not sorted. Against a segmented sort this costs
 * the bits of the candidate and saves reading everything twice in each pass: the one-pass-a-digit
 * sort is for whole arrays only. What is searched is made of a portion's keys, over its values.
 *
 * A pass reads and writes 8 bytes for each image and candidate and takes 8 bits; making keys and
 * the order of them adds 24 bytes, the digits' counts 8. With key_bits of 25 to 32 the floor is 96
 * bytes for each.
 */
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "adaboost_device.cuh"

namespace {

constexpr int THREADS = 256;
constexpr int ENTRIES = 8; /* of a thread, where there are as many images */
constexpr int GRID_ROWS_MAX = 65535;

/* No value of the part's candidates is further from 0. */
int reach_of(const AdaboostDevice *device) {
    int reach = 0;
    for (int c = device->part.begin; c < device->part.end; c++) {
        const HaarFeature feature = device->candidates.features[c];
        reach = std::max(reach, haar_reach(feature.type, feature.w, feature.h));
    }
    return reach;
}

/* A column of blocks a candidate of the portion; its rows share out the images. */
__global__ void __launch_bounds__(THREADS)
    adaboost_make_keys(const int32_t *values, size_t pitch, int images, AdaboostSortPlan plan,
                       uint64_t *keys) {
    const int32_t *of_candidate = values + blockIdx.x * pitch;
    const size_t row = (size_t)blockIdx.x * (size_t)images;
    const uint32_t candidate = blockIdx.x << plan.value_bits;
    const unsigned int step = gridDim.y * THREADS;
    for (unsigned int i = blockIdx.y * THREADS + threadIdx.x; i < (unsigned int)images; i += step) {
        const uint32_t key = candidate | (uint32_t)(of_candidate[i] + plan.reach);
        keys[row + i] = (uint64_t)key << ADABOOST_IMAGE_BITS | i;
    }
}

__global__ void __launch_bounds__(THREADS)
    adaboost_make_order(const uint64_t *keys, int images, size_t pitch, uint32_t *order) {
    const size_t row = (size_t)blockIdx.x * (size_t)images;
    uint32_t *entries = order + blockIdx.x * pitch;
    const unsigned int step = gridDim.y * THREADS;
    for (unsigned int k = blockIdx.y * THREADS + threadIdx.x; k < (unsigned int)images; k += step) {
        const uint64_t key = keys[row + k];
        const bool is_new = k == 0 || (keys[row + k - 1] ^ key) >> ADABOOST_IMAGE_BITS != 0;
        entries[k] = (uint32_t)key | (is_new ? ADABOOST_NEW_VALUE : 0);
    }
}

Status sort_keys(AdaboostStorage *storage, cub::DoubleBuffer<uint64_t> *keys, unsigned int count,
                 int key_bits) {
    CUDA_TRY(cub::DeviceRadixSort::SortKeys(storage->memory, storage->bytes, *keys, count,
                                            ADABOOST_IMAGE_BITS, ADABOOST_IMAGE_BITS + key_bits,
                                            cuda_stream()));
    return status_ok();
}

/* Blocks for the images of each candidate of a portion. */
dim3 grid_of(const AdaboostDevice *device, int candidates) {
    const unsigned int rows =
        std::min(adaboost_blocks(device->images, THREADS * ENTRIES), (unsigned int)GRID_ROWS_MAX);
    return dim3((unsigned int)candidates, rows);
}

Status sort_portion(AdaboostDevice *device, MultiPart portion) {
    AdaboostWork *work = device->work;
    const int count = portion.end - portion.begin;
    adaboost_make_keys<<<grid_of(device, count), THREADS, 0, cuda_stream()>>>(
        device->values + (size_t)portion.begin * device->plan.pitch, device->plan.pitch,
        device->images, work->sort, work->keys[0]);
    STATUS_TRY(CUDA_LAUNCHED());
    cub::DoubleBuffer<uint64_t> keys(work->keys[0], work->keys[1]);
    STATUS_TRY(sort_keys(&work->sorting, &keys, (unsigned int)count * (unsigned int)device->images,
                         work->sort.key_bits));
    return device->search->arrange(device, keys.Current(), portion);
}

} // namespace

Status adaboost_cuda_arrange_order(AdaboostDevice *device, const uint64_t *keys,
                                   MultiPart portion) {
    const size_t pitch = device->plan.pitch;
    adaboost_make_order<<<grid_of(device, portion.end - portion.begin), THREADS, 0,
                          cuda_stream()>>>(keys, device->images, pitch,
                                           device->order + (size_t)portion.begin * pitch);
    return CUDA_LAUNCHED();
}

Status adaboost_cuda_sort_open(AdaboostDevice *device) {
    AdaboostWork *work = device->work;
    if (device->plan.packed) {
        return status_ok();
    }
    work->sort = adaboost_sort_plan(&device->plan, reach_of(device));
    const size_t entries = (size_t)work->sort.portion * (size_t)device->images;
    const CudaBuffer keys_of[] = {
        cuda_scratch(&work->keys[0], entries * sizeof(uint64_t)),
        cuda_scratch(&work->keys[1], entries * sizeof(uint64_t)),
    };
    STATUS_TRY(cuda_open_buffers(device, keys_of));
    /* Without memory it says how much it needs. */
    cub::DoubleBuffer<uint64_t> keys(work->keys[0], work->keys[1]);
    STATUS_TRY(sort_keys(&work->sorting, &keys, (unsigned int)entries, work->sort.key_bits));
    const CudaBuffer sorting[] = {cuda_scratch(&work->sorting.memory, work->sorting.bytes)};
    return cuda_open_buffers(device, sorting);
}

Status adaboost_cuda_sort(void *state) {
    AdaboostDevice *device = (AdaboostDevice *)state;
    if (device->plan.packed) {
        return device->search->pack(device);
    }
    const int candidates = adaboost_part_size(device);
    const int portion = device->work->sort.portion;
    for (int first = 0; first < candidates; first += portion) {
        STATUS_TRY(sort_portion(device, {first, std::min(first + portion, candidates)}));
    }
    return status_ok();
}
