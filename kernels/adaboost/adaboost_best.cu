/*
 * The best of all candidates' stumps: CUB's reduction, then one thread looks up the value that its
 * threshold is, so that the host learns all of it from one copy.
 */
#include <cub/device/device_reduce.cuh>

#include "adaboost_stump.cuh"
#include "adaboost_work.cuh"
#include "cuda_check.h"
#include "cuda_device.h"

namespace {

__global__ void adaboost_look_up(const int32_t *values, const uint32_t *order, int pictures,
                                 AdaboostFound *found) {
    const AdaboostBest best = found->best;
    if (best.candidate != UINT32_MAX) {
        const size_t row = (size_t)best.candidate * (size_t)pictures;
        const uint32_t picture = order[row + best.key / 2] & ~ADABOOST_NEW_VALUE;
        found->threshold = values[row + picture];
    }
}

Status reduce(AdaboostDevice *device) {
    AdaboostWork *work = device->work;
    CUDA_TRY(cub::DeviceReduce::Reduce(work->reducing.memory, work->reducing.bytes, device->best,
                                       &work->found->best, (int)device->candidates.count,
                                       AdaboostBetter{}, adaboost_none(), cuda_stream()));
    return status_ok();
}

} // namespace

Status adaboost_cuda_best_open(AdaboostDevice *device) {
    AdaboostWork *work = device->work;
    const size_t count = (size_t)device->candidates.count;
    STATUS_TRY(adaboost_allocate(count * sizeof *device->best, &device->best));
    STATUS_TRY(adaboost_allocate(sizeof *work->found, &work->found));
    STATUS_TRY(reduce(device));
    return adaboost_allocate(work->reducing.bytes, &work->reducing.memory);
}

Status adaboost_cuda_best(AdaboostDevice *device, AdaboostFound *found) {
    AdaboostWork *work = device->work;
    STATUS_TRY(reduce(device));
    adaboost_look_up<<<1, 1, 0, cuda_stream()>>>(device->values, device->order, device->pictures,
                                                 work->found);
    STATUS_TRY(CUDA_LAUNCHED());
    CUDA_TRY(cudaMemcpyAsync(&work->round->found, work->found, sizeof *work->found,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    *found = work->round->found;
    return found->best.candidate != UINT32_MAX ? status_ok()
                                               : status_fail("the search found no stump at all");
}
