#include "copy_device.h"

#include <cstdlib>

#include "copy.h"
#include "cuda_device.h"

VARIANT_FUNCTIONS(copy_cuda);

static Status allocate(CopyDevice *device) {
    STATUS_TRY(cuda_backend.alloc(device->bytes, (void **)&device->source));
    return cuda_backend.alloc(device->bytes, (void **)&device->target);
}

static Status open_device(const Request *request, CopyDevice *device) {
    device->request = request;
    device->bytes = image_pixel_count(&request->workload->image);
    return allocate(device);
}

Status copy_cuda_open(const Request *request, void **state) {
    return cuda_open_state<CopyDevice>(
        state, [&](CopyDevice *device) { return open_device(request, device); }, copy_cuda_close);
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

/* === cuda_driver ============================================================================== */

/* copy / cuda_driver: the driver's own device-to-device copy, the roof other rows are held to. */

VARIANT_FUNCTIONS(copy_cuda_driver);

Status copy_cuda_driver_run(void *state) {
    const CopyDevice *device = (const CopyDevice *)state;
    CUDA_TRY(cudaMemcpyAsync(device->target, device->source, device->bytes,
                             cudaMemcpyDeviceToDevice, cuda_stream()));
    return status_ok();
}
