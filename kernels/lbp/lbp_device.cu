#include "lbp_device.h"

#include <cstdlib>

#include "cuda_device.h"

static Status allocate(LbpDevice *device) {
    const size_t rows = (size_t)device->rows;
    STATUS_TRY(cuda_backend.alloc(device->image_stride * rows, (void **)&device->image));
    STATUS_TRY(cuda_backend.alloc(device->codes_stride * rows, (void **)&device->codes));
    STATUS_TRY(cuda_backend.alloc(LBP_HISTOGRAM_SETS * LBP_BINS * sizeof(LbpCount),
                                  (void **)&device->histograms));
    return status_ok();
}

Status lbp_device_open(const Request *request, size_t row_alignment, LbpDevice *device) {
    return lbp_device_open_rows(request, row_alignment, request->workload->image.height, device);
}

Status lbp_device_open_rows(const Request *request, size_t row_alignment, int rows,
                            LbpDevice *device) {
    const Image *image = &request->workload->image;
    *device = LbpDevice{};
    device->request = request;
    device->width = image->width;
    device->height = image->height;
    device->rows = rows;
    device->image_stride = round_up((size_t)image->width, row_alignment);
    device->codes_stride = device->image_stride;
    const Status status = allocate(device);
    if (!status_is_ok(&status)) {
        lbp_device_close(device);
    }
    return status;
}

void lbp_device_close(LbpDevice *device) {
    cuda_backend.release(device->image);
    cuda_backend.release(device->codes);
    cuda_backend.release(device->histograms);
    *device = LbpDevice{};
}

Status lbp_device_clear_padding(const LbpDevice *device) {
    const size_t width = (size_t)device->width;
    if (device->image_stride > width) {
        CUDA_TRY(cudaMemset2DAsync(device->image + width, device->image_stride, 0,
                                   device->image_stride - width, (size_t)device->rows,
                                   cuda_stream()));
    }
    return status_ok();
}

Status lbp_device_upload(LbpDevice *device) {
    const Image *image = &device->request->workload->image;
    const size_t width = (size_t)device->width;
    const size_t height = (size_t)device->height;
    const cudaStream_t stream = cuda_stream();
    CUDA_TRY(cudaMemcpy2DAsync(device->image, device->image_stride, image->pixels, image->stride,
                               width, height, cudaMemcpyHostToDevice, stream));
    STATUS_TRY(lbp_device_clear_padding(device));
    CUDA_TRY(cudaMemsetAsync(device->histograms, 0,
                             LBP_HISTOGRAM_SETS * LBP_BINS * sizeof(LbpCount), stream));
    return status_ok();
}

Status lbp_device_download_histogram(const LbpDevice *device, cudaStream_t stream) {
    static_assert(sizeof(LbpCount) == sizeof(uint64_t), "counts are copied as they are");
    CUDA_TRY(cudaMemcpyAsync(lbp_histogram(device->request->output),
                             lbp_device_histogram(device, device->answer_set),
                             LBP_BINS * sizeof(LbpCount), cudaMemcpyDeviceToHost, stream));
    return status_ok();
}

Status lbp_device_queue_download(const LbpDevice *device) {
    const size_t width = (size_t)device->width;
    CUDA_TRY(cudaMemcpy2DAsync(lbp_codes(device->request->output), width, device->codes,
                               device->codes_stride, width, (size_t)device->height,
                               cudaMemcpyDeviceToHost, cuda_stream()));
    return lbp_device_download_histogram(device, cuda_stream());
}

Status lbp_device_download(const LbpDevice *device) {
    STATUS_TRY(lbp_device_queue_download(device));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

Status lbp_device_open_state(const Request *request, size_t row_alignment, void **state) {
    return cuda_open_state<LbpDevice>(
        state, [&](LbpDevice *device) { return lbp_device_open(request, row_alignment, device); },
        lbp_cuda_close);
}

Status lbp_cuda_upload(void *state) {
    return lbp_device_upload((LbpDevice *)state);
}

Status lbp_cuda_download(void *state) {
    return lbp_device_download((const LbpDevice *)state);
}

void lbp_cuda_close(void *state) {
    if (state != NULL) {
        lbp_device_close((LbpDevice *)state);
        free(state);
    }
}
