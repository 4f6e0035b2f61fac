/*
 * cuda_multi: bands of rows, one on each device, by cuda_fast's kernel.
 *
 * A device has its rows and the one above and below, which go up with them, so that nothing is
 * exchanged. Each counts its own rows; the host adds the histograms when they have come down, 2 KB
 * from each device. The floor is that of cuda_fast divided by the devices: rows over bandwidth.
 */
#include <cstdlib>
#include <cstring>

#include "cuda_device.h"
#include "lbp_device.h"
#include "multi.h"
#include "transfers.h"

VARIANT_FUNCTIONS(lbp_cuda_multi);

namespace {

constexpr int BANDS_WANTED = 22; /* of one device's rows, as cuda_streamed has them */

/* What one device has: `device` is of rows [first, …) of the image, and computes `own` of them. */
struct LbpPart {
    LbpDevice device;
    Workload workload; /* its rows and the halo */
    Request request;
    MultiPart rows;   /* of the whole image */
    MultiPart own;    /* the same rows within the part's */
    LbpCount *counts; /* page-locked, LBP_BINS */
    BandStream *bands;
};

struct LbpMulti {
    const Request *request;
    int count;
    LbpPart parts[CUDA_DEVICES_MAX];
};

bool is_empty(const LbpPart *part) {
    return part->rows.begin == part->rows.end;
}

Status launch_rows(const LbpPart *part, int begin, int end, LbpCount *clear) {
    const LbpDevice *device = &part->device;
    const int first = begin > part->own.begin ? begin : part->own.begin;
    const int last = end < part->own.end ? end : part->own.end;
    return first < last ? lbp_fast_launch(device, first, last,
                                          lbp_device_histogram(device, device->answer_set), clear,
                                          cuda_stream())
                        : status_ok();
}

Status compute_rows(void *context, int begin, int end) {
    return launch_rows((const LbpPart *)context, begin, end, NULL);
}

uint8_t *codes_of(const LbpMulti *multi, const LbpPart *part) {
    return lbp_codes(multi->request->output) +
           (size_t)part->rows.begin * (size_t)multi->request->workload->image.width;
}

Status open_bands(const LbpMulti *multi, LbpPart *part) {
    const Image *image = &part->workload.image;
    LbpDevice *device = &part->device;
    const size_t width = (size_t)device->width;
    BandJob job = {};
    job.rows = device->height;
    job.first = part->own.begin;
    job.last = part->own.end;
    job.halo = 1;
    job.bands_wanted = BANDS_WANTED;
    job.up = {image->pixels, image->stride, device->image, device->image_stride, width};
    job.down = {codes_of(multi, part) - (size_t)part->own.begin * width, width, device->codes,
                device->codes_stride, width};
    job.compute = compute_rows;
    job.context = part;
    return band_stream_open(&job, &part->bands);
}

Status open_part(void *context, int index) {
    LbpMulti *multi = (LbpMulti *)context;
    LbpPart *part = &multi->parts[index];
    const Image *image = &multi->request->workload->image;
    part->rows = multi_part(image->height, multi->count, index);
    if (is_empty(part)) {
        return status_ok();
    }
    const int first = part->rows.begin > 0 ? part->rows.begin - 1 : 0;
    const int last = part->rows.end < image->height ? part->rows.end + 1 : image->height;
    part->own = {part->rows.begin - first, part->rows.end - first};
    part->workload = *multi->request->workload;
    part->workload.image.pixels += (size_t)first * image->stride;
    part->workload.image.height = last - first;
    part->request = *multi->request;
    part->request.workload = &part->workload;
    STATUS_TRY(lbp_device_open(&part->request, LBP_FAST_ROW_ALIGNMENT, &part->device));
    CUDA_TRY(cudaMallocHost((void **)&part->counts, LBP_BINS * sizeof *part->counts));
    return open_bands(multi, part);
}

Status upload_part(void *context, int index) {
    LbpPart *part = &((LbpMulti *)context)->parts[index];
    if (is_empty(part)) {
        return status_ok();
    }
    STATUS_TRY(lbp_device_upload(&part->device));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

Status run_part(void *context, int index) {
    LbpPart *part = &((LbpMulti *)context)->parts[index];
    LbpDevice *device = &part->device;
    if (is_empty(part)) {
        return status_ok();
    }
    const int cleared = device->answer_set;
    device->answer_set = (device->answer_set + 1) % LBP_HISTOGRAM_SETS;
    return launch_rows(part, 0, device->height, lbp_device_histogram(device, cleared));
}

Status download_counts(LbpPart *part) {
    const LbpDevice *device = &part->device;
    CUDA_TRY(cudaMemcpyAsync(part->counts, lbp_device_histogram(device, device->answer_set),
                             LBP_BINS * sizeof *part->counts, cudaMemcpyDeviceToHost,
                             cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

Status download_part(void *context, int index) {
    LbpMulti *multi = (LbpMulti *)context;
    LbpPart *part = &multi->parts[index];
    const LbpDevice *device = &part->device;
    if (is_empty(part)) {
        return status_ok();
    }
    const size_t width = (size_t)device->width;
    const uint8_t *codes = device->codes + (size_t)part->own.begin * device->codes_stride;
    CUDA_TRY(cudaMemcpy2DAsync(codes_of(multi, part), width, codes, device->codes_stride, width,
                               (size_t)(part->own.end - part->own.begin), cudaMemcpyDeviceToHost,
                               cuda_stream()));
    return download_counts(part);
}

Status stream_part(void *context, int index) {
    LbpPart *part = &((LbpMulti *)context)->parts[index];
    const LbpDevice *device = &part->device;
    if (is_empty(part)) {
        return status_ok();
    }
    CUDA_TRY(cudaMemsetAsync(lbp_device_histogram(device, device->answer_set), 0,
                             LBP_BINS * sizeof(LbpCount), cuda_stream()));
    STATUS_TRY(lbp_device_clear_padding(device));
    STATUS_TRY(band_stream_run(part->bands));
    return download_counts(part);
}

void close_part(LbpPart *part) {
    band_stream_close(part->bands);
    (void)cudaFreeHost(part->counts);
    lbp_device_close(&part->device);
}

/* The counts of all parts to the answer. */
void join_counts(const LbpMulti *multi) {
    uint64_t *histogram = lbp_histogram(multi->request->output);
    memset(histogram, 0, LBP_BINS * sizeof *histogram);
    for (int i = 0; i < multi->count; i++) {
        for (int bin = 0; bin < LBP_BINS && !is_empty(&multi->parts[i]); bin++) {
            histogram[bin] += multi->parts[i].counts[bin];
        }
    }
}

} // namespace

Status lbp_cuda_multi_open(const Request *request, void **state) {
    return cuda_open_state<LbpMulti>(
        state,
        [&](LbpMulti *multi) {
            multi->request = request;
            STATUS_TRY(multi_devices(request, &multi->count));
            return multi_each(multi->count, open_part, multi);
        },
        lbp_cuda_multi_close);
}

Status lbp_cuda_multi_upload(void *state) {
    return multi_together(((LbpMulti *)state)->count, upload_part, state);
}

Status lbp_cuda_multi_run(void *state) {
    return multi_each(((LbpMulti *)state)->count, run_part, state);
}

Status lbp_cuda_multi_download(void *state) {
    STATUS_TRY(multi_together(((LbpMulti *)state)->count, download_part, state));
    join_counts((const LbpMulti *)state);
    return status_ok();
}

Status lbp_cuda_multi_stream(void *state) {
    STATUS_TRY(multi_together(((LbpMulti *)state)->count, stream_part, state));
    join_counts((const LbpMulti *)state);
    return status_ok();
}

void lbp_cuda_multi_close(void *state) {
    LbpMulti *multi = (LbpMulti *)state;
    for (int i = 0; multi != NULL && i < multi->count; i++) {
        close_part(&multi->parts[i]);
    }
    free(multi);
}
