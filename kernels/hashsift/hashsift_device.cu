#include "hashsift_device.h"

#include <cstdlib>

#include "cuda_check.h"
#include "cuda_device.h"
#include "round_up.h"

namespace {

template <typename Item> Status allocate(size_t count, Item **memory) {
    return cuda_backend.alloc(count * sizeof(Item), (void **)memory);
}

Status allocate_product(HashsiftDevice *device) {
    const size_t bits = (size_t)device->bits;
    STATUS_TRY(allocate(bits, &device->bias));
    STATUS_TRY(allocate(bits * HASHSIFT_VALUES, &device->factors));
    return allocate((size_t)device->keypoints_count * bits, &device->responses);
}

Status allocate_buffers(HashsiftDevice *device, unsigned int buffers) {
    const size_t keypoints = (size_t)device->keypoints_count;
    STATUS_TRY(allocate(device->image_stride * (size_t)device->height, &device->image));
    STATUS_TRY(allocate(keypoints, &device->keypoints));
    STATUS_TRY(allocate(keypoints * ((size_t)device->bits / 8), &device->descriptors));
    if ((buffers & HASHSIFT_WITH_VALUES) != 0) {
        STATUS_TRY(allocate(keypoints * HASHSIFT_VALUES, &device->values));
    }
    const bool product = device->weights != NULL && (buffers & HASHSIFT_WITH_PRODUCT) != 0;
    return product ? allocate_product(device) : status_ok();
}

/* The bias is the first column of the table; factors go without it, so that their rows are aligned
 * as a product likes them. */
Status upload_weights(const HashsiftDevice *device) {
    const float *table = device->weights->values;
    const size_t bits = (size_t)device->bits;
    constexpr size_t ROW_BYTES = HASHSIFT_COLUMNS * sizeof(float);
    constexpr size_t FACTOR_BYTES = HASHSIFT_VALUES * sizeof(float);
    CUDA_TRY(cudaMemcpy2DAsync(device->bias, sizeof(float), table, ROW_BYTES, sizeof(float), bits,
                               cudaMemcpyHostToDevice, cuda_stream()));
    CUDA_TRY(cudaMemcpy2DAsync(device->factors, FACTOR_BYTES, table + 1, ROW_BYTES, FACTOR_BYTES,
                               bits, cudaMemcpyHostToDevice, cuda_stream()));
    return status_ok();
}

Status upload(HashsiftDevice *device) {
    const Workload *workload = device->request->workload;
    const Image *image = &workload->image;
    const size_t keypoints_bytes = (size_t)device->keypoints_count * sizeof(Keypoint);
    CUDA_TRY(cudaMemcpy2DAsync(device->image, device->image_stride, image->pixels, image->stride,
                               (size_t)image->width, (size_t)image->height, cudaMemcpyHostToDevice,
                               cuda_stream()));
    CUDA_TRY(cudaMemcpyAsync(device->keypoints, workload->keypoints.keypoints, keypoints_bytes,
                             cudaMemcpyHostToDevice, cuda_stream()));
    if (device->factors != NULL) {
        STATUS_TRY(upload_weights(device));
    }
    return device->methods->upload != NULL ? device->methods->upload(device) : status_ok();
}

Status download(const HashsiftDevice *device) {
    const Output *output = device->request->output;
    const size_t bytes = (size_t)device->keypoints_count * ((size_t)device->bits / 8);
    CUDA_TRY(cudaMemcpyAsync(hashsift_descriptors(output), device->descriptors, bytes,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

} // namespace

Status hashsift_device_open(const Request *request, const HashsiftMethods *methods,
                            size_t row_alignment, unsigned int buffers, HashsiftDevice *device) {
    const Image *image = &request->workload->image;
    device->request = request;
    device->methods = methods;
    device->width = image->width;
    device->height = image->height;
    device->image_stride = round_up((size_t)image->width, row_alignment);
    device->keypoints_count = point_keypoints(request->answer);
    device->bits = point_bits(request->answer);
    device->scale = point_scale(request->answer);
    if (device->bits != HASHSIFT_VALUE_BITS) {
        STATUS_TRY(keypoints_weights(request->workload, request->answer, WEIGHTS_HASHSIFT,
                                     &device->weights));
    }
    return allocate_buffers(device, buffers);
}

Status hashsift_cuda_upload(void *state) {
    return upload((HashsiftDevice *)state);
}

Status hashsift_cuda_sift(void *state) {
    HashsiftDevice *device = (HashsiftDevice *)state;
    return device->keypoints_count > 0 ? device->methods->sift(device) : status_ok();
}

Status hashsift_cuda_product(void *state) {
    HashsiftDevice *device = (HashsiftDevice *)state;
    const bool wanted = device->keypoints_count > 0 && device->weights != NULL;
    return wanted ? device->methods->product(device) : status_ok();
}

Status hashsift_cuda_run(void *state) {
    STATUS_TRY(hashsift_cuda_sift(state));
    STATUS_TRY(hashsift_cuda_product(state));
    return hashsift_cuda_sign(state);
}

Status hashsift_cuda_download(void *state) {
    return download((const HashsiftDevice *)state);
}

void hashsift_cuda_close(void *state) {
    HashsiftDevice *device = (HashsiftDevice *)state;
    if (device == NULL) {
        return;
    }
    if (device->methods != NULL && device->methods->close != NULL) {
        device->methods->close(device);
    }
    cuda_backend.release(device->image);
    cuda_backend.release(device->keypoints);
    cuda_backend.release(device->bias);
    cuda_backend.release(device->factors);
    cuda_backend.release(device->values);
    cuda_backend.release(device->responses);
    cuda_backend.release(device->descriptors);
    free(device);
}
