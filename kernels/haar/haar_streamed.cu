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

#include "haar_streamed.cuh"

VARIANT_FUNCTIONS(haar_cuda_streamed);

namespace {

/* Fewer leave more of the first portion's search and of the last one's way down uncovered; more
 * have kernels that do not fill the state-> */
constexpr int PORTIONS_WANTED = 16;

/* Queues the download of the next portion, which has been searched. */
Status take_portion(HaarStreamed *state) {
    const Output *output = state->request->output;
    const uint64_t end = std::min<uint64_t>(state->found[state->taken++], state->capacity);
    const uint64_t room = haar_capacity(output) - *state->placed;
    const uint64_t count = std::min(end - state->copied, room);
    if (count > 0) {
        STATUS_TRY(staged_download_copy(state->down, haar_records(output) + *state->placed,
                                        state->records + state->copied, count * sizeof(uint64_t)));
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
    const int portion = state->searching;
    STATUS_TRY(haar_fast_launch(state, begin, end - begin));
    CUDA_TRY(cudaMemcpyAsync(&state->found[portion], state->cursor, sizeof *state->cursor,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaEventRecord(state->searched[portion], cuda_stream()));
    state->searching++;
    return haar_streamed_take(state);
}

/* To a band stream an image is a row. */
Status open_images(HaarStreamed *state) {
    const size_t bytes = (size_t)state->width * (size_t)state->height;
    BandJob job = {};
    job.rows = state->images;
    job.bands_wanted = PORTIONS_WANTED;
    job.up = {state->request->workload->image.pixels, bytes, state->pixels, bytes, bytes};
    job.compute = search_portion;
    job.context = state;
    return band_stream_open_in(state, &job, &state->up);
}

void destroy_event(void *event) {
    (void)cudaEventDestroy((cudaEvent_t)event);
}

/* The progress of the search, once the number of portions is known. */
Status open_marks(HaarStreamed *state) {
    const size_t count = (size_t)band_stream_count(state->up);
    const CudaBuffer table[] = {cuda_pinned(&state->found, count * sizeof *state->found)};
    STATUS_TRY(cuda_open_buffers(state, table));
    STATUS_TRY(cuda_state_part(state, count * sizeof *state->searched, (void **)&state->searched));
    for (size_t i = 0; i < count; i++) {
        CUDA_TRY(cudaEventCreateWithFlags(&state->searched[i], cudaEventDisableTiming));
        STATUS_TRY(cuda_state_own(state, state->searched[i], destroy_event));
    }
    return status_ok();
}

void close_records(void *records) {
    staged_download_close((StagedDownload *)records);
}

Status open_streamed(HaarStreamed *state) {
    state->placed = &state->own_placed;
    STATUS_TRY(haar_fast_open(haar_cuda_streamed_run, state));
    STATUS_TRY(staged_download_open(haar_records(state->request->output), &state->down));
    STATUS_TRY(cuda_state_own(state, state->down, close_records));
    STATUS_TRY(open_images(state));
    return open_marks(state);
}

} // namespace

Status haar_cuda_streamed_open(const Request *request, void **state) {
    return cuda_open_state<HaarStreamed>(request, state, open_streamed);
}

Status haar_cuda_streamed_run(void *state) {
    const HaarStreamed *streamed = (const HaarStreamed *)state;
    STATUS_TRY(haar_device_clear(streamed));
    return haar_fast_launch(streamed, 0, streamed->images);
}

Status haar_streamed_begin(HaarStreamed *state) {
    state->searching = 0;
    state->taken = 0;
    state->copied = 0;
    STATUS_TRY(cuda_upload_except(state, &state->pixels));
    return haar_device_clear(state);
}

uint64_t haar_streamed_found(const HaarStreamed *state) {
    return state->found[state->searching - 1];
}

Status haar_cuda_streamed_stream(void *state) {
    HaarStreamed *streamed = (HaarStreamed *)state;
    *streamed->placed = 0;
    STATUS_TRY(haar_streamed_begin(streamed));
    STATUS_TRY(band_stream_run(streamed->up));
    while (streamed->taken < streamed->searching) {
        CUDA_TRY(cudaEventSynchronize(streamed->searched[streamed->taken]));
        STATUS_TRY(take_portion(streamed));
    }
    STATUS_TRY(staged_download_finish(streamed->down));
    const uint64_t found = haar_streamed_found(streamed);
    if (found > streamed->capacity) {
        return haar_cuda_download(state);
    }
    *haar_count(streamed->request->output) = found;
    return status_ok();
}
