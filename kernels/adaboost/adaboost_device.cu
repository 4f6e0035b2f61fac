/*
 * The state of all variants on the device: what is allocated, copied and freed.
 *
 * Everything that a run reads is computed by it from pixels, labels and candidates, which upload
 * copies. The answer is on the host by the time that run is over, for the host reads the stumps of
 * the rounds; it is put on the device once more, so that download copies what this state computed.
 */
#include "adaboost_device.cuh"

VARIANT_FUNCTIONS(adaboost_cuda);

namespace {

size_t pixel_count(const AdaboostDevice *device) {
    return (size_t)device->images * (size_t)device->width * (size_t)device->height;
}

/* Packing counts values in shared memory, and bounds are found with tables there. */
Status make_plan(AdaboostDevice *device) {
    int shared = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared));
    const bool packed =
        device->search->pack != NULL && device->images <= ADABOOST_PACKED_IMAGES_MAX &&
        adaboost_packing_pays(adaboost_part_size(device), device->images) &&
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

/* The largest first. */
Status open_buffers(AdaboostDevice *device) {
    const Workload *workload = device->request->workload;
    AdaboostWork *work = device->work;
    const size_t images = (size_t)device->images;
    const size_t entries = (size_t)((device->width + 1) * (device->height + 1));
    const size_t all = (size_t)adaboost_part_size(device) * device->plan.pitch;
    const CudaBuffer table[] = {
        cuda_scratch(&device->values, all * sizeof *device->values),
        cuda_up(&device->pixels, pixel_count(device), workload->image.pixels),
        cuda_up(&device->labels, images, workload->set.labels),
        cuda_scratch(&device->integrals, images * entries * sizeof *device->integrals),
        cuda_scratch(&work->answer, device->request->output->layout.bytes),
        cuda_pinned(&work->rounds, sizeof *work->rounds),
    };
    return cuda_open_buffers(device, table);
}

void release_candidates(void *candidates) {
    adaboost_candidates_release((AdaboostCandidates *)candidates);
}

Status take_candidates(AdaboostDevice *device, const AdaboostCandidates *drawn) {
    if (drawn != NULL) {
        device->candidates = *drawn;
        return status_ok();
    }
    STATUS_TRY(cuda_state_own(device, &device->candidates, release_candidates));
    return adaboost_candidates_draw(device->request->workload, &device->point, &device->candidates);
}

Status open_features(AdaboostDevice *device) {
    const CudaBuffer table[] = {
        cuda_up(&device->features, (size_t)adaboost_part_size(device) * sizeof *device->features,
                device->candidates.features + device->part.begin)};
    return cuda_open_buffers(device, table);
}

/* The parts of the answer come down to those of the output. */
Status open_answer(AdaboostDevice *device) {
    const Output *output = device->request->output;
    for (size_t i = 0; i < output->layout.count; i++) {
        const OutputPart *part = &output->layout.parts[i];
        const CudaBuffer table[] = {
            cuda_view_down(&device->work->answer, {output->data + part->offset, part->bytes,
                                                   part->offset, part->bytes, part->bytes, 1})};
        STATUS_TRY(cuda_open_buffers(device, table));
    }
    return status_ok();
}

Status open_device(const AdaboostSearch *search, const AdaboostSeat *seat, AdaboostDevice *device) {
    const Request *request = device->request;
    const ImageSet *set = &request->workload->set;
    device->search = search;
    device->point = adaboost_point(request->answer);
    device->index = seat->index;
    device->devices = seat->devices;
    device->part = seat->part;
    device->images = set->count;
    device->width = set->width;
    device->height = set->height;
    STATUS_TRY(cuda_state_part(device, sizeof *device->work, (void **)&device->work));
    /* A lack of memory is reported before time is spent on candidates. */
    STATUS_TRY(make_plan(device));
    STATUS_TRY(check_memory(device));
    STATUS_TRY(open_buffers(device));
    STATUS_TRY(take_candidates(device, seat->drawn));
    STATUS_TRY(open_features(device));
    STATUS_TRY(open_answer(device));
    STATUS_TRY(adaboost_cuda_sort_open(device));
    STATUS_TRY(adaboost_cuda_weights_open(device));
    return search->open(device);
}

} // namespace

Status adaboost_cuda_open_seat(const Request *request, const AdaboostSearch *search,
                               const AdaboostSeat *seat, void **state) {
    return cuda_open_state<AdaboostDevice>(
        request, state, [&](AdaboostDevice *device) { return open_device(search, seat, device); });
}

Status adaboost_cuda_open_with(const Request *request, const AdaboostSearch *search, void **state) {
    const AdaboostSeat alone = {0, 1, {0, adaboost_point(request->answer).candidates}, NULL};
    return adaboost_cuda_open_seat(request, search, &alone, state);
}

Status adaboost_cuda_run(void *state) {
    STATUS_TRY(adaboost_cuda_integral(state));
    STATUS_TRY(adaboost_cuda_values(state));
    STATUS_TRY(adaboost_cuda_sort(state));
    return adaboost_cuda_boosting(state);
}
