#include "hashsift_device.cuh"

#include <cstdlib>

#include "descriptor_weights.h"

/* === The device side ========================================================================== */

/* The bias is the first column of the weights; factors go without it, so that their rows are
 * aligned as a product likes them. */
static Status open_buffers(HashsiftDevice *device, unsigned int buffers) {
    constexpr size_t ROW_BYTES = HASHSIFT_COLUMNS * sizeof(float);
    constexpr size_t FACTOR_BYTES = HASHSIFT_VALUES * sizeof(float);
    const Workload *workload = device->request->workload;
    const size_t count = (size_t)device->keypoints_count;
    const size_t bits = (size_t)device->bits;
    const bool values = (buffers & HASHSIFT_WITH_VALUES) != 0;
    const bool product = device->weights != NULL && (buffers & HASHSIFT_WITH_PRODUCT) != 0;
    const float *weights = product ? device->weights->values : NULL;
    const float *factors = product ? weights + 1 : NULL;
    const CudaBuffer table[] = {
        cuda_rows_up(&device->image, device->image_stride * (size_t)device->height,
                     cuda_image_rows(&workload->image, device->image_stride)),
        cuda_up(&device->keypoints, count * sizeof(Keypoint), workload->keypoints.keypoints),
        cuda_where(product,
                   cuda_rows_up(&device->bias, bits * sizeof(float),
                                {weights, ROW_BYTES, 0, sizeof(float), sizeof(float), bits})),
        cuda_where(product,
                   cuda_rows_up(&device->factors, bits * FACTOR_BYTES,
                                {factors, ROW_BYTES, 0, FACTOR_BYTES, FACTOR_BYTES, bits})),
        cuda_where(values, cuda_scratch(&device->values, count * FACTOR_BYTES)),
        cuda_where(product, cuda_scratch(&device->responses, count * bits * sizeof(float))),
        cuda_down(&device->descriptors, count * (bits / 8),
                  hashsift_descriptors(device->request->output)),
    };
    return cuda_open_buffers(device, table);
}

Status hashsift_device_open(const HashsiftMethods *methods, size_t row_alignment,
                            unsigned int buffers, HashsiftDevice *device) {
    const Request *request = device->request;
    const Image *image = &request->workload->image;
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
    return open_buffers(device, buffers);
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
