#include "bad_device.cuh"

#include <cstdlib>

#include "cuda_device.h"

namespace {

size_t descriptor_bytes(const BadDevice *device) {
    return (size_t)device->count * (size_t)device->bits / 8;
}

Status allocate(BadDevice *device) {
    const size_t height = (size_t)device->height;
    STATUS_TRY(cuda_backend.alloc(device->stride * height, (void **)&device->image));
    STATUS_TRY(
        cuda_backend.alloc((device->stride + BAD_SPARE) * (height + 1) * sizeof *device->integral,
                           (void **)&device->integral));
    STATUS_TRY(cuda_backend.alloc((size_t)device->count * sizeof *device->keypoints,
                                  (void **)&device->keypoints));
    STATUS_TRY(
        cuda_backend.alloc((size_t)device->bits * sizeof *device->tests, (void **)&device->tests));
    return cuda_backend.alloc(descriptor_bytes(device), (void **)&device->descriptors);
}

Status upload_image(const BadDevice *device) {
    const Image *image = &device->request->workload->image;
    const size_t width = (size_t)device->width;
    const size_t height = (size_t)device->height;
    CUDA_TRY(cudaMemcpy2DAsync(device->image, device->stride, image->pixels, image->stride, width,
                               height, cudaMemcpyHostToDevice, cuda_stream()));
    CUDA_TRY(cudaMemset2DAsync(device->image + width, device->stride, 0, device->stride - width,
                               height, cuda_stream()));
    return status_ok();
}

Status upload(const BadDevice *device) {
    static_assert(sizeof(BadTest) == WEIGHTS_BAD_COLUMNS * sizeof(float), "copied as they are");
    STATUS_TRY(upload_image(device));
    CUDA_TRY(cudaMemcpyAsync(device->tests, device->weights->values,
                             (size_t)device->bits * sizeof *device->tests, cudaMemcpyHostToDevice,
                             cuda_stream()));
    if (device->count > 0) {
        CUDA_TRY(cudaMemcpyAsync(device->keypoints, device->request->workload->keypoints.keypoints,
                                 (size_t)device->count * sizeof *device->keypoints,
                                 cudaMemcpyHostToDevice, cuda_stream()));
    }
    return status_ok();
}

} // namespace

Status bad_device_open(const Request *request, const BadMethod *method, BadDevice *device) {
    const Image *image = &request->workload->image;
    device->request = request;
    device->method = method;
    STATUS_TRY(keypoints_check(request->workload, request->answer));
    STATUS_TRY(
        keypoints_weights(request->workload, request->answer, WEIGHTS_BAD, &device->weights));
    device->width = image->width;
    device->height = image->height;
    device->count = point_keypoints(request->answer);
    device->bits = device->weights->bits;
    device->scale = point_scale(request->answer);
    device->stride = round_up((size_t)image->width + 1, BAD_ROW);
    STATUS_TRY(allocate(device));
    return method->open != NULL ? method->open(device) : status_ok();
}

Status bad_cuda_upload(void *state) {
    const BadDevice *device = (const BadDevice *)state;
    STATUS_TRY(upload(device));
    return device->method->upload != NULL ? device->method->upload(device) : status_ok();
}

Status bad_cuda_integral(void *state) {
    const BadDevice *device = (const BadDevice *)state;
    return device->method->integral != NULL ? device->method->integral(device)
                                            : bad_cuda_sum_rows_and_columns(device);
}

Status bad_cuda_tests(void *state) {
    const BadDevice *device = (const BadDevice *)state;
    return device->count > 0 ? device->method->tests(device) : status_ok();
}

Status bad_cuda_run(void *state) {
    STATUS_TRY(bad_cuda_integral(state));
    return bad_cuda_tests(state);
}

Status bad_cuda_download(void *state) {
    const BadDevice *device = (const BadDevice *)state;
    if (device->count > 0) {
        CUDA_TRY(cudaMemcpyAsync(bad_descriptors(device->request->output), device->descriptors,
                                 descriptor_bytes(device), cudaMemcpyDeviceToHost, cuda_stream()));
    }
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

void bad_cuda_close(void *state) {
    if (state == NULL) {
        return;
    }
    BadDevice *device = (BadDevice *)state;
    if (device->method != NULL && device->method->close != NULL) {
        device->method->close(device);
    }
    cuda_backend.release(device->image);
    cuda_backend.release(device->integral);
    cuda_backend.release(device->keypoints);
    cuda_backend.release(device->tests);
    cuda_backend.release(device->descriptors);
    free(device);
}
