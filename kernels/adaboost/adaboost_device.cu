/*
 * The state of all variants on the device: what is allocated, copied and freed.
 *
 * Everything that a run reads is computed by it from pixels, labels and candidates, which upload
 * copies. The answer is on the host by the time that run is over, for the host reads the stumps of
 * the rounds; it is put on the device once more, so that download copies what this state computed.
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
    return (size_t)adaboost_part_size(device) * sizeof *device->features;
}

/* Packing counts values in shared memory, and bounds are found with tables there. */
Status make_plan(AdaboostDevice *device) {
    int shared = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared));
    const bool packed =
        device->search->pack != NULL && device->images <= ADABOOST_PACKED_IMAGES_MAX &&
        adaboost_packing_bytes(device->images) + ADABOOST_COUNTS_MIN <= (size_t)shared;
    device->plan = adaboost_plan(adaboost_part_size(device), device->images, device->width,
                                 device->height, packed);
    return status_ok();
}

/* Before anything is allocated, so that the message has all that is needed. */
Status check_memory(const AdaboostDevice *device) {
    const uint64_t available = cuda_backend.available();
    if (device->plan.bytes > available) {
        return status_skip("needs %.2f GiB of device memory, %.2f GiB free",
                           (double)device->plan.bytes / (1u << 30), (double)available / (1u << 30));
    }
    return status_ok();
}

Status allocate(AdaboostDevice *device) {
    const size_t images = (size_t)device->images;
    const size_t entries = (size_t)((device->width + 1) * (device->height + 1));
    const size_t all = (size_t)adaboost_part_size(device) * device->plan.pitch;
    STATUS_TRY(adaboost_allocate(all * sizeof *device->values, &device->values));
    STATUS_TRY(adaboost_allocate(pixel_count(device), &device->pixels));
    STATUS_TRY(adaboost_allocate(images, &device->labels));
    STATUS_TRY(adaboost_allocate(feature_bytes(device), &device->features));
    STATUS_TRY(adaboost_allocate(images * entries * sizeof *device->integrals, &device->integrals));
    STATUS_TRY(adaboost_allocate(device->request->output->layout.bytes, &device->work->answer));
    CUDA_TRY(cudaMallocHost((void **)&device->work->rounds, sizeof *device->work->rounds));
    return status_ok();
}

Status take_candidates(AdaboostDevice *device, const AdaboostCandidates *drawn) {
    if (drawn != NULL) {
        device->candidates = *drawn;
        device->candidates_borrowed = true;
        return status_ok();
    }
    return adaboost_candidates_draw(device->request->workload, &device->point, &device->candidates);
}

Status open_device(const Request *request, const AdaboostSearch *search, const AdaboostSeat *seat,
                   AdaboostDevice *device) {
    const ImageSet *set = &request->workload->set;
    device->request = request;
    device->search = search;
    device->point = adaboost_point(request->answer);
    device->index = seat->index;
    device->devices = seat->devices;
    device->part = seat->part;
    device->images = set->count;
    device->width = set->width;
    device->height = set->height;
    device->work = (AdaboostWork *)calloc(1, sizeof *device->work);
    if (device->work == NULL) {
        return status_skip("not enough host memory for a variant's state");
    }
    /* The largest first: a lack of memory is reported before time is spent on candidates. */
    STATUS_TRY(make_plan(device));
    STATUS_TRY(check_memory(device));
    STATUS_TRY(allocate(device));
    STATUS_TRY(take_candidates(device, seat->drawn));
    STATUS_TRY(adaboost_cuda_sort_open(device));
    STATUS_TRY(adaboost_cuda_weights_open(device));
    return search->open(device);
}

void release_work(AdaboostWork *work) {
    if (work == NULL) {
        return;
    }
    void *const memory[] = {work->keys[0], work->keys[1], work->sorting.memory, work->units,
                            work->found,   work->taken,   work->answers,        work->alphas,
                            work->wrong,   work->answer};
    for (void *const block : memory) {
        cuda_backend.release(block);
    }
    (void)cudaFreeHost(work->rounds);
    free(work);
}

void release_device(AdaboostDevice *device) {
    if (device->search != NULL && device->search->close != NULL) {
        device->search->close(device);
    }
    void *const memory[] = {device->pixels, device->labels, device->features, device->integrals,
                            device->values, device->shares, device->weights,  device->scores,
                            device->best,   device->sums};
    for (void *const block : memory) {
        cuda_backend.release(block);
    }
    release_work(device->work);
    if (!device->candidates_borrowed) {
        adaboost_candidates_release(&device->candidates);
    }
}

Status upload(const AdaboostDevice *device) {
    const Workload *workload = device->request->workload;
    CUDA_TRY(cudaMemcpyAsync(device->pixels, workload->image.pixels, pixel_count(device),
                             cudaMemcpyHostToDevice, cuda_stream()));
    CUDA_TRY(cudaMemcpyAsync(device->labels, workload->set.labels, (size_t)device->images,
                             cudaMemcpyHostToDevice, cuda_stream()));
    CUDA_TRY(cudaMemcpyAsync(device->features, device->candidates.features + device->part.begin,
                             feature_bytes(device), cudaMemcpyHostToDevice, cuda_stream()));
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

Status adaboost_cuda_open_seat(const Request *request, const AdaboostSearch *search,
                               const AdaboostSeat *seat, void **state) {
    return cuda_open_state<AdaboostDevice>(
        state, [&](AdaboostDevice *device) { return open_device(request, search, seat, device); },
        adaboost_cuda_close);
}

Status adaboost_cuda_open_with(const Request *request, const AdaboostSearch *search, void **state) {
    const AdaboostSeat alone = {0, 1, {0, adaboost_point(request->answer).candidates}, NULL};
    return adaboost_cuda_open_seat(request, search, &alone, state);
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
