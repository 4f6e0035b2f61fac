/*
 * copy / cuda_naive: one thread moves one byte. A warp's load is one 32-byte sector, so the memory
 * system gets sixteen times as many requests as needed; cuda_fast shows the difference.
 */
#include "copy_device.cuh"

VARIANT_FUNCTIONS(copy_cuda_naive);

static const unsigned int THREADS = 256;

static __global__ void copy_naive(const uint8_t *source, uint8_t *target, size_t bytes) {
    const size_t index = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (index < bytes) {
        target[index] = source[index];
    }
}

Status copy_cuda_naive_run(void *state) {
    const CopyDevice *device = (const CopyDevice *)state;
    const size_t blocks = (device->bytes + THREADS - 1) / THREADS;
    copy_naive<<<(unsigned int)blocks, THREADS, 0, cuda_stream()>>>(device->source, device->target,
                                                                    device->bytes);
    return CUDA_LAUNCHED();
}
