#include "bad_device.cuh"
#include "descriptor_weights.h"

Status bad_device_open(const BadMethod *method, BadDevice *device) {
    static_assert(sizeof(BadTest) == WEIGHTS_BAD_COLUMNS * sizeof(float), "copied as they are");
    device->method = method;
    STATUS_TRY(keypoint_device_open(WEIGHTS_BAD, device));
    const size_t entries = (device->stride + BAD_SPARE) * ((size_t)device->height + 1);
    const CudaBuffer table[] = {
        cuda_scratch(&device->integral, entries * sizeof *device->integral)};
    STATUS_TRY(cuda_open_buffers(device, table));
    return method->open != NULL ? method->open(device) : status_ok();
}

Status bad_cuda_integral(void *state) {
    const BadDevice *device = (const BadDevice *)state;
    return device->method->image(device);
}

Status bad_cuda_tests(void *state) {
    return keypoint_device_tests((const BadDevice *)state);
}

Status bad_cuda_run(void *state) {
    STATUS_TRY(bad_cuda_integral(state));
    return bad_cuda_tests(state);
}
