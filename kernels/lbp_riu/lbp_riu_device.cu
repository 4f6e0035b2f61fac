#include "lbp_riu_device.cuh"

#include <cstdlib>

#include "copies.h"
#include "cuda_device.h"

/* Zeros behind the margin below, for kernels that read whole vectors at the end of the last row. */
static const size_t TAIL_BYTES = 64;

static const size_t HISTOGRAM_BYTES =
    LBP_RIU_HISTOGRAM_SETS * LBP_RIU_BINS_MAX * sizeof(LbpRiuCount);

/* Bytes from the start of the memory to pixel (0, 0): the margin above and the one left of it. */
static size_t leading_bytes(const LbpRiuDevice *device) {
    return (size_t)(device->image - device->memory);
}

/* Bytes from the end of the last row, its strip included, to the end of the memory. */
static size_t trailing_bytes(const LbpRiuDevice *device) {
    return (size_t)device->margin * device->image_stride + TAIL_BYTES;
}

static Status allocate(LbpRiuDevice *device, size_t leading) {
    const size_t rows = (size_t)device->rows;
    const size_t image_bytes = leading + rows * device->image_stride + trailing_bytes(device);
    STATUS_TRY(cuda_backend.alloc(image_bytes, (void **)&device->memory));
    device->image = device->memory + leading;
    if (device->pattern.store) {
        STATUS_TRY(cuda_backend.alloc(device->bins_stride * rows, (void **)&device->bins));
    }
    return cuda_backend.alloc(HISTOGRAM_BYTES, (void **)&device->histograms);
}

Status lbp_riu_device_open(const Request *request, LbpRiuPlace place, LbpRiuDevice *device) {
    return lbp_riu_device_open_rows(request, place, request->workload->image.height, device);
}

Status lbp_riu_device_open_rows(const Request *request, LbpRiuPlace place, int rows,
                                LbpRiuDevice *device) {
    const Image *image = &request->workload->image;
    *device = LbpRiuDevice{};
    STATUS_TRY(lbp_riu_pattern(request->answer, &device->pattern));
    device->request = request;
    device->width = image->width;
    device->height = image->height;
    device->rows = rows;
    device->margin = place.margin;
    /* The strip between two rows is the margin right of one and left of the next. */
    const size_t strip = round_up((size_t)place.margin, place.row_alignment);
    device->image_stride = round_up((size_t)image->width + strip, place.row_alignment);
    device->bins_stride = round_up((size_t)image->width, place.row_alignment);
    const Status status = allocate(device, (size_t)place.margin * device->image_stride + strip);
    if (!status_is_ok(&status)) {
        lbp_riu_device_close(device);
    }
    return status;
}

void lbp_riu_device_close(LbpRiuDevice *device) {
    cuda_backend.release(device->memory);
    cuda_backend.release(device->bins);
    cuda_backend.release(device->histograms);
    *device = LbpRiuDevice{};
}

/* The image, and all around it to 0. */
static Status queue_upload(const LbpRiuDevice *device, Copy image) {
    const size_t width = (size_t)device->width;
    const size_t rows = (size_t)device->rows;
    const size_t stride = device->image_stride;
    const Copy copies[] = {
        image,
        copy_clear(device->memory, leading_bytes(device)),
        {device->image + width, stride, NULL, 0, stride - width, rows},
        copy_clear(device->image + rows * stride, trailing_bytes(device)),
        copy_clear(device->histograms, HISTOGRAM_BYTES),
    };
    return copies_queue(copies, sizeof copies / sizeof copies[0], cudaMemcpyHostToDevice);
}

Status lbp_riu_device_clear(LbpRiuDevice *device) {
    return queue_upload(device, Copy{});
}

Status lbp_riu_device_upload(LbpRiuDevice *device) {
    const Image *image = &device->request->workload->image;
    return queue_upload(device, {device->image, device->image_stride, image->pixels, image->stride,
                                 (size_t)device->width, (size_t)device->height});
}

/* The bins, and the histogram. */
static Status queue_download(const LbpRiuDevice *device, Copy bins) {
    static_assert(sizeof(LbpRiuCount) == sizeof(uint64_t), "counts are copied as they are");
    const Copy copies[] = {bins,
                           copy_bytes(lbp_riu_histogram(device->request->output),
                                      lbp_riu_device_histogram(device, device->answer_set),
                                      (size_t)(device->pattern.points + 2) * sizeof(LbpRiuCount))};
    return copies_queue(copies, sizeof copies / sizeof copies[0], cudaMemcpyDeviceToHost);
}

Status lbp_riu_device_queue_histogram(const LbpRiuDevice *device) {
    return queue_download(device, Copy{});
}

Status lbp_riu_device_queue_download(const LbpRiuDevice *device) {
    const size_t width = (size_t)device->width;
    if (device->bins == NULL) {
        return lbp_riu_device_queue_histogram(device);
    }
    return queue_download(device, {lbp_riu_bins(device->request->output), width, device->bins,
                                   device->bins_stride, width, (size_t)device->height});
}

Status lbp_riu_device_download(const LbpRiuDevice *device) {
    STATUS_TRY(lbp_riu_device_queue_download(device));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

Status lbp_riu_device_open_state(const Request *request, LbpRiuPlace place, void **state) {
    return cuda_open_state<LbpRiuDevice>(
        state, [&](LbpRiuDevice *device) { return lbp_riu_device_open(request, place, device); },
        lbp_riu_cuda_close);
}

Status lbp_riu_cuda_upload(void *state) {
    return lbp_riu_device_upload((LbpRiuDevice *)state);
}

Status lbp_riu_cuda_download(void *state) {
    return lbp_riu_device_download((const LbpRiuDevice *)state);
}

void lbp_riu_cuda_close(void *state) {
    if (state != NULL) {
        lbp_riu_device_close((LbpRiuDevice *)state);
        free(state);
    }
}
