#include "descriptor_weights.h"
#include "orb_device.cuh"

#include <cstdlib>

Status orb_device_open(const Request *request, const OrbMethod *method, OrbDevice *device) {
    static_assert(sizeof(OrbTest) == WEIGHTS_ORB_COLUMNS * sizeof(float), "copied as they are");
    device->method = method;
    STATUS_TRY(keypoint_device_open(request, WEIGHTS_ORB, device));
    STATUS_TRY(
        cuda_backend.alloc(device->stride * (size_t)device->height, (void **)&device->blurred));
    return method->open != NULL ? method->open(device) : status_ok();
}

Status orb_cuda_upload(void *state) {
    return keypoint_device_upload((const OrbDevice *)state);
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

Status orb_cuda_download(void *state) {
    return keypoint_device_download((const OrbDevice *)state);
}

void orb_cuda_close(void *state) {
    OrbDevice *device = (OrbDevice *)state;
    if (device != NULL) {
        keypoint_device_close(device);
        cuda_backend.release(device->blurred);
        free(device);
    }
}
