/*
 * Stage "sign": responses become bits, a thread for each byte of a descriptor, or values become
 * bytes where there is no projection.
 *
 * Floor: 32 bytes read for each byte written; nothing else is to be had from it but not having it,
 * by taking the signs where the responses are made.
 */
#include "cuda_check.h"
#include "cuda_device.h"
#include "hashsift_device.h"

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
