/*
 * cuda_streamed: upload, kernel and, where bins are stored, download of bands of rows overlap
 * (transfers.h).
 *
 * The kernels are cuda_fast's; what improves is end_to_end. They take less time than the way up, so
 * that is the floor; what is left over it is the last band's kernel, about 4 µs for every copy and
 * the histogram's way back. Measured on an H200, 8192 × 8192 from page-locked memory, histogram
 * only: the upload alone 1.22 ms, (8,1) 1.28 and (24,3) 1.30 ms with 9 bands (of 8 MB, the most),
 * 1.30 and 1.31 with 16, 1.34 with 32.
 *
 * Of an image that does not fit the device, which then holds two bands at a time, nothing stays
 * there: a run is the whole pass, and upload and download do nothing.
 */
#include <cstdlib>

#include "cuda_device.h"
#include "lbp_riu_device.cuh"
#include "transfers.h"

VARIANT_FUNCTIONS(lbp_riu_cuda_streamed);
VARIANT_EXTERN bool lbp_riu_cuda_streamed_is_whole_pass(const void *state);

namespace {

constexpr int BANDS_WANTED_UP = 8; /* nothing comes down but the histogram */
constexpr int BANDS_WANTED_BOTH_WAYS = 22;

/* The shared part comes first, so that lbp_riu_cuda_upload and _download serve this state. */
struct LbpRiuStreamed {
    LbpRiuDevice device;
    bool ring; /* the device holds two bands at a time */
    BandStream *bands;
};

Status compute_rows(void *context, int begin, int end, BandPlace place) {
    LbpRiuDevice device = *(const LbpRiuDevice *)context;
    device.image = place.up;
    device.bins = place.down;
    return lbp_riu_fast_launch(&device, begin, end,
                               lbp_riu_device_histogram(&device, device.answer_set), NULL,
                               cuda_stream());
}

/* All but what lies on the device. */
BandJob job_of(const Request *request, const LbpRiuPattern *pattern) {
    const Image *image = &request->workload->image;
    const size_t width = (size_t)image->width;
    BandJob job = {};
    job.rows = image->height;
    job.halo = pattern->reach;
    job.bands_wanted = pattern->store ? BANDS_WANTED_BOTH_WAYS : BANDS_WANTED_UP;
    job.up = {image->pixels, image->stride, NULL, 0, width};
    job.down = {lbp_riu_bins(request->output), width, NULL, 0, width};
    job.compute = compute_rows;
    return job;
}

Status open_bands(BandJob *job, LbpRiuStreamed *state) {
    LbpRiuDevice *device = &state->device;
    state->ring = job->ring;
    job->up.device = device->image;
    job->up.device_stride = device->image_stride;
    job->down.device = device->bins;
    job->down.device_stride = device->bins_stride;
    job->context = device;
    return band_stream_open(job, &state->bands);
}

Status open_streamed(const Request *request, LbpRiuStreamed *state) {
    LbpRiuPattern pattern;
    STATUS_TRY(lbp_riu_pattern(request->answer, &pattern));
    BandJob job = job_of(request, &pattern);
    job.ring = band_job_needs_ring(&job);
    const int rows = job.ring ? BAND_SLOTS * band_slot_rows(&job) : job.rows;
    STATUS_TRY(
        lbp_riu_device_open_rows(request, lbp_riu_fast_place(&pattern), rows, &state->device));
    return open_bands(&job, state);
}

} // namespace

Status lbp_riu_cuda_streamed_open(const Request *request, void **state) {
    return cuda_open_state<LbpRiuStreamed>(
        state, [&](LbpRiuStreamed *opened) { return open_streamed(request, opened); },
        lbp_riu_cuda_streamed_close);
}

bool lbp_riu_cuda_streamed_is_whole_pass(const void *state) {
    return ((const LbpRiuStreamed *)state)->ring;
}

Status lbp_riu_cuda_streamed_upload(void *state) {
    return lbp_riu_cuda_streamed_is_whole_pass(state) ? status_ok() : lbp_riu_cuda_upload(state);
}

Status lbp_riu_cuda_streamed_run(void *state) {
    const LbpRiuStreamed *opened = (const LbpRiuStreamed *)state;
    if (lbp_riu_cuda_streamed_is_whole_pass(state)) {
        return lbp_riu_cuda_streamed_stream(state);
    }
    const LbpRiuDevice *device = &opened->device;
    LbpRiuCount *histogram = lbp_riu_device_histogram(device, device->answer_set);
    CUDA_TRY(cudaMemsetAsync(histogram, 0, LBP_RIU_BINS_MAX * sizeof *histogram, cuda_stream()));
    return band_stream_compute(opened->bands);
}

Status lbp_riu_cuda_streamed_download(void *state) {
    return lbp_riu_cuda_streamed_is_whole_pass(state) ? status_ok() : lbp_riu_cuda_download(state);
}

Status lbp_riu_cuda_streamed_stream(void *state) {
    LbpRiuStreamed *opened = (LbpRiuStreamed *)state;
    STATUS_TRY(lbp_riu_device_clear(&opened->device));
    STATUS_TRY(band_stream_run(opened->bands));
    STATUS_TRY(lbp_riu_device_queue_histogram(&opened->device));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

void lbp_riu_cuda_streamed_close(void *state) {
    if (state == NULL) {
        return;
    }
    LbpRiuStreamed *opened = (LbpRiuStreamed *)state;
    band_stream_close(opened->bands);
    lbp_riu_device_close(&opened->device);
    free(opened);
}
