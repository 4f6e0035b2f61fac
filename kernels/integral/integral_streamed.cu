/*
 * cuda_streamed: upload, kernel and download of bands of rows overlap (transfers.h).
 *
 * The kernel is cuda_fast's, which takes the table row above a band as it finds it: the last row of
 * the band before. What comes down is four or eight times what goes up, so the download is what end
 * to end is bound by: its floor is the table over the link, 531 MB at 16K and 55.5 GB/s 9.6 ms, and
 * the first band's way up and through the kernel. More bands make that less, and cost a few µs
 * each. Not yet measured.
 */
#include <cstdlib>

#include "integral_device.cuh"
#include "transfers.h"

VARIANT_FUNCTIONS(integral_cuda_streamed);

namespace {

constexpr int BANDS_WANTED = 32;

/* The shared part comes first, so that integral_cuda_download serves this state. */
struct IntegralStreamed {
    IntegralDevice device;
    IntegralFast *fast;
    BandStream *bands;
};

Status compute_rows(void *context, int begin, int end, BandPlace place) {
    (void)place; /* all rows are on the device */
    const IntegralStreamed *state = (const IntegralStreamed *)context;
    return integral_fast_launch(&state->device, state->fast, begin, end, begin > 0);
}

Status open_streamed(const Request *request, IntegralStreamed *state) {
    IntegralDevice *device = &state->device;
    STATUS_TRY(integral_device_open(request, INTEGRAL_FAST_ROW_ALIGNMENT,
                                    integral_all_rows(request), device));
    STATUS_TRY(integral_fast_open(device, &state->fast));
    const Image *image = &request->workload->image;
    const size_t width = (size_t)device->width;
    const size_t entry = integral_device_entry_bytes(device);
    const size_t row = (width + 1) * entry;
    BandJob job = {};
    job.rows = device->height;
    job.bands_wanted = BANDS_WANTED;
    job.up = {image->pixels, image->stride, device->image, device->image_stride, width};
    job.down = {integral_device_target(device) + row, row, integral_device_row(device, 1),
                device->stride * entry, row};
    job.compute = compute_rows;
    job.context = state;
    return band_stream_open(&job, &state->bands);
}

} // namespace

Status integral_cuda_streamed_open(const Request *request, void **state) {
    return cuda_open_state<IntegralStreamed>(
        state, [&](IntegralStreamed *opened) { return open_streamed(request, opened); },
        integral_cuda_streamed_close);
}

Status integral_cuda_streamed_upload(void *state) {
    const IntegralStreamed *opened = (const IntegralStreamed *)state;
    STATUS_TRY(integral_fast_upload(opened->fast));
    return integral_device_upload(&opened->device);
}

Status integral_cuda_streamed_run(void *state) {
    return band_stream_compute(((const IntegralStreamed *)state)->bands);
}

Status integral_cuda_streamed_stream(void *state) {
    const IntegralStreamed *opened = (const IntegralStreamed *)state;
    STATUS_TRY(integral_fast_upload(opened->fast));
    STATUS_TRY(band_stream_run(opened->bands));
    STATUS_TRY(integral_device_download_row(&opened->device, 0));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

void integral_cuda_streamed_close(void *state) {
    IntegralStreamed *opened = (IntegralStreamed *)state;
    if (opened != NULL) {
        band_stream_close(opened->bands);
        integral_fast_close(opened->fast);
        integral_device_close(&opened->device);
        free(opened);
    }
}
