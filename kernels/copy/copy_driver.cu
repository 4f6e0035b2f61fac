/* copy / cuda_driver: the driver's own device-to-device copy, the roof other rows are held to. */
#include "copy_device.h"
#include "cuda_check.h"
#include "cuda_device.h"

VARIANT_FUNCTIONS(copy_cuda_driver);

Status copy_cuda_driver_run(void *state) {
    const CopyDevice *device = (const CopyDevice *)state;
    CUDA_TRY(cudaMemcpyAsync(device->target, device->source, device->bytes,
                             cudaMemcpyDeviceToDevice, cuda_stream()));
    return status_ok();
}
