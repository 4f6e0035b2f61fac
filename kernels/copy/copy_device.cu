#include "copy_device.cuh"

#include "copy.h"

VARIANT_FUNCTIONS(copy_cuda);

static Status open_device(CopyDevice *device) {
    const Image *image = &device->request->workload->image;
    const size_t bytes = image_pixel_count(image);
    const CudaBuffer table[] = {
        cuda_rows_up(&device->source, bytes, cuda_image_rows(image, (size_t)image->width)),
        cuda_down(&device->target, bytes, copy_pixels(device->request->output)),
    };
    device->bytes = bytes;
    return cuda_open_buffers(device, table);
}

Status copy_cuda_open(const Request *request, void **state) {
    return cuda_open_state<CopyDevice>(request, state, open_device);
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
