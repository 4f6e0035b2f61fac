#include "descriptor_weights.h"
#include "orb_device.cuh"

Status orb_device_open(const OrbMethod *method, OrbDevice *device) {
    static_assert(sizeof(OrbTest) == WEIGHTS_ORB_COLUMNS * sizeof(float), "copied as they are");
    device->method = method;
    STATUS_TRY(keypoint_device_open(WEIGHTS_ORB, device));
    const CudaBuffer table[] = {
        cuda_scratch(&device->blurred, device->stride * (size_t)device->height)};
    STATUS_TRY(cuda_open_buffers(device, table));
    return method->open != NULL ? method->open(device) : status_ok();
}

Status orb_cuda_blur(void *state) {
    const OrbDevice *device = (const OrbDevice *)state;
    return device->method->image(device);
}

Status orb_cuda_tests(void *state) {
    return keypoint_device_tests((const OrbDevice *)state);
}

Status orb_cuda_run(void *state) {
    STATUS_TRY(orb_cuda_blur(state));
    return orb_cuda_tests(state);
}
