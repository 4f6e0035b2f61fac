/*
 * The state of all variants on the device: what is allocated, copied and freed.
 *
 * Everything that a run reads is computed by it from pixels, labels and candidates, which upload
 * copies. The answer is on the host by the time that run is over, for the host leads the rounds; it
 * is put on the device once more, so that download copies what this state computed.
 */
#include <cstdlib>

#include "adaboost_device.cuh"
#include "cuda_device.h"

VARIANT_FUNCTIONS(adaboost_cuda);

namespace {

size_t pixel_count(const AdaboostDevice *device) {
    return (size_t)device->images * (size_t)device->width * (size_t)device->height;
}

size_t feature_bytes(const AdaboostDevice *device) {
    return (size_t)device->point.candidates * sizeof *device->features;
}

Status allocate(AdaboostDevice *device) {
    const size_t images = (size_t)device->images;
    const size_t entries = (size_t)((device->width + 1) * (device->height + 1));
    const size_t all = (size_t)device->point.candidates * images;
    STATUS_TRY(adaboost_allocate(all * sizeof *device->values, &device->values));
    STATUS_TRY(adaboost_allocate(all * sizeof *device->order, &device->order));
    STATUS_TRY(adaboost_allocate(pixel_count(device), &device->pixels));
    STATUS_TRY(adaboost_allocate(images, &device->labels));
    STATUS_TRY(adaboost_allocate(feature_bytes(device), &device->features));
    STATUS_TRY(adaboost_allocate(images * entries * sizeof *device->integrals, &device->integrals));
    STATUS_TRY(adaboost_allocate(device->request->output->layout.bytes, &device->work->answer));
    CUDA_TRY(cudaMallocHost((void **)&device->work->round, sizeof *device->work->round));
    return status_ok();
}

Status open_device(const Request *request, const AdaboostSearch *search, AdaboostDevice *device) {
    const ImageSet *set = &request->workload->set;
    device->request = request;
    device->search = search;
    device->point = adaboost_point(request->answer);
    device->images = set->count;
    device->width = set->width;
    device->height = set->height;
    device->work = (AdaboostWork *)calloc(1, sizeof *device->work);
    if (device->work == NULL) {
        return status_skip("not enough host memory for a variant's state");
    }
    /* The largest first: a lack of memory is reported before time is spent on candidates. */
    STATUS_TRY(allocate(device));
    STATUS_TRY(adaboost_candidates_draw(request->workload, &device->point, &device->candidates));
    STATUS_TRY(adaboost_cuda_sort_open(device));
    STATUS_TRY(adaboost_cuda_weights_open(device));
    STATUS_TRY(adaboost_cuda_best_open(device));
    return search->open != NULL ? search->open(device) : status_ok();
}

void release_work(AdaboostWork *work) {
    if (work == NULL) {
        return;
    }
    void *const memory[] = {
        work->keys[0],         work->keys[1], work->sorting.memory, work->scanning.memory,
        work->reducing.memory, work->units,   work->sums,           work->found,
        work->answer};
    for (void *const block : memory) {
        cuda_backend.release(block);
    }
    (void)cudaFreeHost(work->round);
    free(work);
}

void release_device(AdaboostDevice *device) {
    if (device->search != NULL && device->search->close != NULL) {
        device->search->close(device);
    }
    void *const memory[] = {device->pixels, device->labels, device->features, device->integrals,
                            device->values, device->order,  device->shares,   device->weights,
                            device->scores, device->best};
    for (void *const block : memory) {
        cuda_backend.release(block);
    }
    release_work(device->work);
    adaboost_candidates_release(&device->candidates);
}

Status upload(const AdaboostDevice *device) {
    const Workload *workload = device->request->workload;
    CUDA_TRY(cudaMemcpyAsync(device->pixels, workload->image.pixels, pixel_count(device),
                             cudaMemcpyHostToDevice, cuda_stream()));
    CUDA_TRY(cudaMemcpyAsync(device->labels, workload->set.labels, (size_t)device->images,
                             cudaMemcpyHostToDevice, cuda_stream()));
    CUDA_TRY(cudaMemcpyAsync(device->features, device->candidates.features, feature_bytes(device),
                             cudaMemcpyHostToDevice, cuda_stream()));
    return status_ok();
}

Status download(const AdaboostDevice *device) {
    const Output *output = device->request->output;
    for (size_t i = 0; i < output->layout.count; i++) {
        const OutputPart *part = &output->layout.parts[i];
        CUDA_TRY(cudaMemcpyAsync(output->data + part->offset, device->work->answer + part->offset,
                                 part->bytes, cudaMemcpyDeviceToHost, cuda_stream()));
    }
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

} // namespace

Status adaboost_cuda_open_with(const Request *request, const AdaboostSearch *search, void **state) {
    return cuda_open_state<AdaboostDevice>(
        state, [&](AdaboostDevice *device) { return open_device(request, search, device); },
        adaboost_cuda_close);
}

Status adaboost_cuda_upload(void *state) {
    return upload((const AdaboostDevice *)state);
}

Status adaboost_cuda_run(void *state) {
    STATUS_TRY(adaboost_cuda_integral(state));
    STATUS_TRY(adaboost_cuda_values(state));
    STATUS_TRY(adaboost_cuda_sort(state));
    return adaboost_cuda_boosting(state);
}

Status adaboost_cuda_download(void *state) {
    return download((const AdaboostDevice *)state);
}

void adaboost_cuda_close(void *state) {
    if (state != NULL) {
        release_device((AdaboostDevice *)state);
        free(state);
    }
}
