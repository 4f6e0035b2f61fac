#include "copy_device.h"

#include <cstdlib>

#include "copy.h"
#include "cuda_check.h"
#include "cuda_device.h"

VARIANT_FUNCTIONS(copy_cuda);

static Status allocate(CopyDevice *device) {
    STATUS_TRY(cuda_backend.alloc(device->bytes, (void **)&device->source));
    return cuda_backend.alloc(device->bytes, (void **)&device->target);
}

Status copy_cuda_open(const Request *request, void **state) {
    CopyDevice *device = (CopyDevice *)calloc(1, sizeof *device);
    if (device == NULL) {
        return status_skip("not enough host memory for a variant's state");
    }
    device->request = request;
    device->bytes = image_pixel_count(&request->workload->image);
    const Status status = allocate(device);
    if (!status_is_ok(&status)) {
        copy_cuda_close(device);
        return status;
    }
    *state = device;
    return status;
}

Status copy_cuda_upload(void *state) {
    const CopyDevice *device = (const CopyDevice *)state;
    const Image *image = &device->request->workload->image;
    const size_t width = (size_t)image->width;
    CUDA_TRY(cudaMemcpy2DAsync(device->source, width, image->pixels, image->stride, width,
                               (size_t)image->height, cudaMemcpyHostToDevice, cuda_stream()));
    return status_ok();
}

Status copy_cuda_download(void *state) {
    const CopyDevice *device = (const CopyDevice *)state;
    CUDA_TRY(cudaMemcpyAsync(copy_pixels(device->request->output), device->target, device->bytes,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

void copy_cuda_close(void *state) {
    if (state != NULL) {
        CopyDevice *device = (CopyDevice *)state;
        cuda_backend.release(device->source);
        cuda_backend.release(device->target);
        free(device);
    }
}
