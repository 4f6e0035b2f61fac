#include "bad_device.cuh"
#include "descriptor_weights.h"

#include <cstdlib>

Status bad_device_open(const Request *request, const BadMethod *method, BadDevice *device) {
    static_assert(sizeof(BadTest) == WEIGHTS_BAD_COLUMNS * sizeof(float), "copied as they are");
    device->method = method;
    STATUS_TRY(keypoint_device_open(request, WEIGHTS_BAD, device));
    STATUS_TRY(cuda_backend.alloc((device->stride + BAD_SPARE) * ((size_t)device->height + 1) *
                                      sizeof *device->integral,
                                  (void **)&device->integral));
    return method->open != NULL ? method->open(device) : status_ok();
}

Status bad_cuda_upload(void *state) {
    return keypoint_device_upload((const BadDevice *)state);
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

Status bad_cuda_download(void *state) {
    return keypoint_device_download((const BadDevice *)state);
}

void bad_cuda_close(void *state) {
    BadDevice *device = (BadDevice *)state;
    if (device != NULL) {
        keypoint_device_close(device);
        cuda_backend.release(device->integral);
        free(device);
    }
}
