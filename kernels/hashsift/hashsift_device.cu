#include "hashsift_device.h"

#include <cstdlib>

#include "cuda_device.h"
#include "descriptor_weights.h"

/* === The device side ========================================================================== */

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
void weights_copies(const HashsiftDevice *device, Copy copies[HASHSIFT_WEIGHTS_COPIES]) {
    if (device->methods->weights != NULL) {
        device->methods->weights(device, copies);
    } else if (device->factors != NULL) {
        const float *table = device->weights->values;
        const size_t bits = (size_t)device->bits;
        constexpr size_t ROW_BYTES = HASHSIFT_COLUMNS * sizeof(float);
        constexpr size_t FACTOR_BYTES = HASHSIFT_VALUES * sizeof(float);
        copies[0] = {device->bias, sizeof(float), table, ROW_BYTES, sizeof(float), bits};
        copies[1] = {device->factors, FACTOR_BYTES, table + 1, ROW_BYTES, FACTOR_BYTES, bits};
    }
}

Status upload(HashsiftDevice *device) {
    const Workload *workload = device->request->workload;
    const Image *image = &workload->image;
    Copy copies[2 + HASHSIFT_WEIGHTS_COPIES] = {
        {device->image, device->image_stride, image->pixels, image->stride, (size_t)image->width,
         (size_t)image->height},
        copy_bytes(device->keypoints, workload->keypoints.keypoints,
                   (size_t)device->keypoints_count * sizeof(Keypoint))};
    weights_copies(device, copies + 2);
    STATUS_TRY(copies_queue(copies, sizeof copies / sizeof copies[0], cudaMemcpyHostToDevice));
    return device->methods->upload != NULL ? device->methods->upload(device) : status_ok();
}

Status queue_download(const HashsiftDevice *device) {
    const Copy copy = copy_bytes(hashsift_descriptors(device->request->output), device->descriptors,
                                 (size_t)device->keypoints_count * ((size_t)device->bits / 8));
    return copies_queue(&copy, 1, cudaMemcpyDeviceToHost);
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

Status hashsift_cuda_queue_download(void *state) {
    return queue_download((const HashsiftDevice *)state);
}

Status hashsift_cuda_download(void *state) {
    STATUS_TRY(hashsift_cuda_queue_download(state));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
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

/* === Signs ==================================================================================== */

/*
 * Stage "sign": responses become bits, a thread for each byte of a descriptor, or values become
 * bytes where there is no projection.
 *
 * Floor: 32 bytes read for each byte written; nothing else is to be had from it but not having it,
 * by taking the signs where the responses are made.
 */

namespace {

constexpr unsigned int THREADS = 256;

/* Four bits, the most significant first. */
__device__ __forceinline__ unsigned int signs_of(float4 responses, float4 bias) {
    return (responses.x + bias.x > 0 ? 8U : 0U) | (responses.y + bias.y > 0 ? 4U : 0U) |
           (responses.z + bias.z > 0 ? 2U : 0U) | (responses.w + bias.w > 0 ? 1U : 0U);
}

/* `row_bytes`: of a descriptor; responses and bias are in groups of four. */
__global__ void __launch_bounds__(THREADS)
    hashsift_signs_of_responses(const float4 *responses, const float4 *bias, unsigned int row_bytes,
                                size_t bytes, uint8_t *descriptors) {
    const size_t byte = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (byte < bytes) {
        const size_t column = byte % row_bytes;
        descriptors[byte] = (uint8_t)(signs_of(responses[2 * byte], bias[2 * column]) << 4 |
                                      signs_of(responses[2 * byte + 1], bias[2 * column + 1]));
    }
}

__global__ void __launch_bounds__(THREADS)
    hashsift_bytes_of_values(const float *values, size_t bytes, uint8_t *descriptors) {
    const size_t byte = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (byte < bytes) {
        descriptors[byte] = (uint8_t)values[byte];
    }
}

} // namespace

Status hashsift_cuda_sign(void *state) {
    const HashsiftDevice *device = (const HashsiftDevice *)state;
    const unsigned int row_bytes = (unsigned int)device->bits / 8;
    const size_t bytes = (size_t)device->keypoints_count * row_bytes;
    const unsigned int blocks = (unsigned int)((bytes + THREADS - 1) / THREADS);
    if (bytes == 0) {
        return status_ok();
    }
    if (device->weights == NULL) {
        hashsift_bytes_of_values<<<blocks, THREADS, 0, cuda_stream()>>>(device->values, bytes,
                                                                        device->descriptors);
    } else {
        hashsift_signs_of_responses<<<blocks, THREADS, 0, cuda_stream()>>>(
            (const float4 *)device->responses, (const float4 *)device->bias, row_bytes, bytes,
            device->descriptors);
    }
    return CUDA_LAUNCHED();
}
