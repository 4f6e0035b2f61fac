/*
 * cuda_streamed: upload, kernel and download of bands of rows overlap (transfers.h).
 *
 * The kernel is cuda_fast's, which takes the table row above a band as it finds it: the last row of
 * the band before. What comes down is four or eight times what goes up, so the download is what end
 * to end is bound by: its floor is the table over the link, 531 MB at 16K and 55.5 GB/s 9.6 ms, and
 * the first band's way up and through the kernel. More bands make that less, and cost a few µs
 * each. From ordinary memory 14.3 ms were measured at 16K, launches from 13.1 to 19.1.
 */
#include "integral_device.cuh"
#include "transfers.h"

VARIANT_FUNCTIONS(integral_cuda_streamed);

namespace {

constexpr int BANDS_WANTED = 32;

struct IntegralStreamed : IntegralDevice {
    BandStream *bands;
};

Status compute_rows(void *context, int begin, int end, BandPlace place) {
    (void)place; /* all rows are on the device */
    return integral_fast_launch((const IntegralDevice *)context, begin, end,
                                begin > 0 ? INTEGRAL_FROM_ROW : INTEGRAL_FROM_ZERO);
}

Status begin(void *context) {
    IntegralStreamed *device = (IntegralStreamed *)context;
    integral_fast_begin(device);
    return cuda_upload_except(device, &device->image);
}

/* Of the table all rows but the first. */
Status open_streamed(IntegralStreamed *device) {
    const Image *image = &device->request->workload->image;
    STATUS_TRY(integral_fast_open(integral_all_rows(device->request), device));
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
    job.restart = begin;
    job.context = device;
    return band_stream_open_in(device, &job, &device->bands);
}

} // namespace

Status integral_cuda_streamed_open(const Request *request, void **state) {
    return cuda_open_state<IntegralStreamed>(request, state, open_streamed);
}

Status integral_cuda_streamed_run(void *state) {
    return band_stream_compute(((const IntegralStreamed *)state)->bands);
}

Status integral_cuda_streamed_stream(void *state) {
    IntegralStreamed *device = (IntegralStreamed *)state;
    const size_t row = ((size_t)device->width + 1) * integral_device_entry_bytes(device);
    STATUS_TRY(begin(device));
    STATUS_TRY(band_stream_run(device->bands));
    CUDA_TRY(cudaMemcpyAsync(integral_device_target(device), integral_device_row(device, 0), row,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}
