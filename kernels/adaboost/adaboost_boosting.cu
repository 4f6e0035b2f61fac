/*
 * The rounds. The host leads: a round's search is queued, its best stump fetched, alpha and the
 * factors computed here, the change of weights queued and its sums fetched. That is two waits a
 * round, each some microseconds, beside a search of a millisecond and more.
 */
#include <algorithm>
#include <cstring>
#include <cub/device/device_reduce.cuh>

#include "adaboost.h"
#include "adaboost_device.cuh"
#include "cuda_device.h"

/* === The best stump =========================================================================== */

/*
 * The best of all candidates' stumps: CUB's reduction, then one thread looks up the value that its
 * threshold is, so that the host learns all of it from one copy.
 */

namespace {

__global__ void adaboost_look_up(const int32_t *values, const uint32_t *order, int images,
                                 AdaboostFound *found) {
    const AdaboostBest best = found->best;
    if (best.candidate != UINT32_MAX) {
        const size_t row = (size_t)best.candidate * (size_t)images;
        const uint32_t image = order[row + best.key / 2] & ~ADABOOST_NEW_VALUE;
        found->threshold = values[row + image];
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
    adaboost_look_up<<<1, 1, 0, cuda_stream()>>>(device->values, device->order, device->images,
                                                 work->found);
    STATUS_TRY(CUDA_LAUNCHED());
    CUDA_TRY(cudaMemcpyAsync(&work->round->found, work->found, sizeof *work->found,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    *found = work->round->found;
    return found->best.candidate != UINT32_MAX ? status_ok()
                                               : status_fail("the search found no stump at all");
}

/* === Rounds =================================================================================== */

namespace {

/* Searches and, when the best is better than chance, takes it. */
Status take_stump(AdaboostDevice *device, AdaboostStump *stump, bool *taken) {
    AdaboostFound found;
    STATUS_TRY(device->search->search(device));
    STATUS_TRY(adaboost_cuda_best(device, &found));
    *taken = found.best.error < ADABOOST_TOTAL / 2;
    if (!*taken) {
        return status_ok();
    }
    *stump = adaboost_stump_of(&device->candidates, (int32_t)found.best.candidate);
    stump->threshold = found.threshold;
    stump->polarity = found.best.key % 2 == 0 ? 1 : 0;
    stump->error = found.best.error;
    return adaboost_cuda_weights_apply(device, stump);
}

/* Applies the stumps that stand in the output from an earlier run. */
Status go_over(AdaboostDevice *device, AdaboostStump *stumps, size_t done) {
    for (size_t i = 0; i < done; i++) {
        if (!adaboost_stump_fits(&device->candidates, &stumps[i])) {
            return status_fail("stump %zu of the rounds done is not one of this training", i + 1);
        }
        STATUS_TRY(adaboost_cuda_weights_apply(device, &stumps[i]));
    }
    return status_ok();
}

Status take_rounds(AdaboostDevice *device, AdaboostStump *stumps, size_t rounds, uint64_t *count) {
    const Steps *steps = device->request->steps;
    bool taken = *count == 0 || stumps[*count - 1].error != 0;
    while (taken && *count < rounds) {
        STATUS_TRY(take_stump(device, &stumps[*count], &taken));
        if (taken) {
            taken = stumps[*count].error != 0;
            (*count)++;
            if (steps != NULL && steps->finished != NULL) {
                STATUS_TRY(steps->finished(steps->context, *count));
            }
        }
    }
    return status_ok();
}

/* The harness may overwrite the output before it downloads. */
Status keep_answer(const AdaboostDevice *device) {
    const Output *output = device->request->output;
    for (size_t i = 0; i < output->layout.count; i++) {
        const OutputPart *part = &output->layout.parts[i];
        CUDA_TRY(cudaMemcpyAsync(device->work->answer + part->offset, output->data + part->offset,
                                 part->bytes, cudaMemcpyHostToDevice, cuda_stream()));
    }
    return status_ok();
}

} // namespace

Status adaboost_cuda_boosting(void *state) {
    AdaboostDevice *device = (AdaboostDevice *)state;
    const Request *request = device->request;
    const size_t rounds = (size_t)device->point.rounds;
    const size_t done = request->steps != NULL ? std::min(request->steps->done, rounds) : 0;
    AdaboostStump *stumps = adaboost_stumps(request->output);
    uint64_t *count = adaboost_count(request->output);
    *count = done;
    memset(stumps + done, 0, (rounds - done) * sizeof *stumps);
    if (device->search->prepare != NULL) {
        STATUS_TRY(device->search->prepare(device));
    }
    STATUS_TRY(adaboost_cuda_weights_start(device));
    STATUS_TRY(go_over(device, stumps, done));
    STATUS_TRY(take_rounds(device, stumps, rounds, count));
    return keep_answer(device);
}
