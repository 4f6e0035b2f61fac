/*
 * cuda_streamed: images go up, are searched and their records come down in portions, all at once.
 *
 * The kernel is cuda_fast's; what improves is end_to_end. After each portion the cursor is copied
 * to the host: it gives the place of the portion's records, and they come down while the next
 * portions are searched. The floor is the way down of all records.
 *
 * When a portion finds the buffer full nothing is lost: at the end the cursor shows how much is
 * needed, and the download of cuda_fast takes over.
 */
#include <algorithm>
#include <cstdlib>

#include "cuda_device.h"
#include "haar_streamed.h"

VARIANT_FUNCTIONS(haar_cuda_streamed);

namespace {

/* Fewer leave more of the first portion's search and of the last one's way down uncovered; more
 * have kernels that do not fill the device. */
constexpr int PORTIONS_WANTED = 16;

/* Queues the download of the next portion, which has been searched. */
Status take_portion(HaarStreamed *state) {
    const HaarDevice &device = state->fast.device;
    const Output *output = device.request->output;
    const uint64_t end = std::min<uint64_t>(state->found[state->taken++], device.capacity);
    const uint64_t room = haar_capacity(output) - *state->placed;
    const uint64_t count = std::min(end - state->copied, room);
    if (count > 0) {
        STATUS_TRY(staged_download_copy(state->records, haar_records(output) + *state->placed,
                                        device.records + state->copied, count * sizeof(uint64_t)));
    }
    state->copied = end;
    *state->placed += count;
    return status_ok();
}

} // namespace

Status haar_streamed_take(HaarStreamed *state) {
    while (state->taken < state->searching) {
        const cudaError_t done = cudaEventQuery(state->searched[state->taken]);
        if (done == cudaErrorNotReady) {
            (void)cudaGetLastError(); /* runtimes differ in whether they keep it */
            break;
        }
        CUDA_TRY(done);
        STATUS_TRY(take_portion(state));
    }
    return status_ok();
}

namespace {

Status search_portion(void *context, int begin, int end, BandPlace) {
    HaarStreamed *state = (HaarStreamed *)context;
    const HaarDevice &device = state->fast.device;
    const int portion = state->searching;
    STATUS_TRY(haar_fast_launch(&state->fast, begin, end - begin, cuda_stream()));
    CUDA_TRY(cudaMemcpyAsync(&state->found[portion], device.cursor, sizeof *device.cursor,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaEventRecord(state->searched[portion], cuda_stream()));
    state->searching++;
    return haar_streamed_take(state);
}

/* To a band stream an image is a row. */
Status open_images(HaarStreamed *state) {
    const HaarDevice &device = state->fast.device;
    const size_t bytes = (size_t)device.width * (size_t)device.height;
    BandJob job = {};
    job.rows = device.images;
    job.bands_wanted = PORTIONS_WANTED;
    job.up = {device.request->workload->image.pixels, bytes, device.pixels, bytes, bytes};
    job.compute = search_portion;
    job.context = state;
    return band_stream_open(&job, &state->images);
}

/* The progress of the search, once the number of portions is known. */
Status open_marks(HaarStreamed *state) {
    const int count = band_stream_count(state->images);
    CUDA_TRY(cudaMallocHost((void **)&state->found, count * sizeof *state->found));
    state->searched = (cudaEvent_t *)calloc((size_t)count, sizeof *state->searched);
    if (state->searched == NULL) {
        return status_skip("not enough host memory for the portions of a set");
    }
    for (state->portions = 0; state->portions < count; state->portions++) {
        CUDA_TRY(
            cudaEventCreateWithFlags(&state->searched[state->portions], cudaEventDisableTiming));
    }
    return status_ok();
}

Status open_streamed(const Request *request, HaarStreamed *state) {
    state->placed = &state->own_placed;
    STATUS_TRY(haar_device_open(request, &state->fast.device));
    STATUS_TRY(haar_fast_open(&state->fast));
    STATUS_TRY(staged_download_open(haar_records(request->output), &state->records));
    STATUS_TRY(open_images(state));
    return open_marks(state);
}

} // namespace

Status haar_cuda_streamed_open(const Request *request, void **state) {
    return cuda_open_state<HaarStreamed>(
        state, [&](HaarStreamed *opened) { return open_streamed(request, opened); },
        haar_cuda_streamed_close);
}

Status haar_cuda_streamed_upload(void *state) {
    HaarStreamed *streamed = (HaarStreamed *)state;
    STATUS_TRY(haar_fast_upload(&streamed->fast));
    return haar_device_upload(&streamed->fast.device);
}

Status haar_cuda_streamed_run(void *state) {
    const HaarStreamed *streamed = (const HaarStreamed *)state;
    STATUS_TRY(haar_device_clear(&streamed->fast.device));
    return haar_fast_launch(&streamed->fast, 0, streamed->fast.device.images, cuda_stream());
}

Status haar_cuda_streamed_download(void *state) {
    HaarStreamed *streamed = (HaarStreamed *)state;
    return haar_device_download(&streamed->fast.device, haar_cuda_streamed_run, state);
}

Status haar_streamed_begin(HaarStreamed *state) {
    state->searching = 0;
    state->taken = 0;
    state->copied = 0;
    STATUS_TRY(haar_fast_upload(&state->fast));
    return haar_device_clear(&state->fast.device);
}

uint64_t haar_streamed_found(const HaarStreamed *state) {
    return state->found[state->searching - 1];
}

Status haar_cuda_streamed_stream(void *state) {
    HaarStreamed *streamed = (HaarStreamed *)state;
    HaarDevice *device = &streamed->fast.device;
    *streamed->placed = 0;
    STATUS_TRY(haar_streamed_begin(streamed));
    STATUS_TRY(band_stream_run(streamed->images));
    while (streamed->taken < streamed->searching) {
        CUDA_TRY(cudaEventSynchronize(streamed->searched[streamed->taken]));
        STATUS_TRY(take_portion(streamed));
    }
    STATUS_TRY(staged_download_finish(streamed->records));
    const uint64_t found = haar_streamed_found(streamed);
    if (found > device->capacity) {
        return haar_device_download(device, haar_cuda_streamed_run, state);
    }
    *haar_count(device->request->output) = found;
    return status_ok();
}

void haar_cuda_streamed_close(void *state) {
    HaarStreamed *streamed = (HaarStreamed *)state;
    if (streamed == NULL) {
        return;
    }
    band_stream_close(streamed->images);
    staged_download_close(streamed->records);
    for (int i = 0; i < streamed->portions; i++) {
        (void)cudaEventDestroy(streamed->searched[i]);
    }
    free(streamed->searched);
    (void)cudaFreeHost(streamed->found);
    haar_fast_close(&streamed->fast);
    haar_device_close(&streamed->fast.device);
    free(streamed);
}
