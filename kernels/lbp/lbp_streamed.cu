/*
 * cuda_streamed: upload, kernel and download of bands of rows overlap (transfers.h).
 *
 * The kernel is cuda_fast's; what improves is end_to_end. On an H200 a 16K image takes 2.43 ms up,
 * 2.41 ms down and 2.65 ms both at once, from page-locked memory. Added to that: the first band's
 * way up, during which nothing can come down, and the last one's way down, so bands should be many;
 * and about 4 µs a copy, so they should be few. Measured: 2.97 ms with 64 bands, 2.86 with 32, 2.85
 * with 22, 2.87 with 16, 2.96 with 8.
 *
 * Tried and not better: small bands at both ends (2.86: while bands grow the download waits, while
 * they shrink it lags), two upload streams (3.8: the copies get in each other's way), kernels that
 * read or write host memory themselves (3.7 both ways; 2.8 reading, 3.1 writing alone).
 *
 * Of an image that does not fit the device, which then holds two bands at a time, nothing stays
 * there: a run is the whole pass, and upload and download do nothing.
 */
#include <cstdlib>

#include "cuda_device.h"
#include "lbp_device.h"
#include "transfers.h"

VARIANT_FUNCTIONS(lbp_cuda_streamed);
VARIANT_EXTERN bool lbp_cuda_streamed_is_whole_pass(const void *state);

namespace {

constexpr int BANDS_WANTED = 22;

/* The shared part comes first, so that lbp_cuda_upload and lbp_cuda_download serve this state. */
struct LbpStreamed {
    LbpDevice device;
    bool ring; /* the device holds two bands at a time */
    BandStream *bands;
};

Status compute_rows(void *context, int begin, int end, BandPlace place) {
    LbpDevice device = *(const LbpDevice *)context;
    device.image = place.up;
    device.codes = place.down;
    return lbp_fast_launch(&device, begin, end, lbp_device_histogram(&device, device.answer_set),
                           NULL, cuda_stream());
}

/* All but what lies on the device. */
BandJob job_of(const Request *request) {
    const Image *image = &request->workload->image;
    const size_t width = (size_t)image->width;
    BandJob job = {};
    job.rows = image->height;
    job.halo = 1;
    job.bands_wanted = BANDS_WANTED;
    job.up = {image->pixels, image->stride, NULL, 0, width};
    job.down = {lbp_codes(request->output), width, NULL, 0, width};
    job.compute = compute_rows;
    return job;
}

Status open_bands(BandJob *job, LbpStreamed *state) {
    LbpDevice *device = &state->device;
    state->ring = job->ring;
    job->up.device = device->image;
    job->up.device_stride = device->image_stride;
    job->down.device = device->codes;
    job->down.device_stride = device->codes_stride;
    job->context = device;
    return band_stream_open(job, &state->bands);
}

Status open_streamed(const Request *request, LbpStreamed *state) {
    BandJob job = job_of(request);
    job.ring = band_job_needs_ring(&job);
    const int rows = job.ring ? BAND_SLOTS * band_slot_rows(&job) : job.rows;
    STATUS_TRY(lbp_device_open_rows(request, LBP_FAST_ROW_ALIGNMENT, rows, &state->device));
    return open_bands(&job, state);
}

Status clear_histogram(const LbpDevice *device) {
    LbpCount *histogram = lbp_device_histogram(device, device->answer_set);
    CUDA_TRY(cudaMemsetAsync(histogram, 0, LBP_BINS * sizeof *histogram, cuda_stream()));
    return status_ok();
}

} // namespace

Status lbp_cuda_streamed_open(const Request *request, void **state) {
    return cuda_open_state<LbpStreamed>(
        state, [&](LbpStreamed *opened) { return open_streamed(request, opened); },
        lbp_cuda_streamed_close);
}

bool lbp_cuda_streamed_is_whole_pass(const void *state) {
    return ((const LbpStreamed *)state)->ring;
}

Status lbp_cuda_streamed_upload(void *state) {
    return lbp_cuda_streamed_is_whole_pass(state) ? status_ok() : lbp_cuda_upload(state);
}

Status lbp_cuda_streamed_run(void *state) {
    const LbpStreamed *opened = (const LbpStreamed *)state;
    if (lbp_cuda_streamed_is_whole_pass(state)) {
        return lbp_cuda_streamed_stream(state);
    }
    STATUS_TRY(clear_histogram(&opened->device));
    return band_stream_compute(opened->bands);
}

Status lbp_cuda_streamed_download(void *state) {
    return lbp_cuda_streamed_is_whole_pass(state) ? status_ok() : lbp_cuda_download(state);
}

Status lbp_cuda_streamed_stream(void *state) {
    const LbpStreamed *opened = (const LbpStreamed *)state;
    STATUS_TRY(clear_histogram(&opened->device));
    STATUS_TRY(lbp_device_clear_padding(&opened->device));
    STATUS_TRY(band_stream_run(opened->bands));
    STATUS_TRY(lbp_device_download_histogram(&opened->device, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

void lbp_cuda_streamed_close(void *state) {
    if (state == NULL) {
        return;
    }
    LbpStreamed *opened = (LbpStreamed *)state;
    band_stream_close(opened->bands);
    lbp_device_close(&opened->device);
    free(opened);
}
